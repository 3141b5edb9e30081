/// How letters are set off.
public struct TextTraits: OptionSet, Hashable, Sendable {
  /// The set as bits.
  public let rawValue: UInt32

  /// From bits.
  public init(rawValue: UInt32) { self.rawValue = rawValue }

  /// Bold.
  public static let bold = TextTraits(rawValue: 1)
  /// Slanted.
  public static let italic = TextTraits(rawValue: 2)
  /// Struck through.
  public static let strike = TextTraits(rawValue: 4)
  /// Underlined.
  public static let underline = TextTraits(rawValue: 8)
  /// Of one width.
  public static let monospace = TextTraits(rawValue: 16)
}

/// Where lines stand within their width.
public enum LineAlignment: Int32, Sendable {
  /// Left.
  case left = -1
  /// In the middle.
  case center = 0
  /// Right.
  case right = 1
}

/// How a whole text is set.
public struct TextStyle: Hashable, Sendable {
  /// Families of fonts, best first, with commas between them.
  public var font: String
  /// The same for letters of one width.
  public var monospaceFont: String
  /// In points.
  public var size: Double
  /// 0xRRGGBB
  public var color: UInt32
  /// How all of it is set off.
  public var traits: TextTraits = []
  /// The most lines; nil for any number.
  public var lineLimit: Int?
}

/// A text as it is to be set.
public struct StyledText: Sendable {
  /// A stretch that is set otherwise, in bytes. Stretches are in order and don't overlap.
  public struct Run: Equatable, Sendable {
    /// The bytes.
    public var range: Range<Int>
    /// How it is set off, beside the style.
    public var traits: TextTraits
    /// 0xRRGGBB; nil is the style's.
    public var color: UInt32?
    /// The number of its part.
    public var part: Int
    /// The picture in its place.
    public var image: SizedImage?
  }

  /// What a stretch is to those who are read to.
  public enum Part: Equatable, Sendable {
    /// Text.
    case text
    /// A link.
    case link(url: String)
    /// A picture, and words in its place.
    case figure(words: String)
  }

  /// The text.
  public var text = ""
  /// Its stretches.
  public var runs: [Run] = []
  /// Its parts, in the order of the text; there is at least one.
  public var parts: [Part] = [.text]
  /// Its style.
  public var style: TextStyle
  /// Where its lines stand.
  public var alignment = LineAlignment.left
  /// Whether it runs from right to left.
  public var isRightToLeft = false
  /// Whether lines may end within a word.
  public var breaksAnywhere = false

  /// An empty text.
  public init(style: TextStyle) { self.style = style }
}

/// A picture that was decoded, at the size it is drawn in.
public struct SizedImage: Equatable, Sendable {
  /// Its number with the typesetter.
  public var id: Int
  /// In points.
  public var width: Double
  /// In points.
  public var height: Double

  /// A picture.
  public init(id: Int, width: Double, height: Double) {
    (self.id, self.width, self.height) = (id, width, height)
  }

  /// The picture within a box, no larger than it is.
  func fitted(width limit: Double, height: Double) -> SizedImage {
    let scale = min(1, limit / max(width, 1), height / max(self.height, 1))
    return SizedImage(id: id, width: width * scale, height: self.height * scale)
  }
}

/// A text in lines.
public struct SetText: Sendable {
  /// One line.
  public struct Line: Sendable {
    /// Its height in points.
    public var height: Double
    /// From its top to the line that letters stand on.
    public var baseline: Double
    /// The numbers of the parts that it has something of, rising.
    public var parts: [Int]

    /// A line.
    public init(height: Double, baseline: Double, parts: [Int]) {
      (self.height, self.baseline, self.parts) = (height, baseline, parts)
    }
  }

  /// Its number with the typesetter.
  public var id: Int
  /// Its lines.
  public var lines: [Line]
  /// How wide the widest is, in points.
  public var width: Double

  /// A text.
  public init(id: Int, lines: [Line], width: Double) {
    (self.id, self.lines, self.width) = (id, lines, width)
  }

  /// The height of all lines.
  var height: Double { lines.reduce(0) { $0 + $1.height } }
}

/// Breaks texts into lines.
public protocol Typesetting: AnyObject {
  /// What goes wrong with it.
  associatedtype Failure: Error
  /// The text in lines of this width in points.
  func set(_ text: StyledText, width: Double) throws(Failure) -> SetText
  /// A picture at its own size, of 96 pixels to the inch.
  func image(_ png: [UInt8]) throws(Failure) -> SizedImage
}
