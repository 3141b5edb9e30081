internal import CSodium

extension XChaCha20Poly1305 {
  /// Opens a message whose tag is stored apart from its nonce and ciphertext, and appends the plaintext to `plaintext`, which is
  /// unchanged on any error.
  ///
  /// - Parameters:
  ///   - sealed: `nonce 24 ‖ ciphertext n`.
  ///   - tag: 16 bytes.
  /// - Complexity: O(n); nothing is allocated.
  /// - Throws: `invalidLength` where `sealed` is shorter than a nonce or `tag` has not 16 bytes; `tooLong` where the plaintext
  ///   does not fit; `authenticationFailed` where key, associated data or any byte of either is not what was sealed.
  public static func open<P>(
    _ sealed: Span<UInt8>, tag: Span<UInt8>, using key: borrowing SymmetricKey<P>, authenticating associatedData: Span<UInt8>,
    into plaintext: inout SecretBytes
  ) throws(SecretMemoryError) {
    precondition(Sodium.ready)
    guard sealed.count >= nonceByteCount, tag.count == tagByteCount else { throw .invalidLength }
    let count = sealed.count - nonceByteCount
    guard count <= plaintext.capacity - plaintext.count else { throw .tooLong(limit: plaintext.capacity) }
    let keyBytes = unsafe key.pointer
    unsafe try plaintext.withFreeSpace { (space) throws(SecretMemoryError) -> Int in
      let result = unsafe sealed.withUnsafeBufferPointer { sealed in
        unsafe tag.withUnsafeBufferPointer { tag in
          unsafe associatedData.withUnsafeBufferPointer { ad in
            // SAFETY: libsodium writes `count` bytes at most: the plaintext after it has checked the tag, else zeros.
            unsafe crypto_aead_xchacha20poly1305_ietf_decrypt_detached(
              space.baseAddress?.assumingMemoryBound(to: UInt8.self), nil, sealed.baseAddress! + nonceByteCount, UInt64(count),
              tag.baseAddress!, ad.baseAddress, UInt64(ad.count), sealed.baseAddress!, keyBytes)
          }
        }
      }
      guard result == 0 else { throw .authenticationFailed }
      return count
    }
  }
}
