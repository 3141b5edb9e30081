internal import CMarkup
public import ConsentCore

/// Reads Markdown with libcmark-gfm and HTML with libxml2. Nothing is read but the text that is given.
///
/// - Markdown: CommonMark with GitHub's tables and `~~struck~~` text. Markup of HTML is shown as text.
/// - HTML: headings, paragraphs, lists, tables, quotes, `pre`, `code`, emphasis, links, `br`, `hr`, and PNG images within
///   the text (`data:`). `div`, `span`, `section` and `article` stand for what is within. No script, no style, and nothing
///   that would have to be fetched.
///
/// Source: CommonMark 0.29 with GitHub's extensions; libxml2's HTML parser.
public struct CMarkupReader: ConsentMarkupReading {
  /// A reader.
  public init() {}

  /// Reads a text.
  ///
  /// - Complexity: O(*n*) for ordinary texts; one that would take much more is a finding, and shown as it is.
  public func read(_ text: FormattedText) -> MarkupReading {
    let source = PlainText.cleaned(text.source)
    let scan = Self.scan(text, source)
    if scan.isExcessive { return MarkupReading(text: RichText(plain: source), findings: scan.findings) }
    let list = unsafe Array(source.utf8).withUnsafeBufferPointer { bytes in
      switch text {
      case .markdown: unsafe cmarkup_markdown(bytes.baseAddress, bytes.count)
      case .html: unsafe cmarkup_html(bytes.baseAddress, bytes.count)
      }
    }
    defer { unsafe cmarkup_free(list) }
    guard unsafe list.status == CMARKUP_OK else {
      let finding = MarkupFinding(line: 1, message: "the text is too large or nested too deeply")
      return MarkupReading(text: RichText(plain: source), findings: [finding])
    }
    var events: [MarkupEvent] = []
    let count = unsafe list.count
    for index in 0..<count {
      // SAFETY: the list has `count` events, and each has its text within the list's.
      let event = unsafe list.events[index]
      let bytes = unsafe UnsafeBufferPointer(start: list.text, count: list.text_count)
      let text = unsafe bytes[Int(event.text_start)..<Int(event.text_start + event.text_count)]
      events.append(MarkupEvent(event, text: unsafe String(decoding: text, as: UTF8.self)))
    }
    var reader = MarkupReader(events: events, isHTML: text.isHTML)
    let blocks = reader.blocks()
    return MarkupReading(text: RichText(blocks), findings: scan.findings + reader.findings)
  }

  /// What is told of a text before it is parsed, and whether it is left at that.
  private static func scan(_ text: FormattedText, _ source: String) -> (findings: [MarkupFinding], isExcessive: Bool) {
    if text.isHTML {
      let scan = HTMLScan(source)
      return (scan.findings, scan.isExcessive)
    }
    guard let fault = MarkdownScan.fault(in: source) else { return ([], false) }
    return ([MarkupFinding(line: 1, message: "the text is too much work to read: " + fault)], true)
  }
}

extension FormattedText {
  fileprivate var isHTML: Bool { if case .html = self { true } else { false } }
}

/// One event of a text with markup.
struct MarkupEvent {
  enum Kind {
    case text, code, softBreak, lineBreak, emphasis, strong, strike, link, image
    case paragraph, heading, list, item, quote, codeBlock, rule, table, row, cell, refused

    var isInline: Bool {
      switch self {
      case .text, .code, .softBreak, .lineBreak, .emphasis, .strong, .strike, .link, .image: true
      case .paragraph, .heading, .list, .item, .quote, .codeBlock, .rule, .table, .row, .cell, .refused: false
      }
    }
  }

  let kind: Kind
  let isEnd: Bool
  let number: Int32
  let line: Int
  let text: String

  init(_ event: cmarkup_event, text: String) {
    kind = Self.kinds[Int(event.kind)]
    isEnd = event.is_end != 0
    number = event.number
    line = max(1, Int(event.line))
    // Once more after the source: an entity may stand for a control character.
    self.text = PlainText.cleaned(text)
  }

  /// In the order of `cmarkup_kind`.
  private static let kinds: [Kind] = [
    .text, .code, .softBreak, .lineBreak, .emphasis, .strong, .strike, .link, .image, .paragraph, .heading, .list, .item,
    .quote, .codeBlock, .rule, .table, .row, .cell, .refused,
  ]
}
