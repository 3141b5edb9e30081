import PasscodeCore
import SecretMemory

/// A passcode in locked memory, from test text.
func secret(_ text: String) throws -> SecretBytes { try secret(Array(text.utf8)) }

/// A passcode in locked memory, from test bytes.
func secret(_ bytes: [UInt8]) throws -> SecretBytes { try SecretBytes(copying: bytes.span) }

/// What a secret holds, for comparison in tests only.
func plain(_ secret: borrowing SecretBytes) -> [UInt8] {
  let bytes = secret.bytes
  return bytes.indices.map { bytes[$0] }
}

/// An authority in memory: keeps one passcode, counts tries, records what it is told.
final class FakeAuthority: PasscodeAuthority {
  var policyEngine: PolicyEngine
  var allowsSkip = false
  var passcode: [UInt8]?
  var earlier: [[UInt8]] = []
  var triesRemaining: Int?
  var mustChange: MustChangeReason?
  /// Given once, in the place of an answer of its own.
  var plannedAnswer: PasscodeAnswer?
  var plannedHistory: HistoryAnswer?
  /// The answer to each hand-over of a passcode to be set, in the place of taking it.
  var plannedCommit: PasscodeAnswer?
  /// Called in the middle of a call.
  var interruption: (() -> Void)?
  private(set) var calls: [String] = []

  init(passcode: String? = nil, policy: PasscodePolicy = PasscodePolicy(), tries: Int? = 3) throws {
    policyEngine = try PolicyEngine(policy: policy)
    self.passcode = passcode.map { Array($0.utf8) }
    triesRemaining = tries
  }

  func tryPasscode(_ candidate: borrowing SecretBytes, mode: PasscodeInputMode) -> PasscodeAnswer {
    calls.append("try \(mode)")
    interruption?()
    if let answer = plannedAnswer.take() { return answer }
    switch mode {
    case .create, .change:
      if let plannedCommit { return plannedCommit }
      passcode = plain(candidate)
      return .accepted
    case .match, .matchForChange:
      if let triesRemaining, triesRemaining <= 0 { return .lockedOut(retryAfterSeconds: 30) }
      guard plain(candidate) == passcode else {
        triesRemaining = triesRemaining.map { $0 - 1 }
        return .wrong(WrongTry(triesRemaining: triesRemaining))
      }
      return mustChange.map { .mustChange($0) } ?? .accepted
    }
  }

  func checkHistory(_ candidate: borrowing SecretBytes) -> HistoryAnswer {
    calls.append("history")
    interruption?()
    return plannedHistory.take() ?? (earlier.contains(plain(candidate)) ? .earlier : .fresh)
  }

  func didCancel() { calls.append("cancel") }
  func didSkip() { calls.append("skip") }
  func shouldReset() { calls.append("reset") }
}

/// Quick unlock that works, or fails as told.
final class FakeQuickUnlock: QuickUnlockProvider {
  var availability = QuickUnlockAvailability.available
  var isEnabled = false
  var failure: FlowFailure?
  var enabledWith: [UInt8]?

  func enable(with passcode: borrowing SecretBytes) throws(FlowFailure) {
    if let failure { throw failure }
    isEnabled = true
    enabledWith = plain(passcode)
  }

  func disable() throws(FlowFailure) {
    if let failure { throw failure }
    isEnabled = false
    enabledWith = nil
  }
}

extension FlowStep {
  /// The step without its facts.
  var name: String {
    switch self {
    case .current: "current"
    case .match: "match"
    case .enter: "enter"
    case .confirm: "confirm"
    case .quickUnlock: "quickUnlock"
    case .confirmReset: "confirmReset"
    case .working: "working"
    case .finished(let end): "\(end)".prefix { $0 != "(" }.description
    case .cancelled: "cancelled"
    }
  }

  var end: FlowEnd? { if case .finished(let end) = self { end } else { nil } }
  var entry: EntryFacts? { if case .enter(let facts) = self { facts } else { nil } }
  var match: MatchFacts? {
    switch self {
    case .match(let facts), .current(let facts): facts
    default: nil
    }
  }
}

extension EntryFinding {
  /// The finding without its facts.
  var name: String { "\(self)".prefix { $0 != "(" }.description }
}
