public import SecretMemory

/// Asks for the set passcode until it is right, the authority closes the door, or the person gives up.
///
/// A front end shows ``step`` and calls the flow with what the person does. A call that does not fit the step is refused and
/// changes nothing. The authority charges the tries; an entry that is no text is never tried.
///
/// The flow belongs to one thread at a time. It never prints or mirrors what it holds.
///
/// Secrets: an entry is moved in, normalised into locked memory, and wiped as soon as it has been tried.
public final class VerifyFlow {
  private let authority: any PasscodeAuthority
  var state = VerifyMachine.start
  private var entry: SecretBytes?
  private var facts = MatchProgress()

  /// A flow at its first step.
  ///
  /// - Parameter authority: tries the passcode; held until the flow is released.
  public init(authority: any PasscodeAuthority) {
    self.authority = authority
  }

  /// What to show now.
  public var step: FlowStep {
    switch state {
    case .match: .match(facts.shown(by: authority))
    case .trying: .working
    case .finished: .finished(.done(.unchanged))
    case .mustChange: .finished(.mustChange(facts.mustChange!))
    case .lockedOut: .finished(.lockedOut(retryAfterSeconds: facts.retryAfterSeconds))
    case .erased: .finished(.erased)
    case .failed: .finished(.failed(facts.failure!))
    case .cancelled: .cancelled
    case .resetAsked: .finished(.resetAsked)
    }
  }

  /// Takes an entry and has it tried. Waits for the authority.
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
      facts.finding = .unreadable(fault)
    }
    return step
  }

  /// Gives up, and tells the authority.
  ///
  /// - Throws: `notNow` while a passcode is being tried, `ended`.
  public func cancel() throws(FlowRefusal) { try send(.cancel) }

  /// Says that the passcode is forgotten: ends the flow, and tells the authority that a reset is asked for.
  ///
  /// - Throws: `notNow` while a passcode is being tried, `ended`.
  public func askReset() throws(FlowRefusal) { try send(.askReset) }
}

// MARK: - CustomStringConvertible, CustomReflectable

extension VerifyFlow: CustomStringConvertible, CustomReflectable {
  /// The flow's name and state; never what it holds.
  public var description: String { "VerifyFlow(\(state))" }
  /// No children: what the flow holds can't be dumped.
  public var customMirror: Mirror { Mirror(self, children: []) }
}

// MARK: - FlowDriver

extension VerifyFlow: FlowDriver {
  typealias Machine = VerifyMachine

  /// True while a passcode is in the flow's hands.
  package var holdsPasscode: Bool { entry != nil }

  func perform(_ effect: VerifyMachine.Effect) throws(FlowRefusal) -> VerifyMachine.Event? {
    switch effect {
    case .tryPasscode:
      let text = entry.take()!
      return .tried(facts.note(authority.tryPasscode(text, mode: .match)))
    case .wipe: entry = nil
    case .tellCancelled: authority.didCancel()
    case .tellResetAsked: authority.shouldReset()
    case .refuse(let refusal): throw refusal
    }
    return nil
  }
}
