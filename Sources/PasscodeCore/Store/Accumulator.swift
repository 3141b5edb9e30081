public import SecretMemory

/// A sum of keyed row digests, modulo 2²⁵⁶: it does not depend on the order of rows, and a change of one row costs two additions.
///
/// A row that was dropped, replayed, moved or re-tagged changes the sum. Rows are distinct, and the digests are keyed, so that
/// nobody without the state key can find another set of rows with the same sum.
/// Source: Clarke et al., *Incremental Multiset Hash Functions*, ASIACRYPT 2003 (MSet-Add-Hash).
public struct Accumulator: Hashable, Sendable {
  /// The least significant first.
  private var limbs = SIMD4<UInt64>()

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
    for index in 0..<4 { writer.integer(limbs[index]) }
  }

  /// Takes a row in.
  public mutating func add(_ digest: Digest) {
    let other = Self.limbs(of: digest)
    var carry: UInt64 = 0
    for index in 0..<4 {
      let (partial, first) = limbs[index].addingReportingOverflow(other[index])
      let (sum, second) = partial.addingReportingOverflow(carry)
      limbs[index] = sum
      carry = first || second ? 1 : 0
    }
  }

  /// Takes a row out.
  public mutating func subtract(_ digest: Digest) {
    let other = Self.limbs(of: digest)
    var borrow: UInt64 = 0
    for index in 0..<4 {
      let (partial, first) = limbs[index].subtractingReportingOverflow(other[index])
      let (difference, second) = partial.subtractingReportingOverflow(borrow)
      limbs[index] = difference
      borrow = first || second ? 1 : 0
    }
  }

  private static func limbs(of digest: Digest) -> SIMD4<UInt64> {
    digest.withBytes { bytes in
      var limbs = SIMD4<UInt64>()
      for index in 0..<32 { limbs[index / 8] |= UInt64(bytes[index]) << UInt64(8 * (index % 8)) }
      return limbs
    }
  }
}
