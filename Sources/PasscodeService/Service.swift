internal import Glibc
internal import PasscodeCore
internal import PasscodePlatform
internal import PasscodeStore
internal import PasscodeValidators
internal import PasscodeWire
internal import SecretMemory
internal import Synchronization

/// What the daemon is made of: the store, the policy that is in force for it, and when it locks. Shared by all connections.
final class Service: Sendable {
  let configuration: ServiceConfiguration
  let policies: PolicySource
  let holder: StoreHolder
  let keeper: LockKeeper
  let quickUnlock: QuickUnlock
  let prompts: Prompts
  let consent: Consent
  let deposits: ConsentDeposits
  let loginWatch: LoginWatch?
  let board = StateBoard()
  let flows = FlowTable()
  let connections: ConnectionTable
  let largeMessages: Places
  /// Who decodes and seals a large value.
  let largeValues: Places
  private let wipe: WipeAcceptance
  private let stopRequest = Monitor<String?>(nil)
  private let locks = Atomic<UInt64>(0)

  init(_ configuration: ServiceConfiguration) {
    self.configuration = configuration
    let account = configuration.account
    let facts = PersonalFacts(userName: account.userName, hostName: account.hostName, fullName: account.fullName)
    let policies = PolicySource(configuration.policies, facts: facts, log: configuration.log)
    let wipe = WipeAcceptance(path: configuration.wipeAcceptancePath)
    self.policies = policies
    self.wipe = wipe
    keeper = LockKeeper(clock: configuration.clock)
    let prompts = Prompts(configuration)
    self.prompts = prompts
    quickUnlock = QuickUnlock(
      policies, clock: configuration.clock, keys: KeptKeys(path: configuration.keptKeysPath), canAsk: { prompts.canAsk },
      makeMethod: configuration.makeQuickUnlockMethod)
    loginWatch = LoginWatch(configuration.loginHelper, log: configuration.log)
    let limits = configuration.limits
    connections = ConnectionTable(limit: limits.connections, reserve: limits.reservedConnections)
    largeMessages = Places(limit: limits.largeMessages, of: .largeMessage, in: connections)
    largeValues = Places(limit: 1, of: .memory, in: connections)
    holder = StoreHolder(path: configuration.storePath, options: configuration.storeOptions) { id in
      policies.current.engine(acceptsWipe: id.map(wipe.isGiven(for:)) ?? false)
    }
    consent = Consent(configuration, holder)
    deposits = ConsentDeposits(consent.records, log: configuration.log)
  }

  var log: ServiceLog { configuration.log }

  // MARK: - Policy

  /// Reads the policy files again and puts them in force.
  ///
  /// - Parameter waits: for forms that are being read, as long as that takes.
  @discardableResult
  func readPolicy(waits: Bool = true) -> PolicyInForce {
    let policy = policies.read()
    keeper.update(policy.lockLimits)
    if consent.update(policy.effective.policy.consent, waits: waits) { consentChanged() }
    holder.withOpenStore { store in store.update(engine: policy.engine(acceptsWipe: wipe.isGiven(for: store.id))) }
    return policy
  }

  /// The policy in force, where a new passcode may be set under it.
  ///
  /// - Throws: `policyFault` where the administrator's file is faulty: the floor is not known.
  func policyForSetting(_ policy: PolicyInForce) throws(WireError) -> PolicyInForce {
    if let fault = policy.administratorFault { throw WireError(fault) }
    return policy
  }

  // MARK: - State

  /// What can be done with the store now; locked first, where its time is up.
  var situation: StoreSituation {
    if let cause = keeper.dueCause { lock(cause) }
    return holder.situation
  }

  /// How often the store was locked so far: what a flow notes when it begins.
  var lockCount: UInt64 { locks.load(ordering: .acquiring) }

  /// Locks the store. Its keys, open secrets and half-done changes are wiped when this returns; no try, flow or creation that began
  /// before leaves it open.
  func lock(_ cause: LockCause) {
    // The timer goes first: a store that is unlocked in between gets a new one.
    keeper.closed()
    locks.add(1, ordering: .sequentiallyConsistent)
    lockStore(cause)
    // A change that is at its last step finishes first, and closes the store.
    flows.cancelAll()
    prompts.flowsEnded()
    prompts.storeLocked()
    // What was read before lies in replies that are on their way.
    connections.clear(within: configuration.limits.clearing)
    board.change()
  }

  /// Locks the store where what happened to the login sessions asks for it.
  func obey(_ event: LoginEvent) {
    let policy = policies.current.effective.policy
    switch event {
    case .sleeps:
      guard policy.lockOnSuspend else { return }
      lock(.suspending)
      // It is locked, and stays so. What a try under way has in memory is wiped when that ends, in most cases within a second;
      // logind waits no longer than five.
      holder.waitForUsers(within: .seconds(3))
    case .sessionLocked: if policy.lockOnScreenLock { lock(.screenLocked) }
    case .lastSessionEnded: lock(.sessionEnded)
    case .watches, .watchesOnly, .alive, .sessionBegan, .noSession: break
    }
  }

  /// Locks the store alone. The flows, and what was read before, are the caller's.
  func lockStore(_ cause: LockCause) {
    holder.withOpenStore { store in
      let isOpen = store.condition != .locked
      store.lock()
      consent.isChecked = false
      if isOpen { log.note(.locked(cause)) }
    }
  }

  /// The store has been unlocked, or opened for a change; unless it was locked again in the meantime.
  func opened() {
    keeper.update(policies.current.lockLimits)
    defer { board.change() }
    guard holder.isOpen else { return }
    keeper.opened()
    log.note(.unlocked)
    consentOpened()
    if let answer = answerIfOpen { prompts.storeOpened(answer) }
  }

  /// Closes the store again that a flow has opened, where it was locked since that began.
  func closeIfLocked(since count: UInt64) {
    if lockCount != count { holder.withOpenStore { $0.lock() } }
  }

  /// When the store locks if nobody uses it, in seconds since 1970; nil where it is not open, and for never.
  func locksAt(_ situation: StoreSituation) -> Int? {
    switch situation {
    case .unlocked, .mustChange: keeper.locksAt.map { Int($0) }
    case .absent, .unusable, .locked: nil
    }
  }

  /// The store is no longer there: another file has taken its place, or none, or it has erased itself. What is there is looked at
  /// anew.
  func forget(_ cause: LockCause) {
    keeper.closed()
    var id: StoreID?
    holder.withOpenStore { id = $0.id }
    if cause == .wiped { _ = try? holder.takeAway { () throws(StoreError) in () } } else { holder.close() }
    log.note(.locked(cause))
    consent.changed()
    board.change()
    guard cause == .wiped else { return }
    prompts.storeGone()
    if let id { noteKeyLeft(quickUnlock.removeKey(of: id)) }
  }

  /// Logs that the keyring may hold a key that nobody wants any more, where it may.
  func noteKeyLeft(_ fault: UnlockMethodFault?) { if let fault { log.note(.quickUnlockKeyLeft(fault.reason)) } }

  /// Makes the store, unlocked, unless it was locked since the flow began.
  ///
  /// - Parameter lockCount: as it was then.
  func create(_ passcode: borrowing SecretBytes, acceptsWipe: Bool, since lockCount: UInt64) throws(StoreError) {
    let policy = policies.current
    let path = configuration.storePath
    try prepareDirectory(of: path)
    try holder.create { () throws(StoreError) in
      let store = try CredentialStore.create(
        at: path, passcode: passcode, engine: policy.engine(acceptsWipe: acceptsWipe), options: configuration.storeOptions)
      if acceptsWipe { remember(store) }
      return store
    }
    log.note(.created)
    closeIfLocked(since: lockCount)
    opened()
  }

  /// Makes the store's directory where it is missing.
  private func prepareDirectory(of path: String) throws(StoreError) {
    let directory = PathParts.split(path).directory
    do throws(PlatformError) {
      if try Files.status(of: directory) == nil { try UserDirectories.prepare(directory) }
    } catch {
      log.note(.storeFault("\(error)"))
      switch error.errno {
      case ENOSPC, EDQUOT: throw .storage(.full)
      case EROFS: throw .storage(.readOnly)
      default: throw .storage(.denied)
      }
    }
  }

  /// Where the word that lets the policy wipe this store can't be kept, nothing will be wiped.
  private func remember(_ store: CredentialStore) {
    do throws(PlatformError) { try wipe.give(for: store.id) } catch { log.note(.storeFault("\(error)")) }
    store.update(engine: policies.current.engine(acceptsWipe: wipe.isGiven(for: store.id)))
  }

  // MARK: - Ending

  /// Asks the daemon to end, and why.
  func requestStop(_ cause: String) { stopRequest.broadcast { $0 = $0 ?? cause } }

  /// Waits until somebody asks for the end, and why; nil where nobody has for as long as `limit`.
  func waitForStopRequest(within limit: Duration) -> String? { stopRequest.wait(within: limit) { $0 } }
}
