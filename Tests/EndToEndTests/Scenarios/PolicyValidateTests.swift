import Glibc
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

  @Test("what a policy names and is not there, or can't be trusted, has its line and column too")
  func faultsAtUse() throws {
    let home = try Sandbox()
    let missing = try home.directory.write(
      "p.json",
      "{\n  \"validators\": [\n    {\"type\": \"strength\"},\n    {\"type\": \"blocklist\", \"path\": \"/nonexistent\"}]\n}"
        .utf8)
    let result = try home.expect(78, "policy", "validate", missing)
    #expect(result.errorText.contains("\(missing):4:35: /nonexistent: No such file"), "\(result.errorText)")
    let link = home.directory.file("link")
    #expect(unsafe symlink("/bin/true", link) == 0)
    let command = try home.directory.write(
      "c.json", "{\"validators\": [{\"path\": \"\(link)\",\n\"type\": \"command\"}]}".utf8)
    let untrusted = try home.expect(78, "policy", "validate", command, "--as", "administrator")
    #expect(untrusted.errorText.contains("\(command):1:26: "), "\(untrusted.errorText)")
    try home.directory.write("config/passcoded/policy.json", try readFile(missing))
    let status = try home.expect(0, "status").outputText
    let path = home.directory.file("config/passcoded/policy.json")
    #expect(status.contains("line 4, column 35: /nonexistent"), "\(status)")
    #expect(status.components(of: path) == 2, "the path stands there once: \(status)")
  }

  @Test("a policy comes from standard input as well, and an empty operand is a slip")
  func otherSources() throws {
    let home = try Sandbox()
    #expect(try home.expect(0, "policy", "validate", "-", input: #"{"minLength": 9}"#.utf8).outputText == "stdin: good\n")
    let faulty = try home.expect(78, "policy", "validate", "/dev/stdin", input: #"{"minLenght": 9}"#.utf8)
    #expect(faulty.errorText.contains("/dev/stdin:1:2:"))
    for verb in [["policy", "validate", ""], ["breach-list", "import", "", "--to", "x"]] {
      let result = try home.run(verb)
      result.expectExit(64, "\(verb)")
      #expect(result.errorText.contains("is empty"))
    }
  }
}
