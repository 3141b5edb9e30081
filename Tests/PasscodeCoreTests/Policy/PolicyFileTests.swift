import PasscodeCore
import Testing

@Suite("Policy file") struct PolicyFileTests {
  @Test("an empty object is the default policy and names nothing") func empty() throws {
    let file = try parsePolicy("{}")
    #expect(file.policy == .default)
    #expect(PolicyKey.allCases.allSatisfy { !file.names($0) })
  }

  @Test("an unknown key is refused with its place and the nearest name") func unknownKey() {
    #expect(
      policyFaults("{\n  \"minLenght\": 10\n}")
        == ["line 2, column 3: unknown key \"minLenght\" in the policy; did you mean \"minLength\"?"])
    #expect(
      policyFaults(#"{"lockOut": {"first_seconds": 3}}"#)
        == ["line 1, column 14: unknown key \"first_seconds\" in lockOut; did you mean \"firstSeconds\"?"])
    #expect(policyFaults(#"{"zzzzzzzzzz": 1}"#) == ["line 1, column 2: unknown key \"zzzzzzzzzz\" in the policy"])
  }

  @Test("a fault never repeats what drives a terminal") func controlCharacters() {
    let faults = policyFaults(#"{"\u001b[2J": 1}"#)
    #expect(faults.count == 1)
    #expect(!faults[0].utf8.contains(0x1B))
  }

  @Test("a doubled key is refused, also by another name") func doubledKey() {
    #expect(policyFaults("{\"minLength\": 9,\n\"minLength\": 9}") == ["line 2, column 1: the key is given twice"])
    #expect(
      policyFaults(#"{"allowsQuickUnlock": true, "allowsTouchID": true}"#)
        == ["line 1, column 29: \"allowsTouchID\" says again what \"allowsQuickUnlock\" has said"])
    #expect(policyFaults(#"{"minLength": 9, "passwordPolicyMinLength": "9"}"#).count == 1)
  }

  @Test(
    "a value of another kind says what was expected and what was found",
    arguments: [
      (#"{"minLength": "8"}"#, "line 1, column 15: expected a whole number, found a string"),
      (#"{"minLength": 8.0}"#, "line 1, column 15: expected a whole number, found a fractional or very large number"),
      (#"{"hasDigit": 1}"#, "line 1, column 14: expected true or false, found a whole number"),
      (#"{"hasDigit": "true"}"#, "line 1, column 14: expected true or false, found a string"),
      (#"{"lockOut": 3}"#, "line 1, column 13: expected an object, found a whole number"),
      (#"{"customRules": {}}"#, "line 1, column 17: expected an array, found an object"),
      (#"{"validators": [true]}"#, "line 1, column 17: expected an object, found true or false"),
      (#"{"askEachTime": [null]}"#, "line 1, column 18: expected a string, found null"),
      (
        #"{"onRetryLimit": 1}"#,
        "line 1, column 18: expected one of \"lockOut\", \"wipe\", found a whole number"
      ),
      ("[]", "line 1, column 1: expected an object, found an array"),
      ("{\"minLength\": 8,}", "line 1, column 16: the comma after the last entry must go"),
      ("", "line 1, column 1: the text ends too early"),
    ])
  func wrongKind(text: String, fault: String) { #expect(policyFaults(text) == [fault]) }

  @Test("a word that is not known gets the nearest one") func unknownWord() {
    #expect(
      policyFaults(#"{"onRetryLimit": "lockout"}"#)
        == [
          "line 1, column 18: expected one of \"lockOut\", \"wipe\", found \"lockout\"; did you mean \"lockOut\"?"
        ])
    #expect(policyFaults(#"{"preset": "nist"}"#).count == 1)
    #expect(
      policyFaults(#"{"validators": [{"type": "strenght"}]}"#)
        == ["line 1, column 26: unknown validator \"strenght\"; did you mean \"strength\"?"])
  }

  @Test("all faults are told, in the order of the text") func allFaults() {
    let faults = policyFaults("{\"minLength\": 0,\n\"hasDigit\": 2,\n\"nope\": 3}")
    #expect(faults.count == 3)
    #expect(faults.map { String($0.prefix(6)) } == ["line 1", "line 2", "line 3"])
  }

  @Test("numbers that contradict each other are refused") func contradictions() {
    #expect(policyFaults(#"{"maxLength": 6}"#) == ["line 1, column 15: minLength (8) is more than maxLength (6)"])
    #expect(policyFaults(#"{"minLength": 20, "maxLength": 20}"#) == [])
    #expect(policyFaults(#"{"minUniqueChars": 21, "maxLength": 20}"#).count == 1)
    #expect(policyFaults(#"{"lockOut": {"firstSeconds": 60, "maxSeconds": 59}}"#).count == 1)
    #expect(policyFaults(#"{"keyDerivation": {"maxMemoryMiB": 32}}"#, .administrator).count == 1)
    #expect(policyFaults(#"{"keyDerivation": {"minMemoryMiB": 19, "maxMemoryMiB": 32}}"#, .administrator) == [])
  }

  @Test("what is the administrator's alone is refused in the user's file") func administratorOnly() {
    let command = #"{"validators": [{"type": "command", "path": "/usr/libexec/check"}]}"#
    #expect(policyFaults(command).count == 1)
    #expect(policyFaults(command, .administrator) == [])
    let deposit = #"{"consent": {"depositCommand": "/usr/libexec/deposit"}}"#
    #expect(policyFaults(deposit).count == 1)
    #expect(policyFaults(deposit, .administrator) == [])
    #expect(policyFaults(#"{"consent": {"depositCommand": null}}"#) == [])
    #expect(policyFaults(#"{"keyDerivation": {"minMemoryMiB": 63}}"#).count == 1)
    #expect(policyFaults(#"{"keyDerivation": {"minMemoryMiB": 64}}"#) == [])
    #expect(policyFaults(#"{"keyDerivation": {"minMemoryMiB": 18}}"#, .administrator).count == 1)
    #expect(policyFaults(#"{"keyDerivation": {"minMemoryMiB": 19}}"#, .administrator) == [])
  }

  @Test("a preset is a start that other keys override") func preset() throws {
    let file = try parsePolicy(#"{"minLength": 20, "preset": "nist-800-63b"}"#)
    #expect(file.policy.minLength == 20)
    #expect(file.policy.validators == [.blocklist(.common)])
    #expect(file.names(.validators) && !file.namedKeys.contains(.validators))
  }

  @Test("pin-6 without its device key is refused") func pinWithoutDeviceKey() throws {
    #expect(try parsePolicy(#"{"preset": "pin-6"}"#).policy.deviceKey)
    #expect(policyFaults(#"{"preset": "pin-6", "deviceKey": false}"#).count == 1)
    #expect(policyFaults(#"{"preset": "pin-6", "deviceKey": true}"#) == [])
  }

  @Test("-1 and 0 are no limit") func noLimit() throws {
    let file = try parsePolicy(#"{"retryLimit": -1, "minUniqueChars": -1}"#)
    #expect(file.policy.retryLimit == 0 && file.policy.minUniqueChars == 0)
    #expect(policyFaults(#"{"retryLimit": -2}"#).count == 1)
  }

  @Test("every preset, written and read again, is the same policy in force", arguments: PolicyPreset.allCases)
  func roundTrip(preset: PolicyPreset) throws {
    let read = try parsePolicy(written(preset.policy), .administrator)
    var expected = preset.policy
    expected.validators = expected.validatorsInForce
    #expect(read.policy == expected)
    #expect(read.policy.validatorsInForce == expected.validatorsInForce)
    #expect(read.namedKeys == Set(PolicyKey.allCases))
  }

  @Test("a file over 1 MiB is refused unread") func tooLarge() {
    let text = "{" + String(repeating: " ", count: PolicyFile.maximumByteCount) + "}"
    #expect(policyFaults(text) == ["line 1, column 1: the file is larger than 1 MiB"])
  }
}
