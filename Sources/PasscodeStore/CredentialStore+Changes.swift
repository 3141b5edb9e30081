public import PasscodeCore

extension CredentialStore {
  /// Gives a credential another name. Its earlier values come along; the secret is not re-sealed. O(log n + versions).
  ///
  /// - Parameter replaces: whether a credential that has the new name gives way; its value is kept as an earlier version.
  /// - Throws: `locked`, `mustChange`, `notFound`, `exists`, `invalidName`, `corrupt`, `storage`.
  public func rename(_ name: Span<UInt8>, to newName: Span<UInt8>, replaces: Bool = false) throws(StoreError) {
    if let fault = CredentialName.fault(in: name) ?? CredentialName.fault(in: newName) { throw .invalidName(fault) }
    let isSame = spansAreEqual(name, newName)
    try changing { (session) throws(StoreError) in
      let keys = session.keys
      let tag = keys.tag(ofName: name)
      let newTag = keys.tag(ofName: newName)
      guard let found = try find(tag, name, keys) else { throw .notFound }
      if isSame { return (StorageChange([]), ()) }
      var steps: [StorageChange.Step] = [.expectAbsent(newTag)]
      if let target = try find(newTag, newName, keys) {
        guard replaces else { throw .exists }
        steps = try replacing(target.head)
      }
      let draft = try CredentialDraft(found.metadata, renamedTo: newName)
      steps.append(try rewriting(found, draft, newTag, keys.tags(ofFoldersOf: newName), session))
      for version in try storage.versions(of: tag) where version.id == found.head.id {
        steps.append(.moveVersion(version, to: newTag))
      }
      return (StorageChange(steps), ())
    }
  }

  /// Sets and removes attributes; the secret stays as it is. O(log n).
  ///
  /// - Throws: `locked`, `mustChange`, `notFound`, `invalidName`, `invalidMetadata`, `corrupt`, `storage`.
  public func changeAttributes(
    of name: Span<UInt8>, set: [AttributePair], unset: [String] = []
  ) throws(StoreError) {
    if let fault = CredentialName.fault(in: name) { throw .invalidName(fault) }
    try changing { (session) throws(StoreError) in
      let tag = session.keys.tag(ofName: name)
      guard let found = try find(tag, name, session.keys) else { throw .notFound }
      var draft = try CredentialDraft(found.metadata)
      for key in unset { try draft.removeAttribute(Array(key.utf8).span) }
      for pair in set { try draft.setAttribute(Array(pair.key.utf8).span, to: Array(pair.value.utf8).span) }
      return (StorageChange([try rewriting(found, draft, tag, found.head.folders, session)]), ())
    }
  }

  /// Deletes a credential. Its values are kept as earlier versions, unless it `purges`: then nothing of it is left, and nothing of
  /// what was under this name before.
  ///
  /// - Throws: `locked`, `mustChange`, `notFound`, `invalidName`, `corrupt`, `storage`.
  public func delete(_ name: Span<UInt8>, purges: Bool = false) throws(StoreError) {
    if let fault = CredentialName.fault(in: name) { throw .invalidName(fault) }
    try changing { (session) throws(StoreError) in
      let tag = session.keys.tag(ofName: name)
      let found = try find(tag, name, session.keys)
      var steps: [StorageChange.Step] = []
      if let found { steps = purges ? [.remove(found.head)] : try replacing(found.head) }
      if purges { steps += try storage.versions(of: tag).map { .removeVersion($0) } }
      if steps.isEmpty { throw .notFound }
      return (StorageChange(steps, erases: true), ())
    }
  }

  private func rewriting(
    _ found: FoundRecord, _ draft: borrowing CredentialDraft, _ tag: LookupTag, _ folders: [LookupTag], _ session: Session
  ) throws(StoreError) -> StorageChange.Step {
    let times = (created: found.metadata.created, modified: options.clock.now().wallSeconds)
    let sealed = try session.keys.seal(
      draft, secretByteCount: found.metadata.secretByteCount, of: found.head.id, revision: session.committer.nextRevision(),
      times)
    let head = RecordHead(
      tag: tag, id: found.head.id, folders: folders, attributes: sealed.attributes, metadata: sealed.part.head,
      secret: found.head.secret)
    return .rewrite(found.head, as: head, metadata: sealed.part.body)
  }
}
