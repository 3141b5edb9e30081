import PasscodeCore
import Testing

@testable import PasscodeValidators

@Suite("Patterns") struct PCRE2PatternsTests {
  private func search(_ pattern: String, _ text: String) throws -> PatternOutcome {
    try PCRE2Patterns().compile(pattern).search(text.utf8Span.span)
  }

  @Test(
    "a pattern is searched anywhere, by Unicode",
    arguments: [
      ("b", "abc", true), ("^b", "abc", false), ("^abc$", "abc", true), (#"^\d+$"#, "12٣", true), (#"^\w+$"#, "straße", true),
      ("^.$", "😀", true),
      ("(?i)É", "é", true), (#"\p{Lu}"#, "aẞ", true), ("^$", "", true), ("", "x", true), (#"^\S*$"#, "a b", false),
    ])
  func search(pattern: String, text: String, isFound: Bool) throws {
    #expect(try search(pattern, text) == (isFound ? .found : .notFound))
  }

  @Test("a faulty pattern says where and why", arguments: [("(abc", 4), ("a[b", 3), ("*a", 0), ("é*+*", 4), (#"\C"#, 2)])
  func faulty(pattern: String, offset: Int) {
    let fault = #expect(throws: PatternFault.self) { try PCRE2Patterns().compile(pattern) }
    #expect(fault?.offset == offset, "\(fault?.message ?? "")")
    #expect(fault?.message.isEmpty == false)
  }

  @Test("a pattern over 4,096 bytes is refused") func tooLong() throws {
    _ = try PCRE2Patterns().compile(String(repeating: "a", count: 4096))
    #expect(throws: PatternFault.self) { try PCRE2Patterns().compile(String(repeating: "a", count: 4097)) }
  }

  @Test("bytes that are no UTF-8 are not judged") func notUTF8() throws {
    let bytes: [UInt8] = [0xFF, 0x61]
    #expect(try PCRE2Patterns().compile("a").search(bytes.span) == .limitReached)
  }

  @Test(
    "SC-25: a pattern made to be slow ends at a limit",
    arguments: ["(a+)+$", "(a|aa)+$", "(a|a|b)*c$", "(?:a|a){16}b", "^(?:(?:a?){30}){30}b"])
  func slow(pattern: String) throws {
    for length in [30, 256, 1024] {
      #expect(try search(pattern, String(repeating: "a", count: length) + "!bc?") == .limitReached, "\(length)")
    }
  }

  @Test("an ordinary pattern reaches no limit on the longest text") func ordinary() throws {
    let text = String(repeating: "a", count: 1023) + "7"
    for pattern in [#"\d"#, #"^(?=.*\d)(?=.*[a-z]).*$"#, #"[a-z].*\d"#, #"^(?!.*(.)\1\1x)"#] {
      #expect(try search(pattern, text) == .found, "\(pattern)")
    }
  }
}
