/// What is not cut when pages are made: a line, or a row of lines.
public struct Strip: Sendable {
  /// Whether a page may end before a strip.
  public enum Break: Equatable, Sendable {
    /// It may.
    case allowed
    /// It may not, unless there is no other place.
    case avoided
    /// It does.
    case forced
  }

  /// The space above it; none at the top of a page.
  public var spaceBefore: Double
  /// Its height.
  public var height: Double
  /// Whether a page may end before it.
  public var breakBefore: Break
  /// What is drawn.
  public var marks: [Mark]
  /// The number of the row that stands again above it at the top of a page.
  public var header: Int?

  /// A strip.
  public init(spaceBefore: Double = 0, height: Double, breakBefore: Break = .allowed, marks: [Mark] = []) {
    (self.spaceBefore, self.height, self.breakBefore, self.marks) = (spaceBefore, height, breakBefore, marks)
  }
}

/// Something that is drawn.
public struct Mark: Sendable {
  /// What it is.
  public enum Kind: Sendable {
    /// What of a line belongs to a part of its text.
    case line(text: Int, line: Int, part: Int)
    /// A box filled with a colour.
    case box(width: Double, height: Double, color: UInt32)
    /// A box as high as the strip with the space above it.
    case backdrop(width: Double, color: UInt32)
    /// A picture.
    case image(SizedImage)
    /// Nothing: an empty cell.
    case nothing
  }

  /// The place of its top left corner: on the page, and below the strip's top.
  public var x: Double, y: Double
  /// What it is.
  public var kind: Kind
  /// What it belongs to; nil for ornament.
  public var node: Int?
  /// What it is within that.
  public var part = StyledText.Part.text

  /// A mark.
  public init(x: Double, y: Double, kind: Kind, node: Int? = nil, part: StyledText.Part = .text) {
    (self.x, self.y, self.kind, self.node, self.part) = (x, y, kind, node, part)
  }
}

/// A part of the structure that a PDF with tags has, such as a paragraph. Their order is that of the document, parents first.
public struct StructureNode: Equatable, Sendable {
  /// The tag.
  ///
  /// Source: ISO 32000-1 §14.8.4.
  public enum Role: String, Sendable {
    case document = "Document", section = "Sect", paragraph = "P", list = "L", item = "LI", label = "Lbl"
    case itemBody = "LBody", quote = "BlockQuote", table = "Table", row = "TR", headerCell = "TH", cell = "TD"
    case heading1 = "H1", heading2 = "H2", heading3 = "H3", heading4 = "H4", heading5 = "H5", heading6 = "H6"

    /// A heading's.
    static func heading(_ rank: Int) -> Role {
      [.heading1, .heading2, .heading3, .heading4, .heading5, .heading6][min(6, max(1, rank)) - 1]
    }
  }

  /// The tag.
  public var role: Role
  /// The number of the part that it is in; nil for the document.
  public var parent: Int?
}

/// A heading for the table of contents.
public struct OutlineEntry: Equatable, Sendable {
  /// 1 for the title.
  public var rank: Int
  /// Its words.
  public var title: String
  /// The number of its first strip.
  public var strip: Int
}

/// A whole text in strips.
public struct Flow: Sendable {
  /// The strips, in order.
  public internal(set) var strips: [Strip] = []
  /// Rows that may stand again.
  public internal(set) var headers: [Strip] = []
  /// The structure; the first is the document.
  public internal(set) var nodes = [StructureNode(role: .document)]
  /// The headings.
  public internal(set) var outline: [OutlineEntry] = []

  /// Strips without structure.
  public init(strips: [Strip] = []) { self.strips = strips }
}
