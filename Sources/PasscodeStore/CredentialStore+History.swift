public import PasscodeCore
internal import SecretMemory

extension CredentialStore {
  /// Lends the values that are known under a name to `body`, newest first: the current one, earlier ones, and those of deleted
  /// credentials.
  ///
  /// - Throws: `locked`, `mustChange`, `notFound`, `invalidName`, `corrupt`, `secretMemory`; what `body` throws.
  public func history(
    _ name: Span<UInt8>, _ body: (VersionFacts, borrowing CredentialMetadata) throws(StoreError) -> Void
  ) throws(StoreError) {
    if let fault = CredentialName.fault(in: name) { throw .invalidName(fault) }
    try vault.withSession { (session) throws(StoreError) in
      let keys = session.keys
      let tag = keys.tag(ofName: name)
      var current: RecordID?
      _ = try storage.withRecord(tag) { view throws(StoreError) in
        current = view.id
        try body(
          VersionFacts(version: view.secretRevision, isCurrent: true, isDeleted: false),
          try keys.openMetadata(view, named: name))
      }
      let versions = try storage.versions(of: tag)
      if current == nil && versions.isEmpty { throw session.notFound }
      for head in versions.reversed() {
        _ = try storage.withVersion(head.secret.revision, of: tag) { view throws(StoreError) in
          let facts = VersionFacts(version: view.secretRevision, isCurrent: false, isDeleted: view.id != current)
          try body(facts, try keys.openMetadata(view))
        }
      }
    }
  }

  /// Makes an earlier value the current one, also of a deleted credential. The value that it replaces is kept.
  ///
  /// - Returns: the version that the restored value got.
  /// - Throws: `locked`, `mustChange`, `notFound`, `invalidName`, `corrupt`, `storage`.
  public func restore(_ name: Span<UInt8>, version: Int64) throws(StoreError) -> Int64 {
    if let fault = CredentialName.fault(in: name) { throw .invalidName(fault) }
    return try changing { (session) throws(StoreError) in
      let keys = session.keys
      let earlier = try open(name, version: version, session)
      let found = try find(keys.tag(ofName: name), name, keys)
      // The value may date from before a rename.
      let draft = try CredentialDraft(earlier.metadata, renamedTo: name)
      return try storing(draft, earlier.secret.bytes, under: name, in: found, session)
    }.version
  }
}

/// Public text of a credential's metadata as a String, for callers that want one.
func text(_ span: Span<UInt8>) -> String {
  String(decoding: span.indices.map { span[$0] }, as: UTF8.self)
}
