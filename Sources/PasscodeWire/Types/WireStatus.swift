/// What state the store is in, and the daemon: the reply of `Status`.
public struct WireStatus: Equatable, Sendable {
  /// The one state.
  public var state: WireState
  /// Wrong tries left; nil where there is no limit or no store.
  public var triesRemaining: Int?
  /// How long passcode tries are refused; nil where they are not.
  public var retryAfterSeconds: Int?
  /// When the store locks by itself, in seconds since 1970; nil where it does not.
  public var locksAt: Int?
  /// Whether quick unlock is on.
  public var quickUnlock: Bool
  /// Whether a recovery key exists.
  public var recovery: Bool
  /// Whether a key outside the store is mixed in.
  public var deviceKey: Bool
  /// The required consent forms without an answer.
  public var consentPending: [String]
  /// The store's file.
  public var storePath: String
  /// The store's id; nil where there is no store.
  public var storeID: String?
  /// Why the store can't be used; nil where it can, or where there is none.
  public var storeFault: String?
  /// What of the open store is not as it was sealed, each in words; nothing is written then. Empty where all is.
  public var damage: [String]
  /// The socket.
  public var socketPath: String
  /// The policy files, the administrator's first.
  public var policyFiles: [WirePolicyFile]
  /// Whether the daemon's memory is locked.
  public var memoryLocked: Bool
  /// The daemon's release.
  public var version: String
  /// The version of the interfaces.
  public var protocolVersion: Int
  /// The daemon's process.
  public var pid: Int

  /// A status of an idle daemon, whose facts are set one by one.
  public init(state: WireState, storePath: String, socketPath: String, version: String, pid: Int) {
    self.state = state
    quickUnlock = false
    recovery = false
    deviceKey = false
    consentPending = []
    damage = []
    self.storePath = storePath
    self.socketPath = socketPath
    policyFiles = []
    memoryLocked = false
    self.version = version
    protocolVersion = WireLimits.protocolVersion
    self.pid = pid
  }

  /// Writes the fields of the reply.
  public func write(into reply: inout MessageWriter) {
    reply.word(.state, state)
    reply.integer(.triesRemaining, triesRemaining)
    reply.integer(.retryAfterSeconds, retryAfterSeconds)
    reply.integer(.locksAt, locksAt)
    reply.bool(.quickUnlock, quickUnlock)
    reply.bool(.recovery, recovery)
    reply.bool(.deviceKey, deviceKey)
    reply.strings(.consentPending, consentPending)
    reply.string(.storePath, storePath)
    reply.string(.storeId, storeID)
    reply.string(.storeFault, storeFault)
    if !damage.isEmpty { reply.strings(.damage, damage) }
    reply.string(.socketPath, socketPath)
    reply.messages(.policyFiles, policyFiles)
    reply.bool(.memoryLocked, memoryLocked)
    reply.string(.version, version)
    reply.integer(.protocolVersion, protocolVersion)
    reply.integer(.pid, pid)
  }

  /// Reads a reply; nil for a state that is not known, or a policy file that is not as it should be.
  public init?(_ reply: WireFields) {
    guard let state = reply.wordIfKnown(.state, as: WireState.self),
      let files = reply.messages(.policyFiles, of: WirePolicyFile.self)
    else { return nil }
    self.init(
      state: state, storePath: reply.string(.storePath), socketPath: reply.string(.socketPath),
      version: reply.string(.version), pid: reply.integer(.pid))
    triesRemaining = reply.integerIfPresent(.triesRemaining)
    retryAfterSeconds = reply.integerIfPresent(.retryAfterSeconds)
    locksAt = reply.integerIfPresent(.locksAt)
    quickUnlock = reply.bool(.quickUnlock)
    recovery = reply.bool(.recovery)
    deviceKey = reply.bool(.deviceKey)
    consentPending = reply.strings(.consentPending)
    storeID = reply.stringIfPresent(.storeId)
    storeFault = reply.stringIfPresent(.storeFault)
    if reply.isPresent(.damage) { damage = reply.strings(.damage) }
    policyFiles = files
    memoryLocked = reply.bool(.memoryLocked)
    protocolVersion = reply.integer(.protocolVersion)
  }
}

/// One policy file: the type `PolicyFile`.
public struct WirePolicyFile: Equatable, Sendable {
  /// Where it is looked for.
  public let path: String
  /// Whose it is.
  public let role: WirePolicyRole
  /// What has become of it.
  public let state: WirePolicyFileState
  /// What is wrong with it; nil where nothing is.
  public let fault: String?

  /// A policy file.
  public init(path: String, role: WirePolicyRole, state: WirePolicyFileState, fault: String? = nil) {
    self.path = path
    self.role = role
    self.state = state
    self.fault = fault
  }
}
