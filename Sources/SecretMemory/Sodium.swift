internal import CSodium

/// libsodium, made ready once. Every use of what needs that goes through a type that has touched ``ready``.
enum Sodium {
  /// True; the first use picks the implementations for this processor and opens the source of randomness.
  static let ready: Bool = {
    guard sodium_init() >= 0 else { fatalError("libsodium could not be made ready: no source of randomness") }
    return true
  }()

  /// How deep one BLAKE2b call and our frames above it reach, with room to spare.
  static let hashDepth = 8 << 10
  /// The same for Argon2id, which hashes the passcode some frames deeper.
  static let derivationDepth = 24 << 10

  /// Clears `byteCount` bytes of stack below the caller: BLAKE2b leaves pieces of its input there.
  @inline(never)
  static func clearStack(_ byteCount: Int = hashDepth) { sodium_stackzero(byteCount) }
}
