/// The limits of the protocol. Whatever is beyond one is refused before anything is allocated for it.
public enum WireLimits {
  /// The longest message, its NUL included: 2 MiB.
  public static let maximumMessageByteCount = 2 << 20
  /// The deepest nesting of objects and arrays in a message.
  public static let maximumDepth = 16
  /// The most keys that the objects which are open at one place of a message may have.
  public static let maximumKeyCount = 256
  /// The most parameters of a method, and the most fields of its reply.
  public static let maximumFieldCount = 24
  /// The longest name of a method, interface included, in bytes.
  public static let maximumMethodNameByteCount = 255
  /// The largest secret, in bytes: 1 MiB.
  public static let maximumSecretByteCount = 1 << 20
  /// The most attributes of a credential, and the most that a call of Put, Find or SetAttributes can name.
  public static let maximumAttributeCount = 64
  /// The most credentials in a reply to a call of List or Find without `more`.
  public static let maximumUnpagedCount = 1000
  /// The most hurt values that a reply names.
  public static let maximumHurtCount = 1000
  /// The version of our interfaces: grows by one with each addition.
  public static let protocolVersion = 7
}
