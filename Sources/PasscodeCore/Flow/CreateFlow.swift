public import SecretMemory

/// Sets a first passcode: enter → confirm → quick unlock, where it can be offered → the authority takes the passcode.
///
/// A front end shows ``step`` and calls the flow with what the person does. A call that does not fit the step is refused and
/// changes nothing. Nothing is stored before the last step, and a cancel leaves nothing behind.
///
/// The flow belongs to one thread at a time. It never prints or mirrors what it holds.
///
/// Secrets: entries are moved in, normalised into locked memory, and wiped when the flow ends, starts the pair again, or is
/// released.
public final class CreateFlow {
  private let authority: any PasscodeAuthority
  private let quickUnlock: any QuickUnlockProvider
  var state = CreateMachine.start
  private var entry: SecretBytes?
  private var candidate: SecretBytes?
  private var finding: EntryFinding?
  private var outcome = QuickUnlockOutcome.unchanged
  private var failure: FlowFailure?

  /// A flow at its first step.
  ///
  /// - Parameters:
  ///   - authority: judges and takes the passcode; held until the flow is released.
  ///   - quickUnlock: the third step's provider.
  public init(authority: any PasscodeAuthority, quickUnlock: any QuickUnlockProvider = NoQuickUnlock()) {
    self.authority = authority
    self.quickUnlock = quickUnlock
  }

  /// What to show now.
  public var step: FlowStep {
    switch state {
    case .enter: .enter(authority.entryFacts(after: finding))
    case .confirm: .confirm
    case .quickUnlock: .quickUnlock
    case .judging, .comparing, .probing, .committing: .working
    case .finished: .finished(.done(outcome))
    case .failed: .finished(.failed(failure!))
    case .skipped: .finished(.skipped)
    case .cancelled: .cancelled
    }
  }

  /// Takes an entry: the new passcode, or its confirmation.
  ///
  /// An entry that is no text leads back to the first of the pair, with a finding; so does a confirmation that differs, in
  /// constant time for equal lengths and after normalisation.
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
      finding = .unreadable(fault)
    }
    return step
  }

  /// Judges an entry that is still being typed, for a live list of requirements. Nothing moves.
  ///
  /// - Throws: `busy`.
  public func assess(_ typed: borrowing SecretBytes) throws(FlowRefusal) -> CandidateAssessment {
    try authority.assess(typed)
  }

  /// Answers the offer of quick unlock.
  ///
  /// - Returns: the step to show next.
  /// - Throws: `notNow`, `ended`.
  @discardableResult
  public func answerQuickUnlock(_ enables: Bool) throws(FlowRefusal) -> FlowStep {
    try send(.answered(enables: enables))
    return step
  }

  /// Gives up: wipes everything and tells the authority. Nothing was stored.
  ///
  /// - Throws: `notNow` while the authority is taking the passcode, `ended`.
  public func cancel() throws(FlowRefusal) { try send(.cancel) }

  /// Goes on without a passcode, where the authority allows it: wipes everything and tells the authority.
  ///
  /// - Throws: `mandatory` where it is not allowed, `notNow` once the passcode is confirmed, `ended`.
  public func skip() throws(FlowRefusal) { try send(.skip(isAllowed: authority.allowsSkip)) }
}

// MARK: - CustomStringConvertible, CustomReflectable

extension CreateFlow: CustomStringConvertible, CustomReflectable {
  /// The flow's name and state; never what it holds.
  public var description: String { "CreateFlow(\(state))" }
  /// No children: what the flow holds can't be dumped.
  public var customMirror: Mirror { Mirror(self, children: []) }
}

// MARK: - FlowDriver

extension CreateFlow: FlowDriver {
  typealias Machine = CreateMachine

  /// True while a passcode is in the flow's hands.
  package var holdsPasscode: Bool { entry != nil || candidate != nil }

  func perform(_ effect: CreateMachine.Effect) throws(FlowRefusal) -> CreateMachine.Event? {
    switch effect {
    case .judge: return judge()
    case .compare: return compare()
    case .probeQuickUnlock: return probe()
    case .commit: return commit()
    case .enableQuickUnlock: enableQuickUnlock()
    case .wipe:
      entry = nil
      candidate = nil
    case .tellCancelled: authority.didCancel()
    case .tellSkipped: authority.didSkip()
    case .refuse(let refusal): throw refusal
    }
    return nil
  }

  private func judge() -> CreateMachine.Event {
    let text = entry.take()!
    let verdict = authority.judge(text)
    finding = verdict.isMet ? nil : .belowPolicy(verdict)
    if !CreateMachine.isEnd(state) { candidate = consume text }
    return .judged(isMet: verdict.isMet)
  }

  private func compare() -> CreateMachine.Event {
    let text = entry.take()!
    let isEqual = SecretBytes.isEqual(text, candidate!)
    if !isEqual { finding = .mismatch }
    return .compared(isEqual: isEqual)
  }

  private func probe() -> CreateMachine.Event {
    let isAllowed = authority.policyEngine.policy.allowsQuickUnlock
    let availability = isAllowed ? quickUnlock.availability : .unavailable(.forbiddenByPolicy)
    switch availability {
    case .available:
      outcome = .declined
      return .probed(isAvailable: true)
    case .unavailable(let obstacle):
      outcome = .notAvailable(obstacle)
      return .probed(isAvailable: false)
    }
  }

  private func commit() -> CreateMachine.Event {
    switch authority.tryPasscode(candidate!, mode: .create) {
    case .accepted, .mustChange: return .stored
    case .belowPolicy(let message):
      finding = .turnedAway(message: message)
      return .belowPolicy
    case .wrong, .lockedOut, .erased:
      failure = .unexpectedAnswer
      return .failed
    case .failed(let reason):
      failure = reason
      return .failed
    }
  }

  private func enableQuickUnlock() {
    do {
      try quickUnlock.enable(with: candidate!)
      outcome = .enabled
    } catch {
      outcome = .failed(error)
    }
  }
}
