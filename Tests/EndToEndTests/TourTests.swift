import PasscodePlatform
import TestSupport
import Testing

/// Every verb once, in the order in which a person would meet them.
@Suite struct TourTests {
  @Test("the verbs of the passcode end with their codes and keep to their streams")
  func passcodeVerbs() throws {
    let home = try Sandbox()
    let absent = try home.expect(0, "status", "--json")
    #expect(jsonString("state", in: absent.outputText) == "absent")
    #expect(absent.error.isEmpty)
    try home.expect(75, "verify", "--passcode-file", home.passcodeFile)
    try home.expect(75, "put", "a", input: "x".utf8)

    let created = try home.expect(0, "create", "--passcode-file", home.passcodeFile, "--no-quick-unlock")
    #expect(created.output.isEmpty, "what create says to a person is no data")
    #expect(created.errorText.contains(home.storePath))
    #expect(created.errorText.contains("locks"))
    #expect(created.errorText.contains("try next"))
    try home.expect(73, "create", "--passcode-file", home.passcodeFile)

    try home.expect(0, "verify", "--passcode-file", home.passcodeFile)
    let wrong = try home.expect(77, "verify", "--passcode-file", home.wrongFile)
    #expect(wrong.errorText == "passcode: wrong passcode; 9 tries are left\n")
    let asJSON = try home.expect(77, "verify", "--json", "--passcode-file", home.wrongFile)
    #expect(asJSON.output.isEmpty)
    #expect(jsonString("error", in: asJSON.errorText) == "org.passcoded.Passcode.WrongPasscode")
    #expect(jsonNumber("triesRemaining", in: asJSON.errorText) == 8)

    try home.expect(0, "lock")
    try home.expect(0, "lock")
    let locked = try home.expect(75, "--json", "get", "a")
    #expect(jsonString("error", in: locked.errorText) == "org.passcoded.Passcode.Locked")
    try home.expect(77, "unlock", "--passcode-file", home.wrongFile)
    try home.expect(75, "unlock", "--no-input")
    try home.expect(75, "unlock", "--quick")
    try home.expect(0, "unlock", "--passcode-file", home.passcodeFile)

    try home.expect(77, "change", "--passcode-file", home.wrongFile, "--new-passcode-file", home.newFile)
    try home.expect(65, "change", "--passcode-file", home.passcodeFile, "--new-passcode-file", home.wrongFile)
    try home.expect(0, "change", "--passcode-file", home.passcodeFile, "--new-passcode-file", home.newFile)
    try home.expect(77, "verify", "--passcode-file", home.passcodeFile)
    try home.expect(0, "verify", "--passcode-file", home.newFile)
  }

  @Test("the verbs of credentials end with their codes and keep to their streams")
  func credentialVerbs() throws {
    let home = try Sandbox()
    try home.create()
    let put = try home.expect(0, "put", "work/api/token", "--attr", "env=prod", "--type", "text/plain", input: "one".utf8)
    #expect(put.output.isEmpty)
    try home.expect(73, "put", "work/api/token", "--no-replace", input: "two".utf8)
    try home.expect(0, "put", "work/api/token", input: "two".utf8)
    try home.expect(65, "put", "work//x", input: "x".utf8)
    try home.expect(64, "put", "a", "--attr", "novalue", input: "x".utf8)

    let got = try home.expect(0, "get", "work/api/token")
    #expect(got.output == Array("two".utf8))
    #expect(got.error.isEmpty)
    #expect(try home.expect(0, "get", "work/api/token", "--version", "1").outputText == "one")
    #expect(try home.expect(0, "get", "work/api/token", "--attr", "env").outputText == "prod")
    try home.expect(1, "get", "work/api/token", "--attr", "none")
    try home.expect(1, "get", "work/none")
    try home.expect(1, "get", "work/api/token", "--version", "99")

    let shown = try home.expect(0, "show", "work/api/token", "--json").outputText
    #expect(jsonNumber("size", in: shown) == 3)
    #expect(jsonString("type", in: shown) == "text/plain")
    #expect(!shown.contains("two"))
    try home.expect(0, "attr", "set", "work/api/token", "owner=ops")
    #expect(try home.expect(0, "find", "env=prod", "owner=ops").outputText == "work/api/token\n")
    try home.expect(0, "attr", "unset", "work/api/token", "owner")
    try home.expect(1, "find", "owner=ops")

    try home.expect(0, "put", "work/b", input: "b".utf8)
    try home.expect(0, "put", "Zeta", input: "z".utf8)
    #expect(try home.expect(0, "list").outputText == "Zeta\nwork/api/token\nwork/b\n")
    #expect(try home.expect(0, "list", "work/api").outputText == "work/api/token\n")
    #expect(try home.expect(0, "list", "work/").outputText == "work/api/token\nwork/b\n")
    #expect(try home.expect(0, "list", "nothing/here").output.isEmpty)
    try home.expect(73, "rename", "work/b", "Zeta")
    try home.expect(0, "rename", "work/b", "home/b")
    try home.expect(1, "get", "work/b")

    try home.expect(0, "delete", "home/b")
    try home.expect(1, "get", "home/b")
    let versions = try home.expect(0, "history", "home/b").outputText
    let version = try #require(versions.split(separator: " ").first.map(String.init))
    try home.expect(0, "history", "home/b", "--restore", version)
    #expect(try home.expect(0, "get", "home/b").outputText == "b")
    try home.expect(0, "delete", "home/b", "--purge")
    try home.expect(1, "history", "home/b")
  }

  @Test("the verbs of the daemon and the policy end with their codes")
  func otherVerbs() throws {
    let home = try Sandbox()
    try home.expect(69, "daemon", "status")
    try home.expect(0, "daemon", "stop")
    try home.expect(66, "daemon", "log")
    try home.create()
    let first = try home.daemonPID()
    try home.expect(0, "daemon", "status")
    try home.expect(0, "daemon", "restart")
    #expect(try home.daemonPID() != first)
    #expect(jsonString("state", in: try home.expect(0, "status", "--json").outputText) == "locked")
    #expect(try home.expect(0, "daemon", "log").outputText.contains("passcoded"))
    #expect(try home.expect(0, "policy", "show", "--json").outputText.contains("\"minLength\": 8"))
    #expect(try home.expect(0, "policy", "show", "--preset", "nist-800-63b").outputText.contains("15"))
    try home.expect(64, "policy", "show", "--preset", "nist")
    try home.expect(0, "policy", "validate", home.directory.file("config/passcoded/policy.json"))
    try home.expect(66, "policy", "validate", home.directory.file("none.json"))
    try home.expect(0, "daemon", "stop")
    try home.expect(69, "--no-autostart", "status")
  }

  @Test("check tells each unmet requirement, and whether a candidate would be taken")
  func check() throws {
    let home = try Sandbox(policy: #""hasDigit": true, "minLength": 12"#)
    let refused = try home.expect(65, "check", "--passcode-fd", "0", "--json", input: "abc".utf8)
    #expect(jsonString("error", in: refused.errorText) == "org.passcoded.Passcode.PolicyUnmet")
    for id in ["minLength", "hasDigit", "strength"] { #expect(refused.outputText.contains("\"\(id)\"")) }
    let words = try home.expect(65, "check", "--new-passcode-fd", "0", input: "abc".utf8).errorText
    #expect(words.split(separator: "\n").count > 3)
    try home.expect(0, "check", "--passcode-file", home.passcodeFile)
    #expect(jsonString("state", in: try home.expect(0, "status", "--json").outputText) == "absent")
  }
}
