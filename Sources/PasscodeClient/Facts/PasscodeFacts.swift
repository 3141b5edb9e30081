public import PasscodeWire

/// What the policy says about a candidate.
public struct PasscodeVerdict: Equatable, Sendable {
  /// Whether it would be taken.
  public let isAccepted: Bool
  /// The rules to show, met and unmet, in order.
  public let requirements: [WireRequirement]
  /// Those that are not met, hidden ones included.
  public let unmet: [WireRequirement]
  /// How strong it is; nil where no validator measures it.
  public let strength: WireStrength?
}

/// The policy in force.
public struct PolicyInForce: Equatable, Sendable {
  /// All keys of `policy.json` with their values: one JSON object.
  public let json: [UInt8]
  /// Where each value comes from, by its key.
  public let origins: [String: String]
  /// The policy files, the administrator's first.
  public let files: [WirePolicyFile]
}

/// What a reset has done.
public struct ResetFacts: Equatable, Sendable {
  /// What was set aside; nil where it was erased.
  public let setAside: WireSetAside?
  /// Why a key of quick unlock may be left in the OS keyring, where it opens nothing, for a person; nil where none is.
  public let keyLeft: String?
}

/// A state of the store, and when it ends by itself.
public struct StateChange: Equatable, Sendable {
  /// The state.
  public let state: WireState
  /// When the store locks by itself if nobody uses it, in seconds since 1970; nil where it is not unlocked, or never does.
  public let locksAt: Int?
  /// Whether the passcode that unlocked the store is below today's policy, which asks only to warn of that.
  public let isBelowPolicy: Bool

  /// - Parameter isUnlock: whether it is the reply to an unlock.
  init(_ reply: WireFields, isUnlock: Bool = false) throws(ClientError) {
    guard let state = WireState(rawValue: reply.string(.state)) else { throw .badReply("state") }
    self.state = state
    locksAt = reply.integerIfPresent(.locksAt)
    isBelowPolicy = isUnlock && reply.boolIfPresent(.belowPolicy) == true
  }
}
