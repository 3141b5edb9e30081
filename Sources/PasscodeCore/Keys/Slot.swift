public import SecretMemory

/// One way into the store: the store key, wrapped by the key of this slot.
///
/// Layout, 196 bytes: `header 60 ‖ commitment 32 ‖ wrapped (nonce 24 ‖ ciphertext 32 ‖ tag 16) ‖ checksum 32`.
///
/// - The header, the commitment and the store's id are the wrap's associated data.
/// - The commitment is a keyed digest of header and store id: it binds the slot to one key, which XChaCha20-Poly1305 alone does not
///   do, and it tells a wrong passcode from a damaged wrap.
/// - The checksum is BLAKE2b-256 of store id ‖ all before. It tells damage from a wrong passcode *before* a try is charged.
///   It is not keyed: a deliberate edit looks like a wrong passcode.
public struct Slot: Hashable, Sendable {
  /// The length of a stored slot, in bytes.
  public static let byteCount = SlotHeader.byteCount + 32 + StoreKey.byteCount + XChaCha20Poly1305.overhead + Digest.byteCount

  /// What it says in clear.
  public let header: SlotHeader
  private let commitment: [UInt8]
  private let wrapped: [UInt8]

  /// Wraps the store key into a new slot. The caller wipes both keys.
  public init(
    wrapping storeKey: borrowing StoreKey, with slotKey: borrowing SlotKey, as header: SlotHeader, of store: StoreID
  ) {
    self.header = header
    commitment = Self.commitment(to: slotKey, header, store)
    let associatedData = Self.associatedData(header, commitment, store)
    wrapped = XChaCha20Poly1305.seal(storeKey.bytes, using: slotKey, authenticating: associatedData.span)
  }

  /// Reads a stored slot.
  ///
  /// - Returns: nil where anything is not as written: length, checksum, an unknown value, parameters out of bounds. That is
  ///   *corrupt*, and no try is charged for it.
  public init?(_ bytes: [UInt8], of store: StoreID) {
    guard bytes.count == Self.byteCount, Self.checksum(store, bytes.dropLast(32)) == Array(bytes.suffix(32)) else { return nil }
    var reader = ByteReader(bytes.span)
    guard let header = SlotHeader(&reader), let commitment = reader.raw(32),
      let wrapped = reader.raw(StoreKey.byteCount + XChaCha20Poly1305.overhead),
      // What a header leaves unused is zero: one slot has one stored form.
      header.encoded == Array(bytes.prefix(SlotHeader.byteCount))
    else { return nil }
    self.header = header
    self.commitment = commitment
    self.wrapped = wrapped
  }

  /// The stored form.
  public func encoded(for store: StoreID) -> [UInt8] {
    let body = header.encoded + commitment + wrapped
    return body + Self.checksum(store, body[...])
  }

  /// Opens the slot.
  ///
  /// - Returns: the store key, or nil where `slotKey` is not this slot's: the answer to a wrong passcode.
  /// - Throws: `authenticationFailed` where the key is right and the wrap is not: the slot was tampered with;
  ///   `lockedMemoryExhausted`, `allocationFailed`.
  public func open(with slotKey: borrowing SlotKey, of store: StoreID) throws(SecretMemoryError) -> StoreKey? {
    let expected = Self.commitment(to: slotKey, header, store)
    guard constantTimeEqual(expected.span, commitment.span) else { return nil }
    var plain = try SecretBytes(capacity: StoreKey.byteCount)
    let associatedData = Self.associatedData(header, commitment, store)
    try XChaCha20Poly1305.open(wrapped.span, using: slotKey, authenticating: associatedData.span, into: &plain)
    return try StoreKey(copying: plain.bytes)
  }

  /// The slot key of a passcode: Argon2id, then the device key where the slot wants one.
  ///
  /// - Parameters:
  ///   - passcode: normalised text; the caller wipes it.
  ///   - deviceKey: nil for none. Whether the right one is given is the caller's to check, by its id.
  /// - Throws: `derivationOutOfMemory`, `allocationFailed`.
  public static func key(
    ofPasscode passcode: Span<UInt8>, salt: [UInt8], parameters: Argon2Parameters, deviceKey: borrowing DeviceKey?
  ) throws(SecretMemoryError) -> SlotKey {
    let stretched = try Argon2id.derive(passcode, salt: salt.span, parameters: parameters, for: PasscodePurpose.self)
    switch deviceKey {
    case .none: return try stretched.derive(SlotPurpose.self)
    case .some(let device): return try stretched.derive(SlotPurpose.self, context: device.bytes)
    }
  }

  private static func commitment(to key: borrowing SlotKey, _ header: SlotHeader, _ store: StoreID) -> [UInt8] {
    BLAKE2b.keyed(label: "passcoded/v1/slot-commitment", store.bytes.span, header.encoded.span, using: key).bytes
  }

  private static func associatedData(_ header: SlotHeader, _ commitment: [UInt8], _ store: StoreID) -> [UInt8] {
    var writer = ByteWriter()
    writer.text("passcoded/v1/slot-wrap")
    writer.raw(store.bytes)
    writer.raw(header.encoded)
    writer.raw(commitment)
    return writer.bytes
  }

  private static func checksum(_ store: StoreID, _ body: ArraySlice<UInt8>) -> [UInt8] {
    let input = store.bytes + body
    return BLAKE2b.unkeyed(input.span).bytes
  }
}
