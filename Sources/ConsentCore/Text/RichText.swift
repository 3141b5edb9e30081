/// A formatted text as blocks and spans: what Markdown, HTML and plain texts all become, and what the terminal, HTML and
/// paper are made from. It holds no markup: every text in it is shown as it is.
public struct RichText: Hashable, Sendable {
  /// Its blocks, in order.
  public var blocks: [RichBlock]

  /// A text.
  public init(_ blocks: [RichBlock] = []) { self.blocks = blocks }
}

/// One block of a text.
public indirect enum RichBlock: Hashable, Sendable {
  /// A heading; the level is 1 to 6.
  case heading(level: Int, [RichSpan])
  /// A paragraph. It may be empty: a place that is left free.
  case paragraph([RichSpan])
  /// A list.
  case list(RichList)
  /// Something quoted.
  case quote([RichBlock])
  /// Lines that keep their spaces.
  case code(String)
  /// A table.
  case table(RichTable)
  /// A line across.
  case rule
  /// On paper, what follows starts a page.
  case pageBreak
  /// The place for a signature, or a signature.
  case signature(RichSignature)
}

/// One stretch of a line.
public indirect enum RichSpan: Hashable, Sendable {
  /// A text.
  case text(String)
  /// A text whose direction is its own, such as a date or a name: what stands beside it does not turn it round.
  case isolated(String)
  /// Emphasised.
  case emphasis([RichSpan])
  /// Strong.
  case strong([RichSpan])
  /// Struck through.
  case strike([RichSpan])
  /// In letters of one width.
  case code(String)
  /// A link to an address that ``WebLink`` permits.
  case link(url: String, [RichSpan])
  /// A picture that the text carries.
  case image(RichImage)
  /// The line ends here.
  case lineBreak
}

/// A list: its items, and the number of the first where it is ordered.
public struct RichList: Hashable, Sendable {
  /// The first number; nil for bullets.
  public var start: Int?
  /// The items.
  public var items: [[RichBlock]]

  /// A list.
  public init(start: Int? = nil, items: [[RichBlock]]) {
    self.start = start
    self.items = items
  }
}

/// A table.
public struct RichTable: Hashable, Sendable {
  /// Where the cells of a column stand.
  public enum Alignment: String, Hashable, Sendable, CaseIterable {
    /// Where lines start.
    case natural
    /// Left.
    case left
    /// In the middle.
    case center
    /// Right.
    case right
  }

  /// The cells above the rows; none where it has no header.
  public var header: [[RichSpan]]
  /// The rows, each with its cells.
  public var rows: [[[RichSpan]]]
  /// How each column is aligned.
  public var alignments: [Alignment]

  /// A table.
  public init(header: [[RichSpan]], rows: [[[RichSpan]]], alignments: [Alignment] = []) {
    self.header = header
    self.rows = rows
    self.alignments = alignments
  }
}

/// A picture that the text carries, with words for those who don't see it.
public struct RichImage: Hashable, Sendable {
  /// The picture.
  public var image: ConsentImage
  /// The words.
  public var words: String

  /// A picture.
  public init(image: ConsentImage, words: String) {
    self.image = image
    self.words = words
  }
}

/// A signature as it is drawn: who signs, then up to three columns, each with a value, a rule and a caption.
public struct RichSignature: Hashable, Sendable {
  /// One column.
  public struct Column: Hashable, Sendable {
    /// What stands over the rule.
    public enum Value: Hashable, Sendable {
      /// Nothing: a line to sign on by hand.
      case blank
      /// A text.
      case text(String)
      /// A drawn signature, and the words in its place.
      case image(RichImage)
    }

    /// What stands over the rule.
    public var value: Value
    /// What stands under it.
    public var caption: String

    /// A column.
    public init(value: Value, caption: String) {
      self.value = value
      self.caption = caption
    }
  }

  /// Who signs.
  public var role: String
  /// The columns; none where nothing is asked and nothing was given.
  public var columns: [Column]
  /// What else was asked, as captions with their values.
  public var fields: [Column]

  /// A signature.
  public init(role: String, columns: [Column], fields: [Column] = []) {
    self.role = role
    self.columns = columns
    self.fields = fields
  }
}

extension RichText {
  /// A plain text: each line feed breaks the line, and an empty line starts a paragraph.
  public init(plain: String) {
    var blocks: [RichBlock] = []
    var lines: [String] = []
    for line in PlainText.cleaned(plain).split(separator: "\n", omittingEmptySubsequences: false).map(String.init) + [""] {
      if !line.isEmpty {
        lines.append(line)
      } else if !lines.isEmpty {
        blocks.append(.paragraph(Self.spans(lines)))
        lines = []
      }
    }
    self.init(blocks)
  }

  private static func spans(_ lines: [String]) -> [RichSpan] {
    var spans: [RichSpan] = []
    for line in lines {
      if !spans.isEmpty { spans.append(.lineBreak) }
      spans.append(.text(line))
    }
    return spans
  }
}

extension RichText {
  /// Whether it has neither a page break nor a signature, at any depth.
  var isFree: Bool { Self.areFree(blocks) }

  private static func areFree(_ blocks: [RichBlock]) -> Bool {
    blocks.allSatisfy { block in
      switch block {
      case .pageBreak, .signature: false
      case .list(let list): list.items.allSatisfy(areFree)
      case .quote(let blocks): areFree(blocks)
      case .heading, .paragraph, .code, .table, .rule: true
      }
    }
  }
}

extension RichSpan {
  /// One line of text as it is.
  static func plain(_ text: String) -> RichSpan {
    .text(String(PlainText.cleaned(text).map { $0 == "\n" ? " " : $0 }))
  }

  /// The words of spans, without what sets them off.
  package static func words(of spans: [RichSpan]) -> String {
    spans.map { span in
      switch span {
      case .text(let text), .isolated(let text), .code(let text): text
      case .emphasis(let inner), .strong(let inner), .strike(let inner), .link(_, let inner): words(of: inner)
      case .image(let image): image.words
      case .lineBreak: " "
      }
    }.joined()
  }
}
