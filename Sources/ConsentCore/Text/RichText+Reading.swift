public import StrictJSON

extension RichText {
  /// Reads what ``write(to:)`` writes: an array of blocks.
  ///
  /// - Throws: the first fault: an unknown key, a value of another kind or out of range, a control character, an address that
  ///   no link may have, a link within a link, an image that is no PNG, blocks or spans nested deeper than a text with
  ///   markup is read.
  /// - Complexity: O(*n*) in the size of the tree.
  public init(json node: JSONNode) throws(BlockFault) {
    self.init(try BlockReader.blocks(node, depth: 0))
  }
}

/// Reads blocks and spans. Recursion is bounded by `depth`.
private enum BlockReader {
  /// How deep lists, quotes and tables may stand within each other, and spans within each other: as deep as a text with markup
  /// is read, so that a form is never nested beyond the levels that a JSON text can have.
  private static let blockDepth = 8
  private static let spanDepth = 9

  private enum Kind: String, CaseIterable {
    case heading, paragraph, list, quote, code, table, rule, pageBreak, signature

    var keys: [String] {
      switch self {
      case .heading: ["level", "spans"]
      case .paragraph: ["spans"]
      case .list: ["start", "items"]
      case .quote: ["blocks"]
      case .code: ["text"]
      case .table: ["header", "rows", "alignments"]
      case .rule, .pageBreak: []
      case .signature: ["role", "columns", "fields"]
      }
    }
  }

  static func blocks(_ node: JSONNode, depth: Int) throws(BlockFault) -> [RichBlock] {
    if depth > blockDepth { throw FieldReading.fault(node, "blocks are nested too deeply") }
    var blocks: [RichBlock] = []
    for element in try FieldReading.elements(node) { blocks.append(try block(element, depth)) }
    return blocks
  }

  private static func block(_ node: JSONNode, _ depth: Int) throws(BlockFault) -> RichBlock {
    guard case .object(let all) = node.value else { throw FieldReading.expected("a block", node) }
    guard let type = all.first(where: { $0.key == "type" })?.node else {
      throw FieldReading.fault(node, "a block needs \"type\"")
    }
    let kind = try FieldReading.choice(type, Kind.self)
    let needed = kind.keys.filter { $0 != "start" }
    let members = try FieldReading.members(node, ["type"] + kind.keys, needed: needed, of: "a block of type \(kind)")
    // Every needed member is there.
    func member(_ key: String) -> JSONNode { members[key]! }
    switch kind {
    case .heading:
      return .heading(level: try FieldReading.integer(member("level"), 1...6), try spans(member("spans")))
    case .paragraph: return .paragraph(try spans(member("spans")))
    case .list: return .list(try list(start: members["start"], member("items"), depth))
    case .quote: return .quote(try blocks(member("blocks"), depth: depth + 1))
    case .code: return .code(try FieldReading.string(member("text"), isLine: false))
    case .table:
      if depth == blockDepth { throw FieldReading.fault(node, "blocks are nested too deeply") }
      return .table(try table(member("header"), member("rows"), member("alignments")))
    case .rule: return .rule
    case .pageBreak: return .pageBreak
    case .signature:
      return .signature(
        RichSignature(
          role: try FieldReading.string(member("role")), columns: try columns(member("columns")),
          fields: try columns(member("fields"))))
    }
  }

  private static func list(start: JSONNode?, _ items: JSONNode, _ depth: Int) throws(BlockFault) -> RichList {
    var list = RichList(items: [])
    if let start { list.start = try FieldReading.integer(start, 0...999_999_999) }
    for item in try FieldReading.elements(items) { list.items.append(try blocks(item, depth: depth + 1)) }
    return list
  }

  private static func table(
    _ header: JSONNode, _ rows: JSONNode, _ alignments: JSONNode
  ) throws(BlockFault) -> RichTable {
    var table = RichTable(header: try row(header), rows: [])
    for node in try FieldReading.elements(rows) { table.rows.append(try row(node)) }
    for node in try FieldReading.elements(alignments) {
      table.alignments.append(try FieldReading.choice(node, RichTable.Alignment.self))
    }
    return table
  }

  private static func row(_ node: JSONNode) throws(BlockFault) -> [[RichSpan]] {
    var cells: [[RichSpan]] = []
    for cell in try FieldReading.elements(node) { cells.append(try spans(cell)) }
    return cells
  }

  private static func columns(_ node: JSONNode) throws(BlockFault) -> [RichSignature.Column] {
    var columns: [RichSignature.Column] = []
    for element in try FieldReading.elements(node) {
      let keys = ["caption", "text", "image", "words"]
      let members = try FieldReading.members(element, keys, needed: ["caption"], of: "a column")
      var value = RichSignature.Column.Value.blank
      switch (members["text"], members["image"], members["words"]) {
      case (let text?, nil, nil): value = .text(try FieldReading.string(text))
      case (nil, let png?, let words?): value = .image(try image(png, words))
      case (nil, nil, nil): break
      default: throw FieldReading.fault(element, "a column has \"text\", or \"image\" with \"words\", or neither")
      }
      columns.append(RichSignature.Column(value: value, caption: try FieldReading.string(members["caption"]!)))
    }
    return columns
  }

  private static func image(_ png: JSONNode, _ words: JSONNode) throws(BlockFault) -> RichImage {
    guard let bytes = Base64Text.decode(Array(try FieldReading.string(png).utf8)), let image = try? ConsentImage(png: bytes)
    else { throw FieldReading.fault(png, "expected a PNG of at most \(ConsentImage.maximumByteCount >> 10) KiB in base64") }
    return RichImage(image: image, words: try FieldReading.string(words))
  }

  // MARK: - Spans

  private static let spanKeys = [
    "text", "isolated", "code", "emphasis", "strong", "strike", "link", "spans", "image", "words", "lineBreak",
  ]

  private static func spans(
    _ node: JSONNode, depth: Int = 0, isWithinLink: Bool = false
  ) throws(BlockFault) -> [RichSpan] {
    if depth > spanDepth { throw FieldReading.fault(node, "spans are nested too deeply") }
    var spans: [RichSpan] = []
    for element in try FieldReading.elements(node) { spans.append(try span(element, depth + 1, isWithinLink)) }
    return spans
  }

  private static func span(_ node: JSONNode, _ depth: Int, _ isWithinLink: Bool) throws(BlockFault) -> RichSpan {
    let members = try FieldReading.members(node, spanKeys, of: "a span")
    switch (members.count, members.first?.key) {
    case (1, "text"?): return .text(try FieldReading.string(members["text"]!))
    case (1, "isolated"?): return .isolated(try FieldReading.string(members["isolated"]!))
    case (1, "code"?): return .code(try FieldReading.string(members["code"]!))
    case (1, "emphasis"?): return .emphasis(try spans(members["emphasis"]!, depth: depth, isWithinLink: isWithinLink))
    case (1, "strong"?): return .strong(try spans(members["strong"]!, depth: depth, isWithinLink: isWithinLink))
    case (1, "strike"?): return .strike(try spans(members["strike"]!, depth: depth, isWithinLink: isWithinLink))
    case (1, "lineBreak"?):
      guard case .bool(true) = members["lineBreak"]!.value else {
        throw FieldReading.expected("true", members["lineBreak"]!)
      }
      return .lineBreak
    default: break
    }
    if members.count == 2, let url = members["link"], let inner = members["spans"] {
      let address = try FieldReading.string(url)
      guard WebLink.isPermitted(address) else {
        throw FieldReading.fault(url, "expected an address that starts with https://, http:// or mailto:")
      }
      if isWithinLink { throw FieldReading.fault(node, "a link within a link") }
      return .link(url: address, try spans(inner, depth: depth, isWithinLink: true))
    }
    if members.count == 2, let png = members["image"], let words = members["words"] {
      return .image(try image(png, words))
    }
    throw FieldReading.fault(node, "a span is one thing, such as {\"text\": …} or {\"link\": …, \"spans\": …}")
  }
}
