internal import StrictJSON

extension PolicyReader {
  /// The top of the file.
  mutating func file(_ root: JSONNode) -> PolicyFile {
    let groups = Set(PolicyField.all.compactMap(\.key.object)).sorted()
    let names = PolicyField.all.compactMap { $0.key.object == nil ? $0.key.rawValue : nil }
    let known = names + groups + ["preset", "allowsTouchID", "$schema", SAPPasscodePolicy.block] + SAPPasscodePolicy.names
    let members = members(root, known: known, of: "the policy") ?? []
    let preset = members.first { $0.key == "preset" }.flatMap { choice($0.node, PolicyPreset.self) }
    var draft = PolicyDraft(policy: preset?.policy ?? .default)
    for member in members {
      switch member.key {
      case "preset": break
      case "$schema": _ = string(member.node, limit: 4096)
      case "allowsTouchID": take(.allowsQuickUnlock, member, &draft)
      case SAPPasscodePolicy.block: sapBlock(member.node, &draft)
      case let name where SAPPasscodePolicy.names.contains(name): sapKey(member, &draft)
      case let name where groups.contains(name): group(member, &draft)
      case let name: if let key = PolicyKey(rawValue: name) { take(key, member, &draft) }
      }
    }
    checkAgreement(of: draft, preset, root)
    return PolicyFile(role: role, preset: preset, policy: draft.policy, namedKeys: Set(draft.places.keys))
  }

  private mutating func group(_ member: JSONMember, _ draft: inout PolicyDraft) {
    let fields = PolicyField.all.filter { $0.key.object == member.key }
    for inner in members(member.node, known: fields.map(\.key.member), of: member.key) ?? [] {
      if let field = fields.first(where: { $0.key.member == inner.key }) { take(field.key, inner, &draft) }
    }
  }

  /// Reads one key's value.
  private mutating func take(_ key: PolicyKey, _ member: JSONMember, _ draft: inout PolicyDraft) {
    guard name(key, member, &draft), let field = PolicyField.all.first(where: { $0.key == key }) else { return }
    field.read(member.node, &self, &draft.policy)
  }

  /// Notes that a key has its value here.
  ///
  /// - Returns: whether it had none before.
  mutating func name(_ key: PolicyKey, _ member: JSONMember, _ draft: inout PolicyDraft) -> Bool {
    guard draft.places[key] == nil else {
      refuse(member.keyRange, "\(quoted(member.key)) says again what \(quoted(key.rawValue)) has said")
      return false
    }
    draft.places[key] = member.node.range
    return true
  }

  /// Values that exclude each other.
  private mutating func checkAgreement(of draft: PolicyDraft, _ preset: PolicyPreset?, _ root: JSONNode) {
    for (low, high) in OrderedPair.all.map({ ($0.low, $0.high) }) {
      let (least, most) = (OrderedPair.number(low, draft.policy), OrderedPair.number(high, draft.policy))
      guard least > most else { continue }
      let place = draft.places[high] ?? draft.places[low] ?? root.range
      refuse(place, "\(low.rawValue) (\(least)) is more than \(high.rawValue) (\(most))")
    }
    if preset == .pin6, !draft.policy.deviceKey, let place = draft.places[.deviceKey] {
      refuse(place, "the preset pin-6 needs the deviceKey: without it the six digits of a copied store file are soon guessed")
    }
  }
}

/// A policy while its file is being read.
struct PolicyDraft {
  var policy: PasscodePolicy
  /// Where each named key has its value.
  var places: [PolicyKey: Range<Int>] = [:]
}

/// Two numbers of which the first can't be more than the second.
struct OrderedPair: Sendable {
  let low: PolicyKey
  let high: PolicyKey

  static let all = [
    OrderedPair(low: .minLength, high: .maxLength), OrderedPair(low: .minUniqueChars, high: .maxLength),
    OrderedPair(low: .lockOutFirstSeconds, high: .lockOutMaxSeconds),
    OrderedPair(low: .keyDerivationMinMemoryMiB, high: .keyDerivationMaxMemoryMiB),
  ]

  /// The number of a key, as ``PolicyField`` knows it.
  static func number(_ key: PolicyKey, _ policy: PasscodePolicy) -> Int {
    guard case .integer(let number)? = PolicyField.all.first(where: { $0.key == key })?.value(policy) else { return 0 }
    return number
  }
}
