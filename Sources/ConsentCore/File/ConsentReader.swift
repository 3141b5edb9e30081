internal import StrictJSON

/// Reads the tree of a form's file and collects its faults.
struct ConsentReader {
  /// After so many nobody reads on.
  private static let faultLimit = 20
  static let openIsolate = "an isolate of the direction (U+2066 to U+2068) does not end on its line, or ends without a start"

  /// Reads the files beside; nil where there are none.
  let files: (any ConsentFileReading)?
  /// Reads texts with markup; nil where there must be none.
  let markup: (any ConsentMarkupReading)?
  private(set) var faults: [LocatedConsentFault] = []
  /// How many bytes of texts were read beside the file.
  var besideByteCount = 0

  init(files: (any ConsentFileReading)?, markup: (any ConsentMarkupReading)?) {
    self.files = files
    self.markup = markup
  }

  /// Notes a fault at a node.
  mutating func refuse(_ range: Range<Int>, _ message: String, suggestion: String? = nil) {
    note(LocatedConsentFault(offset: range.lowerBound, message: message, suggestion: suggestion))
  }

  mutating func note(_ fault: LocatedConsentFault) { if faults.count < Self.faultLimit { faults.append(fault) } }

  /// The members of an object by their keys, all of them known, and the needed ones there.
  mutating func object(_ node: JSONNode, _ kind: ConsentFileObject) -> [String: JSONNode]? {
    guard case .object(let all) = node.value else { return expected("an object", node) }
    let known = kind.needed + kind.optional
    for member in all where !known.contains(member.key) {
      refuse(
        member.keyRange, "unknown key \(quoted(member.key)) in \(kind.words)",
        suggestion: nearestName(to: member.key, among: known))
    }
    let members = Dictionary(uniqueKeysWithValues: all.lazy.map { ($0.key, $0.node) })
    for key in kind.needed where members[key] == nil { refuse(node.range, "\(kind.words) needs \(quoted(key))") }
    return members
  }

  /// The elements of an array.
  mutating func elements(_ node: JSONNode?, limit: Int) -> [JSONNode] {
    guard let node else { return [] }
    guard case .array(let elements) = node.value else { return expected("an array", node) ?? [] }
    if elements.count <= limit { return elements }
    refuse(node.range, "expected at most \(limit) entries, found \(elements.count)")
    return []
  }

  /// A whole number; nil where there is none.
  mutating func integer(_ node: JSONNode?, _ range: ClosedRange<Int>) -> Int? {
    guard let node else { return nil }
    guard case .integer(let value) = node.value else { return expected("a whole number", node) }
    if let value = Int(exactly: value), range.contains(value) { return value }
    refuse(node.range, "expected a number from \(range.lowerBound) to \(range.upperBound), found \(value)")
    return nil
  }

  /// `true` or `false`; the default where there is none.
  mutating func bool(_ node: JSONNode?, default value: Bool) -> Bool {
    guard let node else { return value }
    guard case .bool(let value) = node.value else { return expected("true or false", node) ?? value }
    return value
  }

  /// A string that is not empty, with nothing in it that steers a terminal.
  mutating func string(_ node: JSONNode?, limit: Int = 4096, isLine: Bool = true) -> String? {
    guard let node else { return nil }
    guard case .string(let value) = node.value else { return expected("a string", node) }
    if value.isEmpty {
      refuse(node.range, "expected a string that is not empty")
    } else if value.utf8.count > limit {
      refuse(node.range, "expected at most \(limit) bytes, found \(value.utf8.count)")
    } else if PlainText.cleaned(value) != value || isLine && value.utf8.contains(UInt8(ascii: "\n")) {
      refuse(node.range, "expected a text without control characters")
    } else if !PlainText.closesIsolates(value) {
      refuse(node.range, Self.openIsolate)
    } else {
      return value
    }
    return nil
  }

  /// Strings, none of them empty.
  mutating func strings(_ node: JSONNode?, limit: Int = 64) -> [String] {
    elements(node, limit: limit).compactMap { string($0) }
  }

  /// A web address.
  mutating func url(_ node: JSONNode?) -> String? {
    guard let node, let text = string(node, limit: 2048) else { return nil }
    if WebLink.isPermitted(text) { return text }
    refuse(node.range, "expected an address that starts with https://, http:// or mailto:")
    return nil
  }

  /// A value that is made from a string, or nil where it can't be.
  mutating func value<Value>(_ node: JSONNode?, _ what: String, _ make: (String) -> Value?) -> Value? {
    guard let node, let text = string(node, limit: 256) else { return nil }
    if let value = make(text) { return value }
    refuse(node.range, "expected \(what), found \(quoted(text))")
    return nil
  }

  /// One of some words.
  mutating func choice<Choice: RawRepresentable<String> & CaseIterable>(_ node: JSONNode?, _: Choice.Type) -> Choice? {
    guard let node else { return nil }
    let known = Choice.allCases.map(\.rawValue)
    let list = known.map { "\"\($0)\"" }.joined(separator: ", ")
    guard case .string(let word) = node.value else { return expected("one of \(list)", node) }
    if let choice = Choice(rawValue: word) { return choice }
    refuse(node.range, "expected one of \(list), found \(quoted(word))", suggestion: nearestName(to: word, among: known))
    return nil
  }

  /// Notes that a node is of another kind.
  mutating func expected<Value>(_ what: String, _ node: JSONNode) -> Value? {
    refuse(node.range, "expected \(what), found \(node.value.kindName)")
    return nil
  }
}

/// What somebody wrote, within quotes, short, and with nothing that drives a terminal.
package func quoted(_ text: String) -> String { String(reflecting: text.count > 64 ? text.prefix(64) + "…" : text) }
