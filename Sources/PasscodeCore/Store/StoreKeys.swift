public import SecretMemory

/// The keys of an unlocked store: all derived, none that can wrap a new slot. The store key itself is gone once they exist, so
/// that a daemon which is merely unlocked can add no way in.
///
/// Secrets: wiped when the last owner ends.
public final class StoreKeys: Sendable {
  let record: SymmetricKey<RecordPurpose>
  let nameTag: SymmetricKey<NameTagPurpose>
  let attributeTag: SymmetricKey<AttributeTagPurpose>
  /// Opens and seals the state row.
  public let state: SymmetricKey<StatePurpose>
  let history: SymmetricKey<HistoryPurpose>
  let consent: SymmetricKey<ConsentPurpose>
  /// The store that they belong to.
  public let store: StoreID

  /// Derives the keys of a store.
  ///
  /// - Throws: `allocationFailed`.
  public init(_ storeKey: borrowing StoreKey, of store: StoreID) throws(SecretMemoryError) {
    record = try storeKey.derive()
    nameTag = try storeKey.derive()
    attributeTag = try storeKey.derive()
    state = try storeKey.derive()
    history = try storeKey.derive()
    consent = try storeKey.derive()
    self.store = store
  }

  /// The tag of a name.
  public func tag(ofName name: Span<UInt8>) -> LookupTag {
    LookupTag(BLAKE2b.keyed(label: "name", name, Span(), using: nameTag))
  }

  /// The tag of a folder, given without a slash at its end.
  public func tag(ofFolder folder: Span<UInt8>) -> LookupTag {
    LookupTag(BLAKE2b.keyed(label: "folder", folder, Span(), using: nameTag))
  }

  /// The tags of all folders that a name is in, the outermost first.
  public func tags(ofFoldersOf name: Span<UInt8>) -> [LookupTag] {
    CredentialName.ancestorLengths(of: name).map { tag(ofFolder: name.extracting(first: $0)) }
  }

  /// The tag of an attribute pair.
  public func tag(ofAttribute key: Span<UInt8>, _ value: Span<UInt8>) -> LookupTag {
    LookupTag(BLAKE2b.keyed(label: "attribute", key, value, using: attributeTag))
  }

  /// The tags of all attribute pairs of a credential.
  public func tags(ofAttributesOf metadata: borrowing CredentialMetadata) -> [LookupTag] {
    var tags: [LookupTag] = []
    for index in 0..<metadata.attributeCount {
      tags.append(tag(ofAttribute: metadata.attributeKey(index), metadata.attributeValue(index)))
    }
    return tags
  }
}

extension StoreKeys {
  /// Seals one part of a record.
  ///
  /// - Parameter plain: the metadata's plaintext, or the secret as it is; padded here, before it is sealed.
  /// - Throws: `secretMemory`.
  public func seal(
    _ plain: Span<UInt8>, part: RecordPart, of record: RecordID, revision: Int64
  ) throws(StoreError) -> SealedPart {
    let padded = try Self.padded(plain)
    let associatedData = associatedData(part, record, revision)
    let sealed = XChaCha20Poly1305.seal(padded.bytes, using: self.record, authenticating: associatedData.span)
    return SealedPart(
      revision: revision, body: Array(sealed.dropLast(XChaCha20Poly1305.tagByteCount)),
      tag: Array(sealed.suffix(XChaCha20Poly1305.tagByteCount)))
  }

  /// Opens one part of a record.
  ///
  /// - Throws: `corrupt` with `.record` where it is not what was sealed for this record, part and revision; `secretMemory`.
  public func open(
    _ body: Span<UInt8>, tag: Span<UInt8>, part: RecordPart, of record: RecordID, revision: Int64
  ) throws(StoreError) -> SecretBytes {
    let associatedData = associatedData(part, record, revision)
    do throws(SecretMemoryError) {
      var plain = try SecretBytes(capacity: max(0, body.count - XChaCha20Poly1305.nonceByteCount))
      try XChaCha20Poly1305.open(body, tag: tag, using: self.record, authenticating: associatedData.span, into: &plain)
      var reader = ByteReader(plain.bytes)
      guard let count = reader.integer(UInt32.self), count <= UInt32(clamping: reader.remaining) else {
        throw .authenticationFailed
      }
      plain.removeFirst(4)
      plain.truncate(to: Int(count))
      return plain
    } catch { throw StoreError(opening: .record, error) }
  }

  /// `length 4 ‖ plain ‖ zeros`, up to the padded size.
  private static func padded(_ plain: Span<UInt8>) throws(StoreError) -> SecretBytes {
    let size = Padding.paddedCount(plain.count + 4)
    var length = ByteWriter()
    length.integer(UInt32(plain.count))
    do {
      var padded = try SecretBytes(capacity: size)
      try padded.append(contentsOf: length.bytes.span)
      try padded.append(contentsOf: plain)
      // SAFETY: nothing is written: the unused memory of a SecretBytes is zero.
      unsafe padded.withFreeSpace { _ in size - 4 - plain.count }
      return padded
    } catch { throw .secretMemory(error) }
  }

  /// `format 1 ‖ store id 16 ‖ record id 16 ‖ part 1 ‖ revision 8`: a sealed part can't be moved to another place.
  private func associatedData(_ part: RecordPart, _ record: RecordID, _ revision: Int64) -> InlineArray<42, UInt8> {
    var bytes = InlineArray<42, UInt8>(repeating: 0)
    bytes[0] = 1
    let (storeBytes, recordBytes) = (store.bytes, record.bytes)
    for index in 0..<16 {
      bytes[1 + index] = storeBytes[index]
      bytes[17 + index] = recordBytes[index]
    }
    bytes[33] = part.rawValue
    for index in 0..<8 { bytes[34 + index] = UInt8(truncatingIfNeeded: revision >> Int64(8 * index)) }
    return bytes
  }
}
