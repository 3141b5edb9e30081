public import PasscodeWire
public import SecretMemory

extension PasscodeClient {
  /// What state the store is in, and the daemon. Never keeps the store unlocked.
  ///
  /// - Throws: `disconnected`, `unresponsive`, `badReply`, and what `connect(_:)` throws where the connection has to be made again. So does
  ///   every call.
  public func status() throws(ClientError) -> WireStatus {
    try connection.call(.status) { (fields: WireFields) throws(ClientError) in
      guard let status = WireStatus(fields) else { throw .badReply("Status") }
      return status
    }
  }

  /// The policy in force.
  public func policy() throws(ClientError) -> PolicyInForce {
    try connection.call(.policy) { (fields: WireFields) throws(ClientError) in
      guard let json = fields.json(.policy), let origins = fields.map(.origins),
        let files = fields.messages(.files, of: WirePolicyFile.self)
      else { throw .badReply("Policy") }
      return PolicyInForce(
        json: unsafe json.withUnsafeBufferPointer { unsafe Array($0) }, origins: origins, files: files)
    }
  }

  /// Judges a candidate. Stores nothing, and tells nothing about earlier passcodes.
  ///
  /// - Parameter isStillTyped: true leaves out the validators that judge only what is entered, such as the administrator's
  ///   command: they are listed as not satisfied, and are not among the unmet.
  /// - Throws: `daemon` with `invalidText`, `policyFault`, `busy`.
  public func check(
    _ candidate: borrowing SecretBytes, isStillTyped: Bool = false
  ) throws(ClientError) -> PasscodeVerdict {
    let bytes = candidate.bytes
    return try connection.call(
      .check,
      { (call: inout MessageWriter) throws(WireError) in
        try call.passcode(.passcode, bytes)
        if isStillTyped { call.bool(.typing, true) }
      }
    ) { (fields: WireFields) throws(ClientError) in
      guard let requirements = fields.messages(.requirements, of: WireRequirement.self),
        let unmet = fields.messages(.unmet, of: WireRequirement.self)
      else { throw .badReply("Check") }
      return PasscodeVerdict(
        isAccepted: fields.bool(.accepted), requirements: requirements, unmet: unmet, strength: fields.message(.strength))
    }
  }

  /// Returns where this is the passcode; the store stays locked or unlocked as it was.
  ///
  /// - Throws: `daemon` with `wrongPasscode` (one try was charged), `lockedOut`, `mustChange` (it was right), `noStore`,
  ///   `invalidText`, `corrupt`, `outOfMemory`, `busy`, `storage`.
  public func verify(_ passcode: borrowing SecretBytes) throws(ClientError) {
    try call(.verify, passcode: passcode) { (_: WireFields) in }
  }

  /// Unlocks the store.
  ///
  /// - Parameter acceptsOlder: a store that is older than the one last seen is opened, and goes on from where it is.
  /// - Returns: the state then: `unlocked`, or `mustChange`.
  /// - Throws: as `verify(_:)`, and `daemon` with `consentRequired`, `deviceKeyMissing`, `olderThanLastSeen`.
  @discardableResult
  public func unlock(_ passcode: borrowing SecretBytes, acceptsOlder: Bool = false) throws(ClientError) -> StateChange {
    let bytes = passcode.bytes
    return try connection.call(.unlock) { (call: inout MessageWriter) throws(WireError) in
      try call.passcode(.passcode, bytes)
      call.bool(.acceptOlder, acceptsOlder ? true : nil)
    } _: { (fields: WireFields) throws(ClientError) in
      try StateChange(fields, isUnlock: true)
    }
  }

  /// Unlocks the store by quick unlock, or not at all.
  ///
  /// - Parameter place: where the person is asked to confirm it, if the policy wants that.
  /// - Throws: `daemon` with `quickUnlockUnavailable`, `cancelled` where the person said no, and as `unlock(_:)`.
  @discardableResult
  public func quickUnlock(at place: PromptPlace = .current()) throws(ClientError) -> StateChange {
    try unlock(at: place, quickUnlock: true)
  }

  /// Has the daemon unlock the store: by quick unlock where it is on, else by the passcode, which it asks the person for. The
  /// passcode comes near no memory of this process. Returns when the person has answered; a store that is open already is not
  /// asked for.
  ///
  /// - Parameters:
  ///   - place: where the person is asked.
  ///   - tryingQuickUnlock: false goes straight to the passcode.
  /// - Throws: `daemon` with `noPrompt`, `cancelled`, `promptTimedOut`, `wrongPasscode` (and then a wait), and as `unlock(_:)`.
  @discardableResult
  public func unlockByPrompt(
    at place: PromptPlace = .current(), tryingQuickUnlock: Bool = true
  ) throws(ClientError) -> StateChange {
    try unlock(at: place, quickUnlock: tryingQuickUnlock ? nil : false)
  }

  /// On a connection of its own: a person may take minutes, and other calls of this client need not wait for that.
  private func unlock(at place: PromptPlace, quickUnlock: Bool?) throws(ClientError) -> StateChange {
    try connection.companion().call(.unlock, within: Patience.person) {
      $0.bool(.quickUnlock, quickUnlock)
      place.write(to: &$0)
    } _: { (fields: WireFields) throws(ClientError) in
      try StateChange(fields, isUnlock: true)
    }
  }

  /// Locks the store: keys and open secrets are wiped when it returns. No error where it was locked.
  public func lock() throws(ClientError) { try connection.call(.lock) { (_: WireFields) in } }

  /// Takes a store away without opening it, so that a new one can be created.
  ///
  /// - Parameters:
  ///   - id: the store's id, as `status()` tells it: against a slip.
  ///   - erasing: true erases it, beyond recovery; else it is set aside for 7 days.
  /// - Throws: `daemon` with `noStore`, `confirmationMismatch`, `busy`, `storage`.
  @discardableResult
  public func reset(confirming id: String, erasing: Bool = false) throws(ClientError) -> ResetFacts {
    try connection.call(.reset) {
      $0.string(.confirm, id)
      $0.bool(.erase, erasing)
    } _: { (fields: WireFields) throws(ClientError) in
      let aside = fields.message(.setAside, as: WireSetAside.self)
      guard (aside != nil) == fields.isPresent(.setAside) else { throw .badReply("Reset") }
      return ResetFacts(setAside: aside, keyLeft: fields.stringIfPresent(.quickUnlockReason))
    }
  }

  /// The stores that were set aside and can still be brought back, the latest first.
  public func resets() throws(ClientError) -> [WireSetAside] {
    try connection.call(.listResets) { (fields: WireFields) throws(ClientError) in
      guard let resets = fields.messages(.resets, of: WireSetAside.self) else { throw .badReply("ListResets") }
      return resets
    }
  }

  /// Brings back a store that was set aside; it is locked then.
  ///
  /// - Throws: `daemon` with `resetNotFound`, `storeExists`, `storage`.
  public func undoReset(_ id: String) throws(ClientError) {
    try connection.call(.undoReset) {
      $0.string(.id, id)
    } _: { (_: WireFields) in
    }
  }

  /// Locks the store and ends the daemon after its reply.
  public func stop() throws(ClientError) { try connection.call(.stop) { (_: WireFields) in } }

  func call<R: ~Copyable>(
    _ method: WireMethod, passcode: borrowing SecretBytes, _ read: (WireFields) throws(ClientError) -> R
  ) throws(ClientError) -> R {
    let bytes = passcode.bytes
    return try connection.call(
      method, { (call: inout MessageWriter) throws(WireError) in try call.passcode(.passcode, bytes) }, read)
  }
}
