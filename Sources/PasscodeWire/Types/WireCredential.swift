public import StrictJSON

/// What is known of a credential but its secret, as a client sees it: the type `Credential`.
///
/// The daemon does not use it: it writes names and attributes from locked memory.
public struct WireCredential: Equatable, Sendable {
  /// Its name.
  public var name: String
  /// The version of its secret.
  public let version: Int
  /// When it was first stored, in seconds since 1970.
  public let createdAt: Int
  /// When it last changed, in seconds since 1970.
  public let modifiedAt: Int
  /// Bytes of its secret.
  public let size: Int
  /// The media type of its secret.
  public let type: String?
  /// Its attributes.
  public let attributes: [String: String]
}

extension WireCredential: WireMessage {
  /// Reads one; nil where it is not of the type.
  public init?(_ json: JSONNode) {
    guard let name = json.string(.name), let version = json.integer(.version), let createdAt = json.integer(.createdAt),
      let modifiedAt = json.integer(.modifiedAt), let size = json.integer(.size), let attributes = json.map(.attributes)
    else { return nil }
    self.init(
      name: name, version: version, createdAt: createdAt, modifiedAt: modifiedAt, size: size, type: json.string(.type),
      attributes: attributes)
  }

  /// Writes the fields.
  public func write(into message: inout MessageWriter) {
    message.string(.name, name)
    message.integer(.version, version)
    message.integer(.createdAt, createdAt)
    message.integer(.modifiedAt, modifiedAt)
    message.integer(.size, size)
    message.string(.type, type)
    message.map(.attributes, attributes)
  }
}

/// One value that a credential has or had: the type `Version`.
public struct WireVersion: Equatable, Sendable {
  /// Its number.
  public let version: Int
  /// When it was stored, in seconds since 1970.
  public let storedAt: Int
  /// Bytes of the secret.
  public let size: Int
  /// The media type of the secret.
  public let type: String?
  /// Whether it is the value now.
  public let isCurrent: Bool

  /// A version.
  public init(version: Int, storedAt: Int, size: Int, type: String?, isCurrent: Bool) {
    self.version = version
    self.storedAt = storedAt
    self.size = size
    self.type = type
    self.isCurrent = isCurrent
  }
}

extension WireVersion: WireMessage {
  /// Reads one; nil where it is not of the type.
  public init?(_ json: JSONNode) {
    guard let version = json.integer(.version), let storedAt = json.integer(.storedAt), let size = json.integer(.size),
      let isCurrent = json.bool(.isCurrent)
    else { return nil }
    self.init(version: version, storedAt: storedAt, size: size, type: json.string(.type), isCurrent: isCurrent)
  }

  /// Writes the fields.
  public func write(into message: inout MessageWriter) {
    message.integer(.version, version)
    message.integer(.storedAt, storedAt)
    message.integer(.size, size)
    message.string(.type, type)
    message.bool(.isCurrent, isCurrent)
  }
}
