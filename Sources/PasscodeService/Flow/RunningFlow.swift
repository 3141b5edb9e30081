internal import PasscodeCore
internal import PasscodeWire
internal import SecretMemory

/// A flow under way, whichever it is, with the store behind it.
struct RunningFlow {
  private enum Driver {
    case create(CreateFlow)
    case change(ChangeFlow)
  }

  let kind: WireFlow
  private let driver: Driver
  private let authority: StoreAuthority
  /// The answer to the step about quick unlock, where it was given in advance.
  private let quickUnlock: Bool?

  init(_ kind: WireFlow, _ authority: StoreAuthority, _ provider: FlowQuickUnlock, quickUnlock: Bool?) {
    self.kind = kind
    self.authority = authority
    self.quickUnlock = quickUnlock
    driver =
      switch kind {
      case .create: .create(CreateFlow(authority: authority, quickUnlock: provider))
      case .change: .change(ChangeFlow(authority: authority, quickUnlock: provider))
      case .recover: .change(ChangeFlow.recovering(authority: authority, quickUnlock: provider))
      }
  }

  var step: FlowStep {
    switch driver {
    case .create(let flow): flow.step
    case .change(let flow): flow.step
    }
  }

  /// The step as it goes over the wire.
  func shown(after verdict: PolicyVerdict? = nil) throws(WireError) -> WireStep {
    try WireStep(step, of: kind, verdict, fault: authority.takeFault())
  }

  /// Takes an entry.
  ///
  /// - Throws: `wrongStep`, `busy`, and what the next step is an error for.
  func enter(_ passcode: consuming SecretBytes) throws(WireError) -> WireStep {
    let verdict = try judged(passcode)
    do throws(FlowRefusal) {
      switch driver {
      case .create(let flow): try flow.enter(passcode)
      case .change(let flow): try flow.enter(passcode)
      }
      if let quickUnlock, case .quickUnlock = step { try answer(quickUnlock) }
    } catch { throw wireError(error) }
    return try shown(after: verdict)
  }

  /// Answers the step about quick unlock.
  func answerQuickUnlock(_ enables: Bool) throws(WireError) -> WireStep {
    do throws(FlowRefusal) { try answer(enables) } catch { throw wireError(error) }
    return try shown()
  }

  /// Gives up.
  func cancel() throws(WireError) -> WireStep {
    do throws(FlowRefusal) {
      switch driver {
      case .create(let flow): try flow.cancel()
      case .change(let flow): try flow.cancel()
      }
    } catch { throw wireError(error) }
    return try shown()
  }

  /// How strong a new passcode is, for the step that follows its entry.
  private func judged(_ passcode: borrowing SecretBytes) throws(WireError) -> PolicyVerdict? {
    guard case .enter = step else { return nil }
    let assessment: CandidateAssessment
    do throws(FlowRefusal) {
      switch driver {
      case .create(let flow): assessment = try flow.assess(passcode)
      case .change(let flow): assessment = try flow.assess(passcode)
      }
    } catch { throw wireError(error) }
    if case .judged(let verdict) = assessment { return verdict }
    return nil
  }

  private func answer(_ enables: Bool) throws(FlowRefusal) {
    switch driver {
    case .create(let flow): try flow.answerQuickUnlock(enables)
    case .change: throw .notNow
    }
  }

  private func wireError(_ refusal: FlowRefusal) -> WireError {
    switch refusal {
    case .busy: .busy
    case .notNow, .ended, .mandatory: .wrongStep(WireFlowStep(step))
    }
  }
}
