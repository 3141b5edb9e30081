public import SecretMemory

/// The answers of a person in the order in which they were given, each with the digest of the one before.
///
/// Beside the entries stand their *attachments* by digest: exact texts, what receipts tell of the forms, drawn signatures,
/// documents. The log of a store has a signed head. Before there is a store, the same log without a signature is the journal.
public struct ConsentLog: Hashable, Sendable {
  /// The most entries.
  public static let maximumCount = 100_000
  /// The longest attachment, in bytes: what one value of a store can hold.
  public static let maximumAttachmentByteCount = 2 << 20 - 4 << 10

  /// 32 random bytes that tell this log from every other.
  public let id: Digest
  /// The entries as bytes, in order.
  public private(set) var entries: [[UInt8]]
  /// What the entries name by digest.
  public private(set) var attachments: [Digest: [UInt8]]

  /// An empty log.
  ///
  /// - Parameter id: 32 fresh random bytes.
  public init(id: Digest) { self.init(id: id, entries: [], attachments: [:]) }

  /// A log as it was kept. Nothing is checked: ``verify(_:)`` does.
  public init(id: Digest, entries: [[UInt8]], attachments: [Digest: [UInt8]]) {
    self.id = id
    self.entries = entries
    self.attachments = attachments
  }

  /// Where the log ends.
  public var tip: ConsentTip { tip(after: entries.count) }

  /// Where it ended when it had so many entries.
  func tip(after count: Int) -> ConsentTip {
    let last = entries.prefix(count).last
    return ConsentTip(log: id, count: count, digest: last.map(ConsentEntry.digest(of:)) ?? ConsentEntry.mark(of: id))
  }

  /// Adds an entry.
  ///
  /// - Parameters:
  ///   - fact: what is recorded.
  ///   - attachments: what it names by digest; what is there already need not be given again.
  ///   - recording: what the store's key has to do with it.
  /// - Throws: `attachmentMissing`, `entryTooLong`, `attachmentTooLong`, `full`; nothing is changed then.
  public mutating func append(
    _ fact: ConsentFact, attachments given: [[UInt8]], recording: ConsentRecording = .signed
  ) throws(ConsentLogError) -> ConsentEntry {
    guard entries.count < Self.maximumCount else { throw .full }
    var added: [Digest: [UInt8]] = [:]
    for bytes in given {
      if bytes.count > Self.maximumAttachmentByteCount { throw .attachmentTooLong }
      added[SHA256.digest(bytes.span)] = bytes
    }
    for digest in fact.attachments where attachments[digest] == nil && added[digest] == nil { throw .attachmentMissing }
    let entry = ConsentEntry(
      sequence: entries.count + 1, previous: tip.digest, fact: fact, recording: recording)
    let bytes = entry.encoded
    guard bytes.count <= ConsentEntry.maximumByteCount, ConsentEntry(bytes) == entry else { throw .entryTooLong }
    entries.append(bytes)
    attachments.merge(added.filter { fact.attachments.contains($0.key) }) { $1 }
    return entry
  }
}

extension ConsentFact {
  /// What it names by digest.
  package var attachments: Set<Digest> { Set([text, details] + [paper].compactMap { $0 } + signatures.compactMap(\.image)) }
}

/// Why an entry can't be added.
public enum ConsentLogError: Error, Equatable, Sendable {
  /// Something that the entry names by digest is not there.
  case attachmentMissing
  /// The entry would be longer than ``ConsentEntry/maximumByteCount``, or holds what can't be read back.
  case entryTooLong
  /// An attachment is longer than ``ConsentLog/maximumAttachmentByteCount``.
  case attachmentTooLong
  /// The log has ``ConsentLog/maximumCount`` entries.
  case full
}

/// Where a log ends: what a head signs.
public struct ConsentTip: Hashable, Sendable {
  /// Which log.
  public let log: Digest
  /// How many entries it has.
  public let count: Int
  /// The digest of the last entry, or of the log's mark.
  public let digest: Digest

  /// A tip as it was kept.
  public init(log: Digest, count: Int, digest: Digest) {
    self.log = log
    self.count = count
    self.digest = digest
  }

  /// The message that is signed: label ‖ log 32 ‖ count 8, little-endian ‖ digest 32.
  public var message: [UInt8] {
    var bytes = Array("passcoded consent head 1\n".utf8) + log.bytes
    for shift in stride(from: 0, to: 64, by: 8) { bytes.append(UInt8(truncatingIfNeeded: count >> shift)) }
    return bytes + digest.bytes
  }
}

/// A signed tip.
public struct ConsentHead: Hashable, Sendable {
  /// The tip.
  public let tip: ConsentTip
  /// 64 bytes.
  public let signature: [UInt8]

  /// Signs a tip.
  public init(_ tip: ConsentTip, signedBy key: borrowing Ed25519.SecretKey) {
    self.tip = tip
    signature = key.sign(tip.message.span)
  }

  /// A head as it was kept.
  public init(tip: ConsentTip, signature: [UInt8]) {
    self.tip = tip
    self.signature = signature
  }

  /// Whether the key of this public one signed it.
  public func isSigned(by key: Ed25519.PublicKey) -> Bool { key.isSignature(signature.span, of: tip.message.span) }
}
