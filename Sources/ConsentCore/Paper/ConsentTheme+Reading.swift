internal import StrictJSON

extension ConsentTheme {
  /// The largest file, in bytes.
  public static let maximumByteCount = 64 << 10

  /// Reads a theme file: an object with `title`, `body` and `action` (each with `font`, `size`, `color`, `alignment` and
  /// `lineLimit`) and `page` (with `size`, `margins`, `header` and `footer`), all of which may be missing.
  ///
  /// - Parameter name: the file's, for faults.
  /// - Throws: the first fault: bad JSON, an unknown key, a value of another kind or out of range.
  public static func parse(_ bytes: Span<UInt8>, name: String) throws(ConsentFileFault) -> ConsentTheme {
    let fault: BlockFault
    if bytes.count > maximumByteCount {
      fault = BlockFault(offset: 0, message: "the file is larger than \(maximumByteCount >> 10) KiB")
    } else {
      do throws(JSONFault) {
        let root = try JSONDocument.parse(bytes)
        do throws(BlockFault) { return try ThemeReader.theme(root) } catch { fault = error }
      } catch {
        fault = BlockFault(offset: error.offset, message: error.reason.description)
      }
    }
    let (line, column) = JSONText.position(of: fault.offset, in: bytes)
    throw ConsentFileFault(
      file: name, line: line, column: column, message: fault.message, suggestion: fault.suggestion, further: [])
  }
}

/// Reads the parts of a theme.
private enum ThemeReader {
  static func theme(_ node: JSONNode) throws(BlockFault) -> ConsentTheme {
    let members = try FieldReading.members(node, ["title", "body", "action", "page"], of: "a theme")
    var theme = ConsentTheme()
    if let node = members["title"] { theme.title = try style(node) }
    if let node = members["body"] { theme.body = try style(node) }
    if let node = members["action"] { theme.action = try style(node) }
    if let node = members["page"] { theme.page = try page(node) }
    return theme
  }

  private static func style(_ node: JSONNode) throws(BlockFault) -> ConsentTextStyle {
    let members = try FieldReading.members(node, ["font", "size", "color", "alignment", "lineLimit"], of: "a style")
    var style = ConsentTextStyle()
    if let node = members["font"] { style.font = try font(node) }
    if let node = members["size"] { style.size = try number(node, 5...72) }
    if let node = members["color"] {
      style.color = ConsentColor(try FieldReading.string(node))
      if style.color == nil { throw FieldReading.fault(node, "expected a colour such as \"#1b2a41\"") }
    }
    if let node = members["alignment"] { style.alignment = try FieldReading.choice(node, ConsentAlignment.self) }
    if let node = members["lineLimit"] { style.lineLimit = try FieldReading.integer(node, 1...100) }
    return style
  }

  private static func font(_ node: JSONNode) throws(BlockFault) -> String {
    let text = try FieldReading.string(node)
    // No character that Pango reads as a size, a variation or a feature.
    let isNamed = text.unicodeScalars.allSatisfy {
      $0.properties.isAlphabetic || $0.properties.numericType != nil || " ,-_".unicodeScalars.contains($0)
    }
    guard isNamed, !text.isEmpty, text.utf8.count <= 256 else {
      throw FieldReading.fault(node, "expected families of fonts, such as \"Noto Serif, DejaVu Serif\"")
    }
    return text
  }

  private static func page(_ node: JSONNode) throws(BlockFault) -> ConsentPageStyle {
    let members = try FieldReading.members(node, ["size", "margins", "header", "footer"], of: "the page")
    var page = ConsentPageStyle()
    if let node = members["size"] { page.size = try FieldReading.choice(node, ConsentPageSize.self) }
    if let node = members["margins"] { page.margins = try margins(node) }
    if let node = members["header"] { page.header = try line(node) }
    if let node = members["footer"] { page.footer = try line(node) }
    return page
  }

  /// One line of at most 256 bytes; empty for nothing.
  private static func line(_ node: JSONNode) throws(BlockFault) -> String {
    let text = try FieldReading.string(node)
    if text.utf8.count > 256 { throw FieldReading.fault(node, "expected at most 256 bytes, found \(text.utf8.count)") }
    return text
  }

  private static func margins(_ node: JSONNode) throws(BlockFault) -> ConsentMargins {
    let keys = ["top", "bottom", "start", "end"]
    let members = try FieldReading.members(node, keys, needed: keys, of: "the margins")
    var values: [Double] = []
    for key in keys { values.append(try number(members[key]!, 36...200)) }
    return ConsentMargins(top: values[0], bottom: values[1], start: values[2], end: values[3])
  }

  private static func number(_ node: JSONNode, _ range: ClosedRange<Double>) throws(BlockFault) -> Double {
    let value: Double
    switch node.value {
    case .integer(let number): value = Double(number)
    case .number(let number): value = number
    default: throw FieldReading.expected("a number", node)
    }
    if range.contains(value) { return value }
    throw FieldReading.fault(
      node, "expected a number from \(Int(range.lowerBound)) to \(Int(range.upperBound)), found \(value)")
  }
}
