import PasscodeCore
import PasscodeValidators
import SecretMemory
import Testing

@Suite("Work is bounded") struct BoundedWorkTests {
  private func engine() throws -> PolicyEngine {
    var policy = PasscodePolicy()
    (policy.maxLength, policy.minUniqueChars) = (1024, 1024)
    (policy.hasDigit, policy.hasUpper, policy.hasLower, policy.hasSpecial) = (true, true, true, true)
    policy.validators = [
      .strength(minimumScore: 3), .blocklist(.common), .blocklist(.pins), .notPersonal, .noSequences(max: 3),
    ]
    // Never found: only the limit leaves the rule unmet.
    policy.customRules = [CustomRule(name: "slow", pattern: #"(?:.|..)+$(?<=\x{1})"#, mustMatch: false)]
    let facts = PersonalFacts(userName: "somebody", hostName: "walnut", fullName: "Some Body")
    return try PolicyEngine(
      policy: policy, patterns: PCRE2Patterns(), validators: BuiltInValidators.make(for: policy, facts: facts))
  }

  @Test(
    "SC-25: 1,024 bytes made to be slow are judged, and the pattern that reaches its limit is not met",
    arguments: ["a", "ab", "password", "x\u{301}", "é", "👨‍👩‍👧", "\u{1D160}", "ﬃ", "١٢٣"])
  func crafted(piece: String) throws {
    let count = 1024 / piece.utf8.count
    let text = String(repeating: piece, count: count)
    let normal = try PasscodeText.normalize(text.utf8Span.span)
    let verdict = try engine().judge(normal.bytes)
    let ids = verdict.unmet.map(\.id)
    #expect(ids.contains("rule.slow"))
    #expect(ids.contains("minUniqueChars"))
    #expect(!ids.contains("text"))
    #expect(verdict.strength != nil)
  }

  @Test("neither a verdict nor an engine, printed or dumped, tells anything of the candidate") func redaction() throws {
    let engine = try engine()
    let canary = "canary-Zq7"
    for text in [canary, "somebody \(canary)"] {
      let verdict = engine.judge(text.utf8Span.span)
      var told = "\(verdict) \(engine)"
      dump(verdict, to: &told)
      dump(engine, to: &told)
      #expect(!told.contains("canary") && !told.contains("Zq7"))
    }
  }

  @Test("SC-25: 1,024 bytes of ever new characters are counted one by one") func manyDistinct() throws {
    // U+0100 and on: 512 letters of two bytes each; every one is a cluster of its own.
    let text = String(String.UnicodeScalarView((0x100..<0x300).compactMap { Unicode.Scalar($0) }))
    #expect(text.utf8.count == 1024)
    var policy = PasscodePolicy()
    (policy.maxLength, policy.minUniqueChars) = (1024, 512)
    #expect(try PolicyEngine(policy: policy).judge(text.utf8Span.span).isMet)
    policy.minUniqueChars = 513
    #expect(try PolicyEngine(policy: policy).judge(text.utf8Span.span).unmet.map(\.id) == ["minUniqueChars"])
  }

  @Test("SC-25: a longer text is refused unread") func tooLong() throws {
    let long = [UInt8](repeating: UInt8(ascii: "a"), count: 1025)
    #expect(throws: SecretMemoryError.tooLong(limit: 1024)) { _ = try PasscodeText.normalize(long.span) }
    let verdict = try engine().judge([UInt8](repeating: UInt8(ascii: "a"), count: PasscodeText.normalizedCapacity + 1).span)
    #expect(verdict.unmet.contains { $0.id == "text" })
    #expect(verdict.strength == nil)
  }
}
