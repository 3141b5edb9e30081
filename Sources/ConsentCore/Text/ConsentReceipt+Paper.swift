internal import StrictJSON

extension ConsentReceipt {
  /// The receipt as a paper: every fact of ``json``, under the name that it has there.
  public var paper: ConsentPaper {
    let title = "Consent receipt: \(entry.fact.form) \(entry.fact.version)"
    var blocks: [RichBlock] = [.heading(level: 1, [.plain(title)])]
    guard let root = try? JSONDocument.parse(json.span) else { preconditionFailure("a receipt is JSON") }
    blocks += Self.blocks(root, level: 2)
    return ConsentPaper(title: title, locale: LanguageTag("en")!, text: RichText(blocks))
  }

  /// The plain facts of an object as a table, then what is within it, each under its name.
  private static func blocks(_ node: JSONNode, level: Int) -> [RichBlock] {
    switch node.value {
    case .object(let members):
      let plain = members.compactMap { member in
        text(member.node).map { [[RichSpan.strong([.plain(member.key)])], [.isolated($0)]] }
      }
      let table = plain.isEmpty ? [] : [RichBlock.table(RichTable(header: [], rows: plain))]
      let nested = members.filter { text($0.node) == nil }.flatMap { member in
        [.heading(level: min(level, 6), [.plain(member.key)])] + blocks(member.node, level: level + 1)
      }
      return table + nested
    case .array(let elements):
      if elements.allSatisfy({ text($0) != nil }) {
        return [.list(RichList(items: elements.map { [.paragraph([.isolated(text($0) ?? "")])] }))]
      }
      return elements.flatMap { blocks($0, level: level) }
    default: return [.paragraph([.isolated(text(node) ?? "")])]
    }
  }

  /// A fact that is no list and no object.
  private static func text(_ node: JSONNode) -> String? {
    switch node.value {
    case .string(let text): PlainText.cleaned(text)
    case .integer(let number): "\(number)"
    case .number(let number): "\(number)"
    case .bool(let flag): flag ? "yes" : "no"
    case .null: "—"
    case .array, .object: nil
    }
  }
}
