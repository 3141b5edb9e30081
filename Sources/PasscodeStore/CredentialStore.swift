public import PasscodeCore
internal import PasscodePlatform
internal import SecretMemory

/// A passcode-protected credential store: the driver that the daemon and apps share.
///
/// It charges tries, derives keys, opens slots, seals and opens records. Every call blocks until its outcome is on the disk; the
/// async ones run the same on a thread of their own. It can be used from many threads at once.
///
/// Invariants: a try is charged before its derivation; one derivation runs at a time; what a call acknowledged is durable; after
/// ``lock()`` no key of the store is in memory.
///
/// Secrets: passcodes and secrets are borrowed; the caller wipes them. Keys are owned here and wiped by ``lock()``.
public final class CredentialStore: Sendable {
  /// The store's identity.
  public let id: StoreID
  /// Where its file lies; empty for a store in memory.
  public let path: String
  let storage: any CredentialStorage
  let vault = KeyVault()
  let gate = AttemptGate()
  let turns = MethodTurns()
  let options: StoreOptions
  let anchor: RollbackAnchor?
  private let engineInForce: Monitor<PolicyEngine>

  init(_ storage: any CredentialStorage, path: String, engine: PolicyEngine, options: StoreOptions) {
    self.storage = storage
    self.path = path
    self.options = options
    id = storage.header.id
    anchor =
      path.isEmpty ? nil : options.anchorDirectory.map { RollbackAnchor(in: $0, for: path, storage.header.id, options.clock) }
    engineInForce = Monitor(engine)
  }

  /// Opens a store's file. It is locked.
  ///
  /// - Parameters:
  ///   - path: the file; its directory has to exist.
  ///   - engine: the policy in force; ``update(engine:)`` changes it.
  /// - Throws: `noStore` only where nothing is there; `inUse` where another process has it; `notAStore`, `formatTooNew`, `corrupt`,
  ///   `storage`. Nothing is made or changed then.
  public static func open(
    at path: String, engine: PolicyEngine, options: StoreOptions = StoreOptions()
  ) throws(StoreError) -> CredentialStore {
    let storage = try SQLiteStorage(path: path, vfs: options.vfs)
    let store = CredentialStore(storage, path: path, engine: engine, options: options)
    // After another boot a wait begins anew, and from now on: not from the next try on. Every try looks at it once more.
    _ = try? store.anchoredLedger()
    return store
  }

  /// The policy in force.
  public var engine: PolicyEngine { engineInForce.withLock { $0 } }

  /// Puts another policy in force. Touches no counter.
  public func update(engine: PolicyEngine) { engineInForce.withLock { $0 = engine } }

  var attemptPolicy: AttemptPolicy { AttemptPolicy(engine.policy) }

  /// Whether the store can be used.
  public var condition: StoreCondition { vault.condition }

  /// Locks: every key of the open store is wiped when this returns. Waits for calls that are using it.
  ///
  /// A try that began before does not open the store any more: it ends with `locked`. What it works with is wiped when it ends.
  public func lock() {
    var last: [UInt8]?
    vault.lock { session in last = anchor?.row(session.committer.current, session.keys) }
    if let last { anchor?.write(last) }
  }

  /// Locks and leaves the file tidy: the log moved into it, a running lock-out noted with what is left of it.
  ///
  /// - Throws: `storage`, `busy`, `replaced`: the store is locked all the same, and nothing acknowledged is lost.
  public func close() throws(StoreError) {
    lock()
    try gate.run { () throws(StoreError) in
      let now = options.clock.now()
      if let ledger = AttemptLedger(try storage.ledgerRow(), of: id), ledger.remainingWait(at: now).milliseconds > 0 {
        try storage.writeLedger(ledger.checkpointed(at: now).encoded(for: id))
      }
      try storage.checkpoint()
    }
  }
}
