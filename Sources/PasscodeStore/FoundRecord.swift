internal import PasscodeCore
internal import SecretMemory

/// A value that was opened.
///
/// Secrets: wiped when its owner ends.
struct OpenedCredential: ~Copyable {
  let metadata: CredentialMetadata
  let version: Int64
  let secret: SecretBytes
}

/// A record that was found, with what a change of it needs.
final class FoundRecord {
  let head: RecordHead
  let metadata: CredentialMetadata

  init(_ head: RecordHead, _ metadata: consuming CredentialMetadata) {
    self.head = head
    self.metadata = metadata
  }
}

extension CredentialStore {
  /// The record under a tag, its name checked; nil where there is none.
  func find(_ tag: LookupTag, _ name: Span<UInt8>, _ keys: StoreKeys) throws(StoreError) -> FoundRecord? {
    var found: FoundRecord?
    _ = try storage.withRecord(tag) { view throws(StoreError) in
      found = FoundRecord(view.head, try keys.openMetadata(view, named: name))
    }
    return found
  }
}

extension CredentialDraft {
  /// Takes what a `put` says of type and attributes.
  mutating func take(_ put: PutOptions) throws(StoreError) {
    if let type = put.type { try setType(Array(type.utf8).span) }
    guard let attributes = put.attributes else { return }
    try removeAttributes()
    for pair in attributes { try setAttribute(Array(pair.key.utf8).span, to: Array(pair.value.utf8).span) }
  }
}

/// Both parts of a record, sealed, and the tags that go with them.
struct SealedCredential {
  let metadata: SealedPart
  let secret: SealedPart
  let attributes: [LookupTag]
}

extension StoreKeys {
  /// Opens a row's metadata.
  func openMetadata(_ view: borrowing RecordView) throws(StoreError) -> CredentialMetadata {
    let plain = try open(
      view.metadata, tag: view.metadataTag, part: .metadata, of: view.id, revision: view.metadataRevision)
    guard let metadata = CredentialMetadata(plain) else { throw .corrupt(.record) }
    return metadata
  }

  /// Opens both parts of a row; where a name is given, of the credential of that name only.
  func open(_ view: borrowing RecordView, named name: Span<UInt8>?) throws(StoreError) -> OpenedCredential {
    let metadata = try openMetadata(view)
    if let name, !metadata.isNamed(name) { throw .corrupt(.record) }
    let secret = try open(view.secret, tag: view.secretTag, part: .secret, of: view.id, revision: view.secretRevision)
    return OpenedCredential(metadata: metadata, version: view.secretRevision, secret: secret)
  }

  /// Opens a row's metadata and checks that it is of the credential that was asked for: a row under a foreign tag is no answer.
  func openMetadata(_ view: borrowing RecordView, named name: Span<UInt8>) throws(StoreError) -> CredentialMetadata {
    let metadata = try openMetadata(view)
    guard metadata.isNamed(name) else { throw .corrupt(.record) }
    return metadata
  }

  /// Seals a draft's metadata.
  func seal(
    _ draft: borrowing CredentialDraft, secretByteCount: Int, of id: RecordID, revision: Int64,
    _ times: (created: Int64, modified: Int64)
  ) throws(StoreError) -> (part: SealedPart, attributes: [LookupTag]) {
    let plain = try draft.encoded(created: times.created, modified: times.modified, secretByteCount: secretByteCount)
    let part = try seal(plain, of: id, revision: revision)
    guard let metadata = CredentialMetadata(plain) else { throw .corrupt(.record) }
    return (part, tags(ofAttributesOf: metadata))
  }

  private func seal(_ plain: borrowing SecretBytes, of id: RecordID, revision: Int64) throws(StoreError) -> SealedPart {
    try seal(plain.bytes, part: .metadata, of: id, revision: revision)
  }

  /// Seals a draft and its secret.
  func seal(
    _ draft: borrowing CredentialDraft, secret: Span<UInt8>, of id: RecordID, revision: Int64,
    _ times: (created: Int64, modified: Int64)
  ) throws(StoreError) -> SealedCredential {
    let (metadata, attributes) = try seal(draft, secretByteCount: secret.count, of: id, revision: revision, times)
    let sealedSecret = try seal(secret, part: .secret, of: id, revision: revision)
    return SealedCredential(metadata: metadata, secret: sealedSecret, attributes: attributes)
  }
}

extension CredentialMetadata {
  borrowing func isNamed(_ other: Span<UInt8>) -> Bool { spansAreEqual(name, other) }
}

extension SealedPart {
  /// Revision and tag.
  var head: PartHead { PartHead(revision: revision, tag: tag) }
}
