public import PasscodeCore
internal import SecretMemory

extension CredentialStore {
  /// Stores a secret under a name. The value that it replaces is kept as an earlier version, as many as the policy says.
  ///
  /// Durable when this returns. O(log n).
  ///
  /// - Parameters:
  ///   - name: see `CredentialName`.
  ///   - secret: any bytes, 1 MiB at most; kept byte for byte.
  /// - Throws: `locked`, `mustChange`; `exists` where it does not replace; `invalidName`, `invalidMetadata`, `tooLarge`; `storage`:
  ///   the old value is there then.
  public func put(
    _ name: Span<UInt8>, secret: Span<UInt8>, _ put: PutOptions = PutOptions()
  ) throws(StoreError) -> PutOutcome {
    if let fault = CredentialName.fault(in: name) { throw .invalidName(fault) }
    guard secret.count <= StoreLimits.secretByteCount else { throw .tooLarge(limit: StoreLimits.secretByteCount) }
    return try changing { (session) throws(StoreError) in
      let keys = session.keys
      let tag = keys.tag(ofName: name)
      let found = try find(tag, name, keys)
      if found != nil, !put.replaces { throw .exists }
      let now = options.clock.now().wallSeconds
      let revision = session.committer.nextRevision()
      let id = found?.head.id ?? .random()
      var draft = if let found { try CredentialDraft(found.metadata) } else { try CredentialDraft(name: name) }
      try draft.take(put)
      let times = (created: found?.metadata.created ?? now, modified: now)
      let sealed = try keys.seal(draft, secret: secret, of: id, revision: revision, times)
      let head = RecordHead(
        tag: tag, id: id, folders: keys.tags(ofFoldersOf: name), attributes: sealed.attributes, metadata: sealed.metadata.head,
        secret: sealed.secret.head)
      var steps: [StorageChange.Step] = if let found { try replacing(found.head) } else { [.expectAbsent(tag)] }
      steps.append(.insert(head, metadata: sealed.metadata.body, secret: sealed.secret.body))
      return (StorageChange(steps), PutOutcome(version: revision, isNew: found == nil))
    }
  }

  /// Lends a secret and what is known of it to `body`, in locked memory that is wiped afterwards. O(log n).
  ///
  /// - Parameter version: an earlier value, also of a deleted credential; nil for the current one.
  /// - Throws: `locked`, `mustChange`, `notFound`, `corrupt`, `secretMemory`; what `body` throws.
  public func get(
    _ name: Span<UInt8>, version: Int64? = nil,
    _ body: (borrowing CredentialMetadata, _ version: Int64, Span<UInt8>) throws(StoreError) -> Void
  ) throws(StoreError) {
    if let fault = CredentialName.fault(in: name) { throw .invalidName(fault) }
    try vault.withSession { (session) throws(StoreError) in
      let keys = session.keys
      let tag = keys.tag(ofName: name)
      var isDone = false
      _ = try storage.withRecord(tag) { view throws(StoreError) in
        let metadata = try keys.openMetadata(view, named: name)
        guard version == nil || version == view.secretRevision else { return }
        isDone = true
        let secret = try keys.open(
          view.secret, tag: view.secretTag, part: .secret, of: view.id, revision: view.secretRevision)
        try body(metadata, view.secretRevision, secret.bytes)
      }
      if isDone { return }
      guard let version else { throw .notFound }
      let isThere = try storage.withVersion(version, of: tag) { view throws(StoreError) in
        let metadata = try keys.openMetadata(view)
        let secret = try keys.open(
          view.secret, tag: view.secretTag, part: .secret, of: view.id, revision: view.secretRevision)
        try body(metadata, view.secretRevision, secret.bytes)
      }
      guard isThere else { throw .notFound }
    }
  }

  /// Lends a secret to `body`, for those who do not ask for its version.
  ///
  /// - Throws: as the other one.
  public func get(
    _ name: Span<UInt8>, version: Int64? = nil,
    _ body: (borrowing CredentialMetadata, Span<UInt8>) throws(StoreError) -> Void
  ) throws(StoreError) {
    try get(name, version: version) { (metadata, _, secret) throws(StoreError) in try body(metadata, secret) }
  }

  /// Lends what is known of a credential to `body`. The secret is not touched. O(log n).
  ///
  /// - Throws: as ``get(_:version:_:)``.
  public func show(
    _ name: Span<UInt8>, _ body: (borrowing CredentialMetadata, _ version: Int64) throws(StoreError) -> Void
  ) throws(StoreError) {
    if let fault = CredentialName.fault(in: name) { throw .invalidName(fault) }
    try vault.withSession { (session) throws(StoreError) in
      let isThere = try storage.withRecord(session.keys.tag(ofName: name)) { view throws(StoreError) in
        try body(try session.keys.openMetadata(view, named: name), view.secretRevision)
      }
      guard isThere else { throw .notFound }
    }
  }

  /// Plans a change with `plan` and commits it; where somebody else was faster, looks again.
  func changing<R>(
    _ plan: (Session) throws(StoreError) -> (StorageChange, R)
  ) throws(StoreError) -> R {
    try vault.withSession { (session) throws(StoreError) in
      while true {
        let (change, result) = try plan(session)
        if try session.committer.commit(change) { return result }
      }
    }
  }

  /// The steps that make room for a new value of a record: keep the old one, forget the oldest.
  func replacing(_ head: RecordHead) throws(StoreError) -> [StorageChange.Step] {
    let keeps = engine.policy.keepVersions
    let versions = try storage.versions(of: head.tag)
    let surplus = max(0, versions.count + (keeps > 0 ? 1 : 0) - max(0, keeps))
    return (keeps > 0 ? [.keep(head)] : []) + [.remove(head)] + versions.prefix(surplus).map { .removeVersion($0) }
  }
}
