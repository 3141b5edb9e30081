internal import CSodium

/// Base64 with padding (RFC 4648 §4), in constant time for a given length, in locked memory.
public enum Base64 {
  /// Length of the encoding of `count` bytes.
  public static func encodedCount(_ count: Int) -> Int { (count + 2) / 3 * 4 }

  /// Appends the encoding of `source` to `text`.
  ///
  /// - Throws: `tooLong` where it does not fit; nothing is changed then.
  public static func encode(_ source: Span<UInt8>, into text: inout SecretBytes) throws(SecretMemoryError) {
    let count = encodedCount(source.count)
    // libsodium writes a NUL after the text.
    guard count < text.capacity - text.count else { throw .tooLong(limit: text.capacity) }
    unsafe text.withFreeSpace { space in
      unsafe source.withUnsafeBufferPointer { source in
        _ = unsafe sodium_bin2base64(
          space.baseAddress!.assumingMemoryBound(to: CChar.self), space.count, source.baseAddress ?? Self.nothing, source.count,
          sodium_base64_VARIANT_ORIGINAL)
      }
      return count
    }
  }

  /// Appends the bytes that `text` stands for to `bytes`. Strict: padding is required, nothing else is skipped.
  ///
  /// - Throws: `invalidLength` where `text` is not base64; `tooLong` where the bytes do not fit. Nothing is changed then.
  public static func decode(_ text: Span<UInt8>, into bytes: inout SecretBytes) throws(SecretMemoryError) {
    guard text.count % 4 == 0 else { throw .invalidLength }
    guard text.count / 4 * 3 <= bytes.capacity - bytes.count + 2 else { throw .tooLong(limit: bytes.capacity) }
    guard !text.isEmpty else { return }
    let before = bytes.count
    var result: Int32 = -1
    unsafe bytes.withFreeSpace { space in
      var written = 0
      unsafe text.withUnsafeBufferPointer { text in
        unsafe text.withMemoryRebound(to: CChar.self) { text in
          result = unsafe sodium_base642bin(
            space.baseAddress!.assumingMemoryBound(to: UInt8.self), space.count, text.baseAddress!, text.count, nil, &written,
            nil,
            sodium_base64_VARIANT_ORIGINAL)
        }
      }
      // A failed decoding may have left bytes behind: count them in, and truncate below wipes them.
      return result == 0 ? written : space.count
    }
    guard result == 0 else {
      bytes.truncate(to: before)
      throw .invalidLength
    }
  }

  // SAFETY: never read: it only stands where a pointer to no bytes is asked for.
  nonisolated(unsafe) private static let nothing = unsafe UnsafePointer(UnsafeMutablePointer<UInt8>.allocate(capacity: 1))
}
