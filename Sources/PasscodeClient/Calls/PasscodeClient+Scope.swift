internal import PasscodeWire

/// Names within the scope: the folder goes on on the way out and comes off on the way in.
extension PasscodeClient {
  func credential(_ fields: WireFields) throws(ClientError) -> WireCredential {
    guard let found = fields.message(.credential, as: WireCredential.self), let own = within(found) else {
      throw .badReply("a credential")
    }
    return own
  }

  func many(_ method: WireMethod, _ write: (inout MessageWriter) -> Void) throws(ClientError) -> [WireCredential] {
    var found: [WireCredential] = []
    try connection.callForMany(method, write) { (fields: WireFields) throws(ClientError) in
      guard let page = fields.messages(.credentials, of: WireCredential.self) else { throw .badReply("credentials") }
      found += page.compactMap(within)
    }
    return found
  }

  /// The credential under its name within the scope; nil where it is outside.
  func within(_ credential: WireCredential) -> WireCredential? {
    guard !scope.isEmpty else { return credential }
    guard let name = relative(credential.name) else { return nil }
    var own = credential
    own.name = name
    return own
  }

  private func relative(_ name: String) -> String? {
    // Byte by byte: two texts that Unicode takes for equal are two names.
    name.utf8.starts(with: scope.utf8) ? String(name.utf8.dropFirst(scope.utf8.count)) : nil
  }

  /// Runs a call whose errors name a credential, and takes the scope off that name.
  func naming<R: ~Copyable>(_ body: () throws(ClientError) -> R) throws(ClientError) -> R {
    do {
      return try body()
    } catch .daemon(.notFound(let name)) {
      throw .daemon(.notFound(name: relative(name) ?? name))
    } catch .daemon(.versionNotFound(let name, let version)) {
      throw .daemon(.versionNotFound(name: relative(name) ?? name, version: version))
    } catch .daemon(.exists(let name)) {
      throw .daemon(.exists(name: relative(name) ?? name))
    }
  }
}
