import PasscodeCore
import Synchronization
import Testing

/// A validator that knows what it wants.
private struct Fixed: PasscodeValidationDelegate {
  let id: String
  var requirement: String?
  let refuses: Bool
  func validate(_ candidate: Span<UInt8>) throws(PasscodeRejection) {
    if refuses { throw PasscodeRejection("\(id) says no") }
  }
}

/// One that counts how often it is asked.
private final class Late: PasscodeValidationDelegate {
  let id: String
  let requirement: String?
  let turn: ValidationTurn
  private let refuses: Bool
  private let count = Mutex(0)
  var timesAsked: Int { count.withLock { $0 } }

  init(_ id: String, _ requirement: String? = nil, turn: ValidationTurn = .lastWhenSet, refuses: Bool = false) {
    self.id = id
    self.requirement = requirement
    self.turn = turn
    self.refuses = refuses
  }

  func validate(_ candidate: Span<UInt8>) throws(PasscodeRejection) {
    count.withLock { $0 += 1 }
    if refuses { throw PasscodeRejection("\(id) says no") }
  }
}

private struct Meter: PasscodeStrengthMeter {
  let id = "strength"
  let requirement: String? = "strong"
  func measure(_ candidate: Span<UInt8>) -> PasscodeStrength? {
    PasscodeStrength(score: min(candidate.count / 4, 4), bits: Double(candidate.count))
  }
  func validate(_ strength: PasscodeStrength?) throws(PasscodeRejection) {
    if strength?.score ?? 0 < 3 { throw PasscodeRejection("weak") }
  }
}

/// Finds the pattern as a piece of the text; "hang" reaches the limit.
private struct Pieces: PatternCompiling, CompiledPattern {
  var piece: [UInt8] = []
  func compile(_ pattern: String) throws(PatternFault) -> any CompiledPattern {
    if pattern.hasPrefix("(") { throw PatternFault(offset: 1, message: "missing )") }
    return Pieces(piece: Array(pattern.utf8))
  }
  func search(_ text: Span<UInt8>) -> PatternOutcome {
    if piece == Array("hang".utf8) { return .limitReached }
    for start in 0..<max(text.count - piece.count + 1, 0) {
      if piece.indices.allSatisfy({ text[start + $0] == piece[$0] }) { return .found }
    }
    return .notFound
  }
}

/// The example of `docs/policy.md`.
private struct NoCompanyName: PasscodeValidationDelegate {
  let id = "noCompanyName"
  let requirement: String? = "without the company's name"

  func validate(_ candidate: Span<UInt8>) throws(PasscodeRejection) {
    let name = Array("acme".utf8)
    for start in candidate.indices.dropLast(name.count - 1)
    where name.indices.allSatisfy({ candidate[start + $0] | 0x20 == name[$0] }) {
      throw PasscodeRejection("contains the company's name")
    }
  }
}

@Suite("Rules by pattern and validators") struct ValidationOrderTests {
  private func verdict(
    _ text: String, rules: [CustomRule] = [], validators: [any PasscodeValidationDelegate] = []
  ) throws -> PolicyVerdict {
    var policy = PasscodePolicy()
    policy.customRules = rules
    return try judge(text, by: PolicyEngine(policy: policy, patterns: Pieces(), validators: validators))
  }

  @Test("a listed validator is asked about every candidate, an unlisted one only when all else is met") func order() throws {
    let validators = [
      Fixed(id: "app", requirement: nil, refuses: true), Fixed(id: "a", requirement: "not a", refuses: true),
      Fixed(id: "b", requirement: "not b", refuses: false),
    ]
    let short = try verdict("short", validators: validators)
    #expect(short.unmet.map(\.id) == ["minLength", "a"])
    #expect(short.requirements.map(\.id) == ["minLength", "maxLength", "a", "b"])
    #expect(short.unmet[1].text == "a says no")
    #expect(short.requirements[2].text == "not a")
    #expect(try verdict("long enough", validators: [validators[0], validators[2]]).unmet.map(\.id) == ["app"])
    #expect(try verdict("long enough", validators: [validators[2]]).isMet)
  }

  @Test("one whose turn is last is listed in its place, and not satisfied before it was asked") func listedLast() throws {
    let late = Late("late", "checked later", turn: .last)
    let validators: [any PasscodeValidationDelegate] = [late, Fixed(id: "b", requirement: "not b", refuses: false)]
    let short = try verdict("short", validators: validators)
    #expect(short.requirements.map(\.id) == ["minLength", "maxLength", "late", "b"])
    #expect(short.requirements.map(\.isSatisfied) == [false, true, false, true])
    #expect(short.unmet.map(\.id) == ["minLength"])
    #expect(late.timesAsked == 0)
    let long = try verdict("long enough", validators: validators)
    #expect(long.requirements.allSatisfy(\.isSatisfied) && long.isMet)
    #expect(late.timesAsked == 1)
  }

  @Test("those who judge only what is set come after all others, one by one until one refuses") func onlyWhenSet() throws {
    let validators = [
      Late("first", "checked", refuses: false), Late("second", "checked", refuses: true), Late("third"),
      Late("app", turn: .last, refuses: false),
    ]
    let engine = try PolicyEngine(policy: PasscodePolicy(), validators: validators)
    let text = Array("long enough".utf8)
    let typed = engine.judge(text.span, isBeingSet: false)
    #expect(typed.isMet && typed.requirements.map(\.isSatisfied) == [true, true, false, false])
    #expect(validators.map(\.timesAsked) == [0, 0, 0, 1])
    let set = engine.judge(text.span)
    #expect(set.unmet.map(\.text) == ["second says no"])
    #expect(set.requirements.map(\.isSatisfied) == [true, true, true, false])
    #expect(validators.map(\.timesAsked) == [1, 1, 0, 2])
    let refused = try PolicyEngine(policy: PasscodePolicy(), validators: validators + [Late("no", turn: .last, refuses: true)])
    #expect(refused.judge(text.span).unmet.map(\.id) == ["no"])
    #expect(validators.map(\.timesAsked) == [1, 1, 0, 3])
  }

  @Test("the documentation's validator does what it says") func documented() throws {
    #expect(try verdict("my ACME passcode", validators: [NoCompanyName()]).unmet.map(\.text) == ["contains the company's name"])
    #expect(try verdict("my acne passcode", validators: [NoCompanyName()]).isMet)
    #expect(try verdict("ac", validators: [NoCompanyName()]).unmet.map(\.id) == ["minLength"])
  }

  @Test("a validator that measures gives the verdict its strength") func strength() throws {
    let weak = try verdict("12345678", validators: [Meter()])
    #expect(weak.strength == PasscodeStrength(score: 2, bits: 8))
    #expect(weak.unmet.map(\.text) == ["weak"])
    #expect(try verdict("123456789012", validators: [Meter()]).isMet)
    #expect(try verdict("12345678").strength == nil)
  }

  @Test("a rule by pattern must be found or must not") func mustMatch() throws {
    let must = CustomRule(name: "a dash", pattern: "-")
    let mustNot = CustomRule(name: "no space", pattern: " ", mustMatch: false)
    #expect(try verdict("with-dash", rules: [must, mustNot]).isMet)
    #expect(try verdict("without it", rules: [must, mustNot]).unmet.map(\.id) == ["rule.a dash", "rule.no space"])
    #expect(try verdict("without it", rules: [must]).unmet.map(\.text) == ["a dash"])
  }

  @Test("hidden rules are enforced, never listed, and told as one") func hidden() throws {
    let rules = ["x", "y"].map { CustomRule(name: $0, pattern: $0, mustMatch: false, displayed: false) }
    let both = try verdict("xylophone", rules: rules)
    #expect(both.requirements.map(\.id) == ["minLength", "maxLength"])
    #expect(both.unmet.map(\.id) == ["hidden"])
    #expect(!both.isMet)
    #expect(try verdict("telephone", rules: rules).isMet)
  }

  @Test("a search that reaches its limit leaves the rule unmet, whichever way it reads", arguments: [true, false])
  func limit(mustMatch: Bool) throws {
    #expect(
      try verdict("long enough", rules: [CustomRule(name: "slow", pattern: "hang", mustMatch: mustMatch)]).unmet.count == 1)
  }

  @Test("a faulty pattern names its rule and its place") func faulty() {
    #expect(throws: PolicyFault.pattern(rule: "broken", PatternFault(offset: 1, message: "missing )"))) {
      try verdict("x", rules: [CustomRule(name: "broken", pattern: "(")])
    }
  }

  @Test("two rules of one name have distinct ids") func sameName() throws {
    let rules = ["x", "y"].map { CustomRule(name: "no", pattern: $0, mustMatch: false) }
    #expect(try verdict("xylophone", rules: rules).unmet.map(\.id) == ["rule.no", "rule.no.2"])
  }

  @Test("a pattern's fault is placed in the file, escapes counted")
  func placeOfPatternFault() {
    struct At: PatternCompiling {
      let offset: Int
      func compile(_ pattern: String) throws(PatternFault) -> any CompiledPattern {
        throw PatternFault(offset: offset, message: "wrong")
      }
    }
    // Decoded: \d é 😀 x, of 2, 2, 4 and 1 bytes.
    let text = #"{"customRules": [{"name": "n", "pattern": "\\d\u00e9\uD83D\uDE00x"}]}"#
    for (offset, column) in [(0, 44), (1, 46), (2, 47), (4, 53), (8, 65), (9, 66)] {
      do {
        _ = try PolicyFile.parse(text.utf8Span.span, role: .user, patterns: At(offset: offset))
        Issue.record("no fault at \(offset)")
      } catch { #expect(error.column == column && error.message == "the pattern of rule \"n\" is faulty: wrong", "\(offset)") }
    }
  }
}
