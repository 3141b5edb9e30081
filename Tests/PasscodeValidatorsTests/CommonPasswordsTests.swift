import PasscodeCore
import Testing

@testable import PasscodeValidators

/// What each preset says about the 30,000 common passwords. The numbers stand in `docs/policy.md`.
@Suite("The common passwords under each preset") struct CommonPasswordsTests {
  struct Expected: Sendable {
    let preset: PolicyPreset
    /// How many do not meet each requirement.
    let unmet: [String: Int]
    /// How many only the lists refuse.
    let listAlone: Int
  }

  @Test(
    "every one is refused, and by what",
    arguments: [
      Expected(preset: .default, unmet: ["minLength": 18_389, "strength": 27_726, "blocklist": 30_000], listAlone: 1552),
      Expected(preset: .nist80063b, unmet: ["minLength": 29_969, "blocklist": 30_000], listAlone: 31),
      Expected(
        preset: .sapMobileServices, unmet: ["minLength": 18_389, "strength": 27_726, "blocklist": 30_000], listAlone: 1552),
      Expected(
        preset: .pin6, unmet: ["minLength": 2014, "isDigitsOnly": 28_353, "noSequences": 1110, "blocklist": 30_000],
        listAlone: 1317),
    ])
  func counts(expected: Expected) throws {
    let policy = expected.preset.policy
    let validators = try BuiltInValidators.make(for: policy, facts: PersonalFacts())
    let engine = try PolicyEngine(policy: policy, patterns: PCRE2Patterns(), validators: validators)
    var unmet: [String: Int] = [:]
    var accepted = 0
    var listAlone = 0
    for index in 0..<PackagedList.common.count {
      let verdict = engine.judge(PackagedList.common[index])
      if verdict.isMet { accepted += 1 }
      if verdict.unmet.map(\.id) == ["blocklist"] { listAlone += 1 }
      for requirement in verdict.unmet { unmet[requirement.id, default: 0] += 1 }
    }
    #expect(accepted == 0)
    #expect(unmet == expected.unmet)
    #expect(listAlone == expected.listAlone)
  }
}
