internal import CSodium

/// BLAKE2b with 256-bit output, keyed or not.
///
/// The implementation leaves pieces of its input on the stack, so that the stack is cleared after every keyed call. An
/// executable that hashes secrets is linked with `-z now`: the lazy binding of a symbol would spill registers there again.
///
/// Source: RFC 7693; libsodium's crypto_generichash.
public enum BLAKE2b {
  /// The keyed digest of `label ‖ 0 ‖ length(first) ‖ first ‖ length(second) ‖ second`, lengths as 8 little-endian bytes: no two
  /// uses and no two lists of parts give the same input. The caller wipes what is secret of its own.
  ///
  /// - Parameters:
  ///   - label: what the digest is for; without NUL, never changed, and of this one use.
  ///   - first: the first part, of any length.
  ///   - second: the second part, of any length; empty where there is but one.
  ///   - key: the key, of the purpose that the digest serves.
  /// - Complexity: O(n); nothing is allocated.
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

  /// The plain digest of public bytes, for checksums and fingerprints. Not for secrets: the stack is not cleared.
  ///
  /// - Complexity: O(n); nothing is allocated.
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

  /// Runs one hash over what `body` feeds it and writes 32 bytes to `out`. The state lives on the stack and is wiped; the
  /// caller clears what the implementation left below.
  static func hash(
    keyedWith key: UnsafePointer<UInt8>?, into out: UnsafeMutablePointer<UInt8>, _ body: (borrowing Hasher) -> Void
  ) {
    precondition(Sodium.ready)
    let size = Int(CSODIUM_HASH_STATE_BYTES)
    // Aligned here: a temporary allocation that asks for more than malloc's alignment is put on the heap.
    unsafe withUnsafeTemporaryAllocation(byteCount: size + 64, alignment: 16) { storage in
      let state = unsafe storage.baseAddress!.alignedUp(toMultipleOf: 64)
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
