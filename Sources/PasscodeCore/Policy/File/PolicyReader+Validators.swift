internal import StrictJSON

extension PolicyReader {
  private static let validatorTypes = ["strength", "blocklist", "breachList", "notPersonal", "noSequences", "command"]

  /// `validators`
  mutating func validators(_ node: JSONNode) -> [ValidatorSetting]?? {
    guard let elements = elements(node, limit: 32) else { return nil }
    return elements.compactMap { validator($0) }
  }

  private mutating func validator(_ node: JSONNode) -> ValidatorSetting? {
    guard case .object(let all) = node.value else { return expected("an object", node) }
    guard let type = all.first(where: { $0.key == "type" }) else {
      refuse(node.range, "a validator needs a \"type\"")
      return nil
    }
    guard case .string(let name) = type.node.value else { return expected("a string", type.node) }
    switch name {
    case "strength": return options(node, name, ["minimumScore"]).flatMap { strength($0) }
    case "blocklist": return options(node, name, ["path", "list"]).flatMap { blocklist($0, node) }
    case "breachList": return options(node, name, ["path"]).flatMap { breachList($0, node) }
    case "notPersonal": return options(node, name, []).map { _ in .notPersonal }
    case "noSequences": return options(node, name, ["max"]).flatMap { noSequences($0) }
    case "command": return options(node, name, ["path", "timeoutSeconds"]).flatMap { command($0, node) }
    default:
      let nearest = nearestName(to: name, among: Self.validatorTypes)
      refuse(type.node.range, "unknown validator \(quoted(name))", suggestion: nearest)
      return nil
    }
  }

  /// The members beside `type`.
  private mutating func options(_ node: JSONNode, _ type: String, _ known: [String]) -> [String: JSONNode]? {
    guard let members = members(node, known: known + ["type"], of: "the validator \(type)") else { return nil }
    return Dictionary(uniqueKeysWithValues: members.lazy.filter { $0.key != "type" }.map { ($0.key, $0.node) })
  }

  private mutating func strength(_ options: [String: JSONNode]) -> ValidatorSetting? {
    guard let node = options["minimumScore"] else { return .strength(minimumScore: 3) }
    return integer(node, 0...4).map { .strength(minimumScore: $0) }
  }

  private mutating func noSequences(_ options: [String: JSONNode]) -> ValidatorSetting? {
    guard let node = options["max"] else { return .noSequences(max: 3) }
    return integer(node, 2...64).map { .noSequences(max: $0) }
  }

  private mutating func blocklist(_ options: [String: JSONNode], _ node: JSONNode) -> ValidatorSetting? {
    enum List: String, CaseIterable { case common, pins }
    switch (options["path"], options["list"]) {
    case (nil, nil): return .blocklist(.common)
    case (let file?, nil): return path(file).map { .blocklist(.file(path: $0)) }
    case (nil, let list?): return choice(list, List.self).map { .blocklist($0 == .pins ? .pins : .common) }
    case (_?, _?):
      refuse(node.range, "a blocklist has either a \"path\" or a \"list\"")
      return nil
    }
  }

  private mutating func breachList(_ options: [String: JSONNode], _ node: JSONNode) -> ValidatorSetting? {
    requiredPath(options, of: "breachList", node).map { .breachList(path: $0) }
  }

  private mutating func command(_ options: [String: JSONNode], _ node: JSONNode) -> ValidatorSetting? {
    if role == .user {
      refuse(node.range, "the validator command can stand in the administrator's file only")
      return nil
    }
    let seconds = options["timeoutSeconds"].map { integer($0, 1...30) } ?? 5
    guard let path = requiredPath(options, of: "command", node), let seconds else { return nil }
    return .command(path: path, timeoutSeconds: seconds)
  }

  private mutating func requiredPath(_ options: [String: JSONNode], of type: String, _ node: JSONNode) -> String? {
    if let file = options["path"] { return path(file) }
    refuse(node.range, "the validator \(type) needs a \"path\"")
    return nil
  }
}
