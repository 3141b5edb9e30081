internal import ConsentCore

/// Looks for markup that is not closed before anything is parsed: a parser of HTML takes what follows it as a part of it, so that
/// a reader would see nothing of that text, and nobody would say so.
struct HTMLScan {
  /// Beyond these a parser takes time by the square of their number.
  private static let attributeLimit = 100
  private static let findingLimit = 20

  private let bytes: [UInt8]
  private var at = 0
  private var line = 1
  private var countedTo = 0
  private(set) var findings: [MarkupFinding] = []
  /// Whether a parser would take too long.
  private(set) var isExcessive = false

  init(_ source: String) {
    bytes = Array(source.utf8)
    scan()
  }

  private mutating func scan() {
    while !isExcessive, findings.count < Self.findingLimit, let start = bytes[at...].firstIndex(of: UInt8(ascii: "<")) {
      at = start + 1
      guard at < bytes.count else { return note(start, "a tag that is not closed") }
      switch bytes[at] {
      case UInt8(ascii: "!"): declaration(start)
      case UInt8(ascii: "?"): skip(past: ">", from: start, "an instruction that is not closed")
      case UInt8(ascii: "/"):
        at += 1
        if at < bytes.count, isLetter(bytes[at]) { tag(start) } else { note(start, "a tag without a name") }
      case let byte where isLetter(byte): tag(start)
      default: break
      }
    }
  }

  /// A comment, the type of the document, or something that no HTML has.
  private mutating func declaration(_ start: Int) {
    let rest = bytes[start...]
    if rest.starts(with: "<!--".utf8) {
      at = start + 4
      let inside = bytes[at...]
      // Parsers differ in where these end.
      let isAbrupt = inside.starts(with: ">".utf8) || inside.starts(with: "->".utf8)
      guard skip(past: "-->", from: start, "a comment that is not closed") else { return }
      let hasOther = contains("--!>", start..<at) || contains("<!--", start + 4..<at)
      if isAbrupt || hasOther { note(start, "a comment that ends in more than one place") }
    } else if rest.prefix(9).map({ $0 | 0x20 }) == Array("<!doctype".utf8).map({ $0 | 0x20 }) {
      skip(past: ">", from: start, "a declaration that is not closed")
    } else {
      note(start, "a declaration such as <![CDATA[")
      at = start + 2
    }
  }

  /// The rest of a tag, from its name on.
  private mutating func tag(_ start: Int) {
    var attributes = 0
    while at < bytes.count {
      let byte = bytes[at]
      at += 1
      switch byte {
      case UInt8(ascii: ">"): return
      case UInt8(ascii: "<"): return note(start, "a tag that is not closed")
      case UInt8(ascii: "="): if !value(start) { return }
      case 0x20, 0x0A, 0x0D, 0x09, 0x0C, UInt8(ascii: "/"):
        if at < bytes.count, !isSpace(bytes[at]), bytes[at] != UInt8(ascii: "="), bytes[at] != UInt8(ascii: ">") {
          attributes += 1
        }
        if attributes > Self.attributeLimit {
          isExcessive = true
          return note(start, "a tag with more than \(Self.attributeLimit) attributes")
        }
      default: break
      }
    }
    note(start, "a tag that is not closed")
  }

  /// The value behind an equals sign; false where it is not closed.
  private mutating func value(_ start: Int) -> Bool {
    while at < bytes.count, isSpace(bytes[at]) { at += 1 }
    guard at < bytes.count, bytes[at] == UInt8(ascii: "\"") || bytes[at] == UInt8(ascii: "'") else { return true }
    let quote = bytes[at]
    at += 1
    while at < bytes.count, bytes[at] != quote {
      // The end of a tag within: the quote that is found is more likely another's.
      if bytes[at] == UInt8(ascii: "<") || bytes[at] == UInt8(ascii: ">") {
        note(start, "an attribute whose value is not closed, or holds < or >")
        return false
      }
      at += 1
    }
    if at == bytes.count {
      note(start, "an attribute whose value is not closed")
      return false
    }
    at += 1
    return true
  }

  // MARK: - Bytes

  @discardableResult
  private mutating func skip(past end: StaticString, from start: Int, _ message: String) -> Bool {
    if let found = first(String(describing: end), in: at..<bytes.count) {
      at = found + end.utf8CodeUnitCount
      return true
    }
    note(start, message)
    at = bytes.count
    return false
  }

  private func contains(_ text: String, _ range: Range<Int>) -> Bool { first(text, in: range) != nil }

  private func first(_ text: String, in range: Range<Int>) -> Int? {
    let text = Array(text.utf8)
    var at = range.lowerBound
    while let found = bytes[at..<max(at, range.upperBound)].firstIndex(of: text[0]) {
      if bytes[found..<range.upperBound].starts(with: text) { return found }
      at = found + 1
    }
    return nil
  }

  private func isLetter(_ byte: UInt8) -> Bool { UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte | 0x20 }
  private func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || 0x09...0x0D ~= byte }

  private mutating func note(_ offset: Int, _ message: String) {
    line += bytes[countedTo..<max(countedTo, offset)].count { $0 == UInt8(ascii: "\n") }
    countedTo = max(countedTo, offset)
    findings.append(MarkupFinding(line: line, message: message))
  }
}
