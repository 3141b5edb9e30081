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
    case .wrong(let facts): throw .wrongPasscode(facts)
    }
  }

  private func unlock(_ fields: WireFields, _ replies: inout Replies) throws(WireError) {
    let opening = try opening(fields)
    // The record was checked with the store's key only now.
    try service.consent.require("unlock")
    let locksAt = service.locksAt(service.situation)
    try replies.reply { reply in
      reply.word(.state, opening.state)
      reply.integer(.locksAt, locksAt)
      reply.bool(.belowPolicy, opening.isBelowPolicy ? true : nil)
    }
  }

  /// Opens the store by what the call brings along, else by asking.
  private func opening(_ fields: WireFields) throws(WireError) -> Opening {
    let wantsQuickUnlock = fields.boolIfPresent(.quickUnlock)
    service.readPolicy()
    if fields.boolIfPresent(.acceptOlder) == true, !fields.isPresent(.passcode) { throw .invalidParameter("acceptOlder") }
    if wantsQuickUnlock == true { return try quickUnlock(fields) }
    if fields.isPresent(.passcode) { return try unlockWithPasscode(fields) }
    if let answer = service.answerIfOpen { return try opening(try answer.get()) }
    var obstacle: String?
    if wantsQuickUnlock == nil, try withStore({ store throws(StoreError) in try store.hasSlot(.keyring) }) {
      do throws(WireError) { return try quickUnlock(fields) } catch {
        guard case .quickUnlockUnavailable(let reason) = error else { throw error }
        obstacle = reason
      }
    }
    if let answer = service.answerWithoutAsking { return try opening(try answer.get()) }
    let effect = try ask(.passcode, fields) { [service, obstacle] client, cancellation in
      UnlockPrompt(service: service, client: client, obstacle: obstacle).show(cancellation)
    }
    return try opening(effect)
  }

  private func opening(_ effect: Prompts.Effect) throws(WireError) -> Opening {
    guard case .opening(let opening) = effect else { throw .internalFault }
    return opening
  }

  private func quickUnlock(_ fields: WireFields) throws(WireError) -> Opening {
    if service.quickUnlock.needsConfirmation {
      // What is off, or must not be used, is not asked about.
      try withStore { store throws(StoreError) in try service.quickUnlock.requireUsable(store) }
      let effect = try ask(.quickUnlock, fields) { [service] client, cancellation in
        QuickUnlockPrompt(service: service, client: client).show(cancellation)
      }
      return try opening(effect)
    }
    do throws(StoreError) { return try service.openQuickly(isConfirmed: false) } catch { throw service.translate(error) }
  }

  private func unlockWithPasscode(_ fields: WireFields) throws(WireError) -> Opening {
    let passcode = try enteredPasscode(fields)
    let outcome: PasscodeOutcome
    let acceptsOlder = fields.boolIfPresent(.acceptOlder) ?? false
    do throws(StoreError) { outcome = try service.open(with: passcode, acceptsOlder: acceptsOlder) } catch {
      throw service.translate(error)
    }
    switch outcome {
    case .right(let isBelow): return Opening(state: .unlocked, isBelowPolicy: isBelow)
    case .mustChange: return Opening(state: .mustChange)
    case .wrong(let facts): throw .wrongPasscode(facts)
    }
  }

  /// The passcode of a try. Nothing at all is a slip, not a try.
  func enteredPasscode(_ fields: WireFields) throws(WireError) -> SecretBytes {
    let passcode = try passcode(fields)
    if passcode.isEmpty { throw .invalidText(.empty) }
    return passcode
  }
}
