internal import CPCRE2
public import PasscodeCore

/// Patterns in the language of PCRE2, with Unicode classes, searched within limits.
///
/// A search may take 100,000 steps from one start, less for a long text so that all starts together stay under two million;
/// backtracking 1,000 deep; 256 KiB of memory. So the worst pattern ends within about a tenth of a second.
///
/// Source: pcre2api(3), pcre2pattern(3).
public struct PCRE2Patterns: PatternCompiling {
  /// The longest pattern, in bytes.
  public static let maximumByteCount = 4096
  /// Steps from one start of a search.
  static let stepsPerStart = 100_000
  /// Steps of a search over all its starts: PCRE2 counts anew at each.
  static let stepsInAll = 2_000_000

  /// The language.
  public init() {}

  /// Compiles a pattern: UTF-8, `\d` and `\w` by Unicode, no `\C`.
  ///
  /// - Throws: PCRE2's message and the place of the fault.
  public func compile(_ pattern: String) throws(PatternFault) -> any CompiledPattern {
    guard pattern.utf8.count <= Self.maximumByteCount else {
      throw PatternFault(offset: Self.maximumByteCount, message: "longer than \(Self.maximumByteCount) bytes")
    }
    var code: Int32 = 0
    var offset = 0
    let options = PCRE2_UTF | PCRE2_UCP | PCRE2_NEVER_BACKSLASH_C
    let bytes = pattern.utf8Span.span
    let compiled = unsafe bytes.withUnsafeBufferPointer { bytes in
      // SAFETY: the pattern is copied by the call; an empty one is never read.
      unsafe pcre2_compile_8(bytes.baseAddress ?? Self.empty, bytes.count, options, &code, &offset, nil)
    }
    guard let compiled = unsafe compiled else { throw PatternFault(offset: offset, message: Self.message(of: code)) }
    return unsafe PCRE2Pattern(owning: compiled)
  }

  // SAFETY: one zero byte that lives for ever and is never written.
  private nonisolated(unsafe) static let empty = unsafe UnsafePointer(UnsafeMutablePointer<UInt8>.allocate(capacity: 1))

  private static func message(of code: Int32) -> String {
    var text = [UInt8](repeating: 0, count: 256)
    // SAFETY: the call writes at most the buffer's count and ends with a NUL.
    let count = unsafe text.withUnsafeMutableBufferPointer { unsafe pcre2_get_error_message_8(code, $0.baseAddress, $0.count) }
    return count > 0 ? String(decoding: text.prefix(Int(count)), as: UTF8.self) : "error \(code)"
  }
}

/// A compiled pattern; read-only after its creation.
// SAFETY: pcre2_code is never changed by matching, so that threads may share it (pcre2api(3), MULTITHREADING).
@safe
private final class PCRE2Pattern: CompiledPattern, @unchecked Sendable {
  private let code: OpaquePointer
  /// Whether a search has only one start.
  private let isAnchored: Bool

  init(owning code: OpaquePointer) {
    unsafe self.code = unsafe code
    var options: UInt32 = 0
    // SAFETY: this question is answered with 32 bits.
    unsafe pcre2_pattern_info_8(code, UInt32(PCRE2_INFO_ALLOPTIONS), &options)
    isAnchored = options & PCRE2_ANCHORED != 0
  }

  deinit { unsafe pcre2_code_free_8(code) }

  func search(_ text: Span<UInt8>) -> PatternOutcome {
    guard let context = unsafe pcre2_match_context_create_8(nil), let data = unsafe pcre2_match_data_create_8(1, nil) else {
      return .limitReached
    }
    defer {
      unsafe pcre2_match_data_free_8(data)
      unsafe pcre2_match_context_free_8(context)
    }
    let starts = isAnchored ? 1 : text.count + 1
    let steps = min(PCRE2Patterns.stepsPerStart, PCRE2Patterns.stepsInAll / starts)
    unsafe pcre2_set_match_limit_8(context, UInt32(steps))
    unsafe pcre2_set_depth_limit_8(context, 1000)
    unsafe pcre2_set_heap_limit_8(context, 256)
    let result = unsafe text.withUnsafeBufferPointer { text in
      // SAFETY: the text outlives the call, which checks that it is UTF-8; the match data holds offsets only.
      unsafe pcre2_match_8(code, text.baseAddress, text.count, 0, 0, data, context)
    }
    if result >= 0 { return .found }
    return result == PCRE2_ERROR_NOMATCH ? .notFound : .limitReached
  }
}
