internal import PasscodeCore
internal import PasscodeStore
internal import PasscodeWire
internal import SecretMemory

/// The methods that take a passcode in one call.
extension Session {
  func answerPasscode(_ method: WireMethod, _ fields: WireFields, _ replies: inout Replies) throws(WireError) {
    switch method {
    case .check: try check(fields, &replies)
    case .verify: try verify(fields, &replies)
    default: try unlock(fields, &replies)
    }
  }

  private func check(_ fields: WireFields, _ replies: inout Replies) throws(WireError) {
    let policy = try service.policyForSetting(service.readPolicy())
    let verdict: PolicyVerdict
    do throws(SecretMemoryError) {
      let text = try PasscodeText.normalize(fields.bytes(.passcode))
      verdict = policy.engine(acceptsWipe: false).judge(text.bytes, isBeingSet: fields.boolIfPresent(.typing) != true)
    } catch {
      if case .tooLong = error { throw .invalidText(.tooLong) }
      throw WireError(error)
    }
    try replies.reply { reply in
      reply.bool(.accepted, verdict.isMet)
      reply.messages(.requirements, verdict.requirements.map(WireRequirement.init))
      reply.messages(.unmet, verdict.unmet.map(WireRequirement.init))
      reply.message(.strength, verdict.strength.map(WireStrength.init))
    }
  }

  private func verify(_ fields: WireFields, _ replies: inout Replies) throws(WireError) {
    if let reason = try prove(fields) { throw .mustChange(WireMustChangeReason(reason)) }
    try replies.reply()
  }

  /// Tries the passcode of a call. Leaves the store as it is.
  ///
  /// - Returns: why the right passcode has to be changed; nil where it has not.
  /// - Throws: `wrongPasscode`; the store's errors.
  func prove(_ fields: WireFields) throws(WireError) -> MustChangeReason? {
    service.readPolicy()
    let passcode = try enteredPasscode(fields)
    switch try withStore({ store throws(StoreError) in try store.verify(passcode) }) {
    case .right: return nil
    case .mustChange(let reason): return reason
    case .wrong(let facts): throw wrongPasscode(facts)
    }
  }

  private func unlock(_ fields: WireFields, _ replies: inout Replies) throws(WireError) {
    let wantsQuickUnlock = fields.boolIfPresent(.quickUnlock) ?? !fields.isPresent(.passcode)
    guard wantsQuickUnlock || fields.isPresent(.passcode) else { throw .noPrompt }
    service.readPolicy()
    var state = WireState.unlocked
    var isBelowPolicy = false
    switch try wantsQuickUnlock ? quickUnlock() : unlockWithPasscode(fields) {
    case .right(let isBelow): isBelowPolicy = isBelow
    case .mustChange: state = .mustChange
    case .wrong(let facts): throw wrongPasscode(facts)
    }
    service.opened()
    let locksAt = service.keeper.locksAt
    try replies.reply { reply in
      reply.word(.state, state)
      reply.integer(.locksAt, locksAt.map { Int($0) })
      reply.bool(.belowPolicy, isBelowPolicy ? true : nil)
    }
  }

  private func quickUnlock() throws(WireError) -> PasscodeOutcome {
    try withStore { store throws(StoreError) in try service.quickUnlock.unlock(store) }
  }

  private func unlockWithPasscode(_ fields: WireFields) throws(WireError) -> PasscodeOutcome {
    let passcode = try enteredPasscode(fields)
    let outcome = try withStore { store throws(StoreError) in
      try store.unlock(passcode, renewing: service.quickUnlock.renewed(store))
    }
    if case .wrong = outcome { return outcome }
    service.quickUnlock.notePasscode()
    return outcome
  }

  /// The passcode of a try. Nothing at all is a slip, not a try.
  func enteredPasscode(_ fields: WireFields) throws(WireError) -> SecretBytes {
    let passcode = try passcode(fields)
    if passcode.isEmpty { throw .invalidText(.empty) }
    return passcode
  }

  func wrongPasscode(_ facts: AttemptFacts) -> WireError {
    .wrongPasscode(
      triesRemaining: facts.triesRemaining, retryAfterSeconds: facts.retryAfterSeconds > 0 ? facts.retryAfterSeconds : nil)
  }
}
