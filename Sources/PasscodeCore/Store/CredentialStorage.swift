/// What a store file says of itself in clear.
public struct StoreHeader: Hashable, Sendable {
  /// The store's identity.
  public var id: StoreID
  /// When it was made, in seconds since 1970.
  public var created: Int64

  /// A header with these values.
  public init(id: StoreID, created: Int64) {
    self.id = id
    self.created = created
  }
}

/// One change of one credential's rows, all or nothing. Every step says what it expects to find; where that is not there the whole
/// change is refused and nothing is done.
public struct StorageChange: Sendable {
  /// One step of a change.
  public enum Step: Sendable {
    /// There is no record under this tag.
    case expectAbsent(LookupTag)
    /// Adds a record row and its folder and attribute rows.
    case insert(RecordHead, metadata: [UInt8], secret: [UInt8])
    /// Gives a record new metadata, and so perhaps a new tag; the sealed secret stays as it is.
    case rewrite(RecordHead, as: RecordHead, metadata: [UInt8])
    /// Keeps a copy of the record as an earlier value.
    case keep(RecordHead)
    /// Takes a record row away, with its folder and attribute rows.
    case remove(RecordHead)
    /// Puts an earlier value under another name.
    case moveVersion(VersionHead, to: LookupTag)
    /// Takes an earlier value away.
    case removeVersion(VersionHead)
  }

  /// The steps, in order.
  public var steps: [Step]
  /// Whether nothing of what it takes away may be left in the file or its log.
  public var erases: Bool

  /// A change of these steps.
  public init(_ steps: [Step], erases: Bool = false) {
    self.steps = steps
    self.erases = erases
  }
}

/// Which records to walk through.
public enum RecordSelection: Hashable, Sendable {
  case all
  case inFolder(LookupTag)
  case withAttribute(LookupTag)
}

/// A table of sealed values.
public enum RowTable: Hashable, Sendable {
  /// The credentials.
  case record
  /// The earlier values.
  case version
}

/// Where a sealed value lies in its table.
public struct RowPlace: Hashable, Sendable, Comparable {
  /// The tag of the name.
  public var tag: LookupTag
  /// Of an earlier value its number; of a record 0.
  public var revision: Int64

  /// A place.
  public init(_ tag: LookupTag, _ revision: Int64 = 0) {
    self.tag = tag
    self.revision = revision
  }

  /// In the order of the table.
  public static func < (a: Self, b: Self) -> Bool { (a.tag, a.revision) < (b.tag, b.revision) }
}

/// How a row is read.
public struct RowReading: Hashable, Sendable {
  /// The pages of the sealed secret are not read.
  public var leavesSecretOut: Bool
  /// It is looked for among all rows, from both ends, and not by its place: it is found where the rows have lost their order, or where
  /// one beside it can't be read. O(n).
  public var scans: Bool

  /// A way to read.
  public init(leavesSecretOut: Bool = false, scans: Bool = false) {
    self.leavesSecretOut = leavesSecretOut
    self.scans = scans
  }
}

/// What becomes of the passcode side of the store in one transaction. Nil: as it is.
public struct AccessChange: Sendable {
  /// Slot rows to write, by id.
  public var slots: [UInt32: [UInt8]] = [:]
  /// Slot rows to take away, by id; one that is not there is no error.
  public var removedSlots: [UInt32] = []
  /// Whether every slot row is taken away first.
  public var removesSlots = false
  /// The attempt ledger's row.
  public var ledger: [UInt8]?
  /// The sealed state row.
  public var state: [UInt8]?
  /// The sealed history of passcodes.
  public var history: [UInt8]?
  /// What is added to the log of consent, with the signature over all of it then.
  public var consent: (addition: ConsentAddition, signature: ConsentSignatureRow?)?
  /// Whether the log of consent that is there is taken away first.
  public var removesConsent = false
  /// How many entries of the log of consent have been handed on.
  public var depositedCount: Int?

  /// A change of nothing.
  public init() {}

  /// Whether it replaces what must not be found again, in the file or its log.
  public var erases: Bool { removesSlots || !slots.isEmpty || !removedSlots.isEmpty || history != nil }
}

/// Where a store's rows lie: the port that the driver speaks to. It sees ciphertext, tags and revisions, and nothing else.
///
/// Calls block. They may come from many threads; an implementation orders them.
public protocol CredentialStorage: Sendable {
  /// What the file says of itself.
  var header: StoreHeader { get }

  /// All slot rows.
  func slotRows() throws(StoreError) -> [[UInt8]]
  /// The attempt ledger's row.
  func ledgerRow() throws(StoreError) -> [UInt8]
  /// The sealed state row.
  func stateRow() throws(StoreError) -> [UInt8]
  /// The sealed history of passcodes; nil where none was kept.
  func historyRow() throws(StoreError) -> [UInt8]?
  /// The log of consent; nil where there is none.
  func consentRows() throws(StoreError) -> ConsentRows?
  /// Where the log of consent ends; nil where there is none. O(log *n*).
  func consentEnd() throws(StoreError) -> ConsentLogEnd?
  /// The entries of the log of consent behind the first `count`. O(log *n*) and what there are.
  func consentEntries(after count: Int) throws(StoreError) -> [[UInt8]]
  /// Lends every row of the log of consent to `body`, in order, whatever it holds.
  func eachConsentRow(_ body: (RawConsentRow) throws(StoreError) -> Void) throws(StoreError)
  /// Writes the passcode side, durably; where the change erases, nothing of what it replaced is left in the file or its log.
  ///
  /// - Throws: where the disk says no. Nothing is changed then.
  func apply(_ change: AccessChange) throws(StoreError)
  /// Writes only the ledger, durably: the fast path of a charge.
  func writeLedger(_ row: [UInt8]) throws(StoreError)
  /// Takes every way in away, durably, then all else, as far as the disk lets it.
  ///
  /// - Throws: where a way in may be left.
  func destroy() throws(StoreError)

  /// Lends the record under `tag` to `body`.
  ///
  /// - Returns: false where there is none.
  func withRecord(_ tag: LookupTag, _ body: (RecordView) throws(StoreError) -> Void) throws(StoreError) -> Bool
  /// Lends up to `limit` records of a selection to `body`, in order of their tags, from after `start` on.
  ///
  /// - Returns: where to go on; nil at the end. O(log n + limit).
  func eachRecord(
    in selection: RecordSelection, after start: LookupTag?, limit: Int, _ body: (RecordView) throws(StoreError) -> Void
  ) throws(StoreError) -> LookupTag?
  /// The heads of all earlier values under a name's tag, oldest first.
  func versions(of tag: LookupTag) throws(StoreError) -> [VersionHead]
  /// Lends an earlier value to `body`.
  ///
  /// - Returns: false where there is none.
  func withVersion(
    _ revision: Int64, of tag: LookupTag, _ body: (RecordView) throws(StoreError) -> Void
  ) throws(StoreError) -> Bool

  /// Has `survey` take in every record, every earlier value and every lookup, all as of one moment.
  ///
  /// - Throws: `corrupt` where a row is no row of a store, or can't be read.
  /// - Complexity: O(n). No sealed body is opened.
  func survey(_ survey: inout StoreSurvey) throws(StoreError)

  /// Tells where the rows of a table lie, in the order in which the file keeps them, until `body` returns false.
  ///
  /// - Parameters:
  ///   - start: the first row is this one, or the one after it; nil for the table's first or last.
  ///   - backwards: from `start` down.
  /// - Throws: `corrupt` at what can't be read, after all rows before it.
  func eachPlace(
    in table: RowTable, from start: RowPlace?, backwards: Bool, _ body: (RowPlace) -> Bool
  ) throws(StoreError)
  /// Lends the row at a place to `body`.
  ///
  /// - Parameters:
  ///   - reading: how it is looked for, and how much of it is read.
  /// - Returns: false where there is none.
  func withRow(
    at place: RowPlace, in table: RowTable, _ reading: RowReading, _ body: (RecordView) throws(StoreError) -> Void
  ) throws(StoreError) -> Bool
  /// Whether a lookup leads to the record under `name`.
  func hasLookup(_ tag: LookupTag, _ kind: LookupKind, of name: LookupTag) throws(StoreError) -> Bool

  /// Commits changes of credentials in one transaction, with the state row that belongs to them.
  ///
  /// - Parameter state: called inside the transaction with which of the changes were taken; gives the new sealed state row.
  /// - Returns: for each change whether it was taken. False: something was not as its steps expected; look again and retry.
  /// - Throws: where the disk says no. Nothing is changed then.
  func commit(_ changes: [StorageChange], state: ([Bool]) -> [UInt8]) throws(StoreError) -> [Bool]

  /// Moves everything from the log into the file and wipes the log.
  func checkpoint() throws(StoreError)
}

/// A record row or an earlier value, lent out for one call: sealed parts and tags, nothing in clear.
public struct RecordView: ~Escapable {
  /// The row's key.
  public let tag: LookupTag
  /// The credential's identity.
  public let id: RecordID
  /// Revision of the metadata part.
  public let metadataRevision: Int64
  /// Revision of the secret part.
  public let secretRevision: Int64
  /// Tags of the ancestor folders, 16 bytes each; empty for an earlier value.
  public let folders: Span<UInt8>
  /// Tags of the attribute pairs, 16 bytes each; empty for an earlier value.
  public let attributes: Span<UInt8>
  /// Tag of the metadata part.
  public let metadataTag: Span<UInt8>
  /// Tag of the secret part.
  public let secretTag: Span<UInt8>
  /// The sealed metadata: `nonce ‖ ciphertext`.
  public let metadata: Span<UInt8>
  /// The sealed secret: `nonce ‖ ciphertext`; empty in a walk.
  public let secret: Span<UInt8>

  /// Identity and revisions of a row, before its columns are lent.
  public struct Identity {
    /// See ``RecordView``.
    public var tag: LookupTag, id: RecordID, metadataRevision: Int64, secretRevision: Int64

    /// A row's identity.
    public init(tag: LookupTag, id: RecordID, metadataRevision: Int64, secretRevision: Int64) {
      self.tag = tag
      self.id = id
      self.metadataRevision = metadataRevision
      self.secretRevision = secretRevision
    }
  }

  /// A view of a row's columns: `folders ‖ attributes ‖ metadata tag ‖ secret tag ‖ metadata ‖ secret`, each where it lies.
  @_lifetime(copy folders, copy attributes, copy metadataTag, copy secretTag, copy metadata, copy secret)
  public init(
    _ identity: Identity, folders: Span<UInt8>, attributes: Span<UInt8>, metadataTag: Span<UInt8>, secretTag: Span<UInt8>,
    metadata: Span<UInt8>, secret: Span<UInt8>
  ) {
    (tag, id) = (identity.tag, identity.id)
    (metadataRevision, secretRevision) = (identity.metadataRevision, identity.secretRevision)
    self.folders = folders
    self.attributes = attributes
    self.metadataTag = metadataTag
    self.secretTag = secretTag
    self.metadata = metadata
    self.secret = secret
  }
}

extension RecordView {
  /// The head of the record, to compare a change against.
  public var head: RecordHead {
    RecordHead(
      tag: tag, id: id, folders: Self.tags(folders), attributes: Self.tags(attributes),
      metadata: PartHead(revision: metadataRevision, tag: Self.copy(metadataTag)),
      secret: PartHead(revision: secretRevision, tag: Self.copy(secretTag)))
  }

  private static func copy(_ span: Span<UInt8>) -> [UInt8] { span.indices.map { span[$0] } }

  private static func tags(_ span: Span<UInt8>) -> [LookupTag] {
    stride(from: 0, to: span.count - span.count % LookupTag.byteCount, by: LookupTag.byteCount).compactMap {
      LookupTag(span.extracting($0..<$0 + LookupTag.byteCount))
    }
  }
}
