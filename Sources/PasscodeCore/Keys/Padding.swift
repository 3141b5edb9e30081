/// Hides the exact size of what is sealed: padded to the larger of 128 bytes and its Padmé size.
///
/// Padmé leaves O(log log n) bits of the size and adds at most 12 %.
/// Source: Nikitin et al., *Reducing Metadata Leakage from Encrypted Files*, PoPETs 2019, §4.
public enum Padding {
  /// The smallest padded size, in bytes.
  public static let minimum = 128

  /// The padded size of `count` bytes.
  public static func paddedCount(_ count: Int) -> Int {
    guard count > minimum else { return minimum }
    let exponent = Int.bitWidth - 1 - count.leadingZeroBitCount
    let sizeBits = Int.bitWidth - exponent.leadingZeroBitCount
    let mask = (1 << (exponent - sizeBits)) - 1
    return (count + mask) & ~mask
  }
}
