internal import Glibc
internal import PasscodeCore
internal import PasscodeStore
internal import PasscodeWire
internal import SecretMemory
internal import StrictJSON

/// The methods that tell and change what state the store and the daemon are in. None keeps the store open.
extension Session {
  func answerState(_ method: WireMethod, _ replies: inout Replies) throws(WireError) {
    switch method {
    case .status:
      let status = service.status()
      try replies.reply { status.write(into: &$0) }
    case .policy: try policy(&replies)
    case .lock:
      service.lock(.asked)
      try replies.reply()
    case .monitor: try monitor(&replies)
    default:
      service.lock(.asked)
      try replies.reply()
      service.requestStop("asked for")
    }
  }

  private func policy(_ replies: inout Replies) throws(WireError) {
    let policy = service.readPolicy()
    var writer = JSONWriter(ByteSink())
    policy.effective.policy.write(to: &writer)
    let json = writer.finish().bytes
    let origins = Dictionary(
      uniqueKeysWithValues: PolicyKey.allCases.map { ($0.rawValue, policy.effective.origin(of: $0).description) })
    try replies.reply { reply in
      reply.json(.policy, json.span)
      reply.map(.origins, origins)
      reply.messages(.files, policy.files.map(WirePolicyFile.init))
    }
  }

  /// Tells the state now and each time that it has changed, until the client is gone or the daemon ends.
  private func monitor(_ replies: inout Replies) throws(WireError) {
    var told: WireState?
    while true {
      let seen = service.board.generation
      let situation = service.situation
      let state = WireState(situation)
      if state != told {
        let locksAt = service.locksAt(situation)
        let isTaken = try replies.stream { reply in
          reply.word(.state, state)
          reply.integer(.locksAt, locksAt)
          return false
        }
        guard isTaken else { return }
        told = state
      }
      wait: while true {
        // Also to notice that the client is gone: nothing is sent while nothing changes.
        switch service.board.wait(after: seen, within: .seconds(5)) {
        case .changed: break wait
        case .stopped: return
        case .nothing: if replies.isAbandoned { return }
        }
      }
    }
  }
}

extension Service {
  /// What `Status` tells.
  func status() -> WireStatus {
    let policy = readPolicy(waits: false)
    let situation = situation
    var status = WireStatus(
      state: WireState(situation), storePath: configuration.storePath, socketPath: configuration.socketPath,
      version: configuration.version, pid: Int(getpid()))
    status.policyFiles = policy.files.map(WirePolicyFile.init)
    status.memoryLocked = LockedMemory.isLocked
    status.locksAt = locksAt(situation)
    if case .unusable(let error) = situation { status.storeFault = StoreFaultWords.text(error) }
    status.consentPending = consent.pending
    guard situation != .absent else { return status }
    let facts = try? holder.withStore { store throws(StoreError) in
      status.quickUnlock = try quickUnlock.isOn(store)
      status.recovery = try store.hasSlot(.recovery)
      status.deviceKey = try store.usesDeviceKey()
      status.damage = store.damage.map(DamageWords.list) ?? []
      return (store.id, try store.attempts())
    }
    guard let (id, attempts) = facts else { return status }
    status.storeID = id.description
    status.triesRemaining = attempts.triesRemaining
    status.retryAfterSeconds = attempts.retryAfterSeconds > 0 ? attempts.retryAfterSeconds : nil
    return status
  }
}
