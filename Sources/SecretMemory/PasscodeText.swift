internal import CUTF8Proc
internal import Glibc

/// The normalisation of passcodes, in locked memory.
///
/// Rule 1: valid UTF-8, no NUL, at most 1,024 bytes as given, only assigned code points (Unicode 15, or a later version that
/// the installed library knows), NFC. ASCII is its own normal form and is untouched. The normal form of an assigned code point
/// never changes, so that a later version opens what an earlier one set.
///
/// Source: RFC 8265 §4 (OpaqueString) for NFC; Unicode Standard Annex #15 §3; libutf8proc 2.8.
public enum PasscodeText {
  /// The longest passcode taken, in bytes as given, before normalisation.
  public static let maximumByteCount = 1024
  /// The rule's number, stored with each slot.
  public static let rule: UInt8 = 1
  /// The longest normal form, in bytes: NFC takes at most three times as many (UAX #15 §9, U+1D160).
  public static let normalizedCapacity = 3 * maximumByteCount

  /// The normal form of a passcode as given. Normalising it again changes nothing.
  ///
  /// - Throws: `tooLong` over ``maximumByteCount`` (the text is not read then); `invalidText` with what is wrong;
  ///   `lockedMemoryExhausted`; `allocationFailed`.
  /// - Complexity: O(n); O(n log n) for long runs of combining marks.
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

  /// Decomposes and recomposes in the memory of the result, which first holds 32-bit scalars; the rest is wiped.
  private static func compose(_ raw: Span<UInt8>) throws(SecretMemoryError) -> SecretBytes {
    // NFD gives at most 1.5 scalars a byte (U+0390). One more for the NUL that ends the re-encoding.
    let scalarCapacity = raw.count * 3 / 2
    var text = try SecretBytes(capacity: (scalarCapacity + 1) * MemoryLayout<Int32>.stride)
    let options = utf8proc_option_t(
      rawValue: UTF8PROC_COMPOSE.rawValue | UTF8PROC_STABLE.rawValue | UTF8PROC_REJECTNA.rawValue)
    var result = 0
    unsafe text.withFreeSpace { space in
      // SAFETY: the memory is aligned to a page; the library writes `scalarCapacity` scalars at most, and re-encodes no more
      // than they take.
      let scalars = unsafe space.baseAddress!.assumingMemoryBound(to: Int32.self)
      result = unsafe raw.withUnsafeBufferPointer { raw in
        unsafe utf8proc_decompose(raw.baseAddress!, raw.count, scalars, scalarCapacity, options)
      }
      if result > scalarCapacity { result = Int(UTF8PROC_ERROR_OVERFLOW) }
      if result >= 0 { result = unsafe utf8proc_reencode(scalars, result, options) }
      // All of it is counted in, so that what the scalars leave behind the text is wiped below.
      return space.count
    }
    switch result {
    case 0...: text.truncate(to: result)
    case Int(UTF8PROC_ERROR_NOTASSIGNED): throw .invalidText(.unassignedCodePoint)
    case Int(UTF8PROC_ERROR_OVERFLOW): throw .tooLong(limit: maximumByteCount)
    default: throw .invalidText(.notUTF8)
    }
    return text
  }
}
