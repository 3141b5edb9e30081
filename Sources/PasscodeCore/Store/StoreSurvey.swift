internal import SecretMemory

/// Which table of lookups a row is of.
public enum LookupKind: UInt8, Sendable {
  case folder = 1
  case attribute = 2
}

/// Adds up every row of a store, to be compared with what its sealed state says there is.
///
/// Records and versions are summed as the state's sums are. Lookups are summed twice under a key that lives as long as this value:
/// as the records name them, and as they lie there.
public struct StoreSurvey: ~Copyable {
  private let keys: StoreKeys
  private var records = RowSum()
  private var versions = RowSum()
  private var named = LookupSum()
  private var found = LookupSum()
  private var buffer = ByteWriter()
  private let lookupHash = SipHash128()

  /// Nothing was taken in yet.
  public init(_ keys: StoreKeys) { self.keys = keys }

  /// Takes a record's row in. Its bodies are not looked at: the tags that seal them are in what is summed.
  public mutating func take(record: borrowing RecordView) {
    buffer.removeAll()
    record.tag.withBytes { buffer.raw($0) }
    buffer.raw(record.id.bytes)
    for tags in [(record.folders.count, LookupKind.folder), (record.attributes.count, .attribute)] {
      buffer.integer(UInt32(tags.0 / LookupTag.byteCount))
      buffer.raw(tags.1 == .folder ? record.folders : record.attributes)
    }
    record.writeParts(to: &buffer)
    records.add(BLAKE2b.keyed(label: "passcoded/v1/record-row", buffer.bytes.span, Span(), using: keys.state))
    noteLookups(record.folders, .folder, of: record.tag)
    noteLookups(record.attributes, .attribute, of: record.tag)
  }

  /// Takes an earlier value's row in.
  public mutating func take(version: borrowing RecordView) {
    buffer.removeAll()
    version.tag.withBytes { buffer.raw($0) }
    buffer.raw(version.id.bytes)
    version.writeParts(to: &buffer)
    versions.add(BLAKE2b.keyed(label: "passcoded/v1/version-row", buffer.bytes.span, Span(), using: keys.state))
  }

  /// Takes a lookup's row in.
  public mutating func take(lookup tag: LookupTag, _ kind: LookupKind, of name: LookupTag) {
    found.add(digest(tag, kind, name))
  }

  /// What is not as the state says. Nil where all is.
  ///
  /// - Parameter history: the sealed history of passcodes as it lies in the file.
  public consuming func damage(against state: StoreState, history: [UInt8]?) -> StoreDamage? {
    var damage = StoreDamage()
    damage.note(.record, records.finding(count: state.records, sum: state.recordSum))
    damage.note(.version, versions.finding(count: state.versions, sum: state.versionSum))
    // Where records are gone, their lookups lead nowhere: that is the same damage, and not one more.
    if named != found, damage.findings[.record] == nil { damage.note(.lookup, found.finding(expected: named)) }
    if let expected = state.historyDigest, expected != StoreState.digest(ofHistory: history) { damage.note(.history, .changed) }
    return damage.findings.isEmpty ? nil : damage
  }

  private mutating func noteLookups(_ tags: Span<UInt8>, _ kind: LookupKind, of name: LookupTag) {
    for start in stride(from: 0, to: tags.count - tags.count % LookupTag.byteCount, by: LookupTag.byteCount) {
      guard let tag = LookupTag(tags.extracting(start..<start + LookupTag.byteCount)) else { continue }
      named.add(digest(tag, kind, name))
    }
  }

  private mutating func digest(_ tag: LookupTag, _ kind: LookupKind, _ name: LookupTag) -> (UInt64, UInt64) {
    buffer.removeAll()
    buffer.integer(kind.rawValue)
    tag.withBytes { buffer.raw($0) }
    name.withBytes { buffer.raw($0) }
    return lookupHash.digest(buffer.bytes.span)
  }
}

/// How many rows there were, and what they add up to.
private struct RowSum {
  private var count: UInt64 = 0
  private var sum = Accumulator()

  mutating func add(_ digest: Digest) {
    count += 1
    sum.add(digest)
  }

  func finding(count expected: UInt64, sum expectedSum: Accumulator) -> StoreDamage.Finding? {
    if count < expected { return .missing(expected - count) }
    if count > expected { return .surplus(count - expected) }
    return sum == expectedSum ? nil : .changed
  }
}

/// A sum of keyed digests modulo 2¹²⁸. The order of rows does not matter.
private struct LookupSum: Equatable {
  private var count: UInt64 = 0
  private var low: UInt64 = 0
  private var high: UInt64 = 0

  mutating func add(_ digest: (UInt64, UInt64)) {
    count += 1
    let (sum, carries) = low.addingReportingOverflow(digest.0)
    low = sum
    high = high &+ digest.1 &+ (carries ? 1 : 0)
  }

  func finding(expected: LookupSum) -> StoreDamage.Finding {
    if count < expected.count { return .missing(expected.count - count) }
    return count > expected.count ? .surplus(count - expected.count) : .changed
  }
}

extension RecordView {
  fileprivate func writeParts(to writer: inout ByteWriter) {
    writer.integer(metadataRevision)
    writer.raw(metadataTag)
    writer.integer(secretRevision)
    writer.raw(secretTag)
  }
}
