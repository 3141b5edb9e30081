public import PasscodeWire
public import SecretMemory

/// The calls about the passcode and the store, on a thread of their own. Each throws what its blocking twin throws, and
/// `platform(.system(.noThread))`.
extension PasscodeClient {
  /// Connects, see `connect(_:)`.
  public static func connect(_ options: ClientOptions = ClientOptions()) async throws(ClientError) -> PasscodeClient {
    try await onThread { () throws(ClientError) in try PasscodeClient.connect(options) }
  }

  /// What state the store is in, see `status()`.
  public func status() async throws(ClientError) -> WireStatus {
    try await onThread { () throws(ClientError) in try self.status() }
  }

  /// The policy in force, see `policy()`.
  public func policy() async throws(ClientError) -> PolicyInForce {
    try await onThread { () throws(ClientError) in try self.policy() }
  }

  /// Judges a candidate, see `check(_:isStillTyped:)`.
  public func check(
    _ candidate: borrowing SecretBytes, isStillTyped: Bool = false
  ) async throws(ClientError) -> PasscodeVerdict {
    let box = try SecretBox(candidate)
    return try await onThread { () throws(ClientError) in try self.check(box.secret, isStillTyped: isStillTyped) }
  }

  /// Whether this is the passcode, see `verify(_:)`.
  public func verify(_ passcode: borrowing SecretBytes) async throws(ClientError) {
    let box = try SecretBox(passcode)
    try await onThread { () throws(ClientError) in try self.verify(box.secret) }
  }

  /// Unlocks the store, see `unlock(_:acceptsOlder:)`.
  @discardableResult
  public func unlock(
    _ passcode: borrowing SecretBytes, acceptsOlder: Bool = false
  ) async throws(ClientError) -> StateChange {
    let box = try SecretBox(passcode)
    return try await onThread { () throws(ClientError) in try self.unlock(box.secret, acceptsOlder: acceptsOlder) }
  }

  /// Unlocks the store by quick unlock, see `quickUnlock(at:)`.
  @discardableResult
  public func quickUnlock(at place: PromptPlace = .current()) async throws(ClientError) -> StateChange {
    try await onThread { () throws(ClientError) in try self.quickUnlock(at: place) }
  }

  /// Has the daemon ask for the passcode, see `unlockByPrompt(at:tryingQuickUnlock:)`.
  @discardableResult
  public func unlockByPrompt(
    at place: PromptPlace = .current(), tryingQuickUnlock: Bool = true
  ) async throws(ClientError) -> StateChange {
    try await onThread { () throws(ClientError) in
      try self.unlockByPrompt(at: place, tryingQuickUnlock: tryingQuickUnlock)
    }
  }

  /// Locks the store, see `lock()`.
  public func lock() async throws(ClientError) { try await onThread { () throws(ClientError) in try self.lock() } }

  /// Takes the store away, see `reset(confirming:erasing:)`.
  @discardableResult
  public func reset(confirming id: String, erasing: Bool = false) async throws(ClientError) -> ResetFacts {
    try await onThread { () throws(ClientError) in try self.reset(confirming: id, erasing: erasing) }
  }

  /// The stores that were set aside, see `resets()`.
  public func resets() async throws(ClientError) -> [WireSetAside] {
    try await onThread { () throws(ClientError) in try self.resets() }
  }

  /// Brings back a store that was set aside, see `undoReset(_:)`.
  public func undoReset(_ id: String) async throws(ClientError) {
    try await onThread { () throws(ClientError) in try self.undoReset(id) }
  }

  /// Starts the flow that makes a store, see `startCreate(quickUnlock:acceptsWipe:)`.
  public func startCreate(quickUnlock: Bool? = nil, acceptsWipe: Bool = false) async throws(ClientError) -> PasscodeFlow {
    try await onThread { () throws(ClientError) in
      try self.startCreate(quickUnlock: quickUnlock, acceptsWipe: acceptsWipe)
    }
  }

  /// Starts the flow that replaces the passcode, see `startChange()`.
  public func startChange() async throws(ClientError) -> PasscodeFlow {
    try await onThread { () throws(ClientError) in try self.startChange() }
  }
}

/// The flow's steps, on a thread of their own.
extension PasscodeFlow {
  /// Gives the passcode that the step asks for, see `enter(_:)`.
  @discardableResult
  public func enter(_ passcode: borrowing SecretBytes) async throws(ClientError) -> WireStep {
    let box = try SecretBox(passcode)
    return try await onThread { () throws(ClientError) in try self.enter(box.secret) }
  }

  /// Has the daemon ask for it, see `enterByPrompt(at:)`.
  @discardableResult
  public func enterByPrompt(at place: PromptPlace = .current()) async throws(ClientError) -> WireStep {
    try await onThread { () throws(ClientError) in try self.enterByPrompt(at: place) }
  }

  /// Answers the step `quickUnlock`, see `answerQuickUnlock(_:)`.
  @discardableResult
  public func answerQuickUnlock(_ isWanted: Bool) async throws(ClientError) -> WireStep {
    try await onThread { () throws(ClientError) in try self.answerQuickUnlock(isWanted) }
  }

  /// Ends the flow, see `cancel()`.
  @discardableResult
  public func cancel() async throws(ClientError) -> WireStep {
    try await onThread { () throws(ClientError) in try self.cancel() }
  }
}
