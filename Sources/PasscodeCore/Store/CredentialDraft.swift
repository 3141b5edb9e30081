public import SecretMemory

/// The metadata of a credential that is about to be written. Held in locked memory, as names are not shown to the disk either.
///
/// Secrets: wipes itself; the caller wipes what it passed in.
public struct CredentialDraft: ~Copyable, Sendable {
  private var name: SecretBytes
  private var type: SecretBytes
  private var attributes: SecretAttributes

  /// A draft of a credential without type and attributes.
  ///
  /// - Throws: `invalidName`; `secretMemory`.
  public init(name: Span<UInt8>) throws(StoreError) {
    if let fault = CredentialName.fault(in: name) { throw .invalidName(fault) }
    do { self = try CredentialDraft(checked: name) } catch { throw .secretMemory(error) }
  }

  private init(checked name: Span<UInt8>) throws(SecretMemoryError) {
    let ownName = try SecretBytes(copying: name)
    let ownType = try SecretBytes(capacity: CredentialMetadata.maximumKeyByteCount)
    let ownAttributes = try SecretAttributes()
    self.name = ownName
    type = ownType
    attributes = ownAttributes
  }

  /// A draft that starts from what is stored.
  public init(_ metadata: borrowing CredentialMetadata) throws(StoreError) {
    try self.init(metadata, renamedTo: metadata.name)
  }

  /// A draft that starts from what is stored, under another name.
  ///
  /// - Throws: `invalidName`; `secretMemory`.
  public init(_ metadata: borrowing CredentialMetadata, renamedTo newName: Span<UInt8>) throws(StoreError) {
    var draft = try CredentialDraft(name: newName)
    try draft.setType(metadata.type)
    for index in 0..<metadata.attributeCount {
      try draft.setAttribute(metadata.attributeKey(index), to: metadata.attributeValue(index))
    }
    self = draft
  }

  /// Sets the MIME type.
  ///
  /// - Throws: `invalidMetadata`.
  public mutating func setType(_ newType: Span<UInt8>) throws(StoreError) {
    if newType.count > CredentialMetadata.maximumKeyByteCount { throw .invalidMetadata(.typeTooLong) }
    if let fault = SecretAttributes.textFault(newType) { throw .invalidMetadata(fault) }
    type.removeAll()
    do { try type.append(contentsOf: newType) } catch { throw .secretMemory(error) }
  }

  /// Takes all attributes away.
  public mutating func removeAttributes() throws(StoreError) {
    do { attributes = try SecretAttributes() } catch { throw .secretMemory(error) }
  }

  /// Sets one attribute; an earlier value of the key is replaced.
  ///
  /// - Throws: `invalidMetadata`.
  public mutating func setAttribute(_ key: Span<UInt8>, to value: Span<UInt8>) throws(StoreError) {
    try attributes.set(key, to: value)
  }

  /// Takes one attribute away; one that is not there is no error.
  public mutating func removeAttribute(_ key: Span<UInt8>) throws(StoreError) { try attributes.remove(key) }

  /// The plaintext of the metadata part, in the layout of ``CredentialMetadata``.
  public borrowing func encoded(created: Int64, modified: Int64, secretByteCount: Int) throws(StoreError) -> SecretBytes {
    var head = ByteWriter()
    head.integer(CredentialMetadata.layout)
    head.integer(created)
    head.integer(modified)
    head.integer(UInt32(secretByteCount))
    let size = head.bytes.count + 6 + name.count + type.count + attributes.byteCount
    do {
      var plain = try SecretBytes(capacity: Padding.paddedCount(size))
      try plain.append(contentsOf: head.bytes.span)
      try plain.appendCounted(name.bytes)
      try plain.appendCounted(type.bytes)
      try attributes.append(to: &plain)
      return plain
    } catch { throw .secretMemory(error) }
  }
}

extension SecretBytes {
  /// Appends a byte string preceded by its length as two little-endian bytes.
  mutating func appendCounted(_ source: Span<UInt8>) throws(SecretMemoryError) {
    try append(UInt8(truncatingIfNeeded: source.count))
    try append(UInt8(truncatingIfNeeded: source.count >> 8))
    try append(contentsOf: source)
  }
}
