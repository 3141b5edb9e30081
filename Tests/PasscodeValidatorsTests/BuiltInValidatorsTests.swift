import Glibc
import PasscodeCore
import PasscodeValidators
import Testing

@Suite("Built-in validators") struct BuiltInValidatorsTests {
  private func ids(_ change: (inout PasscodePolicy) -> Void) throws -> [String] {
    var policy = PasscodePolicy()
    change(&policy)
    return try BuiltInValidators.make(for: policy, facts: PersonalFacts()).map(\.id)
  }

  @Test("the default is strength and the common passwords; digits only takes runs and PINs in strength's place") func defaults()
    throws
  {
    #expect(try ids { _ in } == ["strength", "blocklist"])
    #expect(try ids { $0.isDigitsOnly = true } == ["noSequences", "blocklist"])
    #expect(
      try ids {
        $0.isDigitsOnly = true
        $0.validators = [.notPersonal, .strength(minimumScore: 1)]
      } == ["notPersonal", "strength"])
  }

  @Test("validators keep the policy's order; blocklists are one") func order() throws {
    let validators: [ValidatorSetting] = [
      .notPersonal, .blocklist(.pins), .noSequences(max: 4), .blocklist(.common), .strength(minimumScore: 2),
    ]
    #expect(try ids { $0.validators = validators } == ["notPersonal", "blocklist", "noSequences", "strength"])
  }

  @Test("commands have ids of their own, are not looked at before they are asked, and say who judges") func commands() throws {
    var policy = PasscodePolicy()
    policy.validators = [
      .command(path: "/no/such/check", timeoutSeconds: 5), .notPersonal, .command(path: "/no/other", timeoutSeconds: 7),
    ]
    let validators = try BuiltInValidators.make(for: policy, facts: PersonalFacts())
    #expect(validators.map(\.id) == ["command", "notPersonal", "command.2"])
    #expect(validators[0].requirement == "checked by /no/such/check")
    #expect(validators.map(\.turn) == [.lastWhenSet, .always, .lastWhenSet])
  }

  @Test("a breach list that can't be used is named") func unusable() {
    #expect(throws: ValidatorFault.unreadable(path: "/no/such/index", errno: ENOENT)) {
      try ids { $0.validators = [.breachList(path: "/no/such/index")] }
    }
  }
}
