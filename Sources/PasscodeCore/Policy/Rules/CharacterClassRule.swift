/// `hasDigit`, `hasUpper`, `hasLower`, `hasSpecial`: at least one scalar of the class.
struct CharacterClassRule: PolicyRule {
  let id: String
  let text: String
  let fact: @Sendable (CandidateFacts) -> Bool

  func isMet(by facts: CandidateFacts, _: Span<UInt8>) -> Bool { fact(facts) }

  static let digit = CharacterClassRule(id: "hasDigit", text: "a digit") { $0.hasDigit }
  static let upper = CharacterClassRule(id: "hasUpper", text: "an upper-case letter") { $0.hasUpper }
  static let lower = CharacterClassRule(id: "hasLower", text: "a lower-case letter") { $0.hasLower }
  static let special = CharacterClassRule(id: "hasSpecial", text: "a special character, such as - or a space") { $0.hasSpecial }
}
