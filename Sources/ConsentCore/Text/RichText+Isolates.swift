extension RichText {
  /// Whether no isolate of the direction reaches beyond its line: it would turn round what stands beside the text.
  var closesIsolates: Bool { blocks.allSatisfy { Self.closesIsolates($0) } }

  private static func closesIsolates(_ block: RichBlock) -> Bool {
    switch block {
    case .heading(_, let spans), .paragraph(let spans): closesIsolates(spans)
    case .list(let list): list.items.allSatisfy { $0.allSatisfy { closesIsolates($0) } }
    case .quote(let blocks): blocks.allSatisfy { closesIsolates($0) }
    case .code(let text): PlainText.closesIsolates(text)
    case .table(let table): ([table.header] + table.rows).allSatisfy { $0.allSatisfy { closesIsolates($0) } }
    case .rule, .pageBreak, .signature: true
    }
  }

  /// An isolate may start in one span and end in another of the same line.
  private static func closesIsolates(_ spans: [RichSpan]) -> Bool { PlainText.closesIsolates(line(spans)) }

  private static func line(_ spans: [RichSpan]) -> String {
    spans.map { span in
      switch span {
      case .text(let text), .code(let text), .isolated(let text): text
      case .emphasis(let inner), .strong(let inner), .strike(let inner), .link(_, let inner): line(inner)
      case .image(let image): image.words
      case .lineBreak: "\n"
      }
    }.joined()
  }
}
