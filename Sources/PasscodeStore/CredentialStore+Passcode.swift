public import PasscodeCore
internal import PasscodePlatform
public import SecretMemory

extension CredentialStore {
  /// Makes a store: its file is there whole when this returns, or not at all. It is unlocked.
  ///
  /// Judges nothing but the text rules: the flow has judged. Takes one calibration and one or two derivations.
  ///
  /// - Throws: `storeExists`; `invalidPasscode`; `outOfMemory`; `deviceKeyMissing`; `storage`.
  public static func create(
    at path: String, passcode: borrowing SecretBytes, engine: PolicyEngine, options: StoreOptions = StoreOptions()
  ) throws(StoreError) -> CredentialStore {
    let founding = try Founding(passcode, engine, options)
    try SQLiteStorage.create(at: path, founding.header, founding.access, vfs: options.vfs)
    let storage = try SQLiteStorage(path: path, vfs: options.vfs)
    let store = CredentialStore(storage, path: path, engine: engine, options: options)
    store.vault.install(Session(founding.keys, state: founding.state, storage: storage), mustChange: nil)
    return store
  }

  /// Makes a store in memory, unlocked, for the tests of an app. It ends with the object.
  ///
  /// - Throws: as ``create(at:passcode:engine:options:)``.
  public static func inMemory(
    passcode: borrowing SecretBytes, engine: PolicyEngine, options: StoreOptions = StoreOptions(derivation: .floor)
  ) throws(StoreError) -> CredentialStore {
    let founding = try Founding(passcode, engine, options)
    let storage = try SQLiteStorage(inMemoryWith: founding.header, founding.access)
    let store = CredentialStore(storage, path: "", engine: engine, options: options)
    store.vault.install(Session(founding.keys, state: founding.state, storage: storage), mustChange: nil)
    return store
  }

  /// Whether a candidate is the current passcode, or one of the last `historyDepth` ones. Takes a derivation where the policy
  /// keeps a history.
  ///
  /// - Throws: `invalidPasscode`, `outOfMemory`, `corrupt(.history)`, `busy`, `storage`.
  public func isReuse(
    of candidate: borrowing SecretBytes, _ proof: borrowing PasscodeProof
  ) throws(StoreError) -> Bool {
    let text = try Self.normalized(candidate)
    if SecretBytes.isEqual(text, proof.passcode) { return true }
    let depth = engine.policy.historyDepth
    guard depth > 0, let row = try storage.historyRow() else { return false }
    let keys = try keys(proof.storeKey)
    let history = try keys.openHistory(row.span)
    return try gate.run { () throws(StoreError) in history.contains(try Self.digest(of: text, history), within: depth) }
  }

  /// Sets a new passcode: one slot row, whatever the store holds. The store ends unlocked; the credentials are untouched.
  ///
  /// - Throws: `invalidPasscode`, `outOfMemory`, `deviceKeyMissing`, `storage`, `replaced`: the old passcode counts then.
  public func replacePasscode(
    with passcode: borrowing SecretBytes, _ proof: consuming PasscodeProof
  ) throws(StoreError) {
    let text = try Self.normalized(passcode)
    let policy = engine.policy
    let keys = try keys(proof.storeKey)
    let now = options.clock.now().wallSeconds
    let current = proof.slot
    let storeKey = proof.storeKey
    try gate.run { () throws(StoreError) in
      let slot = try SlotMaker(policy, options, replacing: current).make(text, storeKey, id)
      let history = try remembering(text, policy, keys, cost: slot.header.derivation)
      let row = slot.encoded(for: id)
      let cleared = AttemptLedger().encoded(for: id)
      try vault.withAnySession { (session) throws(StoreError) in
        let session = if let session { session } else { Session(keys, state: try state(storeKey), storage: storage) }
        try session.committer.apply { (state, change) throws(StoreError) in
          state.slots = state.slots.map {
            $0.id == slot.header.id ? SlotInForce(id: $0.id, generation: slot.header.generation) : $0
          }
          state.passcodeSetAt = now
          state.passcodeProvedAt = now
          change.slots[slot.header.id] = row
          change.history = history
          change.ledger = cleared
        }
        vault.install(session, mustChange: nil)
      }
    }
  }

  /// The history with a new passcode in it, sealed; nil where the policy keeps none.
  private func remembering(
    _ text: borrowing SecretBytes, _ policy: PasscodePolicy, _ keys: StoreKeys, cost: SlotDerivation
  ) throws(StoreError) -> [UInt8]? {
    guard policy.historyDepth > 0, case .argon2id(let parameters, _, _) = cost else { return nil }
    var history = PasscodeHistory(parameters: parameters)
    if let row = try storage.historyRow() { history = try keys.openHistory(row.span) }
    history.append(try Self.digest(of: text, history))
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
  let state: StoreState
  var access = AccessChange()

  init(_ passcode: borrowing SecretBytes, _ engine: PolicyEngine, _ options: StoreOptions) throws(StoreError) {
    let text = try CredentialStore.normalized(passcode)
    let policy = engine.policy
    let now = options.clock.now().wallSeconds
    header = StoreHeader(id: .random(), created: now)
    let storeKey = try Self.freshKey()
    do { keys = try StoreKeys(storeKey, of: header.id) } catch { throw .secretMemory(error) }
    let slot = try SlotMaker(policy, options, replacing: nil).make(text, storeKey, header.id)
    state = StoreState(
      branch: .random(), passcodeSetAt: now, slots: [SlotInForce(id: slot.header.id, generation: slot.header.generation)])
    access.slots[slot.header.id] = slot.encoded(for: header.id)
    access.ledger = AttemptLedger().encoded(for: header.id)
    access.state = state.sealed(with: keys.state, of: header.id)
    if policy.historyDepth > 0, case .argon2id(let parameters, _, _) = slot.header.derivation {
      var history = PasscodeHistory(parameters: parameters)
      history.append(try CredentialStore.digest(of: text, history))
      access.history = keys.seal(history)
    }
  }

  private static func freshKey() throws(StoreError) -> StoreKey {
    do { return try StoreKey.random() } catch { throw .secretMemory(error) }
  }
}
