import PasscodeCore
import PasscodeValidators
import Testing

@Suite("notPersonal") struct NotPersonalValidatorTests {
  private let validator = NotPersonalValidator(
    PersonalFacts(userName: "jdoe", hostName: "Walnut.example.org", fullName: "Jörg O'Donnell-Straße, Eve"))

  @Test(
    "a part of four characters and more is found anywhere, in any case and form",
    arguments: [
      "my jdoe passcode", "JDOE1234", "xxwalnutxx", "WALNUT.example.org", "jörg is here", "JO\u{308}RG 99", "donnell99",
      "STRAßE 7",
    ])
  func contained(text: String) throws { #expect(try rejection(of: text, by: validator) != nil) }

  @Test("a shorter part is refused only as the whole", arguments: [("eve", true), ("EVE", true), ("never again", false)])
  func short(text: String, isRefused: Bool) throws { #expect((try rejection(of: text, by: validator) != nil) == isRefused) }

  @Test("other texts are accepted", arguments: ["", "jd oe", "jorg is there", "correct horse", "example.org", "oo"])
  func other(text: String) throws { #expect(try rejection(of: text, by: validator) == nil) }

  @Test("without facts nothing is refused", arguments: ["", "anything"]) func noFacts(text: String) throws {
    #expect(try rejection(of: text, by: NotPersonalValidator(PersonalFacts())) == nil)
  }

  @Test("the message does not say which part it was") func message() throws {
    #expect(try rejection(of: "jdoe", by: validator) == rejection(of: "walnut", by: validator))
  }
}

@Suite("noSequences") struct NoSequencesValidatorTests {
  @Test(
    "a run up to the limit is accepted, a longer one is not",
    arguments: [
      ("123", "1234"), ("321", "4321"), ("890", "7890"), ("012", "0123"), ("abc", "abcd"), ("cba", "dcba"), ("aBc", "aBcD"),
      ("aaa", "aaaa"), ("aAa", "aAaA"), ("---", "----"), ("qwe", "qwer"), ("lkj", "lkjh"), ("rtz", "rtzu"), ("aze", "azer"),
      ("yxc", "yxcv"), ("٣٤٥", "٣٤٥٦"), ("где", "гдеж"), ("😀😀😀", "😀😀😀😀"), ("👨‍👩‍👧👨‍👩‍👧👨‍👩‍👧", "👨‍👩‍👧👨‍👩‍👧👨‍👩‍👧👨‍👩‍👧"), ("e\u{301}éé", "éééé"),
      ("x\u{301}x\u{301}x\u{301}", "x\u{301}x\u{301}x\u{301}x\u{301}"), ("ａｂｃ", "ａｂｃｄ"),
    ])
  func limit(longest: String, tooLong: String) throws {
    let validator = NoSequencesValidator(maximum: 3)
    for frame in [("", ""), ("7#", "#7")] {
      #expect(try rejection(of: frame.0 + longest + frame.1, by: validator) == nil, "\(longest)")
      #expect(try rejection(of: frame.0 + tooLong + frame.1, by: validator) != nil, "\(tooLong)")
    }
  }

  @Test(
    "what is no run is accepted",
    arguments: ["", "1", "1357", "1212", "abab", "!\"#$", "zab", "qaz1", "x\u{301}y\u{301}z\u{301}a"])
  func noRun(text: String) throws { #expect(try rejection(of: text, by: NoSequencesValidator(maximum: 2)) == nil) }

  @Test("the limit counts", arguments: 2...9) func maximum(limit: Int) throws {
    let digits = "123456789"
    #expect(try rejection(of: String(digits.prefix(limit)), by: NoSequencesValidator(maximum: limit)) == nil)
    if limit < 9 {
      #expect(try rejection(of: String(digits.prefix(limit + 1)), by: NoSequencesValidator(maximum: limit)) != nil)
    }
  }
}
