internal import PasscodeCore
internal import PasscodeStore
internal import PasscodeWire

extension MessageWriter {
  /// The fields of a credential, straight from locked memory.
  mutating func credential(_ metadata: borrowing CredentialMetadata, version: Int64) {
    string(.name, metadata.name)
    integer(.version, Int(version))
    integer(.createdAt, Int(metadata.created))
    integer(.modifiedAt, Int(metadata.modified))
    integer(.size, metadata.secretByteCount)
    if !metadata.type.isEmpty { string(.type, metadata.type) }
    map(.attributes) { reply in
      for index in 0..<metadata.attributeCount { reply.pair(metadata.attributeKey(index), metadata.attributeValue(index)) }
    }
  }

  /// The fields of a reply with a secret.
  mutating func secret(_ secret: Span<UInt8>, of metadata: borrowing CredentialMetadata, version: Int64) {
    integer(.version, Int(version))
    if !metadata.type.isEmpty { string(.type, metadata.type) }
    self.secret(.secret, secret)
  }
}

extension WireVersion {
  init(_ facts: VersionFacts, _ metadata: borrowing CredentialMetadata) {
    self.init(
      version: Int(facts.version), storedAt: Int(metadata.modified), size: metadata.secretByteCount,
      type: metadata.type.isEmpty ? nil : String(decoding: metadata.type), isCurrent: facts.isCurrent)
  }
}

extension String {
  /// A text that is no secret.
  init(decoding bytes: Span<UInt8>) {
    // SAFETY: the buffer is used inside of the closure only.
    self = unsafe bytes.withUnsafeBufferPointer { unsafe String(decoding: $0, as: UTF8.self) }
  }
}
