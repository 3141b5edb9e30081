/// What can go wrong with secret memory and the primitives over it. Payloads are facts, never secrets.
public enum SecretMemoryError: Error, Equatable, Sendable {
  /// The bounded budget of locked memory is used up; the same call may go through later.
  case lockedMemoryExhausted
  /// More bytes than the destination, or the named limit, can take.
  case tooLong(limit: Int)
  /// The kernel gave no memory.
  case allocationFailed
  /// Argon2id could not get its working memory. Says nothing about the passcode.
  case derivationOutOfMemory
  /// A sealed message does not belong to this key and this associated data, or was changed. Never says which.
  case authenticationFailed
  /// A key, salt or sealed message has a length that it can't have.
  case invalidLength
  /// A text is not base64 as it has to be: see ``Base64``.
  case invalidEncoding
  /// A text is not one that a passcode can be made of.
  case invalidText(TextFault)
}

/// Why a text can't be a passcode.
public enum TextFault: Equatable, Sendable {
  /// Not valid UTF-8.
  case notUTF8
  /// Contains U+0000.
  case containsNUL
  /// Contains a code point that the normalisation rule's Unicode version does not assign: its normal form could change later.
  case unassignedCodePoint
}
