internal import CSodium

/// Signatures that anybody can check with the public key.
///
/// Source: RFC 8032 §5.1; libsodium's crypto_sign.
public enum Ed25519 {
  /// The purpose of the seed that a secret key is made of.
  public enum SeedPurpose: KeyPurpose {
    /// The label that separates it.
    public static let label: StaticString = "passcoded/v1/signing"
  }

  /// A secret key: its 32-byte seed in locked memory. The expanded key exists for the length of a signature.
  ///
  /// Secrets: this type owns the seed and wipes it when the owner ends.
  public struct SecretKey: ~Copyable, Sendable {
    private let key: SymmetricKey<SeedPurpose>
    /// The key that checks what this one signs.
    public let publicKey: PublicKey

    /// A key of this seed.
    public init(seed: consuming SymmetricKey<SeedPurpose>) {
      publicKey = PublicKey(unsafe Expanded.with(seed.bytes) { _, publicKey in publicKey })
      key = seed
    }

    /// A fresh random key.
    ///
    /// - Throws: `allocationFailed` where the kernel gives no memory.
    public static func random() throws(SecretMemoryError) -> SecretKey { SecretKey(seed: try .random()) }

    /// The seed, lent out: for sealing it.
    public var seed: Span<UInt8> {
      @_lifetime(borrow self)
      get { key.bytes }
    }

    /// Signs a message.
    ///
    /// - Returns: 64 bytes; the same message always gives the same.
    /// - Complexity: O(n), about 50 µs for a short message.
    public func sign(_ message: Span<UInt8>) -> [UInt8] {
      unsafe Expanded.with(key.bytes) { secret, _ in
        unsafe [UInt8](unsafeUninitializedCapacity: Ed25519.signatureByteCount) { out, count in
          unsafe message.withUnsafeBufferPointer { message in
            // SAFETY: room for a signature, and a whole expanded key.
            _ = unsafe crypto_sign_detached(out.baseAddress!, nil, message.baseAddress, UInt64(message.count), secret)
          }
          count = Ed25519.signatureByteCount
        }
      }
    }
  }

  /// The length of a signature, in bytes.
  public static let signatureByteCount = 64

  /// A public key.
  public struct PublicKey: Hashable, Sendable {
    private let digest: Digest

    /// Takes exactly 32 bytes; nil for any other count.
    public init?(_ bytes: Span<UInt8>) {
      guard let digest = Digest(bytes) else { return nil }
      self.digest = digest
    }

    fileprivate init(_ digest: Digest) { self.digest = digest }

    /// The 32 bytes.
    public var bytes: [UInt8] { digest.bytes }
    /// SHA-256 of the key, by which people tell keys apart.
    public var fingerprint: Digest { digest.withBytes { SHA256.digest($0) } }

    /// Whether this key's secret one made the signature of the message.
    ///
    /// - Complexity: O(n), about 100 µs for a short message.
    public func isSignature(_ signature: Span<UInt8>, of message: Span<UInt8>) -> Bool {
      precondition(Sodium.ready)
      guard signature.count == Ed25519.signatureByteCount else { return false }
      return digest.withBytes { key in
        unsafe key.withUnsafeBufferPointer { key in
          unsafe signature.withUnsafeBufferPointer { signature in
            unsafe message.withUnsafeBufferPointer { message in
              unsafe crypto_sign_verify_detached(
                signature.baseAddress!, message.baseAddress, UInt64(message.count), key.baseAddress!) == 0
            }
          }
        }
      }
    }
  }

  /// The two keys that a seed gives, for the length of a call.
  private enum Expanded {
    private static let byteCount = 64

    static func with<R>(_ seed: Span<UInt8>, _ body: (UnsafePointer<UInt8>, Digest) -> R) -> R {
      precondition(Sodium.ready && seed.count == Digest.byteCount)
      defer { Sodium.clearStack(Sodium.derivationDepth) }
      return unsafe withUnsafeTemporaryAllocation(byteCount: byteCount + Digest.byteCount, alignment: 16) { buffer in
        let secret = unsafe buffer.baseAddress!.assumingMemoryBound(to: UInt8.self)
        let open = unsafe secret + byteCount
        unsafe seed.withUnsafeBufferPointer { _ = unsafe crypto_sign_seed_keypair(open, secret, $0.baseAddress!) }
        defer { unsafe sodium_memzero(secret, byteCount) }
        return unsafe body(secret, Digest(Span<UInt8>(_unsafeStart: open, count: Digest.byteCount))!)
      }
    }
  }
}
