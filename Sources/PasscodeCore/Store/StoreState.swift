public import SecretMemory

/// A slot in force, by id and generation: an older row written back into the file opens nothing.
public struct SlotInForce: Hashable, Sendable {
  /// The slot's id.
  public var id: UInt32
  /// The generation that counts.
  public var generation: UInt64

  /// The slot and the generation that counts.
  public init(id: UInt32, generation: UInt64) {
    self.id = id
    self.generation = generation
  }
}

/// The sealed state row: what is true of the store as a whole. Rewritten in the transaction of every change.
///
/// Plaintext layout, integers little-endian: `layout 1 ‖ branch 16 ‖ generation 8 ‖ next revision 8 ‖ records 8 ‖ versions 8 ‖
/// accumulators (records, versions, audit, consent) 4 × 32 ‖ passcode set 8 ‖ passcode proved 8 ‖ slot count 1 ‖ (slot id 4 ‖
/// generation 8)… ‖ judged policy 32 ‖ history 32`, times as seconds since 1970; padded as records are. Associated data:
/// `"passcoded/v1/state" ‖ store id`.
public struct StoreState: Hashable, Sendable {
  static let layout: UInt8 = 1
  /// The most slots that a store can have.
  public static let maximumSlots = 16

  /// The line of development that this file is on.
  public var branch: BranchID
  /// Counts the changes.
  public var generation: UInt64 = 0
  /// The revision that the next sealed part gets. Revisions are never used twice.
  public var nextRevision: Int64 = 1
  /// How many credentials there are.
  public var records: UInt64 = 0
  /// How many earlier values are kept.
  public var versions: UInt64 = 0
  /// The sum over the record rows.
  public var recordSum = Accumulator()
  /// The sum over the version rows.
  public var versionSum = Accumulator()
  /// The sum over the audit rows.
  public var auditSum = Accumulator()
  /// The sum over the consent rows.
  public var consentSum = Accumulator()
  /// When the passcode was set, in seconds since 1970.
  public var passcodeSetAt: Int64
  /// When the passcode was last proved, in seconds since 1970.
  public var passcodeProvedAt: Int64
  /// The slots that count.
  public var slots: [SlotInForce]
  /// The policy that the passcode was last judged by, as a digest; nil where it was not met. A way in that shows no passcode goes by it.
  public var judgedPolicy: Digest?
  /// The digest of the sealed history of passcodes; nil in a store that was last written before this was kept.
  public var historyDigest: Digest?

  /// The state of a new store.
  public init(branch: BranchID, passcodeSetAt: Int64, slots: [SlotInForce]) {
    self.branch = branch
    self.passcodeSetAt = passcodeSetAt
    passcodeProvedAt = passcodeSetAt
    self.slots = slots
  }

  /// Whether a slot row counts.
  public func isInForce(_ slot: SlotHeader) -> Bool {
    slots.contains(SlotInForce(id: slot.id, generation: slot.generation))
  }

  /// Puts a new passcode slot in the place of the one with its id.
  public mutating func setPasscode(_ slot: SlotHeader, at now: Int64) {
    slots = slots.map { $0.id == slot.id ? SlotInForce(id: slot.id, generation: slot.generation) : $0 }
    passcodeSetAt = now
    passcodeProvedAt = now
  }

  /// What ``historyDigest`` is of a history row; of none, too.
  public static func digest(ofHistory row: [UInt8]?) -> Digest {
    let row = row ?? []
    return BLAKE2b.unkeyed(row.span)
  }

  /// The sealed form.
  public func sealed(with key: borrowing SymmetricKey<StatePurpose>, of store: StoreID) -> [UInt8] {
    var writer = ByteWriter()
    writer.integer(Self.layout)
    writer.raw(branch.bytes)
    writer.integer(generation)
    writer.integer(nextRevision)
    writer.integer(records)
    writer.integer(versions)
    for sum in [recordSum, versionSum, auditSum, consentSum] { sum.write(to: &writer) }
    writer.integer(passcodeSetAt)
    writer.integer(passcodeProvedAt)
    writer.integer(UInt8(slots.count))
    for slot in slots {
      writer.integer(slot.id)
      writer.integer(slot.generation)
    }
    for digest in [judgedPolicy, historyDigest] {
      writer.raw(digest?.bytes ?? [UInt8](repeating: 0, count: Digest.byteCount))
    }
    writer.raw([UInt8](repeating: 0, count: Padding.paddedCount(writer.bytes.count) - writer.bytes.count))
    let associatedData = Self.associatedData(store)
    return XChaCha20Poly1305.seal(writer.bytes.span, using: key, authenticating: associatedData.span)
  }

  /// Opens a sealed state row.
  ///
  /// - Throws: `corrupt(.state)`; `secretMemory`.
  public init(
    _ sealed: Span<UInt8>, with key: borrowing SymmetricKey<StatePurpose>, of store: StoreID
  ) throws(StoreError) {
    let associatedData = Self.associatedData(store)
    let state: StoreState?
    do {
      var plain = try SecretBytes(capacity: max(0, sealed.count - XChaCha20Poly1305.overhead))
      try XChaCha20Poly1305.open(sealed, using: key, authenticating: associatedData.span, into: &plain)
      var reader = ByteReader(plain.bytes)
      state = StoreState(&reader)
    } catch { throw StoreError(opening: .state, error) }
    guard let state else { throw .corrupt(.state) }
    self = state
  }

  private init?(_ reader: inout ByteReader) {
    guard reader.integer(UInt8.self) == Self.layout, let branch = BranchID(reader.raw(16)),
      let generation = reader.integer(UInt64.self), let nextRevision = reader.integer(Int64.self),
      let records = reader.integer(UInt64.self), let versions = reader.integer(UInt64.self),
      let recordSum = Accumulator(&reader), let versionSum = Accumulator(&reader), let auditSum = Accumulator(&reader),
      let consentSum = Accumulator(&reader), let setAt = reader.integer(Int64.self), let provedAt = reader.integer(Int64.self),
      let count = reader.integer(UInt8.self), count <= Self.maximumSlots
    else { return nil }
    self.init(branch: branch, passcodeSetAt: setAt, slots: [])
    self.generation = generation
    self.nextRevision = nextRevision
    self.records = records
    self.versions = versions
    (self.recordSum, self.versionSum, self.auditSum, self.consentSum) = (recordSum, versionSum, auditSum, consentSum)
    passcodeProvedAt = provedAt
    for _ in 0..<count {
      guard let id = reader.integer(UInt32.self), let generation = reader.integer(UInt64.self) else { return nil }
      slots.append(SlotInForce(id: id, generation: generation))
    }
    judgedPolicy = Self.digest(&reader)
    historyDigest = Self.digest(&reader)
  }

  /// A digest that may be missing: zeros, or an end before it.
  private static func digest(_ reader: inout ByteReader) -> Digest? {
    guard let digest = reader.raw(Digest.byteCount), digest.contains(where: { $0 != 0 }) else { return nil }
    return Digest(digest.span)
  }

  private static func associatedData(_ store: StoreID) -> [UInt8] {
    var writer = ByteWriter()
    writer.text("passcoded/v1/state")
    writer.raw(store.bytes)
    return writer.bytes
  }
}
