import PasscodeCore
import Testing

@Suite("SAP Mobile Services block") struct SAPPolicyTests {
  @Test("each key stands for ours, with strings or plain values", arguments: [true, false]) func keys(asStrings: Bool) throws {
    let quote = asStrings ? "\"" : ""
    let members = [
      ("Enabled", "true"), ("DefaultPasswordAllowed", "false"), ("MinLength", "12"), ("DigitRequired", "true"),
      ("UpperRequired", "true"), ("LowerRequired", "true"), ("SpecialRequired", "true"), ("MinUniqueChars", "5"),
      ("IsDigitsOnly", "false"), ("ExpiresInNDays", "90"), ("LockTimeout", "300"), ("RetryLimit", "7"),
      ("FingerprintEnabled", "false"),
    ].map { "\"passwordPolicy\($0.0)\": \(quote)\($0.1)\(quote)" }.joined(separator: ",")
    for text in ["{\(members)}", "{\"passwordPolicy\": {\(members)}}"] {
      let file = try parsePolicy(text, .administrator)
      var expected = PasscodePolicy()
      (expected.minLength, expected.minUniqueChars, expected.expirationDays) = (12, 5, 90)
      (expected.hasDigit, expected.hasUpper, expected.hasLower, expected.hasSpecial) = (true, true, true, true)
      (expected.lockTimeoutSeconds, expected.retryLimit, expected.allowsQuickUnlock) = (300, 7, false)
      #expect(file.policy == expected)
      #expect(file.namedKeys.count == 11)
    }
  }

  @Test("0 means none") func none() throws {
    let names = ["MinLength", "MinUniqueChars", "ExpiresInNDays", "LockTimeout", "RetryLimit"]
    for value in ["0", "\"0\"", "-1"] {
      let members = names.map { "\"passwordPolicy\($0)\": \(value)" }.joined(separator: ",")
      let policy = try parsePolicy("{\(members)}").policy
      #expect(policy.minLength == 1 && policy.minUniqueChars == 0 && policy.expirationDays == 0)
      #expect(policy.lockTimeoutSeconds == 0 && policy.retryLimit == 0)
    }
  }

  @Test("a block that asks for no passcode at all is refused") func noPasscode() {
    #expect(policyFaults(#"{"passwordPolicyEnabled": "false"}"#).count == 1)
    #expect(policyFaults(#"{"passwordPolicyEnabled": false}"#, .administrator).count == 1)
    #expect(policyFaults(#"{"passwordPolicyDefaultPasswordAllowed": true}"#).count == 1)
    #expect(policyFaults(#"{"passwordPolicyEnabled": true, "passwordPolicyDefaultPasswordAllowed": "false"}"#) == [])
  }

  @Test("a value that is neither is refused with its place") func faults() {
    #expect(
      policyFaults(#"{"passwordPolicyMinLength": "eight"}"#)
        == ["line 1, column 29: expected a number from -1 to 1024, found \"eight\""])
    #expect(policyFaults(#"{"passwordPolicyDigitRequired": "yes"}"#).count == 1)
    #expect(policyFaults(#"{"passwordPolicyMinLength": 1025}"#).count == 1)
    #expect(
      policyFaults(#"{"passwordPolicyMinLenght": 8}"#)
        == [
          "line 1, column 2: unknown key \"passwordPolicyMinLenght\" in the policy; did you mean \"passwordPolicyMinLength\"?"
        ])
  }
}
