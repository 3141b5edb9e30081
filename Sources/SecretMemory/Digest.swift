/// A 32-byte digest or lookup tag: public, comparable, hashable.
///
/// Equality takes the same time wherever two digests differ, so that it may also check an authentication code.
public struct Digest: Hashable, Sendable, Comparable {
  /// The length in bytes.
  public static let byteCount = 32

  /// The 32 bytes as they lie in memory.
  private struct Words: Hashable, BitwiseCopyable {
    var a: UInt64, b: UInt64, c: UInt64, d: UInt64
  }

  private let words: Words

  /// Takes exactly 32 bytes; nil for any other count.
  public init?(_ source: Span<UInt8>) {
    guard source.count == Self.byteCount else { return nil }
    // SAFETY: there are as many bytes as the words take, and each pattern of bits is a valid word.
    words = unsafe source.bytes.unsafeLoadUnaligned(as: Words.self)
  }

  /// Lends the 32 bytes to `body`, without allocating.
  ///
  /// - Returns: what `body` returns.
  /// - Throws: what `body` throws.
  public func withBytes<R, E: Error>(_ body: (Span<UInt8>) throws(E) -> R) throws(E) -> R {
    unsafe try withUnsafeBytes(of: words) { (raw) throws(E) -> R in
      // SAFETY: the words live for the closure, which the span can't leave.
      try body(unsafe Span<UInt8>(_unsafeBytes: raw))
    }
  }

  /// The 32 bytes, as an array of their own.
  public var bytes: [UInt8] {
    unsafe [UInt8](unsafeUninitializedCapacity: Self.byteCount) { buffer, count in
      unsafe UnsafeMutableRawBufferPointer(buffer).storeBytes(of: words, as: Words.self)
      count = Self.byteCount
    }
  }

  /// Whether all bytes are the same; constant time.
  public static func == (a: Digest, b: Digest) -> Bool {
    let (a, b) = (a.words, b.words)
    return (a.a ^ b.a) | (a.b ^ b.b) | (a.c ^ b.c) | (a.d ^ b.d) == 0
  }

  /// Byte order.
  public static func < (a: Digest, b: Digest) -> Bool {
    let (a, b) = (a.words, b.words)
    return (a.a.bigEndian, a.b.bigEndian, a.c.bigEndian, a.d.bigEndian)
      < (b.a.bigEndian, b.b.bigEndian, b.c.bigEndian, b.d.bigEndian)
  }
}
