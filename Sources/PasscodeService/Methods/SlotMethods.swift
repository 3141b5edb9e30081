internal import PasscodeCore
internal import PasscodeStore
internal import PasscodeWire
internal import SecretMemory

/// The methods that add a way in beside the passcode, or take one away. Adding takes the passcode in the same call.
extension Session {
  func answerSlots(_ method: WireMethod, _ fields: WireFields, _ replies: inout Replies) throws(WireError) {
    switch method {
    case .enableQuickUnlock:
      try enableQuickUnlock(fields)
      try replies.reply()
    case .disableQuickUnlock:
      try disableQuickUnlock()
      try replies.reply()
    case .createRecoveryKey:
      let key = try createRecoveryKey(fields)
      try replies.reply { $0.string(.key, key.bytes) }
    default:
      try revokeRecoveryKey()
      try replies.reply()
    }
  }

  private func enableQuickUnlock(_ fields: WireFields) throws(WireError) {
    _ = try service.policyForSetting(service.readPolicy())
    let passcode = try enteredPasscode(fields)
    let wrong = try withStore { store throws(StoreError) in try service.quickUnlock.enable(passcode, store) }
    if let wrong { throw .wrongPasscode(wrong) }
    service.log.note(.quickUnlockOn)
  }

  private func disableQuickUnlock() throws(WireError) {
    do throws(StoreError) {
      try service.holder.withStore { store throws(StoreError) in try service.quickUnlock.disable(store) }
    } catch {
      guard case .unlockMethod(let fault) = error else { throw service.translate(error) }
      throw .quickUnlockUnavailable(reason: "it is off now, but its key may still lie in the keyring: \(fault.reason)")
    }
    service.log.note(.quickUnlockOff)
  }

  /// The new key, to be told once.
  private func createRecoveryKey(_ fields: WireFields) throws(WireError) -> SecretBytes {
    service.readPolicy()
    let passcode = try enteredPasscode(fields)
    let printed: SecretBytes
    let method: RecoveryMethod
    do throws(SecretMemoryError) {
      let key = try RecoveryKey.random()
      printed = try key.printed()
      method = RecoveryMethod(key)
    } catch { throw WireError(error) }
    let wrong = try withStore { store throws(StoreError) -> AttemptFacts? in
      switch try store.prove(passcode) {
      case .wrong(let facts): return facts
      case .right(let proof):
        try store.add(method, proof)
        return nil
      }
    }
    if let wrong { throw .wrongPasscode(wrong) }
    service.log.note(.recoveryKeyMade)
    return printed
  }

  private func revokeRecoveryKey() throws(WireError) {
    try withStore { store throws(StoreError) in try store.revokeRecoveryKey() }
    service.log.note(.recoveryKeyRevoked)
  }
}
