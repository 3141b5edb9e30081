internal import CSodium

/// A 32-byte digest or lookup tag: public, comparable, hashable.
public struct Digest: Hashable, Sendable, Comparable {
  /// The length in bytes.
  public static let byteCount = 32
  private let words: InlineWords

  private struct InlineWords: Hashable {
    var a: UInt64 = 0, b: UInt64 = 0, c: UInt64 = 0, d: UInt64 = 0
  }

  /// Takes exactly 32 bytes; nil for any other count.
  public init?(_ source: Span<UInt8>) {
    guard source.count == Self.byteCount else { return nil }
    words = InlineWords(
      a: Self.word(source, 0), b: Self.word(source, 8), c: Self.word(source, 16), d: Self.word(source, 24))
  }

  private static func word(_ source: Span<UInt8>, _ at: Int) -> UInt64 {
    var word: UInt64 = 0
    for index in 0..<8 { word = word << 8 | UInt64(source[at + index]) }
    return word
  }

  /// The 32 bytes.
  public var bytes: [UInt8] {
    unsafe [UInt8](unsafeUninitializedCapacity: Self.byteCount) { buffer, count in
      var at = 0
      for word in [words.a, words.b, words.c, words.d] {
        for shift in stride(from: 56, through: 0, by: -8) {
          unsafe buffer[at] = UInt8(truncatingIfNeeded: word >> UInt64(shift))
          at += 1
        }
      }
      count = Self.byteCount
    }
  }

  /// Byte order.
  public static func < (a: Digest, b: Digest) -> Bool {
    (a.words.a, a.words.b, a.words.c, a.words.d) < (b.words.a, b.words.b, b.words.c, b.words.d)
  }
}

/// BLAKE2b with 256-bit output (RFC 7693), keyed or not. The stack is cleared after every keyed call, because the
/// implementation leaves pieces of its input there.
public enum BLAKE2b {
  /// The keyed digest of `label ‖ 0 ‖ length(first) ‖ first ‖ length(second) ‖ second`, lengths as 8 little-endian bytes: no two
  /// uses and no two lists of parts give the same input. O(n), no allocation.
  public static func keyed<P>(
    label: StaticString, _ first: Span<UInt8>, _ second: Span<UInt8>, using key: borrowing SymmetricKey<P>
  ) -> Digest {
    defer { Sodium.clearStack() }
    return unsafe withDigest { out in
      unsafe hash(keyedWith: key.pointer, into: out) { hash in
        hash.update(label)
        hash.update(0)
        hash.updateWithLength(first)
        hash.updateWithLength(second)
      }
    }
  }

  /// The plain digest of public bytes: checksums and fingerprints.
  public static func unkeyed(_ input: Span<UInt8>) -> Digest {
    unsafe withDigest { out in
      unsafe hash(keyedWith: nil, into: out) { hash in hash.update(input) }
    }
  }

  private static func withDigest(_ body: (UnsafeMutablePointer<UInt8>) -> Void) -> Digest {
    unsafe withUnsafeTemporaryAllocation(byteCount: Digest.byteCount, alignment: 8) { buffer in
      let out = unsafe buffer.baseAddress!.assumingMemoryBound(to: UInt8.self)
      unsafe body(out)
      return unsafe Digest(Span<UInt8>(_unsafeStart: out, count: Digest.byteCount))!
    }
  }

  /// Runs one hash over what `body` feeds it and writes 32 bytes to `out`. The state lives on the stack and is wiped.
  static func hash(
    keyedWith key: UnsafePointer<UInt8>?, into out: UnsafeMutablePointer<UInt8>, _ body: (borrowing Hasher) -> Void
  ) {
    precondition(Sodium.ready)
    let size = Int(CSODIUM_HASH_STATE_BYTES)
    unsafe withUnsafeTemporaryAllocation(byteCount: size, alignment: 64) { storage in
      let state = storage.baseAddress!
      unsafe csodium_hash_init(state, key, key == nil ? 0 : Digest.byteCount, Digest.byteCount)
      unsafe body(Hasher(state: state))
      unsafe csodium_hash_final(state, out, Digest.byteCount)
      unsafe sodium_memzero(state, size)
    }
  }

  /// What a running hash can be fed. Lives within one call of ``BLAKE2b/hash(keyedWith:into:_:)``.
  @safe
  struct Hasher: ~Copyable {
    // SAFETY: valid for the call that made this value; never stored elsewhere.
    fileprivate let state: UnsafeMutableRawPointer

    func update(_ text: StaticString) {
      unsafe csodium_hash_update(state, text.utf8Start, UInt64(text.utf8CodeUnitCount))
    }

    func update(_ byte: UInt8) {
      var byte = byte
      unsafe csodium_hash_update(state, &byte, 1)
    }

    func update(_ span: Span<UInt8>) {
      unsafe span.withUnsafeBufferPointer { buffer in
        if let start = buffer.baseAddress { unsafe csodium_hash_update(state, start, UInt64(buffer.count)) }
      }
    }

    func updateWithLength(_ span: Span<UInt8>) {
      var length = UInt64(span.count).littleEndian
      unsafe withUnsafeBytes(of: &length) { raw in
        _ = unsafe csodium_hash_update(state, raw.baseAddress!.assumingMemoryBound(to: UInt8.self), 8)
      }
      update(span)
    }
  }
}
