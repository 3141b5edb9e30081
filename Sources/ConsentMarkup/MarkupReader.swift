internal import ConsentCore

/// Makes blocks and spans of events. Blocks that stand where only a line can are taken as the line that they hold, and a line
/// that stands where only blocks can as a paragraph.
struct MarkupReader {
  /// How deep blocks and spans are nested at most; what is deeper is put on the last level.
  private static let depthLimit = 8
  private static let findingLimit = 100

  private let events: [MarkupEvent]
  private let isHTML: Bool
  private var at = 0
  private var isWithinLink = false
  private(set) var findings: [MarkupFinding] = []

  init(events: [MarkupEvent], isHTML: Bool) {
    self.events = events
    self.isHTML = isHTML
  }

  /// The blocks up to the end of what is open.
  mutating func blocks(depth: Int = 0) -> [RichBlock] {
    var blocks: [RichBlock] = []
    while at < events.count, !events[at].isEnd {
      let event = events[at]
      if event.kind.isInline {
        let spans = tidied(line(depth: depth))
        if !spans.isEmpty { blocks.append(.paragraph(spans)) }
      } else if event.kind == .refused {
        at += 1
        refuse(event)
      } else {
        blocks += block(event, depth)
      }
    }
    return blocks
  }

  private mutating func block(_ event: MarkupEvent, _ depth: Int) -> [RichBlock] {
    at += 1
    switch event.kind {
    case .codeBlock: return [.code(Self.trimmedLines(event.text))]
    case .rule: return [.rule]
    case .paragraph, .heading: break
    case .list where depth < Self.depthLimit: return [.list(list(event, depth))]
    case .quote where depth < Self.depthLimit: return [.quote(within { $0.blocks(depth: depth + 1) })]
    case .table where depth < Self.depthLimit: return [.table(within { $0.table(depth) })]
    default: return within { $0.blocks(depth: depth) }
    }
    let spans = tidied(within { $0.line(depth: depth, takesBlocks: true) })
    if spans.isEmpty { return [] }
    return event.kind == .heading ? [.heading(level: min(6, max(1, Int(event.number))), spans)] : [.paragraph(spans)]
  }

  /// Runs `body` within what has just been opened, and steps over its end.
  private mutating func within<Result>(_ body: (inout MarkupReader) -> Result) -> Result {
    let result = body(&self)
    if at < events.count, events[at].isEnd { at += 1 }
    return result
  }

  private mutating func list(_ event: MarkupEvent, _ depth: Int) -> RichList {
    var list = RichList(start: event.number < 0 ? nil : Int(event.number), items: [])
    within { reader in
      while reader.at < reader.events.count, !reader.events[reader.at].isEnd {
        let isItem = reader.events[reader.at].kind == .item
        if isItem { reader.at += 1 }
        let blocks = isItem ? reader.within { $0.blocks(depth: depth + 1) } : reader.oneBlock(depth + 1)
        if isItem || !blocks.isEmpty { list.items.append(blocks) }
      }
    }
    return list
  }

  /// The next block, where only items should be.
  private mutating func oneBlock(_ depth: Int) -> [RichBlock] {
    let event = events[at]
    if event.kind == .refused {
      at += 1
      refuse(event)
      return []
    }
    if !event.kind.isInline { return block(event, depth) }
    let spans = tidied(line(depth: depth))
    return spans.isEmpty ? [] : [.paragraph(spans)]
  }

  private mutating func table(_ depth: Int) -> RichTable {
    var table = RichTable(header: [], rows: [])
    while at < events.count, !events[at].isEnd {
      let event = events[at]
      guard event.kind == .row else {
        let blocks = oneBlock(depth)
        for case .paragraph(let spans) in blocks { table.rows.append([spans]) }
        continue
      }
      at += 1
      let cells = within { $0.row() }
      if event.number == 1, table.header.isEmpty, table.rows.isEmpty {
        table.header = cells.map(\.spans)
      } else {
        table.rows.append(cells.map(\.spans))
      }
      if table.alignments.isEmpty { table.alignments = cells.map { RichTable.Alignment(number: $0.number) } }
    }
    return table
  }

  private mutating func row() -> [(spans: [RichSpan], number: Int32)] {
    var cells: [(spans: [RichSpan], number: Int32)] = []
    while at < events.count, !events[at].isEnd {
      let event = events[at]
      if event.kind == .cell {
        at += 1
        cells.append((tidied(within { $0.line(depth: 0, takesBlocks: true) }), event.number))
      } else {
        for case .paragraph(let spans) in oneBlock(0) { cells.append((spans, 0)) }
      }
    }
    return cells
  }

  /// The spans up to the next block, or to the end of what is open.
  private mutating func line(depth: Int, takesBlocks: Bool = false) -> [RichSpan] {
    var spans: [RichSpan] = []
    while at < events.count, !events[at].isEnd {
      let event = events[at]
      if event.kind.isInline {
        at += 1
        spans += span(event, depth)
      } else if event.kind == .refused {
        at += 1
        refuse(event)
      } else if takesBlocks {
        at += 1
        if !spans.isEmpty { spans.append(.lineBreak) }
        if event.kind == .codeBlock {
          spans.append(.code(Self.oneLine(event.text)))
        } else if event.kind != .rule {
          spans += within { $0.line(depth: depth, takesBlocks: true) }
        }
      } else {
        break
      }
    }
    return spans
  }

  private mutating func span(_ event: MarkupEvent, _ depth: Int) -> [RichSpan] {
    switch event.kind {
    case .text: return event.text.isEmpty ? [] : [.text(Self.oneLine(event.text))]
    case .code: return [.code(Self.oneLine(event.text))]
    case .softBreak: return [.text(" ")]
    case .lineBreak: return [.lineBreak]
    default: break
    }
    let isWithinLink = isWithinLink
    self.isWithinLink = isWithinLink || event.kind == .link
    let inner = within { $0.line(depth: depth + 1, takesBlocks: true) }
    self.isWithinLink = isWithinLink
    if event.kind == .image { return [image(event, words: RichSpan.words(of: inner))] }
    if event.kind == .link { return link(event, inner) }
    if depth >= Self.depthLimit || inner.isEmpty { return inner }
    switch event.kind {
    case .emphasis: return [.emphasis(inner)]
    case .strong: return [.strong(inner)]
    case .strike: return [.strike(inner)]
    default: return inner
    }
  }

  private mutating func link(_ event: MarkupEvent, _ inner: [RichSpan]) -> [RichSpan] {
    if isWithinLink {
      note(event, "a link within a link")
      return inner
    }
    if WebLink.isPermitted(event.text) {
      // A link without words would be one that nobody sees.
      let isBlank = RichSpan.words(of: inner).allSatisfy { $0.isWhitespace }
      return [.link(url: event.text, isBlank ? [.text(event.text)] : inner)]
    }
    note(event, "a link to something else than https://, http:// or mailto:")
    return inner
  }

  private mutating func image(_ event: MarkupEvent, words: String) -> RichSpan {
    let start = "data:image/png;base64,"
    if event.text.hasPrefix(start), let png = Base64Text.decode(event.text.utf8.dropFirst(start.utf8.count)),
      let image = try? ConsentImage(png: png)
    {
      return .image(RichImage(image: image, words: words))
    }
    note(event, "an image that is no PNG within the text (data:image/png;base64,…) of at most 256 KiB")
    return .text(words)
  }

  private mutating func refuse(_ event: MarkupEvent) { note(event, "\(quoted(event.text)) is not permitted in this HTML") }

  private mutating func note(_ event: MarkupEvent, _ message: String) {
    if findings.count < Self.findingLimit { findings.append(MarkupFinding(line: event.line, message: message)) }
  }

  private static func oneLine(_ text: String) -> String { String(text.map { $0 == "\n" ? " " : $0 }) }

  private static func trimmedLines(_ text: String) -> String {
    var text = text[...]
    while text.last == "\n" { text = text.dropLast() }
    while text.first == "\n" { text = text.dropFirst() }
    return String(text)
  }

  private func tidied(_ spans: [RichSpan]) -> [RichSpan] { SpanTidying.tidied(spans, collapsesSpace: isHTML) }
}

extension RichTable.Alignment {
  init(number: Int32) {
    self =
      switch number {
      case 1: .left
      case 2: .center
      case 3: .right
      default: .natural
      }
  }
}
