internal import CSodium

/// Random bytes from the kernel's generator, at each call: nothing is kept that a fork could repeat.
///
/// Source: getrandom(2), through libsodium's randombytes.
public enum SecureRandom {
  /// Public random bytes: salts, identifiers. Not for keys; those are born in ``SymmetricKey/random()``.
  ///
  /// - Precondition: `count` is not negative.
  public static func bytes(_ count: Int) -> [UInt8] {
    precondition(Sodium.ready)
    return unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
      if count > 0 { unsafe randombytes_buf(buffer.baseAddress!, count) }
      filled = count
    }
  }

  /// Overwrites `bytes` with random ones, in place: for secret random bytes over ``SecretBytes/mutableBytes``.
  public static func fill(_ bytes: inout MutableSpan<UInt8>) {
    precondition(Sodium.ready)
    unsafe bytes.withUnsafeMutableBufferPointer { buffer in
      // SAFETY: the whole buffer and no more.
      if let start = buffer.baseAddress { unsafe randombytes_buf(start, buffer.count) }
    }
  }

  /// A uniform number in `0..<bound`, without modulo bias.
  ///
  /// - Precondition: `bound` is not 0.
  public static func uniform(below bound: UInt32) -> UInt32 {
    precondition(Sodium.ready && bound > 0)
    return randombytes_uniform(bound)
  }
}
