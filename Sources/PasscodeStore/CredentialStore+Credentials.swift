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
      let found = try find(session.keys.tag(ofName: name), name, session.keys)
      if found != nil, !put.replaces { throw .exists }
      var draft = if let found { try CredentialDraft(found.metadata) } else { try CredentialDraft(name: name) }
      try draft.take(put)
      return try storing(draft, secret, under: name, in: found, session)
    }
  }

  /// The change that stores a draft and its secret under a name.
  ///
  /// - Parameter found: what is there under the name now.
  func storing(
    _ draft: borrowing CredentialDraft, _ secret: Span<UInt8>, under name: Span<UInt8>, in found: FoundRecord?,
    _ session: Session
  ) throws(StoreError) -> (StorageChange, PutOutcome) {
    let keys = session.keys
    let tag = keys.tag(ofName: name)
    let id = found?.head.id ?? .random()
    let now = options.clock.now().wallSeconds
    let revision = session.committer.nextRevision()
    let times = (created: found?.metadata.created ?? now, modified: now)
    let sealed = try keys.seal(draft, secret: secret, of: id, revision: revision, times)
    let head = RecordHead(
      tag: tag, id: id, folders: keys.tags(ofFoldersOf: name), attributes: sealed.attributes, metadata: sealed.metadata.head,
      secret: sealed.secret.head)
    var steps: [StorageChange.Step] = if let found { try replacing(found.head) } else { [.expectAbsent(tag)] }
    steps.append(.insert(head, metadata: sealed.metadata.body, secret: sealed.secret.body))
    return (StorageChange(steps), PutOutcome(version: revision, isNew: found == nil))
  }

  /// Lends a secret and what is known of it to `body`, in locked memory that is wiped afterwards. O(log n).
  ///
  /// - Parameters:
  ///   - version: an earlier value, also of a deleted credential; nil for the current one.
  ///   - body: may call the store, but not ``lock()``, which waits for it.
  /// - Throws: `locked`, `mustChange`, `notFound` (`damaged` where it may be among what is hurt), `invalidName`, `corrupt`,
  ///   `secretMemory`, `storage`, `replaced`; what `body` throws.
  public func get(
    _ name: Span<UInt8>, version: Int64? = nil,
    _ body: (borrowing CredentialMetadata, _ version: Int64, Span<UInt8>) throws(StoreError) -> Void
  ) throws(StoreError) {
    if let fault = CredentialName.fault(in: name) { throw .invalidName(fault) }
    try vault.withSession { (session) throws(StoreError) in
      let opened = try open(name, version: version, session)
      // No row is lent any more: a slow `body` holds up nobody.
      try body(opened.metadata, opened.version, opened.secret.bytes)
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
      guard let found = try find(session.keys.tag(ofName: name), name, session.keys) else { throw session.notFound }
      try body(found.metadata, found.head.secret.revision)
    }
  }

  /// Opens the value of a name.
  ///
  /// - Throws: `notFound`, `damaged`, `corrupt`, `secretMemory`, `storage`, `replaced`.
  func open(_ name: Span<UInt8>, version: Int64?, _ session: Session) throws(StoreError) -> OpenedCredential {
    let keys = session.keys
    let tag = keys.tag(ofName: name)
    var opened: OpenedCredential?
    _ = try storage.withRecord(tag) { view throws(StoreError) in
      guard version == nil || version == view.secretRevision else { return }
      opened = try keys.open(view, named: name)
    }
    if opened == nil, let version {
      _ = try storage.withVersion(version, of: tag) { view throws(StoreError) in opened = try keys.open(view, named: nil) }
    }
    guard let opened else { throw session.notFound }
    return opened
  }

  /// Plans a change with `plan` and commits it; where somebody else was faster, looks again.
  ///
  /// - Throws: `busy` where somebody else always is; what `plan` throws.
  func changing<R>(
    _ plan: (Session) throws(StoreError) -> (StorageChange, R)
  ) throws(StoreError) -> R {
    try vault.withSession { (session) throws(StoreError) in
      if let damage = session.damage { throw .damaged(damage) }
      for _ in 0..<1000 {
        let (change, result) = try plan(session)
        if try session.committer.commit(change) { return result }
      }
      throw .busy
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
