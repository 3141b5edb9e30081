internal import PasscodeCore
internal import PasscodePlatform
internal import PasscodeStore
internal import SecretMemory

/// Quick unlock of the daemon's store, as the policy in force allows it.
///
/// The keyring is called only where the store has a slot for it, where somebody turns quick unlock on or off, and where a key is known
/// to be left when a store is taken away or brought back: never for an unlock or a state while quick unlock is off. A call may take as
/// long as the helper process may; nothing is locked meanwhile that a reading of the store or its state waits for.
final class QuickUnlock: Sendable {
  private let makeMethod: @Sendable (_ passcodeAfterReboot: Bool) -> any QuickUnlockMethod
  private let policies: PolicySource
  private let clock: ServiceClock
  private let keys: KeptKeys
  private let canAsk: @Sendable () -> Bool
  /// When the passcode was given last, as far as this process can know: not before its own start.
  private let passcodeGivenAt: Monitor<UInt64>

  /// - Parameters:
  ///   - keys: for which stores the keyring may hold a key.
  ///   - canAsk: whether there is something to ask a person with.
  init(
    _ policies: PolicySource, clock: ServiceClock, keys: KeptKeys, canAsk: @escaping @Sendable () -> Bool,
    makeMethod: @escaping @Sendable (_ passcodeAfterReboot: Bool) -> any QuickUnlockMethod
  ) {
    self.policies = policies
    self.clock = clock
    self.keys = keys
    self.canAsk = canAsk
    self.makeMethod = makeMethod
    passcodeGivenAt = Monitor(clock.sinceBoot())
  }

  private var policy: PasscodePolicy { policies.current.effective.policy }
  private var method: NotedMethod { NotedMethod(method: makeMethod(policy.quickUnlock.passcodeAfterReboot), keys: keys) }

  /// Why the policy keeps quick unlock from being used; nil where it does not.
  private var refusal: UnlockMethodFault? {
    if !policy.allowsQuickUnlock { return UnlockMethodFault("the policy does not allow it") }
    // Never offered where the question that the policy asks for could not be asked.
    return needsConfirmation && !canAsk()
      ? UnlockMethodFault("the policy asks for a confirmation each time, and there is no pinentry to ask with") : nil
  }

  /// Whether the policy has a person confirm each unlock.
  var needsConfirmation: Bool { policy.quickUnlock.confirm }

  /// Whether it can be offered: tried out for real.
  var availability: QuickUnlockAvailability {
    if !policy.allowsQuickUnlock { return .unavailable(.forbiddenByPolicy) }
    if let refusal { return .unavailable(.notWorking(refusal.reason)) }
    do { try method.probe() } catch { return .unavailable(.notWorking(error.reason)) }
    return .available
  }

  /// Whether it is on. Calls no keyring.
  func isOn(_ store: CredentialStore) throws(StoreError) -> Bool {
    guard policy.allowsQuickUnlock else { return false }
    return try store.hasSlot(.keyring)
  }

  /// Turns it on, or renews it.
  ///
  /// - Returns: nil where it is on; the facts of a wrong passcode.
  /// - Throws: `unlockMethod` with why it can't be used: also a passcode that has to be changed first.
  func enable(_ passcode: borrowing SecretBytes, _ store: CredentialStore) throws(StoreError) -> AttemptFacts? {
    if let refusal { throw .unlockMethod(refusal) }
    switch try store.prove(passcode) {
    case .wrong(let facts): return facts
    case .right(let proof):
      notePasscode()
      if proof.mustChange != nil { throw .unlockMethod(UnlockMethodFault("the passcode has to be changed first")) }
      try store.add(method, proof)
    }
    removeLeft()
    return nil
  }

  /// Turns it off for good: takes its slot, its item and its share away. Where there is no slot, what may have been left in the keyring.
  ///
  /// - Throws: `storage`, `corrupt`; `unlockMethod` where the slot is gone and an item may be left behind: it opens nothing.
  func disable(_ store: CredentialStore) throws(StoreError) {
    let mayBeKept = try store.hasSlot(.keyring) || keys.isKept(store.id)
    do throws(StoreError) { try store.remove(method) } catch {
      // Where there never was an item, a keyring that can't be reached has none.
      if case .unlockMethod = error, !mayBeKept { return }
      throw error
    }
    removeLeft()
  }

  /// Takes its slot, its item and its share away, where the store has a slot.
  ///
  /// - Throws: as ``disable(_:)``.
  private func drop(_ store: CredentialStore) throws(StoreError) {
    if try store.hasSlot(.keyring) { try store.remove(method) }
  }

  /// Removes the key of a store that is taken away, has come back without quick unlock or has erased itself, where the keyring may
  /// hold one.
  ///
  /// - Parameter store: the store itself, as long as it is there: it loses its slot too.
  /// - Returns: why the key may be left; nil where none is.
  func removeKey(of id: StoreID, _ store: CredentialStore? = nil) -> UnlockMethodFault? {
    let isOn = (try? store?.hasSlot(.keyring)) ?? false
    guard isOn || keys.isKept(id) else { return nil }
    do {
      if let store { try store.remove(method) } else { try method.withdraw(from: id) }
    } catch {
      switch error {
      case let fault as UnlockMethodFault, StoreError.unlockMethod(let fault): return fault
      default: return UnlockMethodFault("the store could not be changed")
      }
    }
    removeLeft()
    return nil
  }

  /// Removes the keys that nobody wants any more, now that the keyring has just answered.
  private func removeLeft() {
    for store in keys.left {
      do { try method.withdraw(from: store) } catch { return }
    }
  }

  /// Requires that it is on and may be used. Where the policy forbids it now, it is turned off.
  ///
  /// - Throws: `unlockMethod` with why not.
  func requireUsable(_ store: CredentialStore) throws(StoreError) {
    guard try store.hasSlot(.keyring) else { throw .unlockMethod(.notTurnedOn) }
    guard let refusal else { return }
    if !policy.allowsQuickUnlock { try? drop(store) }
    throw .unlockMethod(refusal)
  }

  /// Unlocks by it. Where the passcode was given too long ago, or the policy forbids it now, it is turned off.
  ///
  /// - Parameter isConfirmed: a person has just agreed.
  /// - Throws: `unlockMethod` with why the passcode is needed.
  func unlock(_ store: CredentialStore, isConfirmed: Bool) throws(StoreError) -> PasscodeOutcome {
    try requireUsable(store)
    // The policy may have been read again since somebody looked.
    if needsConfirmation, !isConfirmed { throw .unlockMethod(UnlockMethodFault("it was not confirmed")) }
    do throws(StoreError) {
      return try store.unlock(with: method, maximumAgeSeconds: maximumAgeSeconds)
    } catch {
      guard error == .unlockMethod(.lapsed) else { throw error }
      try? drop(store)
      throw .unlockMethod(UnlockMethodFault("\(UnlockMethodFault.lapsed.reason), so it was turned off"))
    }
  }

  /// What a right passcode renews. Where the policy forbids quick unlock now, it is turned off instead.
  func renewed(_ store: CredentialStore) -> [any UnlockMethod] {
    guard policy.allowsQuickUnlock else {
      try? drop(store)
      return []
    }
    return [method]
  }

  /// The passcode was given just now.
  func notePasscode() {
    let now = clock.sinceBoot()
    passcodeGivenAt.withLock { $0 = now }
  }

  /// Turns it off where the passcode was given too long ago, locked or not.
  func removeLapsed(_ store: CredentialStore) {
    let age = Int64((clock.sinceBoot() - passcodeGivenAt.withLock { $0 }) / 1_000_000_000)
    if age > maximumAgeSeconds { try? drop(store) }
  }

  private var maximumAgeSeconds: Int64 { Int64(policy.quickUnlock.maxAgeHours) * 3600 }
}
