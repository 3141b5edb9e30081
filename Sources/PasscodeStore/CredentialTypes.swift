/// An attribute of a credential, as text.
public struct AttributePair: Hashable, Sendable {
  /// Its key.
  public var key: String
  /// Its value.
  public var value: String

  /// A key and its value.
  public init(key: String, value: String) {
    self.key = key
    self.value = value
  }
}

/// What a `put` does besides the secret.
public struct PutOptions: Sendable {
  /// The MIME type; nil leaves it as it is.
  public var type: String?
  /// All attributes; nil leaves them as they are.
  public var attributes: [AttributePair]?
  /// Whether a credential that is there gets a new value. False: it is an error.
  public var replaces: Bool

  /// Leaves type and attributes, and replaces.
  public init(type: String? = nil, attributes: [AttributePair]? = nil, replaces: Bool = true) {
    self.type = type
    self.attributes = attributes
    self.replaces = replaces
  }
}

/// What a `put` did.
public struct PutOutcome: Hashable, Sendable {
  /// The version that the secret got.
  public var version: Int64
  /// Whether there was no credential of this name.
  public var isNew: Bool
}

/// One value in a credential's history.
public struct VersionFacts: Hashable, Sendable {
  /// Names the value; rises with time, store-wide.
  public var version: Int64
  /// Whether it is the value that `get` gives.
  public var isCurrent: Bool
  /// Whether the credential that it was a value of is gone.
  public var isDeleted: Bool
}

/// A limit of the store.
public enum StoreLimits {
  /// The largest secret, in bytes.
  public static let secretByteCount = 1 << 20
}
