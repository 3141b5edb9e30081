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

  @Test("a type that this version does not have is named") func unavailable() {
    #expect(throws: ValidatorFault.validatorUnavailable(type: "breachList")) {
      try ids { $0.validators = [.breachList(path: "/var/lib/breaches")] }
    }
    #expect(throws: ValidatorFault.validatorUnavailable(type: "command")) {
      try ids { $0.validators = [.command(path: "/usr/libexec/check", timeoutSeconds: 5)] }
    }
  }
}
