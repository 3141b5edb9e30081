internal import PasscodeWire
public import SecretMemory

/// Ways in beside the passcode. To add one takes the passcode in the same call.
extension PasscodeClient {
  /// Turns quick unlock on, or renews it. The store stays locked or unlocked as it was.
  ///
  /// - Throws: `daemon` with `wrongPasscode` (one try was charged), `quickUnlockUnavailable` with why it can't be turned on here,
  ///   and as ``verify(_:)``; `policyFault`.
  public func enableQuickUnlock(_ passcode: borrowing SecretBytes) throws(ClientError) {
    try call(.enableQuickUnlock, passcode: passcode) { (_: WireFields) in }
  }

  /// Turns quick unlock off, and removes its key from the OS keyring. No error where it is off.
  ///
  /// - Throws: `daemon` with `quickUnlockUnavailable` where it is off now and its key may be left behind: it opens nothing.
  public func disableQuickUnlock() throws(ClientError) {
    try connection.call(.disableQuickUnlock) { (_: WireFields) in }
  }

  /// Makes a recovery key; an earlier one opens nothing from then on.
  ///
  /// - Returns: the key as it is to be written down. The daemon keeps it nowhere.
  /// - Throws: `daemon` as ``verify(_:)``, but for `mustChange`.
  ///
  /// Secrets: the result wipes itself.
  public func createRecoveryKey(_ passcode: borrowing SecretBytes) throws(ClientError) -> SecretBytes {
    try call(.createRecoveryKey, passcode: passcode) { (fields: WireFields) throws(ClientError) -> SecretBytes in
      do throws(SecretMemoryError) { return try SecretBytes(copying: fields.bytes(.key)) } catch { throw .secretMemory(error) }
    }
  }

  /// Makes the recovery key open nothing any more. No error where there is none.
  public func revokeRecoveryKey() throws(ClientError) {
    try connection.call(.revokeRecoveryKey) { (_: WireFields) in }
  }
}
