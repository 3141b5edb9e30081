/// `isDigitsOnly`: decimal digits of any script, at least one, and nothing else.
struct DigitsOnlyRule: PolicyRule {
  let id = "isDigitsOnly"
  let text = "digits only"

  func isMet(by facts: CandidateFacts, _: Span<UInt8>) -> Bool { facts.hasDigit && !facts.hasOther }
}
