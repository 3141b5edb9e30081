internal import StrictJSON

/// Texts as blocks: what ``RichText/write(to:)`` writes, but for what only a document has (page breaks and signatures).
extension ConsentReader {
  /// How deep lists, quotes and tables may stand within each other, and spans within each other: as deep as a text with
  /// markup is read. So a form is never nested beyond the levels that a JSON text can have.
  private static var blockDepth: Int { 8 }
  private static var spanDepth: Int { 9 }
  private static var countLimit: Int { 1 << 20 }

  /// The keys of each type of block: those that it needs, and those that it may have.
  private static let blockKeys: [String: (needed: [String], optional: [String])] = [
    "heading": (["level", "spans"], []), "paragraph": (["spans"], []), "list": (["items"], ["start"]),
    "quote": (["blocks"], []), "code": (["text"], []), "table": (["header", "rows", "alignments"], []), "rule": ([], []),
  ]

  /// A text.
  mutating func richText(_ node: JSONNode) -> RichText { RichText(blocks(node, depth: 0)) }

  private mutating func blocks(_ node: JSONNode?, depth: Int) -> [RichBlock] {
    elements(node, limit: Self.countLimit).compactMap { block($0, depth) }
  }

  private mutating func block(_ node: JSONNode, _ depth: Int) -> RichBlock? {
    guard case .object(let all) = node.value else { return expected("an object", node) }
    guard let typeNode = all.first(where: { $0.key == "type" })?.node, case .string(let type) = typeNode.value else {
      refuse(node.range, "a block needs its \"type\"")
      return nil
    }
    guard let keys = Self.blockKeys[type] else {
      let known = Self.blockKeys.keys.sorted()
      refuse(typeNode.range, "a text has no block \(quoted(type))", suggestion: nearestName(to: type, among: known))
      return nil
    }
    let known = ["type"] + keys.needed + keys.optional
    guard let members = object(node, known, needed: keys.needed, of: "a block \(quoted(type))") else { return nil }
    switch type {
    case "heading": return .heading(level: integer(members["level"], 1...6) ?? 1, spans(members["spans"]))
    case "paragraph": return .paragraph(spans(members["spans"]))
    case "code": return .code(words(members["text"], isLine: false))
    case "rule": return .rule
    default: break
    }
    guard depth < Self.blockDepth else {
      refuse(node.range, "lists, quotes and tables stand at most \(Self.blockDepth) deep within each other")
      return nil
    }
    switch type {
    case "list": return .list(list(members, depth + 1))
    case "quote": return .quote(blocks(members["blocks"], depth: depth + 1))
    default: return .table(table(members))
    }
  }

  private mutating func list(_ members: [String: JSONNode], _ depth: Int) -> RichList {
    let items = elements(members["items"], limit: Self.countLimit)
    return RichList(start: integer(members["start"], 0...999_999_999), items: items.map { blocks($0, depth: depth) })
  }

  private mutating func table(_ members: [String: JSONNode]) -> RichTable {
    let rows = elements(members["rows"], limit: Self.countLimit)
    let alignments = elements(members["alignments"], limit: Self.countLimit)
    return RichTable(
      header: row(members["header"]), rows: rows.map { row($0) },
      alignments: alignments.compactMap { choice($0, RichTable.Alignment.self) })
  }

  private mutating func row(_ node: JSONNode?) -> [[RichSpan]] {
    elements(node, limit: Self.countLimit).map { spans($0) }
  }

  private mutating func spans(_ node: JSONNode?, depth: Int = 0, isWithinLink: Bool = false) -> [RichSpan] {
    elements(node, limit: Self.countLimit).compactMap { span($0, depth, isWithinLink) }
  }

  private mutating func span(_ node: JSONNode, _ depth: Int, _ isWithinLink: Bool) -> RichSpan? {
    let kinds = ["text", "isolated", "code", "emphasis", "strong", "strike", "link", "image", "lineBreak"]
    guard case .object(let all) = node.value else { return expected("an object", node) }
    let found = all.map(\.key).filter { kinds.contains($0) }
    guard let kind = found.first, found.count == 1 else {
      refuse(node.range, "a span is one of \(kinds.map { "\"\($0)\"" }.joined(separator: ", "))")
      return nil
    }
    let beside = kind == "link" ? ["spans"] : kind == "image" ? ["words"] : []
    guard let members = object(node, [kind] + beside, needed: beside, of: "a span") else { return nil }
    switch kind {
    case "text": return .text(words(members[kind]))
    case "isolated": return .isolated(words(members[kind]))
    case "code": return .code(words(members[kind]))
    case "image": return image(members)
    case "lineBreak":
      if case .bool(true)? = members[kind]?.value { return .lineBreak }
      refuse(node.range, "\"lineBreak\" is true")
      return nil
    default: break
    }
    guard depth < Self.spanDepth, kind != "link" || !isWithinLink else {
      refuse(node.range, "spans stand at most \(Self.spanDepth) deep within each other, and no link within a link")
      return nil
    }
    let inner = spans(members[kind == "link" ? "spans" : kind], depth: depth + 1, isWithinLink: isWithinLink || kind == "link")
    switch kind {
    case "emphasis": return .emphasis(inner)
    case "strong": return .strong(inner)
    case "strike": return .strike(inner)
    default: return url(members[kind]).map { .link(url: $0, inner) }
    }
  }

  private mutating func image(_ members: [String: JSONNode]) -> RichSpan? {
    guard let node = members["image"] else { return nil }
    if case .string(let text) = node.value, let png = Base64Text.decode(text.utf8), let image = try? ConsentImage(png: png) {
      return .image(RichImage(image: image, words: words(members["words"])))
    }
    refuse(node.range, "expected a PNG of at most \(ConsentImage.maximumByteCount >> 10) KiB in base64")
    return nil
  }

  /// Words, which may be none, with nothing in them that steers a terminal.
  private mutating func words(_ node: JSONNode?, isLine: Bool = true) -> String {
    guard let node else { return "" }
    guard case .string(let text) = node.value else { return expected("a string", node) ?? "" }
    if PlainText.cleaned(text) == text, !isLine || !text.utf8.contains(UInt8(ascii: "\n")) { return text }
    refuse(node.range, "expected a text without control characters")
    return ""
  }
}
