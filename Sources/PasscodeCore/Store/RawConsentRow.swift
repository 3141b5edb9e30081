/// A row of the log of consent as it lies in the file. Nothing of it was looked at: it may be anything.
public enum RawConsentRow: Hashable, Sendable {
  /// What names and signs the log.
  case log(RawConsentHead)
  /// An entry, with the number under which it lies.
  case entry(Int64, [UInt8])
  /// A text, with the digest under which it lies.
  case text(digest: [UInt8], [UInt8])
}

/// The row that names and signs the log of consent, as it lies in the file.
public struct RawConsentHead: Hashable, Sendable {
  /// What names the log.
  public var log: [UInt8]
  /// How many entries were handed on, and how many are signed.
  public var deposited: Int64, signed: Int64
  /// The digest of the last one that is signed, and the signature.
  public var digest: [UInt8], signature: [UInt8]
  /// The key that signed it, and its seed, sealed.
  public var publicKey: [UInt8], sealedSeed: [UInt8]

  /// A row.
  public init(log: [UInt8], counts: (deposited: Int64, signed: Int64), digest: [UInt8], signature: [UInt8]) {
    self.log = log
    (deposited, signed) = counts
    self.digest = digest
    self.signature = signature
    (publicKey, sealedSeed) = ([], [])
  }
}
