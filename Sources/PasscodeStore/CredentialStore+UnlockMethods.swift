public import PasscodeCore
internal import SecretMemory

extension CredentialStore {
  /// Whether the store has a slot of this kind. Known while it is locked, too.
  ///
  /// - Throws: `corrupt(.slot)`, `storage`.
  public func hasSlot(_ kind: SlotKind) throws(StoreError) -> Bool { try slot(kind) != nil }

  /// Whether a key outside the store is mixed into the passcode's slot. Known while it is locked, too.
  ///
  /// - Throws: `corrupt(.slot)`, `storage`.
  public func usesDeviceKey() throws(StoreError) -> Bool { try slot(.passcode)?.header.deviceKeyID != nil }

  /// Adds a way in, or renews it: its earlier slot opens nothing any more.
  ///
  /// - Parameter proof: adding a way in takes the passcode in the same call.
  /// - Throws: `unlockMethod` with why the method can't; `storage`. The earlier slot counts then.
  public func add(_ method: any UnlockMethod, _ proof: borrowing PasscodeProof) throws(StoreError) {
    let keys = try keys(proof.storeKey)
    try turns.run(method.kind) { () throws(StoreError) in try enroll(method, proof.storeKey, keys) }
  }

  /// Takes a way in out of the store, and lets its method forget, also where there is no slot of the kind: what was left behind is
  /// removed. The store may be locked. Whoever adds the way in or renews it at the moment is waited for, and comes to nothing.
  ///
  /// - Throws: `storage`; `unlockMethod` where the slot is gone and only the method's own secret may be left.
  public func remove(_ method: any UnlockMethod) throws(StoreError) {
    turns.noteRemoval(of: method.kind)
    // At once: it opens nothing from here on, however long the method takes.
    try removeSlot(method.kind)
    try turns.run(method.kind) { () throws(StoreError) in
      // Who added it meanwhile had the turn before.
      if try hasSlot(method.kind) { try removeSlot(method.kind) }
      try Self.asking { () throws(UnlockMethodFault) in try method.withdraw(from: id) }
    }
  }

  /// Takes the recovery key's slot out of the store, without the key. The store may be locked. No such slot is no error.
  ///
  /// - Throws: `storage`.
  public func revokeRecoveryKey() throws(StoreError) { try removeSlot(.recovery) }

  /// Unlocks by another way than the passcode. Costs no try and no derivation; a running lock-out does not matter.
  ///
  /// - Parameters:
  ///   - maximumAgeSeconds: since the passcode was last proved; nil for no limit.
  /// - Returns: `right`, or `mustChange` where the passcode has expired.
  /// - Throws: `unlockMethod` with why the passcode is needed: no such slot, the method can't, what it kept is of an earlier slot,
  ///   the passcode was proved too long ago, or the policy has changed since; `locked` where the store was locked since this call
  ///   began; `olderThanLastSeen`; `corrupt`, `storage`.
  public func unlock(with method: any UnlockMethod, maximumAgeSeconds: Int64? = nil) throws(StoreError) -> PasscodeOutcome {
    let lockCount = vault.lockCount
    let recalled = try recall(method)
    return try gate.run { () throws(StoreError) in
      let storeKey = try open(recalled)
      let keys = try keys(storeKey)
      return try vault.withAnySession { (session) throws(StoreError) in
        let state = try state(storeKey)
        let outcome = try outcome(of: state, maximumAgeSeconds)
        let session = if let session { session } else { try begin(keys, state) }
        guard vault.install(session, mustChange: outcome.mustChange, since: lockCount) else { throw .locked }
        return outcome
      }
    }
  }

  /// Proves by another way in what a passcode would prove: for setting a new passcode after the old one was forgotten.
  ///
  /// - Parameter acceptsOlder: an older copy of the file is taken, and goes on as a branch of its own.
  /// - Throws: as ``unlock(with:maximumAgeSeconds:)``, but for age and policy.
  public func prove(with method: any UnlockMethod, acceptsOlder: Bool = false) throws(StoreError) -> PasscodeProof {
    guard let current = try slot(.passcode) else { throw .corrupt(.slot) }
    let recalled = try recall(method)
    let storeKey = try gate.run { () throws(StoreError) in try open(recalled) }
    if !acceptsOlder, condition == .locked { try requireLatest(try keys(storeKey), try state(storeKey)) }
    return PasscodeProof(
      storeKey: storeKey, passcode: nil, slot: current, provedBy: recalled.slot.header, acceptsOlder: acceptsOlder,
      mustChange: nil)
  }

  private func removeSlot(_ kind: SlotKind) throws(StoreError) {
    try gate.run { () throws(StoreError) in
      try vault.withAnySession { (session) throws(StoreError) in try drop(kind, session) }
    }
  }

  func slot(_ kind: SlotKind) throws(StoreError) -> Slot? {
    for row in try storage.slotRows() {
      guard let slot = Slot(row, of: id) else { throw .corrupt(.slot) }
      if slot.header.kind == kind { return slot }
    }
    return nil
  }

  // MARK: - In the kind's turn

  /// Has the method make a key, and puts its slot in place.
  ///
  /// - Parameter isWanted: asked inside the gate, before the slot is written; false leaves the store as it is.
  private func enroll(
    _ method: any UnlockMethod, _ storeKey: borrowing StoreKey, _ keys: StoreKeys,
    isWanted: () throws(StoreError) -> Bool = { () in true }
  ) throws(StoreError) {
    // The count of changes never repeats: a slot that was removed can't be written back under the number of a new one.
    let generation = try state(storeKey).generation + 1
    // Outside of the gate: a method that takes seconds must hold up neither passcodes nor those who lock.
    let key = try Self.asking { () throws(UnlockMethodFault) in try method.enroll(for: id, generation: generation) }
    let header = SlotHeader(kind: method.kind, id: method.kind.slotID, generation: generation, derivation: .direct)
    let row = Slot(wrapping: storeKey, with: key, as: header, of: id).encoded(for: id)
    try gate.run(always: true) { () throws(StoreError) in
      guard try isWanted() else { return }
      try vault.withAnySession { (session) throws(StoreError) in
        let session = if let session { session } else { try begin(keys, try state(storeKey)) }
        try session.committer.apply { (state, change) throws(StoreError) in
          state.slots.removeAll { $0.id == header.id }
          state.slots.append(SlotInForce(id: header.id, generation: generation))
          change.slots[header.id] = row
        }
      }
    }
  }

  /// Renews the ways in that the store has, as far as their methods can. The passcode was right, whatever comes of this.
  func renew(_ methods: [any UnlockMethod], _ storeKey: borrowing StoreKey, _ keys: StoreKeys) {
    for method in methods {
      try? turns.runIfFree(method.kind) { () throws(StoreError) in
        guard let current = try slot(method.kind)?.header else { return }
        try enroll(method, storeKey, keys) { () throws(StoreError) in try slot(method.kind)?.header == current }
      }
    }
  }

  /// Puts ways in back whose slots a change of the passcode has taken away, as far as their methods can.
  ///
  /// - Parameter removals: how often each had been taken away by somebody when that was done.
  func putBack(
    _ methods: [any UnlockMethod], _ storeKey: borrowing StoreKey, _ keys: StoreKeys, removals: [SlotKind: UInt64]
  ) {
    for method in methods {
      let kind = method.kind
      try? turns.run(kind) { () throws(StoreError) in
        func isWanted() throws(StoreError) -> Bool { try slot(kind) == nil && turns.removals(of: kind) == removals[kind] }
        guard try isWanted() else { return }
        try enroll(method, storeKey, keys, isWanted: isWanted)
      }
    }
  }

  // MARK: - Inside the gate

  private func drop(_ kind: SlotKind, _ session: Session?) throws(StoreError) {
    guard let session else {
      // Locked: the state row can't be rewritten, and need not: without its row a slot in force opens nothing.
      var change = AccessChange()
      change.removedSlots = [kind.slotID]
      return try storage.apply(change)
    }
    try session.committer.apply { (state, change) throws(StoreError) in
      state.slots.removeAll { $0.id == kind.slotID }
      change.removedSlots = [kind.slotID]
    }
  }

  /// Asks the method for its key. Outside the gate: a method that takes seconds must not hold up passcodes.
  private func recall(_ method: any UnlockMethod) throws(StoreError) -> RecalledKey {
    guard let slot = try slot(method.kind) else { throw .unlockMethod(.notTurnedOn) }
    let key = try Self.asking { () throws(UnlockMethodFault) in try method.recall(for: id, generation: slot.header.generation) }
    return RecalledKey(slot: slot, key: key)
  }

  /// A slot that was renewed or taken away since its key was recalled is in force no more.
  private func open(_ recalled: borrowing RecalledKey) throws(StoreError) -> StoreKey {
    let opened: StoreKey?
    do { opened = try recalled.slot.open(with: recalled.key, of: id) } catch { throw StoreError(opening: .slot, error) }
    guard let storeKey = opened, try state(storeKey).isInForce(recalled.slot.header),
      try slot(recalled.slot.header.kind) != nil
    else { throw .unlockMethod(.foreignKey) }
    return storeKey
  }

  private static func asking<R: ~Copyable>(_ body: () throws(UnlockMethodFault) -> R) throws(StoreError) -> R {
    do { return try body() } catch { throw .unlockMethod(error) }
  }

  /// A way in that shows no passcode can't be judged: it goes by when and by what policy the passcode was judged last.
  private func outcome(of state: StoreState, _ maximumAgeSeconds: Int64?) throws(StoreError) -> PasscodeOutcome {
    let now = options.clock.now().wallSeconds
    if let maximumAgeSeconds {
      if now - state.passcodeProvedAt > maximumAgeSeconds { throw .unlockMethod(.lapsed) }
      guard now >= state.passcodeProvedAt else {
        throw .unlockMethod(UnlockMethodFault("the clock was set back since the passcode was last given"))
      }
    }
    if let reason = expiry(of: state) { return .mustChange(reason) }
    guard state.judgedPolicy == engine.policy.digest || engine.policy.onTightenedPolicy == .warn else {
      throw .unlockMethod(UnlockMethodFault("the policy has changed since the passcode was last given"))
    }
    return .right(isBelowPolicy: false)
  }
}

/// A slot with the key that its method gave for it.
private struct RecalledKey: ~Copyable {
  let slot: Slot
  let key: SlotKey
}

extension SlotKind {
  /// A store has one slot of each kind: the kind is its number.
  var slotID: UInt32 { UInt32(rawValue) }
}
