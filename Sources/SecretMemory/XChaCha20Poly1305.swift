internal import CSodium

/// Authenticated encryption: XChaCha20-Poly1305 with a random 24-byte nonce.
///
/// The nonce is long enough to be drawn at random for every message. The construction does not commit to its key: where
/// several keys may be tried against one message, as in a key slot, the caller stores a commitment beside it.
///
/// Layout of a sealed message: `nonce 24 ‖ ciphertext n ‖ tag 16`.
///
/// Source: draft-irtf-cfrg-xchacha-03; libsodium's crypto_aead_xchacha20poly1305_ietf.
public enum XChaCha20Poly1305 {
  /// Length of the nonce, in bytes.
  public static let nonceByteCount = 24
  /// Length of the authentication tag, in bytes.
  public static let tagByteCount = 16
  /// How much longer a sealed message is than its plaintext, in bytes.
  public static let overhead = nonceByteCount + tagByteCount

  /// Seals `plaintext` under a fresh nonce. The caller wipes the plaintext.
  ///
  /// - Returns: `nonce ‖ ciphertext ‖ tag`; public bytes.
  /// - Complexity: O(n), one allocation.
  public static func seal<P>(
    _ plaintext: Span<UInt8>, using key: borrowing SymmetricKey<P>, authenticating associatedData: Span<UInt8>
  ) -> [UInt8] {
    unsafe seal(plaintext, using: key, authenticating: associatedData) { nonce in
      unsafe randombytes_buf(nonce, nonceByteCount)
    }
  }

  /// Seals under the nonce that `writeNonce` writes: apart, so that known answers can be checked. A nonce used twice with one
  /// key gives the plaintexts away.
  static func seal<P>(
    _ plaintext: Span<UInt8>, using key: borrowing SymmetricKey<P>, authenticating associatedData: Span<UInt8>,
    writeNonce: (UnsafeMutablePointer<UInt8>) -> Void
  ) -> [UInt8] {
    precondition(Sodium.ready)
    let count = plaintext.count
    let keyBytes = unsafe key.pointer
    return unsafe [UInt8](unsafeUninitializedCapacity: count + overhead) { buffer, filled in
      // SAFETY: the buffer holds nonce, ciphertext and tag; libsodium writes exactly count + tag after the nonce.
      let out = buffer.baseAddress!
      unsafe writeNonce(out)
      unsafe plaintext.withUnsafeBufferPointer { plain in
        unsafe associatedData.withUnsafeBufferPointer { ad in
          _ = unsafe crypto_aead_xchacha20poly1305_ietf_encrypt(
            out + nonceByteCount, nil, plain.baseAddress, UInt64(count), ad.baseAddress, UInt64(ad.count), nil, out, keyBytes)
        }
      }
      filled = count + overhead
    }
  }

  /// Opens a sealed message and appends its plaintext to `plaintext`, which is unchanged on any error.
  ///
  /// - Complexity: O(n); nothing is allocated.
  /// - Throws: `invalidLength` where `sealed` is shorter than ``overhead``; `tooLong` where the plaintext does not fit;
  ///   `authenticationFailed` where key, associated data or any byte of `sealed` is not what was sealed.
  public static func open<P>(
    _ sealed: Span<UInt8>, using key: borrowing SymmetricKey<P>, authenticating associatedData: Span<UInt8>,
    into plaintext: inout SecretBytes
  ) throws(SecretMemoryError) {
    guard sealed.count >= overhead else { throw .invalidLength }
    try open(
      sealed.extracting(droppingLast: tagByteCount), tag: sealed.extracting(last: tagByteCount), using: key,
      authenticating: associatedData, into: &plaintext)
  }
}
