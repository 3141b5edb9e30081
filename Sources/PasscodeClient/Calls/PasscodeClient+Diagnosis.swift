public import PasscodeWire

/// How the daemon and its surroundings are.
extension PasscodeClient {
  /// What the daemon leans on, each thing once. Takes up to three seconds: the OS keyring is tried out.
  public func diagnose() throws(ClientError) -> [WireFinding] {
    try connection.call(.diagnose) { (fields: WireFields) throws(ClientError) in
      guard let findings = fields.messages(.findings, of: WireFinding.self) else { throw .badReply("Diagnose") }
      return findings
    }
  }

  /// What a fleet wants to know of a store.
  public func report() throws(ClientError) -> StoreReport {
    try connection.call(.report) { (fields: WireFields) throws(ClientError) in
      guard let state = WireState(rawValue: fields.string(.state)),
        let files = fields.messages(.policyFiles, of: WirePolicyFile.self)
      else { throw .badReply("Report") }
      return StoreReport(
        state: state, policyDigest: fields.string(.policyDigest), policyFiles: files,
        passcodeExpiresAt: fields.integerIfPresent(.passcodeExpiresAt), isMemoryLocked: fields.bool(.memoryLocked),
        version: fields.string(.version))
    }
  }

  /// What the daemon leans on, see the blocking twin.
  public func diagnose() async throws(ClientError) -> [WireFinding] {
    try await onThread { () throws(ClientError) in try self.diagnose() }
  }

  /// What a fleet wants to know of a store, see the blocking twin.
  public func report() async throws(ClientError) -> StoreReport {
    try await onThread { () throws(ClientError) in try self.report() }
  }
}

/// What a fleet wants to know of a store. Nothing in it names a credential.
public struct StoreReport: Equatable, Sendable {
  /// The state.
  public let state: WireState
  /// Names the policy in force by its content: 64 hexadecimal digits.
  public let policyDigest: String
  /// The policy files, the administrator's first.
  public let policyFiles: [WirePolicyFile]
  /// When the passcode expires, in seconds since 1970; nil where the policy lets it live, or the store is locked and does not
  /// tell.
  public let passcodeExpiresAt: Int?
  /// Whether the daemon's memory is locked.
  public let isMemoryLocked: Bool
  /// The daemon's release.
  public let version: String
}
