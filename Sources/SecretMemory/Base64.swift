internal import CSodium

/// Base64 with padding, in locked memory, in constant time for a given length.
///
/// Source: RFC 4648 §4; libsodium's sodium_bin2base64 and sodium_base642bin.
public enum Base64 {
  /// Length of the encoding of `count` bytes.
  public static func encodedCount(_ count: Int) -> Int { (count + 2) / 3 * 4 }

  /// Appends the encoding of `source` to `text`, which needs room for one byte more than ``encodedCount(_:)``: the library
  /// ends its text with a NUL, which is not counted. The caller wipes the source.
  ///
  /// - Throws: `tooLong` where it does not fit; nothing is changed then.
  public static func encode(_ source: Span<UInt8>, into text: inout SecretBytes) throws(SecretMemoryError) {
    guard !source.isEmpty else { return }
    let count = encodedCount(source.count)
    guard count < text.capacity - text.count else { throw .tooLong(limit: text.capacity) }
    unsafe text.withFreeSpace { space in
      unsafe source.withUnsafeBufferPointer { source in
        // SAFETY: the free space holds text and NUL. It is not offered whole, because the library would zero the rest of it.
        _ = unsafe sodium_bin2base64(
          space.baseAddress!.assumingMemoryBound(to: CChar.self), count + 1, source.baseAddress!, source.count,
          sodium_base64_VARIANT_ORIGINAL)
      }
      return count
    }
  }

  /// Appends the bytes that `text` stands for to `bytes`. The caller wipes the text.
  ///
  /// Strict, so that each value has one encoding: padding is required, unused bits are zero, nothing is skipped.
  ///
  /// - Throws: `tooLong` where the bytes do not fit; `invalidEncoding` where `text` is not base64. Nothing is changed then.
  public static func decode(_ text: Span<UInt8>, into bytes: inout SecretBytes) throws(SecretMemoryError) {
    guard text.count % 4 == 0 else { throw .invalidEncoding }
    guard !text.isEmpty else { return }
    let count = decodedCount(text)
    guard count <= bytes.capacity - bytes.count else { throw .tooLong(limit: bytes.capacity) }
    let before = bytes.count
    var isValid = false
    unsafe bytes.withFreeSpace { space in
      var written = 0
      // SAFETY: the library writes `count` bytes at most, which are free.
      isValid = unsafe text.withUnsafeBufferPointer { text in
        unsafe text.withMemoryRebound(to: CChar.self) { text in
          unsafe sodium_base642bin(
            space.baseAddress!.assumingMemoryBound(to: UInt8.self), count, text.baseAddress!, text.count, nil, &written, nil,
            sodium_base64_VARIANT_ORIGINAL) == 0
        }
      }
      // What a failed decoding left behind is counted in, so that it is wiped below.
      return isValid ? written : count
    }
    guard isValid else {
      bytes.truncate(to: before)
      throw .invalidEncoding
    }
  }

  /// How many bytes a text of a whole number of groups stands for, where it is valid.
  private static func decodedCount(_ text: Span<UInt8>) -> Int {
    let pad = UInt8(ascii: "=")
    let padding = text[text.count - 1] != pad ? 0 : text[text.count - 2] != pad ? 1 : 2
    return text.count / 4 * 3 - padding
  }
}
