import PasscodeCore
import Testing

@Suite("Policy rules") struct RuleTests {
  static let family = "👨‍👩‍👧"

  @Test(
    "minLength counts what a person counts",
    arguments: [
      ("1234567", false), ("12345678", true), ("١٢٣٤٥٦٧", false), ("١٢٣٤٥٦٧٨", true), ("straßen", false), ("STRAẞEN8", true),
      (String(repeating: family, count: 7), false), (String(repeating: family, count: 8), true),
      // Accents without a composed form.
      ("x\u{301}x\u{301}x\u{301}x\u{301}x\u{301}x\u{301}x\u{301}", false),
      ("x\u{301}x\u{301}x\u{301}x\u{301}x\u{301}x\u{301}x\u{301}x\u{301}", true), ("ａｂｃｄｅｆｇ", false), ("ａｂｃｄｅｆｇｈ", true),
      ("각각각각각각각", false), ("각각각각각각각각", true), ("1234567\r\n", true), ("123456\r\n", false), ("", false),
    ])
  func minLength(text: String, isMet: Bool) throws {
    #expect(try unmetIDs(text) { $0.minLength = 8 } == (isMet ? [] : ["minLength"]))
  }

  @Test("maxLength counts what a person counts") func maxLength() throws {
    for character in ["a", "٣", "ẞ", Self.family, "x\u{301}", "ｗ"] {
      #expect(try unmetIDs(String(repeating: character, count: 8)) { $0.maxLength = 8 } == [])
      #expect(try unmetIDs(String(repeating: character, count: 9)) { $0.maxLength = 8 } == ["maxLength"])
    }
  }

  @Test(
    "hasDigit wants a decimal digit of any script",
    arguments: [
      ("abc7", true), ("abc٣", true), ("abc８", true), ("abc", false), ("Ⅷ", false), ("½²", false), ("七", false), ("", false),
    ])
  func hasDigit(text: String, isMet: Bool) throws {
    #expect(try unmetIDs("x" + text) { $0.hasDigit = true }.isEmpty == isMet)
  }

  @Test(
    "hasUpper wants an upper-case or title-case letter",
    arguments: [
      ("A", true), ("ẞ", true), ("Ж", true), ("Ａ", true), ("ǅ", true), ("É", true), ("ß", false), ("a", false), ("Ⅷ", false),
      ("Ⓐ", false), ("中", false),
    ])
  func hasUpper(text: String, isMet: Bool) throws {
    #expect(try unmetIDs("1" + text) { $0.hasUpper = true }.isEmpty == isMet)
  }

  @Test(
    "hasLower wants a lower-case letter",
    arguments: [
      ("a", true), ("ß", true), ("ж", true), ("ａ", true), ("é", true), ("ẞ", false), ("A", false), ("ª", false), ("ⓐ", false),
      ("中", false),
    ])
  func hasLower(text: String, isMet: Bool) throws {
    #expect(try unmetIDs("1" + text) { $0.hasLower = true }.isEmpty == isMet)
  }

  @Test(
    "hasSpecial wants what is no letter, mark, number or joiner",
    arguments: [
      ("-", true), (" ", true), ("\u{A0}", true), ("€", true), ("😀", true), (family, true), ("！", true), ("\t", true),
      ("\u{AD}", true), ("x\u{301}", false), ("\u{200D}", false), ("\u{200C}", false), ("\u{2060}", false), ("½", false),
      ("Ⅷ", false),
      ("中", false), ("ʰ", false), ("aA7ßẞ٣８", false), ("", false),
    ])
  func hasSpecial(text: String, isMet: Bool) throws {
    #expect(try unmetIDs("x" + text) { $0.hasSpecial = true }.isEmpty == isMet)
  }

  @Test(
    "minCharacterGroups counts the classes that are there",
    arguments: [("中", 0), ("a", 1), ("ß", 1), ("aB", 2), ("ßẞ", 2), ("aB٣", 3), ("aB3 ", 4), ("ａＢ８！", 4), ("e\u{301}E7", 3)])
  func minCharacterGroups(text: String, count: Int) throws {
    #expect(try unmetIDs(text) { $0.minCharacterGroups = count } == [])
    if count < 4 { #expect(try unmetIDs(text) { $0.minCharacterGroups = count + 1 } == ["minCharacterGroups"]) }
  }

  @Test(
    "isDigitsOnly takes decimal digits alone",
    arguments: [
      ("123456", true), ("١٢٣٤٥٦", true), ("１２３４５６", true), ("12345a", false), ("12345 ", false), ("12345½", false),
      ("1２٣", true), ("1\u{301}", false), ("1\u{200D}2", false), ("①", false),
    ])
  func isDigitsOnly(text: String, isMet: Bool) throws {
    #expect(try unmetIDs(text) { $0.isDigitsOnly = true } == (isMet ? [] : ["isDigitsOnly"]))
  }

  @Test("isDigitsOnly refuses the empty text") func emptyIsNotDigitsOnly() throws {
    #expect(try unmetIDs("") { $0.isDigitsOnly = true }.contains("isDigitsOnly"))
  }

  @Test("isDigitsOnly switches the four classes and their number off, and nothing else") func digitsOnlySwitchesOff() throws {
    let unmet = try unmetIDs("1111") {
      $0.isDigitsOnly = true
      ($0.hasDigit, $0.hasUpper, $0.hasLower, $0.hasSpecial, $0.minCharacterGroups) = (true, true, true, true, 4)
      ($0.minLength, $0.minUniqueChars) = (6, 2)
    }
    #expect(unmet == ["minLength", "minUniqueChars"])
  }

  @Test(
    "minUniqueChars counts distinct clusters",
    arguments: [
      ("aaaaaaaa", 1), ("aAaA", 2), ("1234", 4), ("٣٣٤٤", 2), ("3٣３", 3), ("ßẞß", 2), ("e\u{301}é", 1),
      ("ex\u{301}x\u{301}e", 2),
      ("👨‍👩‍👧👨‍👩‍👧👨‍👩‍👦", 2), ("ａａａ", 1), ("각각", 1), ("\r\n\r\n\r", 2),
    ])
  func minUniqueChars(text: String, count: Int) throws {
    #expect(try unmetIDs(text) { $0.minUniqueChars = count } == [])
    #expect(try unmetIDs(text) { $0.minUniqueChars = count + 1 } == ["minUniqueChars"])
  }

  @Test("everything unmet is told at once, in a fixed order, with a phrase for a person") func allAtOnce() throws {
    var policy = PasscodePolicy()
    (policy.hasDigit, policy.hasUpper, policy.hasLower, policy.hasSpecial) = (true, true, true, true)
    (policy.minCharacterGroups, policy.minUniqueChars) = (3, 4)
    let engine = try PolicyEngine(policy: policy)
    let verdict = try judge("aa", by: engine)
    #expect(
      verdict.requirements.map(\.id) == [
        "minLength", "maxLength", "hasDigit", "hasUpper", "hasLower", "hasSpecial", "minCharacterGroups", "minUniqueChars",
      ])
    #expect(verdict.unmet == verdict.requirements.filter { !$0.isSatisfied })
    #expect(verdict.requirements.filter(\.isSatisfied).map(\.id) == ["maxLength", "hasLower"])
    #expect(verdict.requirements[0].text == "at least 8 characters")
    #expect(!verdict.isMet)
    #expect(engine.requirements.map(\.id) == verdict.requirements.map(\.id))
    #expect(engine.requirements.allSatisfy { !$0.isSatisfied })
  }

  @Test("bytes that are no UTF-8, or too many, meet nothing") func unreadable() throws {
    let engine = try PolicyEngine(policy: PasscodePolicy())
    let bytes: [UInt8] = Array("longenough".utf8) + [0xFF]
    for verdict in [engine.judge(bytes.span), engine.judge([UInt8](repeating: 97, count: 3073).span)] {
      #expect(verdict.unmet.last?.id == "text")
      #expect(verdict.requirements.allSatisfy { !$0.isSatisfied })
    }
  }

  @Test("a rule by pattern needs a pattern language") func noPatternLanguage() {
    var policy = PasscodePolicy()
    policy.customRules = [CustomRule(name: "no space", pattern: " ", mustMatch: false)]
    #expect(throws: PolicyFault.noPatternLanguage(rule: "no space")) { try PolicyEngine(policy: policy) }
  }
}
