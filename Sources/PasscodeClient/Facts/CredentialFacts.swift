public import SecretMemory

/// A secret with what belongs to it.
///
/// Secrets: it wipes itself when its owner ends.
public struct CredentialSecret: ~Copyable, Sendable {
  /// The version of this value.
  public let version: Int
  /// The media type, as it was given.
  public let type: String?
  /// The secret, byte for byte.
  public let secret: SecretBytes
}

/// What became of a secret that was stored.
public struct PutReceipt: Equatable, Sendable {
  /// The version of the new value.
  public let version: Int
  /// Whether the name is new.
  public let isNew: Bool
}
