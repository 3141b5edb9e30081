internal import PasscodeCore
internal import PasscodeStore
internal import PasscodeWire

/// The way out of a forgotten passcode.
extension Session {
  func answerReset(_ method: WireMethod, _ fields: WireFields, _ replies: inout Replies) throws(WireError) {
    switch method {
    case .reset: try reset(fields, &replies)
    case .listResets: try listResets(&replies)
    default: try undoReset(fields, &replies)
    }
  }

  private func reset(_ fields: WireFields, _ replies: inout Replies) throws(WireError) {
    guard let id = StoreID(hex: fields.string(.confirm)) else { throw .confirmationMismatch }
    // Before anything is closed: a slip leaves the store as it is.
    guard try withStore({ $0.id }) == id else { throw .confirmationMismatch }
    let erases = fields.boolIfPresent(.erase) == true
    let outcome: ResetOutcome
    do throws(StoreError) { outcome = try service.reset(id, erases: erases) } catch {
      throw error == .notFound ? .confirmationMismatch : service.translate(error)
    }
    try replies.reply { reply in
      reply.message(.setAside, outcome.setAside.map(WireSetAside.init))
      reply.string(.quickUnlockReason, outcome.keyLeft?.reason)
    }
  }

  private func listResets(_ replies: inout Replies) throws(WireError) {
    let all: [StoreReset.SetAside]
    do throws(StoreError) { all = try StoreReset.list(at: service.configuration.storePath) } catch {
      // Where there is no directory for a store, nothing was set aside in it.
      guard error == .noStore else { throw service.translate(error) }
      all = []
    }
    try replies.reply { $0.messages(.resets, all.reversed().map(WireSetAside.init)) }
  }

  private func undoReset(_ fields: WireFields, _ replies: inout Replies) throws(WireError) {
    let id = fields.string(.id)
    do throws(StoreError) { try service.undoReset(id) } catch {
      throw error == .notFound ? .resetNotFound(id: id) : service.translate(error)
    }
    try replies.reply()
  }
}

/// What a reset has done.
struct ResetOutcome: Sendable {
  /// Nil where the store was erased.
  let setAside: StoreReset.SetAside?
  /// Why a key of quick unlock may be left in the OS keyring; nil where none is.
  let keyLeft: UnlockMethodFault?
}

extension Service {
  /// Takes the store away without opening it.
  func reset(_ id: StoreID, erases: Bool) throws(StoreError) -> ResetOutcome {
    keeper.closed()
    flows.cancelAll()
    prompts.flowsEnded()
    defer { board.change() }
    // Its item would be left behind; what is left of the store opens with the passcode.
    var keyLeft: UnlockMethodFault?
    holder.withOpenStore { store in keyLeft = quickUnlock.removeKey(of: store.id, store) }
    let path = configuration.storePath
    let now = configuration.clock.wallSeconds()
    settleConsent()
    let setAside = try holder.takeAway { () throws(StoreError) -> StoreReset.SetAside? in
      if erases {
        try StoreReset.erase(at: path, confirming: id)
        return nil
      }
      return try StoreReset.setAside(at: path, confirming: id, now: now)
    }
    prompts.storeGone()
    connections.clear(within: configuration.limits.clearing)
    consent.changed()
    log.note(.reset)
    noteKeyLeft(keyLeft)
    return ResetOutcome(setAside: setAside, keyLeft: keyLeft)
  }

  /// Puts a store back that was set aside. It is locked.
  func undoReset(_ id: String) throws(StoreError) {
    defer { board.change() }
    try holder.takeAway { () throws(StoreError) in try StoreReset.undo(at: configuration.storePath, id) }
    // What was answered meanwhile counts.
    settleConsent()
    log.note(.resetUndone)
    // It came back without quick unlock; its key may be left of before.
    var fault: UnlockMethodFault?
    try? holder.withStore { store throws(StoreError) in
      if try !store.hasSlot(.keyring) { fault = quickUnlock.removeKey(of: store.id, store) }
    }
    noteKeyLeft(fault)
  }

  /// Removes the stores that were set aside long enough ago, and a quick unlock whose passcode was given too long ago; receipts
  /// that nobody took are offered again.
  func removeExpired() {
    holder.withOpenStore(quickUnlock.removeLapsed)
    deposits.start(policies.current.effective.policy.consent.depositCommand)
    do throws(StoreError) {
      try StoreReset.removeExpired(at: configuration.storePath, now: configuration.clock.wallSeconds())
    } catch {
      // Where there is no directory for a store, nothing was set aside in it.
      if error == .noStore { return }
      log.note(.cleanUpFault("\(error)"))
    }
  }
}

extension WireSetAside {
  init(_ setAside: StoreReset.SetAside) {
    self.init(
      id: setAside.id, storeID: setAside.storeID.description, setAsideAt: Int(setAside.date), expiresAt: Int(setAside.expires))
  }
}
