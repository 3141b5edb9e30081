public import SecretMemory

/// The calls about ways in beside the passcode, on a thread of their own.
extension PasscodeClient {
  /// Turns quick unlock on, see the blocking twin.
  public func enableQuickUnlock(_ passcode: borrowing SecretBytes) async throws(ClientError) {
    let box = try SecretBox(passcode)
    try await onThread { () throws(ClientError) in try self.enableQuickUnlock(box.secret) }
  }

  /// Turns quick unlock off, see the blocking twin.
  public func disableQuickUnlock() async throws(ClientError) {
    try await onThread { () throws(ClientError) in try self.disableQuickUnlock() }
  }

  /// Makes a recovery key, see the blocking twin.
  public func createRecoveryKey(_ passcode: borrowing SecretBytes) async throws(ClientError) -> SecretBytes {
    let box = try SecretBox(passcode)
    return try await onThread { () throws(ClientError) in try self.createRecoveryKey(box.secret) }
  }

  /// Makes the recovery key open nothing any more, see the blocking twin.
  public func revokeRecoveryKey() async throws(ClientError) {
    try await onThread { () throws(ClientError) in try self.revokeRecoveryKey() }
  }

  /// Starts the flow that sets a new passcode by the recovery key, see the blocking twin.
  public func startRecovery(
    _ recoveryKey: borrowing SecretBytes, acceptsOlder: Bool = false
  ) async throws(ClientError) -> PasscodeFlow {
    let box = try SecretBox(recoveryKey)
    return try await onThread { () throws(ClientError) in
      try self.startRecovery(box.secret, acceptsOlder: acceptsOlder)
    }
  }
}
