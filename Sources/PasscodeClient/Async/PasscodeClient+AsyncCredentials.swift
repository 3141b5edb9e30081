public import PasscodeWire
public import SecretMemory

/// The calls about credentials, on a thread of their own. Each throws what its blocking twin throws, and `platform(.system(.noThread))`.
extension PasscodeClient {
  /// Stores a secret, see `put(_:_:attributes:type:replaces:)`.
  @discardableResult
  public func put(
    _ name: String, _ secret: borrowing SecretBytes, attributes: [String: String]? = nil, type: String? = nil,
    replaces: Bool = true
  ) async throws(ClientError) -> PutReceipt {
    let box = try SecretBox(secret)
    return try await onThread { () throws(ClientError) in
      try self.put(name, box.secret, attributes: attributes, type: type, replaces: replaces)
    }
  }

  /// The secret of one credential, see `get(_:version:at:)`.
  public func get(
    _ name: String, version: Int? = nil, at place: PromptPlace = .current()
  ) async throws(ClientError) -> CredentialSecret {
    try await onThread { () throws(ClientError) in try self.get(name, version: version, at: place) }
  }

  /// The secret of one credential, with the passcode, see `get(_:version:passcode:)`.
  public func get(
    _ name: String, version: Int? = nil, passcode: borrowing SecretBytes
  ) async throws(ClientError) -> CredentialSecret {
    let box = try SecretBox(passcode)
    return try await onThread { () throws(ClientError) in try self.get(name, version: version, passcode: box.secret) }
  }

  /// What is known of one credential, see `show(_:)`.
  public func show(_ name: String) async throws(ClientError) -> WireCredential {
    try await onThread { () throws(ClientError) in try self.show(name) }
  }

  /// The credentials of a folder, see `list(in:)`.
  public func list(in folder: String? = nil) async throws(ClientError) -> [WireCredential] {
    try await onThread { () throws(ClientError) in try self.list(in: folder) }
  }

  /// The credentials that have these attributes, see `find(_:)`.
  public func find(_ attributes: [String: String]) async throws(ClientError) -> [WireCredential] {
    try await onThread { () throws(ClientError) in try self.find(attributes) }
  }

  /// Renames a credential, see `rename(_:to:replaces:)`.
  public func rename(_ name: String, to newName: String, replaces: Bool = false) async throws(ClientError) {
    try await onThread { () throws(ClientError) in try self.rename(name, to: newName, replaces: replaces) }
  }

  /// Deletes a credential, see `delete(_:purges:)`.
  public func delete(_ name: String, purges: Bool = false) async throws(ClientError) {
    try await onThread { () throws(ClientError) in try self.delete(name, purges: purges) }
  }

  /// The values that a credential has and had, see `history(_:)`.
  public func history(_ name: String) async throws(ClientError) -> [WireVersion] {
    try await onThread { () throws(ClientError) in try self.history(name) }
  }

  /// Stores an earlier value again, see `restore(_:version:)`.
  @discardableResult
  public func restore(_ name: String, version: Int) async throws(ClientError) -> Int {
    try await onThread { () throws(ClientError) in try self.restore(name, version: version) }
  }

  /// Changes some attributes, see `changeAttributes(of:set:unset:)`.
  @discardableResult
  public func changeAttributes(
    of name: String, set: [String: String] = [:], unset: [String] = []
  ) async throws(ClientError) -> WireCredential {
    try await onThread { () throws(ClientError) in try self.changeAttributes(of: name, set: set, unset: unset) }
  }
}
