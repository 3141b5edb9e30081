internal import StrictJSON

/// Reads the values of a JSON tree, each of its one kind; the first fault ends it.
enum FieldReading {
  /// The members of an object by their keys: all of them known, and the needed ones there.
  static func members(
    _ node: JSONNode, _ known: [String], needed: [String] = [], of what: String
  ) throws(BlockFault) -> [String: JSONNode] {
    guard case .object(let all) = node.value else { throw expected("an object", node) }
    var members: [String: JSONNode] = [:]
    for member in all {
      guard known.contains(member.key) else {
        throw BlockFault(
          offset: member.keyRange.lowerBound, message: "unknown key \(quoted(member.key)) in \(what)",
          suggestion: nearestName(to: member.key, among: known))
      }
      members[member.key] = member.node
    }
    for key in needed where members[key] == nil { throw fault(node, "\(what) needs \(quoted(key))") }
    return members
  }

  /// The elements of an array.
  static func elements(_ node: JSONNode) throws(BlockFault) -> [JSONNode] {
    guard case .array(let elements) = node.value else { throw expected("an array", node) }
    return elements
  }

  /// A string with nothing in it that steers, of one line or of several.
  static func string(_ node: JSONNode, isLine: Bool = true) throws(BlockFault) -> String {
    guard case .string(let text) = node.value else { throw expected("a string", node) }
    for scalar in text.unicodeScalars where PlainText.isHarmful(scalar) || isLine && scalar == "\n" {
      throw fault(node, "expected a text without control characters")
    }
    return text
  }

  /// A whole number within a range.
  static func integer(_ node: JSONNode, _ range: ClosedRange<Int>) throws(BlockFault) -> Int {
    guard case .integer(let number) = node.value else { throw expected("a whole number", node) }
    guard let value = Int(exactly: number), range.contains(value) else {
      throw fault(node, "expected a number from \(range.lowerBound) to \(range.upperBound), found \(number)")
    }
    return value
  }

  /// One of some words.
  static func choice<Choice>(_ node: JSONNode, _: Choice.Type) throws(BlockFault) -> Choice
  where Choice: RawRepresentable<String> & CaseIterable {
    let known = Choice.allCases.map(\.rawValue)
    let list = known.map(quoted).joined(separator: ", ")
    guard case .string(let word) = node.value else { throw expected("one of \(list)", node) }
    if let choice = Choice(rawValue: word) { return choice }
    throw BlockFault(
      offset: node.range.lowerBound, message: "expected one of \(list), found \(quoted(word))",
      suggestion: nearestName(to: word, among: known))
  }

  /// A fault at a node.
  static func fault(_ node: JSONNode, _ message: String) -> BlockFault {
    BlockFault(offset: node.range.lowerBound, message: message)
  }

  /// The fault of a value of another kind.
  static func expected(_ what: String, _ node: JSONNode) -> BlockFault {
    fault(node, "expected \(what), found \(node.value.kindName)")
  }
}
