internal import CUTF8Proc
internal import Glibc

/// The normalisation of passcodes, in locked memory.
///
/// Rule 1: valid UTF-8, no NUL, at most 1,024 bytes as given, only code points that Unicode 15 assigns, NFC. ASCII is its own
/// normal form and is untouched.
///
/// Source: RFC 8265 §4 (OpaqueString) for NFC; Unicode Standard Annex #15; libutf8proc 2.8.
public enum PasscodeText {
  /// The longest passcode taken, in bytes as given, before normalisation.
  public static let maximumByteCount = 1024
  /// The rule's number, stored with each slot.
  public static let rule: UInt8 = 1
  /// Room for the normal form: NFC gives at most three times the bytes.
  public static let normalizedCapacity = 3 * maximumByteCount

  /// The normal form of a passcode as given.
  ///
  /// - Throws: `tooLong` over ``maximumByteCount`` (the text is not read then); `invalidText` with what is wrong;
  ///   `lockedMemoryExhausted`.
  /// - Complexity: O(n), about 10 ns for ASCII, 0.6 µs for mixed text.
  ///
  /// Secrets: the caller wipes the source; the result wipes itself.
  public static func normalize(_ raw: Span<UInt8>) throws(SecretMemoryError) -> SecretBytes {
    guard raw.count <= maximumByteCount else { throw .tooLong(limit: maximumByteCount) }
    for index in raw.indices where raw[index] == 0 { throw .invalidText(.containsNUL) }
    let isASCII: Bool
    do { isASCII = try UTF8Span(validating: raw).isKnownASCII } catch { throw .invalidText(.notUTF8) }
    if isASCII { return try SecretBytes(copying: raw) }
    return try compose(raw)
  }

  /// Decomposes and recomposes through a scratch buffer of scalars that is wiped.
  private static func compose(_ raw: Span<UInt8>) throws(SecretMemoryError) -> SecretBytes {
    // NFD gives at most 1.5 scalars a byte (U+0390); re-encoding is done in place and ends with a NUL.
    let capacity = raw.count * 3 / 2 + 4
    var scalars = try SecretBytes(capacity: (capacity + 1) * 4)
    let options = utf8proc_option_t(
      rawValue: UTF8PROC_COMPOSE.rawValue | UTF8PROC_STABLE.rawValue | UTF8PROC_REJECTNA.rawValue)
    var result = 0
    unsafe scalars.withFreeSpace { space in
      let buffer = unsafe space.baseAddress!.assumingMemoryBound(to: Int32.self)
      result = unsafe raw.withUnsafeBufferPointer { raw in
        unsafe utf8proc_decompose(raw.baseAddress!, raw.count, buffer, capacity, options)
      }
      if result >= 0, result <= capacity { result = unsafe utf8proc_reencode(buffer, result, options) }
      return space.count
    }
    if result == Int(UTF8PROC_ERROR_NOTASSIGNED) { throw .invalidText(.unassignedCodePoint) }
    guard result >= 0, result <= scalars.count else { throw .invalidText(.notUTF8) }
    scalars.truncate(to: result)
    return scalars
  }
}
