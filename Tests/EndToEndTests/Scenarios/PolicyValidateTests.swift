import PasscodePlatform
import TestSupport
import Testing

@Suite struct PolicyValidateTests {
  @Test("policy validate tells every fault by line and column, with the nearest key, and starts no daemon")
  func faults() throws {
    let home = try Sandbox()
    let file = try home.directory.write(
      "p.json", #"{"minLenght": 9,\#n"customRules": [{"name": "r", "pattern": "(", "mustMatch": true}],\#n"hasDigit": 1}"#.utf8)
    let result = try home.expect(78, "policy", "validate", file)
    #expect(result.output.isEmpty)
    #expect(result.errorText.contains("\(file):1:2:") && result.errorText.contains("minLength"))
    #expect(result.errorText.contains("\(file):3:13:"))
    let json = try home.expect(78, "--json", "policy", "validate", file).errorText
    #expect(jsonString("error", in: json) == "org.passcoded.Passcode.PolicyFault")
    #expect(jsonNumber("line", in: json) == 1 && jsonNumber("column", in: json) == 2)
    let pattern = try home.directory.write(
      "q.json", #"{"customRules": [{"name": "r", "pattern": "(", "mustMatch": true, "displayed": true}]}"#.utf8)
    try home.expect(78, "policy", "validate", pattern)
    let command = try home.directory.write(
      "c.json", #"{"validators": [{"type": "command", "path": "/bin/true", "timeoutSeconds": 1}]}"#.utf8)
    try home.expect(78, "policy", "validate", command)
    try home.expect(69, "daemon", "status")
  }
}
