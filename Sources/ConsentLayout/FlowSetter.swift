public import ConsentCore

/// Sets a text in lines and puts these in strips, with the structure that they belong to.
public struct FlowSetter<Typesetter: Typesetting> {
  /// Where a block stands.
  struct Place {
    /// Left edge on the page, and width.
    var x: Double, width: Double
    /// The direction that texts without letters have, and lists and tables.
    var isRightToLeft: Bool
    /// What it is a part of.
    var node = 0
    /// How many lists it is in.
    var listDepth = 0
    /// Space above a block that asks for no more.
    var spacing: Double

    /// The place without a piece of this width where lines start.
    func indented(by indent: Double) -> Place {
      var place = self
      place.width = max(24, width - indent)
      if !isRightToLeft { place.x += indent }
      return place
    }
  }

  let typesetter: Typesetter
  let style: PaperStyle
  /// The levels of headings that the text has, rising; a heading's rank is its level's place.
  private let levels: [Int]
  var flow = Flow()
  private var hasTitle = false
  private var isPageForced = false

  /// A paper in strips.
  public static func flow(
    of paper: ConsentPaper, _ style: PaperStyle, _ typesetter: Typesetter
  ) throws(PaperFault<Typesetter.Failure>) -> Flow {
    var setter = FlowSetter(typesetter, style, paper.text)
    let place = Place(
      x: style.margins.left, width: style.contentWidth, isRightToLeft: style.isRightToLeft,
      spacing: style.body.size * 0.62)
    for block in paper.text.blocks { try setter.add(block, place) }
    return setter.flow
  }

  private init(_ typesetter: Typesetter, _ style: PaperStyle, _ text: RichText) {
    self.typesetter = typesetter
    self.style = style
    levels = Set(text.blocks.flatMap { HeadingLevels.of($0) }).sorted()
  }

  mutating func add(_ block: RichBlock, _ place: Place) throws(PaperFault<Typesetter.Failure>) {
    switch block {
    case .heading(let level, let spans): try addHeading(level, spans, place)
    case .paragraph(let spans): try addParagraph(spans, place)
    case .list(let list): try addList(list, place)
    case .quote(let blocks): try addQuote(blocks, place)
    case .code(let text): try addCode(text, place)
    case .table(let table): try addTable(table, place)
    case .rule: addRule(place)
    case .pageBreak: isPageForced = true
    case .signature(let signature): try addSignature(signature, place)
    }
  }

  // MARK: - Texts

  private mutating func addHeading(
    _ level: Int, _ spans: [RichSpan], _ place: Place
  ) throws(PaperFault<Typesetter.Failure>) {
    if spans.isEmpty { return }
    let rank = 1 + levels.firstIndex(of: level)!
    let textStyle = style.heading(rank)
    var text = try styled(spans, textStyle, place)
    text.alignment = PaperStyle.alignment(style.titleAlignment, isRightToLeft: text.isRightToLeft)
    let node = addNode(.heading(rank), in: place)
    flow.outline.append(OutlineEntry(rank: rank, title: plainWords(spans), strip: flow.strips.count))
    try addLines(of: text, place, node: node, spaceBefore: textStyle.size * (rank == 1 ? 1.4 : 1.1), keepsTogether: true)
    if rank == 1, !hasTitle {
      let line = Mark(x: place.x, y: 5, kind: .box(width: place.width, height: 0.75, color: PaperStyle.hairline))
      append(Strip(height: 8, breakBefore: .avoided, marks: [line]))
    }
    hasTitle = true
    keepsWithNext = true
  }

  /// Whether the next strip belongs on the page of the last one.
  private var keepsWithNext = false

  private mutating func addParagraph(_ spans: [RichSpan], _ place: Place) throws(PaperFault<Typesetter.Failure>) {
    if spans.isEmpty {
      // A place that is left free.
      append(Strip(spaceBefore: place.spacing, height: style.body.size * 1.45))
      return
    }
    var text = try styled(spans, style.body, place)
    text.alignment = PaperStyle.alignment(style.bodyAlignment, isRightToLeft: text.isRightToLeft)
    try addLines(of: text, place, node: addNode(.paragraph, in: place), spaceBefore: place.spacing)
  }

  /// Spans as one text in the direction that suits it.
  func styled(
    _ spans: [RichSpan], _ textStyle: TextStyle, _ place: Place
  ) throws(PaperFault<Typesetter.Failure>) -> StyledText {
    var setter = SpanSetter(typesetter, style, textStyle, imageWidth: place.width)
    do { try setter.add(spans) } catch { throw .typesetter(error) }
    var text = setter.result
    text.isRightToLeft = TextDirection.isRightToLeft(spans, base: place.isRightToLeft)
    text.alignment = PaperStyle.alignment(.start, isRightToLeft: text.isRightToLeft)
    return text
  }

  func set(_ text: StyledText, width: Double) throws(PaperFault<Typesetter.Failure>) -> SetText {
    do { return try typesetter.set(text, width: width) } catch { throw .typesetter(error) }
  }

  /// A strip for each line. A page ends neither behind the first nor before the last line of a paragraph.
  mutating func addLines(
    of text: StyledText, _ place: Place, node: Int, spaceBefore: Double, keepsTogether: Bool = false
  ) throws(PaperFault<Typesetter.Failure>) {
    let lines = try set(text, width: place.width)
    for (index, line) in lines.lines.enumerated() {
      let isKept = index == 1 || index == lines.lines.count - 1 || keepsTogether
      let marks = marks(lines, text, line: index, x: place.x, y: 0, node: node)
      append(
        Strip(
          spaceBefore: index == 0 ? spaceBefore : 0, height: line.height,
          breakBefore: index > 0 && isKept ? .avoided : .allowed, marks: marks))
    }
  }

  /// What is drawn of one line.
  func marks(_ lines: SetText, _ text: StyledText, line: Int, x: Double, y: Double, node: Int) -> [Mark] {
    lines.lines[line].parts.map { part in
      Mark(x: x, y: y, kind: .line(text: lines.id, line: line, part: part), node: node, part: text.parts[part])
    }
  }

  // MARK: - Strips and nodes

  mutating func append(_ strip: Strip) {
    var strip = strip
    if isPageForced {
      strip.breakBefore = .forced
    } else if keepsWithNext, strip.breakBefore == .allowed {
      strip.breakBefore = .avoided
    }
    (isPageForced, keepsWithNext) = (false, false)
    flow.strips.append(strip)
  }

  mutating func addNode(_ role: StructureNode.Role, in place: Place) -> Int { addNode(role, in: place.node) }

  mutating func addNode(_ role: StructureNode.Role, in parent: Int) -> Int {
    flow.nodes.append(StructureNode(role: role, parent: parent))
    return flow.nodes.count - 1
  }

  private mutating func addRule(_ place: Place) {
    let line = Mark(x: place.x, y: 4, kind: .box(width: place.width, height: 0.75, color: PaperStyle.hairline))
    append(Strip(spaceBefore: place.spacing, height: 8, marks: [line]))
  }

  private func plainWords(_ spans: [RichSpan]) -> String {
    spans.map { span in
      switch span {
      case .text(let text), .isolated(let text), .code(let text): text
      case .emphasis(let inner), .strong(let inner), .strike(let inner), .link(_, let inner): plainWords(inner)
      case .image(let image): image.words
      case .lineBreak: " "
      }
    }.joined()
  }
}

/// The levels of the headings that are shown.
private enum HeadingLevels {
  static func of(_ block: RichBlock) -> [Int] {
    switch block {
    case .heading(let level, let spans): spans.isEmpty ? [] : [level]
    case .quote(let blocks): blocks.flatMap { of($0) }
    case .list(let list): list.items.flatMap { $0.flatMap { of($0) } }
    default: []
    }
  }
}

/// Why a paper can't be set.
public enum PaperFault<Failure: Error>: Error {
  /// The typesetter's own error.
  case typesetter(Failure)
  /// A table has more columns than a page is wide.
  case tooManyColumns(limit: Int)
}
