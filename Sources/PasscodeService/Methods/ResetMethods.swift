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
    let setAside: StoreReset.SetAside?
    do throws(StoreError) { setAside = try service.reset(id, erases: erases) } catch {
      throw error == .notFound ? .confirmationMismatch : service.translate(error)
    }
    try replies.reply { $0.message(.setAside, setAside.map(WireSetAside.init)) }
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

extension Service {
  /// Takes the store away without opening it.
  ///
  /// - Returns: what was set aside; nil where it was erased.
  func reset(_ id: StoreID, erases: Bool) throws(StoreError) -> StoreReset.SetAside? {
    keeper.closed()
    flows.cancelAll()
    defer { board.change() }
    // Its item would be left behind; what is left of the store opens with the passcode.
    holder.withOpenStore { store in try? quickUnlock.disable(store) }
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
    connections.clear(within: configuration.limits.clearing)
    consent.changed()
    log.note(.reset)
    return setAside
  }

  /// Puts a store back that was set aside. It is locked.
  func undoReset(_ id: String) throws(StoreError) {
    defer { board.change() }
    try holder.takeAway { () throws(StoreError) in try StoreReset.undo(at: configuration.storePath, id) }
    // What was answered meanwhile counts.
    settleConsent()
    log.note(.resetUndone)
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
