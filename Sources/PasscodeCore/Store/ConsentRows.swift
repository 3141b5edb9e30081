public import SecretMemory

/// The log of consent as a store's file keeps it. The store keeps its order, sums it up and seals the key that signs it; what an
/// entry says is not the store's affair. Nothing of it is secret: it can be read while the store is locked.
public struct ConsentRows: Hashable, Sendable {
  /// The most entries.
  public static let maximumCount = 100_000
  /// The most bytes of all texts together.
  public static let maximumTextByteCount = 64 << 20

  /// Names the log.
  public var log: Digest
  /// The entries, in order.
  public var entries: [[UInt8]] = []
  /// What the entries name by digest.
  public var texts: [Digest: [UInt8]] = [:]
  /// The signature over the first of them; nil where nothing is signed yet.
  public var signature: ConsentSignatureRow?
  /// How many entries have been handed to whoever keeps receipts elsewhere.
  public var depositedCount = 0

  /// An empty log.
  public init(log: Digest) { self.log = log }

  /// Where it ends.
  public var end: ConsentLogEnd {
    var end = ConsentLogEnd(log: log, count: entries.count)
    (end.last, end.signature, end.depositedCount) = (entries.last, signature, depositedCount)
    return end
  }
}

/// Where a log of consent ends: what tells, without reading all of it, whether it is still the one that was read.
public struct ConsentLogEnd: Hashable, Sendable {
  /// Names the log.
  public var log: Digest
  /// The number of the last entry; 0 where there is none.
  public var count: Int
  /// The last entry.
  public var last: [UInt8]?
  /// The signature over the first of them.
  public var signature: ConsentSignatureRow?
  /// How many entries have been handed on. Anybody may change it.
  public var depositedCount = 0

  /// An end without a signature.
  public init(log: Digest, count: Int) {
    self.log = log
    self.count = count
  }

  /// Whether it is the end of the same log, however many entries were handed on.
  public func isSame(as other: ConsentLogEnd) -> Bool {
    var copy = self
    copy.depositedCount = other.depositedCount
    return copy == other
  }
}

/// The signature over a log, and the key that made it.
public struct ConsentSignatureRow: Hashable, Sendable {
  /// How many entries it covers.
  public var count: Int
  /// The digest of the last of them.
  public var digest: Digest
  /// 64 bytes.
  public var signature: [UInt8]
  /// 32 bytes.
  public var publicKey: [UInt8]
  /// The seed of the signing key, sealed with the consent key: `nonce 24 ‖ ciphertext 32 ‖ tag 16`.
  public var sealedSeed: [UInt8]

  /// A signature.
  public init(count: Int, digest: Digest, signature: [UInt8], publicKey: [UInt8], sealedSeed: [UInt8]) {
    self.count = count
    self.digest = digest
    self.signature = signature
    self.publicKey = publicKey
    self.sealedSeed = sealedSeed
  }
}

/// What is added to the log of consent.
public struct ConsentAddition: Sendable {
  /// Names the log.
  public var log: Digest
  /// The number of the first entry that is added, from 1.
  public var firstSequence: Int
  /// The entries that are added, in order.
  public var entries: [[UInt8]]
  /// What they name by digest and is not there yet.
  public var texts: [Digest: [UInt8]]
  /// The digest of the last entry, which the signature covers.
  public var digest: Digest
  /// What is signed: it names the log, how many entries it has now, and the last one.
  public var message: [UInt8]

  /// An addition.
  public init(
    log: Digest, firstSequence: Int, entries: [[UInt8]], texts: [Digest: [UInt8]], digest: Digest, message: [UInt8]
  ) {
    self.log = log
    self.firstSequence = firstSequence
    self.entries = entries
    self.texts = texts
    self.digest = digest
    self.message = message
  }
}

extension StoreKeys {
  /// The signing key that a store has for its log of consent.
  ///
  /// - Throws: `corrupt(.consent)` where the seed is not the one that was sealed for this store and public key; `secretMemory`.
  public func openConsentKey(_ row: ConsentSignatureRow) throws(StoreError) -> Ed25519.SecretKey {
    let associatedData = consentAssociatedData
    let key: Ed25519.SecretKey
    do {
      var seed = try SecretBytes(capacity: SymmetricKey<Ed25519.SeedPurpose>.byteCount)
      try XChaCha20Poly1305.open(
        row.sealedSeed.span, using: consent, authenticating: associatedData.span, into: &seed)
      key = Ed25519.SecretKey(seed: try SymmetricKey(copying: seed.bytes))
    } catch { throw StoreError(opening: .consent, error) }
    guard key.publicKey.bytes == row.publicKey else { throw .corrupt(.consent) }
    return key
  }

  /// Seals the seed of a signing key.
  public func sealConsentKey(_ key: borrowing Ed25519.SecretKey) -> [UInt8] {
    let associatedData = consentAssociatedData
    return XChaCha20Poly1305.seal(key.seed, using: consent, authenticating: associatedData.span)
  }

  /// What the entries add up to.
  ///
  /// - Parameters:
  ///   - count: how many stand before them.
  ///   - sum: what those add up to.
  /// - Complexity: O(*n*) in their bytes.
  public func sum(
    ofConsent entries: some Sequence<[UInt8]>, after count: Int = 0, addedTo sum: Accumulator = Accumulator()
  ) -> Accumulator {
    var sum = sum
    for (index, entry) in entries.enumerated() {
      var writer = ByteWriter()
      writer.integer(UInt64(count + index + 1))
      writer.raw(entry)
      sum.add(BLAKE2b.keyed(label: "passcoded/v1/consent-row", writer.bytes.span, Span(), using: state))
    }
    return sum
  }

  private var consentAssociatedData: [UInt8] {
    var writer = ByteWriter()
    writer.text("passcoded/v1/consent-seed")
    writer.raw(store.bytes)
    return writer.bytes
  }
}
