import PasscodeCore
import SecretMemory
import TestSupport
import Testing

/// Stands in for the packaged validators: any that gets stricter as its setting does.
private struct Fake: PasscodeValidationDelegate {
  let id: String
  let requirement: String? = "fake"
  let minimumByteCount: Int
  func validate(_ candidate: Span<UInt8>) throws(PasscodeRejection) {
    if candidate.count < minimumByteCount { throw PasscodeRejection("no") }
  }

  init(_ setting: ValidatorSetting) {
    id = setting.type
    minimumByteCount =
      switch setting {
      case .strength(let score): score * 4
      case .noSequences(let max): 20 - max
      case .notPersonal: 9
      default: 7
      }
  }
}

private struct LastByte: PatternCompiling, CompiledPattern {
  var byte: UInt8 = 0
  func compile(_ pattern: String) throws(PatternFault) -> any CompiledPattern { LastByte(byte: pattern.utf8.last ?? 0) }
  func search(_ text: Span<UInt8>) -> PatternOutcome {
    text.count > 0 && text[text.count - 1] == byte ? .found : .notFound
  }
}

@Suite("Merging, by property") struct MergePropertyTests {
  /// The keys that judge, each with its loosest value.
  private static let loosest: [String: String] = [
    "minLength": "1", "maxLength": "1024", "hasDigit": "false", "hasUpper": "false", "hasLower": "false", "hasSpecial": "false",
    "minCharacterGroups": "0", "isDigitsOnly": "false", "minUniqueChars": "0", "customRules": "[]",
    "validators": #"[{"type": "strength", "minimumScore": 0}]"#,
  ]

  private func text(_ members: [String: String]) -> String {
    "{" + members.sorted { $0.key < $1.key }.map { "\"\($0.key)\": \($0.value)" }.joined(separator: ", ") + "}"
  }

  private func value(_ key: String, _ random: inout SplitMix64) -> String {
    switch key {
    case "minLength": return String(Int.random(in: 1...12, using: &random))
    case "maxLength": return String(Int.random(in: 6...20, using: &random))
    case "minCharacterGroups": return String(Int.random(in: 0...4, using: &random))
    case "minUniqueChars": return String(Int.random(in: -1...8, using: &random))
    case "customRules":
      return [
        "[]", #"[{"name": "a", "pattern": "7"}]"#, #"[{"name": "b", "pattern": "é", "mustMatch": false, "displayed": false}]"#,
      ]
      .randomElement(using: &random)!
    case "validators":
      let kinds =
        [#""notPersonal""#, #""blocklist""#]
        + [#""strength", "minimumScore": \#(Int.random(in: 0...4, using: &random))"#]
        + [#""noSequences", "max": \#(Int.random(in: 8...18, using: &random))"#]
      return "[" + kinds.filter { _ in Bool.random(using: &random) }.map { "{\"type\": \($0)}" }.joined(separator: ", ") + "]"
    default: return Bool.random(using: &random) ? "true" : "false"
    }
  }

  private func members(_ random: inout SplitMix64) -> [String: String] {
    var members: [String: String] = [:]
    for key in Self.loosest.keys.sorted() where Int.random(in: 0..<3, using: &random) == 0 {
      members[key] = value(key, &random)
    }
    return members
  }

  private func candidate(_ random: inout SplitMix64) -> String {
    let alphabets = ["0123456789٣", "abßABẞé7 -😀x"]
    let alphabet = Array(alphabets.randomElement(using: &random)!)
    return String((0..<Int.random(in: 1...16, using: &random)).map { _ in alphabet.randomElement(using: &random)! })
  }

  private func engine(_ policy: PasscodePolicy) throws -> PolicyEngine {
    try PolicyEngine(policy: policy, patterns: LastByte(), validators: policy.validatorsInForce.map(Fake.init))
  }

  @Test("whatever the user writes, what is accepted meets all that the administrator names") func neverLooser() throws {
    var random = SplitMix64.announced()
    var accepted = 0
    for _ in 0..<1500 {
      let floorMembers = members(&random)
      guard let administrator = try? parsePolicy(text(floorMembers), .administrator),
        let user = try? parsePolicy(text(members(&random)))
      else { continue }
      let floor = try engine(parsePolicy(text(Self.loosest.merging(floorMembers) { $1 }), .administrator).policy)
      let merged = EffectivePolicy.merge(administrator: administrator, user: user)
      let engine = try engine(merged.policy)
      for _ in 0..<8 {
        let candidate = candidate(&random)
        guard try judge(candidate, by: engine).isMet else { continue }
        accepted += 1
        let verdict = try judge(candidate, by: floor)
        #expect(verdict.isMet, "\(text(floorMembers)) + \(user.policy): \(candidate) does not meet \(verdict.unmet)")
      }
    }
    #expect(accepted > 100)
  }

  @Test("putting a file together with itself, or with nothing, changes nothing") func identities() throws {
    var random = SplitMix64.announced()
    for _ in 0..<500 {
      let source = text(members(&random))
      guard let administrator = try? parsePolicy(source, .administrator), let user = try? parsePolicy(source) else { continue }
      var expected = administrator.policy
      if expected.isDigitsOnly { expected.validators = expected.validatorsInForce }
      #expect(EffectivePolicy.merge(administrator: administrator, user: nil).policy == expected)
      #expect(EffectivePolicy.merge(administrator: nil, user: user).policy == user.policy)
      let both = EffectivePolicy.merge(administrator: administrator, user: user)
      #expect(both.policy == expected && both.ignored.isEmpty, "\(source)")
    }
  }
}
