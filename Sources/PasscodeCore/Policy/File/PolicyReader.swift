internal import StrictJSON

/// Reads the tree of a policy file and collects its faults.
struct PolicyReader {
  /// After so many nobody reads on.
  private static let faultLimit = 20

  let role: PolicyRole
  private(set) var faults: [LocatedFault] = []
  /// The names and patterns of custom rules, with the place of each pattern's string.
  var patterns: [(rule: CustomRule, range: Range<Int>)] = []

  init(role: PolicyRole) { self.role = role }

  /// Notes a fault at a node.
  mutating func refuse(_ range: Range<Int>, _ message: String, suggestion: String? = nil) {
    if faults.count == Self.faultLimit { return }
    faults.append(LocatedFault(offset: range.lowerBound, message: message, suggestion: suggestion))
  }

  /// The members of an object, all of them known.
  mutating func members(_ node: JSONNode, known: [String], of what: String) -> [JSONMember]? {
    guard case .object(let members) = node.value else { return expected("an object", node) }
    return members.filter { member in
      if known.contains(member.key) { return true }
      refuse(
        member.keyRange, "unknown key \(quoted(member.key)) in \(what)", suggestion: nearestName(to: member.key, among: known))
      return false
    }
  }

  /// The elements of an array.
  mutating func elements(_ node: JSONNode, limit: Int) -> [JSONNode]? {
    guard case .array(let elements) = node.value else { return expected("an array", node) }
    if elements.count <= limit { return elements }
    refuse(node.range, "expected at most \(limit) entries, found \(elements.count)")
    return nil
  }

  /// A whole number.
  mutating func integer(_ node: JSONNode, _ range: ClosedRange<Int>) -> Int? {
    guard case .integer(let value) = node.value else { return expected("a whole number", node) }
    if let value = Int(exactly: value), range.contains(value) { return value }
    refuse(node.range, "expected a number from \(range.lowerBound) to \(range.upperBound), found \(value)")
    return nil
  }

  /// `true` or `false`.
  mutating func bool(_ node: JSONNode) -> Bool? {
    guard case .bool(let value) = node.value else { return expected("true or false", node) }
    return value
  }

  /// A string that is not empty.
  mutating func string(_ node: JSONNode, limit: Int) -> String? {
    guard case .string(let value) = node.value else { return expected("a string", node) }
    if value.isEmpty {
      refuse(node.range, "expected a string that is not empty")
    } else if value.utf8.count > limit {
      refuse(node.range, "expected at most \(limit) bytes, found \(value.utf8.count)")
    } else if value.utf8.contains(0) {
      refuse(node.range, "expected a string without NUL")
    } else {
      return value
    }
    return nil
  }

  /// An absolute path.
  mutating func path(_ node: JSONNode) -> String? {
    guard let path = string(node, limit: 4095) else { return nil }
    if path.utf8.first == UInt8(ascii: "/") { return path }
    refuse(node.range, "expected an absolute path")
    return nil
  }

  /// One of some words.
  mutating func choice<Choice: RawRepresentable<String> & CaseIterable>(_ node: JSONNode, _: Choice.Type) -> Choice? {
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
func quoted(_ text: String) -> String {
  String(reflecting: text.unicodeScalars.count > 64 ? String(text.unicodeScalars.prefix(64)) + "…" : text).shown
}
