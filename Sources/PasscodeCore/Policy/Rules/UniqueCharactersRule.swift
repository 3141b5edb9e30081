/// `minUniqueChars`: distinct grapheme clusters.
struct UniqueCharactersRule: PolicyRule {
  let id = "minUniqueChars"
  let minimum: Int

  var text: String { "at least \(minimum) different character\(minimum == 1 ? "" : "s")" }

  func isMet(by facts: CandidateFacts, _: Span<UInt8>) -> Bool { facts.uniqueCount >= minimum }
}
