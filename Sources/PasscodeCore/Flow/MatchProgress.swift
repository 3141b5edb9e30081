/// What a flow has learnt from the tries of a set passcode, for its steps.
struct MatchProgress {
  var finding: MatchFinding?
  var mustChange: MustChangeReason?
  var retryAfterSeconds: Int?
  var failure: FlowFailure?
  private var triesRemaining: Int??

  /// The facts of the step. Before the first try, the authority may know how many there are.
  func shown(by authority: any PasscodeAuthority) -> MatchFacts {
    MatchFacts(finding: finding, triesRemaining: triesRemaining ?? authority.triesRemaining)
  }

  /// Keeps the facts of an answer.
  ///
  /// - Returns: the answer without its facts, for the machine.
  mutating func note(_ answer: PasscodeAnswer) -> TryResult {
    finding = nil
    switch answer {
    case .accepted: return .right
    case .mustChange(let reason):
      mustChange = reason
      return .mustChange
    case .wrong(let wrong):
      finding = .wrong(wrong)
      triesRemaining = .some(wrong.triesRemaining)
      return .wrong
    case .belowPolicy(let message):
      finding = .turnedAway(message: message)
      return .untried
    case .lockedOut(let seconds):
      retryAfterSeconds = seconds
      return .lockedOut
    case .erased: return .erased
    case .failed(let reason):
      failure = reason
      return .failed
    }
  }
}
