internal import StrictJSON

/// The passcode policy of SAP Mobile Services, as its settings exchange delivers it: keys that begin with `passwordPolicy`,
/// at the top of the file or in an object `passwordPolicy`; values may be strings; 0 and -1 are none.
enum SAPPasscodePolicy {
  /// The object's name.
  static let block = "passwordPolicy"

  /// What a key stands for.
  enum Meaning {
    case flag(PolicyKey, PolicyField.Path<Bool>)
    /// `none` is what 0 and -1 stand for.
    case number(PolicyKey, PolicyField.Path<Int>, maximum: Int, none: Int)
    /// A value that asks for no passcode at all.
    case noPasscode(if: Bool)
  }

  private static let table: [(name: String, meaning: Meaning)] = [
    ("passwordPolicyEnabled", .noPasscode(if: false)),
    ("passwordPolicyDefaultPasswordAllowed", .noPasscode(if: true)),
    ("passwordPolicyMinLength", .number(.minLength, \.minLength, maximum: 1024, none: 1)),
    ("passwordPolicyDigitRequired", .flag(.hasDigit, \.hasDigit)),
    ("passwordPolicyUpperRequired", .flag(.hasUpper, \.hasUpper)),
    ("passwordPolicyLowerRequired", .flag(.hasLower, \.hasLower)),
    ("passwordPolicySpecialRequired", .flag(.hasSpecial, \.hasSpecial)),
    ("passwordPolicyMinUniqueChars", .number(.minUniqueChars, \.minUniqueChars, maximum: 1024, none: 0)),
    ("passwordPolicyIsDigitsOnly", .flag(.isDigitsOnly, \.isDigitsOnly)),
    ("passwordPolicyExpiresInNDays", .number(.expirationDays, \.expirationDays, maximum: 36_500, none: 0)),
    ("passwordPolicyLockTimeout", .number(.lockTimeoutSeconds, \.lockTimeoutSeconds, maximum: 31_536_000, none: 0)),
    ("passwordPolicyRetryLimit", .number(.retryLimit, \.retryLimit, maximum: 10_000, none: 0)),
    ("passwordPolicyFingerprintEnabled", .flag(.allowsQuickUnlock, \.allowsQuickUnlock)),
  ]

  /// The known keys.
  static let names = table.map(\.name)

  static func meaning(of name: String) -> Meaning? { table.first { $0.name == name }?.meaning }
}

extension PolicyReader {
  /// The object `passwordPolicy`.
  mutating func sapBlock(_ node: JSONNode, _ draft: inout PolicyDraft) {
    for member in members(node, known: SAPPasscodePolicy.names, of: SAPPasscodePolicy.block) ?? [] { sapKey(member, &draft) }
  }

  /// One key of the block.
  mutating func sapKey(_ member: JSONMember, _ draft: inout PolicyDraft) {
    switch SAPPasscodePolicy.meaning(of: member.key) {
    case .flag(let key, let path)?:
      if name(key, member, &draft), let value = sapFlag(member.node) { draft.policy[keyPath: path] = value }
    case .number(let key, let path, let maximum, let none)?:
      guard name(key, member, &draft), let value = sapNumber(member.node, maximum) else { return }
      draft.policy[keyPath: path] = value <= 0 ? none : value
    case .noPasscode(let refused)?:
      if sapFlag(member.node) == refused {
        refuse(member.node.range, "\(member.key) asks for no passcode at all, which a store can't do without")
      }
    case nil: break
    }
  }

  private mutating func sapFlag(_ node: JSONNode) -> Bool? {
    guard case .string(let word) = node.value else { return bool(node) }
    if word == "true" || word == "false" { return word == "true" }
    refuse(node.range, "expected \"true\" or \"false\", found \(quoted(word))")
    return nil
  }

  private mutating func sapNumber(_ node: JSONNode, _ maximum: Int) -> Int? {
    guard case .string(let word) = node.value else { return integer(node, -1...maximum) }
    if let number = Int(word), (-1...maximum).contains(number) { return number }
    refuse(node.range, "expected a number from -1 to \(maximum), found \(quoted(word))")
    return nil
  }
}
