public import SecretMemory

/// The two parts of a record, sealed apart: listing never opens a secret, renaming never re-seals one.
public enum RecordPart: UInt8, Sendable {
  case metadata = 1
  case secret = 2
}

/// A sealed part as it is stored: `nonce 24 ‖ ciphertext` and, in a leading column, its tag.
public struct SealedPart: Hashable, Sendable {
  /// Orders all sealed parts of a store; part of the associated data.
  public var revision: Int64
  /// `nonce 24 ‖ ciphertext`.
  public var body: [UInt8]
  /// 16 bytes.
  public var tag: [UInt8]

  /// A part as it was stored.
  public init(revision: Int64, body: [UInt8], tag: [UInt8]) {
    self.revision = revision
    self.body = body
    self.tag = tag
  }
}

/// What of a record row stands before the sealed bodies: what the accumulators cover, and what a change is compared against.
public struct RecordHead: Hashable, Sendable {
  /// The row's key: the tag of the name.
  public var tag: LookupTag
  /// The credential's identity.
  public var id: RecordID
  /// Tags of the ancestor folders, the outermost first.
  public var folders: [LookupTag]
  /// Tags of the attribute pairs.
  public var attributes: [LookupTag]
  /// The metadata's revision and tag.
  public var metadata: PartHead
  /// The secret's revision and tag.
  public var secret: PartHead

  /// A head with these values.
  public init(
    tag: LookupTag, id: RecordID, folders: [LookupTag], attributes: [LookupTag], metadata: PartHead, secret: PartHead
  ) {
    self.tag = tag
    self.id = id
    self.folders = folders
    self.attributes = attributes
    self.metadata = metadata
    self.secret = secret
  }
}

/// Revision and authentication tag of a sealed part.
public struct PartHead: Hashable, Sendable {
  /// See ``SealedPart/revision``.
  public var revision: Int64
  /// 16 bytes.
  public var tag: [UInt8]

  /// Revision and tag of a part.
  public init(revision: Int64, tag: [UInt8]) {
    self.revision = revision
    self.tag = tag
  }
}

/// Names one kept earlier value.
public struct VersionHead: Hashable, Sendable {
  /// The tag of the name that it was under.
  public var tag: LookupTag
  /// The credential that it was a value of.
  public var id: RecordID
  /// The metadata's revision and tag.
  public var metadata: PartHead
  /// The secret's revision and tag. The revision is the version's number.
  public var secret: PartHead

  /// A head with these values.
  public init(tag: LookupTag, id: RecordID, metadata: PartHead, secret: PartHead) {
    self.tag = tag
    self.id = id
    self.metadata = metadata
    self.secret = secret
  }
}

extension RecordHead {
  /// The record as a kept earlier value.
  public var asVersion: VersionHead { VersionHead(tag: tag, id: id, metadata: metadata, secret: secret) }

  /// What the row adds to the records' accumulator.
  public func digest(with key: borrowing SymmetricKey<StatePurpose>) -> Digest {
    var writer = ByteWriter()
    writer.raw(tag.bytes)
    writer.raw(id.bytes)
    for tags in [folders, attributes] {
      writer.integer(UInt32(tags.count))
      for tag in tags { writer.raw(tag.bytes) }
    }
    metadata.write(to: &writer)
    secret.write(to: &writer)
    return BLAKE2b.keyed(label: "passcoded/v1/record-row", writer.bytes.span, Span(), using: key)
  }
}

extension VersionHead {
  /// What the row adds to the versions' accumulator.
  public func digest(with key: borrowing SymmetricKey<StatePurpose>) -> Digest {
    var writer = ByteWriter()
    writer.raw(tag.bytes)
    writer.raw(id.bytes)
    metadata.write(to: &writer)
    secret.write(to: &writer)
    return BLAKE2b.keyed(label: "passcoded/v1/version-row", writer.bytes.span, Span(), using: key)
  }
}

extension PartHead {
  fileprivate func write(to writer: inout ByteWriter) {
    writer.integer(revision)
    writer.raw(tag)
  }
}
