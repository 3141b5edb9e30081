/// One line of a text as it stands on a terminal: stretches, each with its style.
public struct RichLine: Hashable, Sendable {
  /// How a stretch is set off.
  public struct Style: OptionSet, Hashable, Sendable {
    /// The set as bits.
    public let rawValue: UInt8

    /// From bits.
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// A heading.
    public static let heading = Style(rawValue: 1)
    /// Strong.
    public static let strong = Style(rawValue: 2)
    /// Emphasised.
    public static let emphasis = Style(rawValue: 4)
    /// Struck through.
    public static let strike = Style(rawValue: 8)
    /// In letters of one width.
    public static let code = Style(rawValue: 16)
    /// A link.
    public static let link = Style(rawValue: 32)
  }

  /// One stretch.
  public struct Run: Hashable, Sendable {
    /// The characters, none of which drives a terminal.
    public var text: String
    /// How they are set off.
    public var style: Style
  }

  /// The stretches.
  public var runs: [Run]

  /// The line without its styles.
  public var text: String { runs.map(\.text).joined() }
}

/// How many columns a text takes on a terminal.
enum TextWidth {
  static func columns(_ text: some StringProtocol) -> Int { text.reduce(0) { $0 + columns($1) } }

  /// A character takes two columns where it is wide, none where it is a mark alone.
  static func columns(_ character: Character) -> Int {
    guard let first = character.unicodeScalars.first else { return 0 }
    switch first.properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .format, .control: return 0
    default: break
    }
    switch first.value {
    case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0xA4CF, 0xA960...0xA97C, 0xAC00...0xD7A3, 0xF900...0xFAFF,
      0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x1F300...0x1F64F, 0x1F680...0x1F6FF, 0x1F900...0x1F9FF,
      0x20000...0x3FFFD:
      return 2
    default: return 1
    }
  }
}
