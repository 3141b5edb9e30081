/// One of `customRules`. A search that reaches a limit leaves the rule unmet, whichever way it reads: a candidate that was
/// not judged is not let through.
struct PatternRule: PolicyRule {
  let id: String
  let text: String
  let isHidden: Bool
  let mustMatch: Bool
  let pattern: any CompiledPattern

  func isMet(by _: CandidateFacts, _ candidate: Span<UInt8>) -> Bool {
    switch pattern.search(candidate) {
    case .found: mustMatch
    case .notFound: !mustMatch
    case .limitReached: false
    }
  }
}
