internal import PasscodeCore
internal import PasscodeWire

extension WireStep {
  /// A step as it goes over the wire.
  ///
  /// - Parameters:
  ///   - verdict: on the candidate that led to this step, where one was judged.
  ///   - fault: what the store said, where the flow has failed.
  /// - Throws: what the step is an error for: a wrong current passcode, an entry that is no text, a failed end.
  init(_ step: FlowStep, of flow: WireFlow, _ verdict: PolicyVerdict?, fault: WireError?) throws(WireError) {
    if let fault { throw fault }
    switch step {
    case .current(let facts): self = try Self.current(facts, flow)
    case .enter(let facts): self = try Self.enter(facts, flow)
    case .confirm: self.init(flow: flow, step: .confirm)
    case .quickUnlock:
      self.init(flow: flow, step: .quickUnlock)
      quickUnlockAvailable = true
    case .finished(let end): self = try Self.finished(end, flow)
    case .cancelled: self.init(flow: flow, step: .cancelled)
    case .match, .confirmReset, .working: throw .internalFault
    }
    strength = strength ?? verdict?.strength.map(WireStrength.init)
  }

  private static func current(_ facts: MatchFacts, _ flow: WireFlow) throws(WireError) -> WireStep {
    switch facts.finding {
    case nil: break
    case .wrong(let wrong):
      throw .wrongPasscode(triesRemaining: wrong.triesRemaining, retryAfterSeconds: wrong.retryAfterSeconds)
    case .unreadable(let finding): throw .invalidText(WireTextFault(finding))
    case .turnedAway: throw .internalFault
    }
    var step = WireStep(flow: flow, step: .current)
    step.triesRemaining = facts.triesRemaining
    return step
  }

  private static func enter(_ facts: EntryFacts, _ flow: WireFlow) throws(WireError) -> WireStep {
    var step = WireStep(flow: flow, step: .enter)
    step.requirements = facts.requirements.map(WireRequirement.init)
    switch facts.finding {
    case nil: break
    case .belowPolicy(let verdict):
      step.unmet = verdict.unmet.map(WireRequirement.init)
      step.strength = verdict.strength.map(WireStrength.init)
    case .mismatch: step.mismatch = true
    case .sameAsCurrent: step.unmet = [refusal("notCurrent", "another one than the current passcode")]
    case .earlier: step.unmet = [refusal("historyDepth", "not one of the earlier passcodes")]
    case .turnedAway(let message): step.unmet = [refusal("refused", message)]
    case .unreadable(let finding): throw .invalidText(WireTextFault(finding))
    }
    return step
  }

  private static func refusal(_ id: String, _ text: String) -> WireRequirement {
    WireRequirement(id: id, text: text, isSatisfied: false)
  }

  private static func finished(_ end: FlowEnd, _ flow: WireFlow) throws(WireError) -> WireStep {
    switch end {
    case .done(let outcome):
      var step = WireStep(flow: flow, step: .finished)
      switch outcome {
      case .unchanged, .enabled, .declined: break
      case .notAvailable(let obstacle):
        step.quickUnlockAvailable = false
        step.quickUnlockReason = obstacle.text
      case .failed(let failure): step.quickUnlockReason = failure.message
      }
      return step
    case .lockedOut(let seconds): throw .lockedOut(retryAfterSeconds: seconds ?? 0)
    case .erased: throw .wiped
    case .failed, .mustChange, .resetAsked, .skipped: throw .internalFault
    }
  }
}

extension WireFlowStep {
  /// Where a flow stands.
  init(_ step: FlowStep) {
    self =
      switch step {
      case .current, .match: .current
      case .enter, .working, .confirmReset: .enter
      case .confirm: .confirm
      case .quickUnlock: .quickUnlock
      case .finished: .finished
      case .cancelled: .cancelled
      }
  }
}
