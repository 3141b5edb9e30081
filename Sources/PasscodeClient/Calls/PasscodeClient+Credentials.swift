public import PasscodeWire
public import SecretMemory

extension PasscodeClient {
  /// Stores a secret; the value that it replaces is kept, as many of them as the policy says. Returns when it is on disk.
  ///
  /// - Parameters:
  ///   - name: a path such as `work/aws/prod`, within the scope.
  ///   - secret: at most 1 MiB; the caller keeps and wipes it.
  ///   - attributes: nil leaves them as they were.
  ///   - type: the media type; nil leaves it as it was.
  ///   - replaces: false refuses a name that is taken.
  /// - Throws: `tooLarge`; `daemon` with `locked`, `mustChange`, `noStore`, `invalidName`, `invalidMetadata`, `exists`,
  ///   `storage`, `busy`.
  @discardableResult
  public func put(
    _ name: String, _ secret: borrowing SecretBytes, attributes: [String: String]? = nil, type: String? = nil,
    replaces: Bool = true
  ) throws(ClientError) -> PutReceipt {
    guard secret.count <= WireLimits.maximumSecretByteCount else { throw .tooLarge(limit: WireLimits.maximumSecretByteCount) }
    try requireFew(attributes)
    let bytes = secret.bytes
    let full = scope + name
    return try connection.call(.put) { (call: inout MessageWriter) in
      call.string(.name, full)
      call.secret(.secret, bytes)
      if let attributes { call.map(.attributes, attributes) }
      call.string(.type, type)
      if !replaces { call.bool(.replace, false) }
    } _: { (fields: WireFields) in
      PutReceipt(version: fields.integer(.version), isNew: fields.bool(.created))
    }
  }

  /// The secret of one credential. Where the policy asks for the passcode each time that it is read, the daemon asks the person
  /// for it, and this returns when the person has answered.
  ///
  /// - Parameters:
  ///   - name: its name, within the scope.
  ///   - version: an earlier value, of a deleted credential too; nil is the value now.
  ///   - place: where the person is asked; ``PromptPlace/nowhere`` asks nobody.
  /// - Throws: `daemon` with `locked`, `mustChange`, `noStore`, `invalidName`, `notFound`, `versionNotFound`, `corrupt`; where a
  ///   person is to be asked, with `noPrompt`, `cancelled`, `promptTimedOut`, `wrongPasscode` (and then a wait), `lockedOut`.
  ///
  /// Secrets: the result wipes itself; nothing else holds the secret.
  public func get(
    _ name: String, version: Int? = nil, at place: PromptPlace = .current()
  ) throws(ClientError) -> CredentialSecret {
    do throws(ClientError) {
      return try get(name, version, over: connection, within: nil) { PromptPlace.nowhere.write(to: &$0) }
    } catch {
      guard place.canAsk, case .daemon(.noPrompt(.nowhere, _)) = error else { throw error }
    }
    // On a connection of its own: a person may take minutes, and other calls of this client need not wait for that.
    return try get(name, version, over: try connection.companion(), within: Patience.person) { place.write(to: &$0) }
  }

  /// The secret of one credential, with the passcode that the policy asks for each time that it is read.
  ///
  /// - Throws: as `get(_:version:at:)` where nobody is asked, and as `verify(_:)`.
  ///
  /// Secrets: the caller wipes the passcode; the result wipes itself.
  public func get(
    _ name: String, version: Int? = nil, passcode: borrowing SecretBytes
  ) throws(ClientError) -> CredentialSecret {
    let bytes = passcode.bytes
    return try get(name, version, over: connection, within: Patience.derivation) { call throws(WireError) in
      try call.passcode(.passcode, bytes)
    }
  }

  private func get(
    _ name: String, _ version: Int?, over connection: ClientConnection, within patience: Duration?,
    _ writeProof: (inout MessageWriter) throws(WireError) -> Void
  ) throws(ClientError) -> CredentialSecret {
    let full = scope + name
    return try naming { () throws(ClientError) in
      try connection.call(.get, within: patience) { (call: inout MessageWriter) throws(WireError) in
        call.string(.name, full)
        call.integer(.version, version)
        try writeProof(&call)
      } _: { (fields: WireFields) throws(ClientError) -> CredentialSecret in
        let secret: SecretBytes
        do throws(WireError) { secret = try fields.secret(.secret) } catch { throw .daemon(error) }
        return CredentialSecret(
          version: fields.integer(.version), type: fields.stringIfPresent(.type), secret: secret)
      }
    }
  }

  /// What is known of one credential; its secret is not opened.
  ///
  /// - Throws: `daemon` with `locked`, `mustChange`, `noStore`, `invalidName`, `notFound`.
  public func show(_ name: String) throws(ClientError) -> WireCredential {
    let full = scope + name
    return try naming { () throws(ClientError) in
      try connection.call(.show) {
        $0.string(.name, full)
      } _: { (fields: WireFields) throws(ClientError) in
        try self.credential(fields)
      }
    }
  }

  /// The credentials of a folder and of all folders in it, in the byte order of their names.
  ///
  /// - Parameter folder: such as `work/aws`; nil is everything within the scope.
  /// - Throws: `daemon` with `locked`, `mustChange`, `noStore`, `invalidName`.
  public func list(in folder: String? = nil) throws(ClientError) -> [WireCredential] {
    let whole = folder.map { scope + $0 } ?? (scope.isEmpty ? nil : String(scope.dropLast()))
    return try many(.list) { $0.string(.folder, whole) }
  }

  /// The credentials that have every one of these attributes, in the byte order of their names; within the scope.
  ///
  /// - Throws: `daemon` with `locked`, `mustChange`, `noStore`, `invalidMetadata`.
  public func find(_ attributes: [String: String]) throws(ClientError) -> [WireCredential] {
    try requireFew(attributes)
    return try many(.find) { $0.map(.attributes, attributes) }
  }

  /// Renames a credential; its history goes with it.
  ///
  /// - Parameters:
  ///   - name: its name, within the scope.
  ///   - newName: the new one, within the scope.
  ///   - replaces: true lets a credential of the new name give way, as if deleted.
  /// - Throws: `daemon` with `locked`, `mustChange`, `noStore`, `invalidName`, `notFound`, `exists`.
  public func rename(_ name: String, to newName: String, replaces: Bool = false) throws(ClientError) {
    let (old, new) = (scope + name, scope + newName)
    try naming { () throws(ClientError) in
      try connection.call(.rename) {
        $0.string(.name, old)
        $0.string(.newName, new)
        $0.bool(.replace, replaces)
      } _: { (_: WireFields) in
      }
    }
  }

  /// Deletes a credential. Its values are kept as earlier ones are.
  ///
  /// - Parameters:
  ///   - name: its name, within the scope.
  ///   - purges: true keeps no value, nor any earlier one.
  /// - Throws: `daemon` with `locked`, `mustChange`, `noStore`, `invalidName`, `notFound`.
  public func delete(_ name: String, purges: Bool = false) throws(ClientError) {
    let full = scope + name
    try naming { () throws(ClientError) in
      try connection.call(.delete) {
        $0.string(.name, full)
        $0.bool(.purge, purges)
      } _: { (_: WireFields) in
      }
    }
  }

  /// The values that a credential has and had, the latest first; of a deleted one too.
  ///
  /// - Throws: `daemon` with `locked`, `mustChange`, `noStore`, `invalidName`, `notFound`.
  public func history(_ name: String) throws(ClientError) -> [WireVersion] {
    let full = scope + name
    return try naming { () throws(ClientError) in
      try connection.call(.history) {
        $0.string(.name, full)
      } _: { (fields: WireFields) throws(ClientError) in
        guard let versions = fields.messages(.versions, of: WireVersion.self) else { throw .badReply("History") }
        return versions
      }
    }
  }

  /// Stores an earlier value again as the newest; a deleted credential is there again.
  ///
  /// - Returns: the version that it is stored as.
  /// - Throws: `daemon` with `locked`, `mustChange`, `noStore`, `invalidName`, `notFound`, `versionNotFound`.
  @discardableResult
  public func restore(_ name: String, version: Int) throws(ClientError) -> Int {
    let full = scope + name
    return try naming { () throws(ClientError) in
      try connection.call(.restore) {
        $0.string(.name, full)
        $0.integer(.version, version)
      } _: { (fields: WireFields) in
        fields.integer(.version)
      }
    }
  }

  /// Changes some attributes and leaves the others.
  ///
  /// - Parameters:
  ///   - name: its name, within the scope.
  ///   - set: those to set, with their values.
  ///   - unset: those to take away; one that is not there is no error.
  /// - Returns: the credential as it is then.
  /// - Throws: `daemon` with `locked`, `mustChange`, `noStore`, `invalidName`, `invalidMetadata`, `notFound`.
  @discardableResult
  public func changeAttributes(
    of name: String, set: [String: String] = [:], unset: [String] = []
  ) throws(ClientError) -> WireCredential {
    try requireFew(set)
    let full = scope + name
    return try naming { () throws(ClientError) in
      try connection.call(.setAttributes) {
        $0.string(.name, full)
        if !set.isEmpty { $0.map(.set, set) }
        if !unset.isEmpty { $0.strings(.unset, unset) }
      } _: { (fields: WireFields) throws(ClientError) in
        try self.credential(fields)
      }
    }
  }

  /// More attributes than a credential can have are not sent: the daemon closes a connection on which an object has too many keys.
  private func requireFew(_ attributes: [String: String]?) throws(ClientError) {
    if let attributes, attributes.count > WireLimits.maximumAttributeCount {
      throw .daemon(.invalidMetadata(.tooManyAttributes))
    }
  }
}
