/// How forms look, on paper and, as far as a terminal can, on a terminal. What it leaves out is as each place has it.
public struct ConsentTheme: Hashable, Sendable {
  /// Titles and headings.
  public var title = ConsentTextStyle()
  /// Everything that is neither a title nor an action.
  public var body = ConsentTextStyle()
  /// What leads somewhere: links, and *learn more*.
  public var action = ConsentTextStyle()
  /// The pages.
  public var page = ConsentPageStyle()

  /// A theme that changes nothing.
  public init() {}
}

/// How one kind of text looks; nil is as it is.
public struct ConsentTextStyle: Hashable, Sendable {
  /// Families of fonts, best first, with commas between them.
  public var font: String?
  /// The size in points, 5 to 72; on paper. Of titles, that of the document's title: headings follow in proportion.
  public var size: Double?
  /// The colour.
  public var color: ConsentColor?
  /// Where lines stand.
  public var alignment: ConsentAlignment?
  /// The most lines of one title or action; what is more ends in an ellipsis. On paper the body is never cut.
  public var lineLimit: Int?

  /// A style that changes nothing.
  public init() {}
}

/// A colour.
public struct ConsentColor: Hashable, Sendable, CustomStringConvertible {
  /// Red, green and blue: 0xRRGGBB.
  public let value: UInt32

  /// From red, green and blue; what is above 24 bits does not count.
  public init(_ value: UInt32) { self.value = value & 0xFF_FFFF }

  /// From `#rrggbb`; nil for anything else.
  public init?(_ text: String) {
    let digits = text.utf8.dropFirst()
    let isHex = digits.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"): true
      case UInt8(ascii: "A")...UInt8(ascii: "F"): true
      default: false
      }
    }
    guard text.utf8.first == UInt8(ascii: "#"), digits.count == 6, isHex, let value = UInt32(text.dropFirst(), radix: 16)
    else { return nil }
    self.value = value
  }

  /// `#rrggbb`
  public var description: String {
    let digits = String(value, radix: 16)
    return "#" + String(repeating: "0", count: 6 - digits.count) + digits
  }
}

/// Where lines stand.
public enum ConsentAlignment: String, Hashable, Sendable, CaseIterable {
  /// Where the language's lines start: left, or right.
  case start
  /// In the middle.
  case center
  /// Where they end.
  case end
}

/// The pages of a paper.
public struct ConsentPageStyle: Hashable, Sendable {
  /// The size; nil is what is usual in the region of the paper's language.
  public var size: ConsentPageSize?
  /// The margins in points; header and footer stand within them. Nil is 60 on each side.
  public var margins: ConsentMargins?
  /// What stands above each page but the first; `{title}`, `{page}` and `{pages}` are replaced. Nil is the title.
  public var header: String?
  /// What stands below each page, likewise. Nil is the paper's page number in words.
  public var footer: String?

  /// As it is.
  public init() {}
}

/// A size of paper.
public enum ConsentPageSize: String, Hashable, Sendable, CaseIterable {
  /// 210 mm × 297 mm.
  case a4
  /// 8.5 in × 11 in.
  case letter

  /// The width and the height in points of 1/72 inch.
  public var points: (width: Double, height: Double) {
    switch self {
    case .a4: (595.276, 841.89)
    case .letter: (612, 792)
    }
  }

  /// What is usual where a language is spoken; A4 where it has no region.
  ///
  /// Source: CLDR 45, supplemental data on paper sizes.
  public static func usual(for locale: LanguageTag) -> ConsentPageSize {
    let regions = ["BZ", "CA", "CL", "CO", "CR", "GT", "MX", "NI", "PA", "PH", "PR", "SV", "US", "VE"]
    return locale.region.map(regions.contains) ?? false ? .letter : .a4
  }
}

/// Margins in points of 1/72 inch, each 36 to 200.
public struct ConsentMargins: Hashable, Sendable {
  /// Above the text; the header stands in its middle.
  public var top: Double
  /// Below the text; the footer stands in its middle.
  public var bottom: Double
  /// Where lines start.
  public var start: Double
  /// Where lines end.
  public var end: Double

  /// Margins.
  public init(top: Double, bottom: Double, start: Double, end: Double) {
    (self.top, self.bottom, self.start, self.end) = (top, bottom, start, end)
  }
}
