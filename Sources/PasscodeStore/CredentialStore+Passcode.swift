public import PasscodeCore
internal import PasscodePlatform
public import SecretMemory

extension CredentialStore {
  /// Makes a store: its file appears whole or not at all. It is unlocked.
  ///
  /// Judges nothing but the text rules: the flow has judged. Takes one calibration and one derivation.
  ///
  /// - Throws: `storeExists`; `inUse`; `storage(.missing)` where the log of a store is there without its file; `noStore` where the
  ///   directory is missing; `invalidPasscode`; `outOfMemory`; `deviceKeyMissing`; `storage`.
  public static func create(
    at path: String, passcode: borrowing SecretBytes, engine: PolicyEngine, options: StoreOptions = StoreOptions()
  ) throws(StoreError) -> CredentialStore {
    let text = try normalized(passcode)
    let file = try StoreFile(path: path)
    let lock = try file.lock()
    try file.requireNothing()
    let founding = try Founding(text, engine, options)
    let storage = try SQLiteStorage(making: file, lock: lock, founding.header, founding.access, vfs: options.vfs)
    return founding.store(on: storage, path: path, engine: engine, options: options)
  }

  /// Makes a store in memory, unlocked, for the tests of an app. It ends with the object.
  ///
  /// - Throws: as ``create(at:passcode:engine:options:)``.
  public static func inMemory(
    passcode: borrowing SecretBytes, engine: PolicyEngine, options: StoreOptions = StoreOptions(derivation: .floor)
  ) throws(StoreError) -> CredentialStore {
    let founding = try Founding(try normalized(passcode), engine, options)
    let storage = try SQLiteStorage(inMemoryWith: founding.header, founding.access)
    return founding.store(on: storage, path: "", engine: engine, options: options)
  }

  /// Whether a candidate is the current passcode, or one of the last `historyDepth` ones before it. Takes a derivation where a
  /// history is kept.
  ///
  /// - Throws: `invalidPasscode`, `outOfMemory`, `corrupt(.history)`, `busy`, `storage`.
  public func isReuse(
    of candidate: borrowing SecretBytes, _ proof: borrowing PasscodeProof
  ) throws(StoreError) -> Bool {
    let text = try Self.normalized(candidate)
    if proof.isOf(text) { return true }
    let depth = engine.policy.historyDepth
    guard depth > 0, let row = try storage.historyRow() else { return false }
    let keys = try keys(proof.storeKey)
    let history = try keys.openHistory(row.span)
    return try gate.run { () throws(StoreError) in history.contains(try Self.digest(of: text, history), within: depth) }
  }

  /// Sets a new passcode: one slot row, whatever the store holds. The store ends unlocked, unless it was locked since this call began;
  /// the credentials are untouched.
  ///
  /// The OS keyring's slot is renewed by its method in `methods`, or taken away where the method can't: what it kept for the old passcode
  /// opens nothing any more.
  ///
  /// - Throws: `passcodeChanged` where it was changed since it was proved; `busy`, `invalidPasscode`, `outOfMemory`,
  ///   `deviceKeyMissing`, `storage`, `replaced`. The passcode from before counts then.
  public func replacePasscode(
    with passcode: borrowing SecretBytes, _ proof: consuming PasscodeProof, renewing methods: [any UnlockMethod] = []
  ) throws(StoreError) {
    let text = try Self.normalized(passcode)
    let policy = engine.policy
    let keys = try keys(proof.storeKey)
    let current = proof.slot.header
    let lockCount = vault.lockCount
    let (renewed, removals) = try gate.run { () throws(StoreError) -> ([any UnlockMethod], [SlotKind: UInt64]) in
      // Two holders of a proof: whoever comes second has proved a passcode that counts no more.
      let isStillThere = try slot(proof.provedBy.kind)?.header == proof.provedBy
      guard isStillThere, try state(proof.storeKey).isInForce(current) else { throw .passcodeChanged }
      let slot = try SlotMaker(policy, options, replacing: current).make(text, proof.storeKey, id)
      let history = try remembering(proof, policy, keys, cost: slot.header.derivation)
      let row = slot.encoded(for: id)
      let present = try storage.slotRows().compactMap { Slot($0, of: id)?.header.kind }
      let renewed = methods.filter { present.contains($0.kind) }
      let removals = Dictionary(uniqueKeysWithValues: renewed.map { ($0.kind, turns.removals(of: $0.kind)) })
      try vault.withAnySession { (session) throws(StoreError) in
        let session =
          if let session { session } else { try begin(keys, try state(proof.storeKey), acceptsOlder: proof.acceptsOlder) }
        let keptHistory = if let history { history } else { try storage.historyRow() }
        try session.committer.apply { (state, change) throws(StoreError) in
          state.setPasscode(slot.header, at: options.clock.now().wallSeconds)
          state.judgedPolicy = policy.digest
          // Where the history was tampered with, the state stays the witness of that.
          if session.damage?.findings[.history] == nil { state.historyDigest = StoreState.digest(ofHistory: keptHistory) }
          state.slots.removeAll { $0.id == SlotKind.keyring.slotID }
          change.removedSlots = [SlotKind.keyring.slotID]
          change.slots[slot.header.id] = row
          change.history = history
          change.ledger = AttemptLedger().encoded(for: id)
        }
        _ = vault.install(session, mustChange: nil, since: lockCount)
      }
      return (renewed, removals)
    }
    putBack(renewed, proof.storeKey, keys, removals: removals)
  }

  /// The history with the passcode in it that is given up, sealed; nil where the policy keeps none.
  private func remembering(
    _ proof: borrowing PasscodeProof, _ policy: PasscodePolicy, _ keys: StoreKeys, cost: SlotDerivation
  ) throws(StoreError) -> [UInt8]? {
    guard policy.historyDepth > 0, case .argon2id(let parameters, _, _) = cost else { return nil }
    var history = PasscodeHistory(parameters: parameters)
    if let row = try storage.historyRow() { history = try keys.openHistory(row.span) }
    switch proof.passcode {
    case .some(let old): history.append(try Self.digest(of: old, history))
    case .none: return nil
    }
    return keys.seal(history)
  }

  static func digest(of text: borrowing SecretBytes, _ history: PasscodeHistory) throws(StoreError) -> Digest {
    do { return try history.digest(of: text.bytes) } catch {
      throw error == .derivationOutOfMemory
        ? .outOfMemory(neededKiB: Int(history.parameters.memoryKiB)) : .secretMemory(error)
    }
  }
}

/// Everything that a new store begins with.
private struct Founding {
  let header: StoreHeader
  let keys: StoreKeys
  var state: StoreState
  var access = AccessChange()

  /// - Parameter text: normalised.
  init(_ text: borrowing SecretBytes, _ engine: PolicyEngine, _ options: StoreOptions) throws(StoreError) {
    let now = options.clock.now().wallSeconds
    header = StoreHeader(id: .random(), created: now)
    let storeKey = try Self.freshKey()
    do { keys = try StoreKeys(storeKey, of: header.id) } catch { throw .secretMemory(error) }
    let slot = try SlotMaker(engine.policy, options, replacing: nil).make(text, storeKey, header.id)
    state = StoreState(
      branch: .random(), passcodeSetAt: now, slots: [SlotInForce(id: slot.header.id, generation: slot.header.generation)])
    state.judgedPolicy = engine.policy.digest
    state.historyDigest = StoreState.digest(ofHistory: nil)
    access.slots[slot.header.id] = slot.encoded(for: header.id)
    access.ledger = AttemptLedger().encoded(for: header.id)
    access.state = state.sealed(with: keys.state, of: header.id)
  }

  /// The new store, unlocked.
  func store(on storage: SQLiteStorage, path: String, engine: PolicyEngine, options: StoreOptions) -> CredentialStore {
    let store = CredentialStore(storage, path: path, engine: engine, options: options)
    let session = Session(keys, state: state, storage: storage) { [anchor = store.anchor, keys] in anchor?.noteIfDue($0, keys) }
    store.anchor?.noteIfDue(state, keys)
    _ = store.vault.install(session, mustChange: nil, since: 0)
    return store
  }

  private static func freshKey() throws(StoreError) -> StoreKey {
    do { return try StoreKey.random() } catch { throw .secretMemory(error) }
  }
}
