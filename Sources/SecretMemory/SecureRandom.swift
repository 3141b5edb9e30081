internal import CSodium

/// Random bytes from the kernel's generator (getrandom(2), through libsodium).
public enum SecureRandom {
  /// Public random bytes: salts, identifiers. Not for keys; those are born in ``SymmetricKey/random()``.
  public static func bytes(_ count: Int) -> [UInt8] {
    precondition(Sodium.ready)
    return unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
      if count > 0 { unsafe randombytes_buf(buffer.baseAddress!, count) }
      filled = count
    }
  }

  /// A uniform number below `bound`, without modulo bias.
  public static func uniform(below bound: UInt32) -> UInt32 {
    precondition(Sodium.ready)
    return randombytes_uniform(bound)
  }
}
