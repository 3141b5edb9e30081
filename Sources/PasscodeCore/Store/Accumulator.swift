public import SecretMemory

/// A sum of keyed row digests, modulo 2²⁵⁶: it does not depend on the order of rows, and a change of one row costs two additions.
///
/// A row that was dropped, replayed, moved or re-tagged changes the sum. Rows are distinct, and the digests are keyed, so that
/// nobody without the state key can find another set of rows with the same sum.
/// Source: Clarke et al., *Incremental Multiset Hash Functions*, ASIACRYPT 2003 (MSet-Add-Hash).
public struct Accumulator: Hashable, Sendable {
  private var limbs: [UInt64] = [0, 0, 0, 0]

  /// The sum of no rows.
  public init() {}

  /// From its 32 stored bytes, little-endian.
  init?(_ reader: inout ByteReader) {
    for index in 0..<4 {
      guard let limb = reader.integer(UInt64.self) else { return nil }
      limbs[index] = limb
    }
  }

  func write(to writer: inout ByteWriter) {
    for limb in limbs { writer.integer(limb) }
  }

  /// Takes a row in.
  public mutating func add(_ digest: Digest) {
    var carry = false
    for (index, limb) in Self.limbs(of: digest).enumerated() {
      let (partial, first) = limbs[index].addingReportingOverflow(limb)
      let (sum, second) = partial.addingReportingOverflow(carry ? 1 : 0)
      limbs[index] = sum
      carry = first || second
    }
  }

  /// Takes a row out.
  public mutating func subtract(_ digest: Digest) {
    var borrow = false
    for (index, limb) in Self.limbs(of: digest).enumerated() {
      let (partial, first) = limbs[index].subtractingReportingOverflow(limb)
      let (difference, second) = partial.subtractingReportingOverflow(borrow ? 1 : 0)
      limbs[index] = difference
      borrow = first || second
    }
  }

  private static func limbs(of digest: Digest) -> [UInt64] {
    let bytes = digest.bytes
    var reader = ByteReader(bytes.span)
    return (0..<4).map { _ in reader.integer(UInt64.self) ?? 0 }
  }
}
