internal import StrictJSON

extension ConsentReader {
  /// The most bytes of one text, and of all files beside the form's together.
  private static var textLimit: Int { 1 << 20 }
  private static var besideLimit: Int { 8 << 20 }

  /// A text with its formatted side; nil where none of its keys is there.
  mutating func text(_ members: [String: JSONNode], _ name: String, _ owner: JSONNode) -> ConsentText? {
    if ConsentFileObject.textKeys(name).allSatisfy({ members[$0] == nil }) { return nil }
    let plain = members[name].flatMap { string($0, limit: Self.textLimit, isLine: false) }
    let formatted = formatted(members, name, owner)
    return ConsentText(plain: plain, formatted: formatted)
  }

  /// The formatted side of a text.
  mutating func formatted(_ members: [String: JSONNode], _ name: String, _ owner: JSONNode) -> RichText? {
    let given = ConsentFileObject.formattedKeys(name).compactMap { key in members[key].map { (key: key, node: $0) } }
    guard let (key, node) = given.first else { return nil }
    if given.count > 1 {
      refuse(owner.range, "\(name) has one formatted side only")
      return nil
    }
    if key.hasSuffix("Blocks") { return blocks(node) }
    if key.hasSuffix("File") { return beside(node) }
    guard let source = string(node, limit: Self.textLimit, isLine: false) else { return nil }
    return read(key.hasSuffix("HTML") ? .html(source) : .markdown(source), node, file: nil)
  }

  /// Reads a text as blocks, none of them one that only a document has.
  private mutating func blocks(_ node: JSONNode) -> RichText? {
    do throws(BlockFault) {
      let text = try RichText(json: node)
      if !text.closesIsolates {
        refuse(node.range, Self.openIsolate)
        return nil
      }
      if text.isFree { return text }
      refuse(node.range, "page breaks and signatures are the document's, and no part of a text")
    } catch {
      note(LocatedConsentFault(offset: error.offset, message: error.message, suggestion: error.suggestion))
    }
    return nil
  }

  /// Reads a text with markup, and notes what of it would not be shown as it was meant.
  private mutating func read(_ text: FormattedText, _ node: JSONNode, file: String?) -> RichText? {
    guard let markup else {
      refuse(node.range, "texts with markup are not read here; write plain text, or blocks")
      return nil
    }
    let reading = markup.read(text)
    for finding in reading.findings {
      let beside = file.map { (file: $0, line: finding.line) }
      note(LocatedConsentFault(offset: node.range.lowerBound, message: finding.message, beside: beside))
    }
    if !reading.text.closesIsolates {
      let beside = file.map { (file: $0, line: 1) }
      note(LocatedConsentFault(offset: node.range.lowerBound, message: Self.openIsolate, beside: beside))
    }
    return reading.text
  }

  /// The text of a file beside the form's.
  private mutating func beside(_ node: JSONNode) -> RichText? {
    guard let name = string(node, limit: 255) else { return nil }
    let isMarkdown = name.hasSuffix(".md")
    guard ConsentFileName.isPlain(name), isMarkdown || name.hasSuffix(".html") else {
      refuse(node.range, "expected the name of a .md or .html file beside this one, found \(quoted(name))")
      return nil
    }
    guard let files else {
      refuse(node.range, "no file beside this one is read")
      return nil
    }
    let bytes: [UInt8]
    do { bytes = try files.contents(of: name) } catch {
      refuse(node.range, "\(quoted(name)): \(error)")
      return nil
    }
    besideByteCount += bytes.count
    guard besideByteCount <= Self.besideLimit, bytes.count <= Self.textLimit else {
      refuse(node.range, "the texts beside the form are too large")
      return nil
    }
    let text: String
    do { text = String(copying: try UTF8Span(validating: bytes.span)) } catch {
      refuse(besideLine(error.byteOffsets.lowerBound, bytes, name), node, "the text is not valid UTF-8")
      return nil
    }
    if let offset = Self.firstHarmful(text) {
      refuse(besideLine(offset, bytes, name), node, "the text holds a control character")
      return nil
    }
    return read(isMarkdown ? .markdown(text) : .html(text), node, file: name)
  }

  private func besideLine(_ offset: Int, _ bytes: [UInt8], _ name: String) -> (file: String, line: Int) {
    (name, JSONText.position(of: offset, in: bytes.span).line)
  }

  private mutating func refuse(_ place: (file: String, line: Int), _ node: JSONNode, _ message: String) {
    note(LocatedConsentFault(offset: node.range.lowerBound, message: message, beside: place))
  }

  /// The byte offset of the first character that is no text, but for carriage returns and tabs.
  private static func firstHarmful(_ text: String) -> Int? {
    var offset = 0
    for scalar in text.unicodeScalars {
      if scalar != "\r", scalar != "\t", PlainText.isHarmful(scalar) { return offset }
      offset += UTF8.width(scalar)
    }
    return nil
  }
}

/// The names that files beside a form may have.
enum ConsentFileName {
  /// Whether a name is of letters, digits, `.`, `-` and `_`, and does not start with a full stop.
  static func isPlain(_ name: String) -> Bool {
    name.utf8.first != UInt8(ascii: ".")
      && name.utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "-"), UInt8(ascii: "_"): true
        default: false
        }
      }
  }
}
