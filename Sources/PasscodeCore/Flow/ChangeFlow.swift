public import SecretMemory

/// Replaces a passcode: current → new → confirm → the authority takes both.
///
/// A front end shows ``step`` and calls the flow with what the person does. A call that does not fit the step is refused and
/// changes nothing. The current passcode stays in force until the last step, and a cancel leaves it so. Quick unlock is not
/// asked about: it stays on, renewed, or off.
///
/// The flow belongs to one thread at a time. It never prints or mirrors what it holds.
///
/// Secrets: entries are moved in and normalised into locked memory. The new one is wiped when the pair starts again; both are
/// wiped when the flow ends or is released.
public final class ChangeFlow {
  private let authority: any PasscodeAuthority
  private let quickUnlock: any QuickUnlockProvider
  var state = ChangeMachine.start
  private var entry: SecretBytes?
  private var current: SecretBytes?
  private var candidate: SecretBytes?
  private var facts = MatchProgress()
  private var finding: EntryFinding?
  private var outcome = QuickUnlockOutcome.unchanged

  /// A flow at its first step.
  ///
  /// - Parameters:
  ///   - authority: tries the current passcode, judges and takes the new one; held until the flow is released.
  ///   - quickUnlock: renewed where it is on.
  public init(authority: any PasscodeAuthority, quickUnlock: any QuickUnlockProvider = NoQuickUnlock()) {
    self.authority = authority
    self.quickUnlock = quickUnlock
  }

  /// A flow that begins with the new passcode: another way in than the passcode was proved to the authority just before.
  ///
  /// The new passcode goes to ``PasscodeAuthority/tryPasscode(_:mode:)`` in mode `change`.
  public static func recovering(
    authority: any PasscodeAuthority, quickUnlock: any QuickUnlockProvider = NoQuickUnlock()
  ) -> ChangeFlow {
    let flow = ChangeFlow(authority: authority, quickUnlock: quickUnlock)
    flow.state = ChangeMachine.startOfRecovery
    return flow
  }

  /// What to show now.
  public var step: FlowStep {
    switch state {
    case .current: .current(facts.shown(by: authority))
    case .enter: .enter(authority.entryFacts(after: finding))
    case .confirm: .confirm
    case .tryingCurrent, .judging, .comparing, .committing: .working
    case .finished: .finished(.done(outcome))
    case .lockedOut: .finished(.lockedOut(retryAfterSeconds: facts.retryAfterSeconds))
    case .erased: .finished(.erased)
    case .failed: .finished(.failed(facts.failure!))
    case .cancelled: .cancelled
    case .resetAsked: .finished(.resetAsked)
    }
  }

  /// Takes an entry: the current passcode, the new one, or its confirmation.
  ///
  /// A wrong current passcode costs a try, charged by the authority; nothing after it does. An entry that is no text, and a
  /// confirmation that differs (constant time for equal lengths, after normalisation), lead back to the new passcode with a
  /// finding.
  ///
  /// - Returns: the step to show next.
  /// - Throws: `notNow`, `ended`, `busy`.
  ///
  /// Secrets: the flow wipes `passcode`, whatever comes of it.
  @discardableResult
  public func enter(_ passcode: consuming SecretBytes) throws(FlowRefusal) -> FlowStep {
    defer { entry = nil }
    switch try FlowEntry.read(passcode) {
    case .text(let text):
      entry = consume text
      try send(.entered)
    case .unreadable(let fault):
      try send(.unreadable)
      if state == .current { facts.finding = .unreadable(fault) } else { finding = .unreadable(fault) }
    }
    return step
  }

  /// Judges an entry that is still being typed, for a live list of requirements. Nothing moves, and nothing is said about the
  /// current or an earlier passcode.
  ///
  /// - Throws: `busy`.
  public func assess(_ typed: borrowing SecretBytes) throws(FlowRefusal) -> CandidateAssessment {
    try authority.assess(typed)
  }

  /// Gives up: wipes everything and tells the authority. The current passcode stays in force.
  ///
  /// - Throws: `notNow` while the authority is trying or taking a passcode, `ended`.
  public func cancel() throws(FlowRefusal) { try send(.cancel) }

  /// Says that the current passcode is forgotten: ends the flow, and tells the authority that a reset is asked for.
  ///
  /// - Throws: `notNow` once the current passcode was taken, `ended`.
  public func askReset() throws(FlowRefusal) { try send(.askReset) }
}

// MARK: - CustomStringConvertible, CustomReflectable

extension ChangeFlow: CustomStringConvertible, CustomReflectable {
  /// The flow's name and state; never what it holds.
  public var description: String { "ChangeFlow(\(state))" }
  /// No children: what the flow holds can't be dumped.
  public var customMirror: Mirror { Mirror(self, children: []) }
}

// MARK: - FlowDriver

extension ChangeFlow: FlowDriver {
  typealias Machine = ChangeMachine

  /// True while a passcode is in the flow's hands.
  package var holdsPasscode: Bool { entry != nil || current != nil || candidate != nil }

  func perform(_ effect: ChangeMachine.Effect) throws(FlowRefusal) -> ChangeMachine.Event? {
    switch effect {
    case .tryCurrent: return tryCurrent()
    case .judge: return judge()
    case .compare: return compare()
    case .commit: return commit()
    case .keepQuickUnlock: keepQuickUnlock()
    case .wipeCandidate: wipeCandidate()
    case .wipe:
      wipeCandidate()
      current = nil
    case .tellCancelled: authority.didCancel()
    case .tellResetAsked: authority.shouldReset()
    case .refuse(let refusal): throw refusal
    }
    return nil
  }

  private func wipeCandidate() {
    entry = nil
    candidate = nil
  }

  private func tryCurrent() -> ChangeMachine.Event {
    let text = entry.take()!
    let result = facts.note(authority.tryPasscode(text, mode: .matchForChange))
    current = consume text
    return .tried(result)
  }

  /// The history is asked last: it costs a derivation.
  private func judge() -> ChangeMachine.Event {
    let text = entry.take()!
    let verdict = authority.judge(text)
    finding = nil
    if !verdict.isMet {
      finding = .belowPolicy(verdict)
    } else if isCurrent(text) {
      finding = .sameAsCurrent
    } else {
      switch authority.checkHistory(text) {
      case .fresh: break
      case .earlier: finding = .earlier
      case .failed(let reason):
        facts.failure = reason
        return .failed
      }
    }
    if !ChangeMachine.isEnd(state) { candidate = consume text }
    return .judged(isMet: finding == nil)
  }

  private func isCurrent(_ text: borrowing SecretBytes) -> Bool {
    switch current {
    case .some(let current): SecretBytes.isEqual(text, current)
    case .none: false
    }
  }

  private func compare() -> ChangeMachine.Event {
    let text = entry.take()!
    let isEqual = SecretBytes.isEqual(text, candidate!)
    if !isEqual { finding = .mismatch }
    return .compared(isEqual: isEqual)
  }

  private func commit() -> ChangeMachine.Event {
    let answer = handOver()
    if case .belowPolicy(let message) = answer { finding = .turnedAway(message: message) }
    if case .wrong = answer { facts.failure = .changedMeanwhile }
    return .committed(facts.note(answer))
  }

  private func handOver() -> PasscodeAnswer {
    switch current {
    case .some(let current): authority.changePasscode(from: current, to: candidate!)
    case .none: authority.tryPasscode(candidate!, mode: .change)
    }
  }

  private func keepQuickUnlock() {
    guard quickUnlock.isEnabled else { return }
    do {
      try quickUnlock.enable(with: candidate!)
      outcome = .enabled
    } catch {
      outcome = .failed(error)
    }
  }
}
