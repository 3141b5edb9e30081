internal import SecretMemory

/// The bytes of a breach list's index. Numbers are little-endian.
///
/// ```
/// head    "PSCDBRCH" 8 ‖ version 4 ‖ entry's byte count 4 ‖ count n 8 ‖ zero 40
///         ‖ starts 65,537 × 8 ‖ zero ‖ BLAKE2b-256 of all that precedes 32       = 528,384 bytes
/// blocks  ⌈n / 127⌉ × (127 entries × 8 ‖ check 8)                                = 1,024 bytes each
/// ```
///
/// An entry is the first eight bytes of a SHA-1, as a big-endian number; entries ascend and are distinct. `starts[h]` is how
/// many entries have first sixteen bits below `h`. A block's check is the first eight bytes of its entries' BLAKE2b-256 as a
/// number, plus the block's own number. The last block is filled up with ones.
enum BreachListLayout {
  static let magic = Array("PSCDBRCH".utf8)
  static let version: UInt32 = 1
  static let entryByteCount = 8
  static let fixedByteCount = 64
  static let startCount = 65_537
  static let headByteCount = 528_384
  static let checksumByteCount = 32
  static let blockByteCount = 1024
  static let entriesPerBlock = 127
  /// More than there are known passwords, and small enough that no product of it overflows.
  static let maximumCount: UInt64 = 1 << 40

  static func blockCount(_ count: Int) -> Int { (count + entriesPerBlock - 1) / entriesPerBlock }

  static func fileByteCount(_ count: Int) -> Int { headByteCount + blockCount(count) * blockByteCount }

  /// The check of a block from its entries' bytes.
  static func check(ofEntries entries: Span<UInt8>, inBlock number: Int) -> UInt64 {
    let digest = BLAKE2b.unkeyed(entries).bytes
    return digest.span.number(at: 0) &+ UInt64(number)
  }
}

extension Span<UInt8> {
  /// The eight bytes from an offset on, as a number.
  func number(at offset: Int) -> UInt64 {
    // SAFETY: `extracting` traps out of bounds; any eight bytes are a number.
    UInt64(littleEndian: unsafe extracting(offset..<offset + 8).bytes.unsafeLoadUnaligned(as: UInt64.self))
  }

  /// The four bytes from an offset on, as a number.
  func shortNumber(at offset: Int) -> UInt32 {
    // SAFETY: as above.
    UInt32(littleEndian: unsafe extracting(offset..<offset + 4).bytes.unsafeLoadUnaligned(as: UInt32.self))
  }
}

extension [UInt8] {
  /// Writes a number over the bytes from an offset on.
  mutating func put(_ number: UInt64, at offset: Int) {
    for index in 0..<8 { self[offset + index] = UInt8(truncatingIfNeeded: number >> (8 * UInt64(index))) }
  }
}
