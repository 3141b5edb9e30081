/// `minLength`: grapheme clusters, as a person counts.
struct MinLengthRule: PolicyRule {
  let id = "minLength"
  let minimum: Int
  let isDigitsOnly: Bool

  var text: String {
    let unit = isDigitsOnly ? "digit" : "character"
    return "at least \(minimum) \(unit)\(minimum == 1 ? "" : "s")"
  }

  func isMet(by facts: CandidateFacts, _: Span<UInt8>) -> Bool { facts.length >= minimum }
}

/// `maxLength`: grapheme clusters, as a person counts.
struct MaxLengthRule: PolicyRule {
  let id = "maxLength"
  let maximum: Int

  var text: String { "at most \(maximum) character\(maximum == 1 ? "" : "s")" }

  func isMet(by facts: CandidateFacts, _: Span<UInt8>) -> Bool { facts.length <= maximum }
}
