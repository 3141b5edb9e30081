import Glibc
import PasscodePlatform
import TestSupport
import Testing

@Suite struct AttemptTests {
  @Test("SC-54: the count of wrong tries survives a restart and a kill, whatever the way in")
  func triesSurvive() throws {
    let home = try Sandbox()
    try home.create()
    func left() throws -> Int? { jsonNumber("triesRemaining", in: try home.expect(0, "status", "--json").outputText) }
    try home.expect(77, "verify", "--passcode-file", home.wrongFile)
    try home.expect(0, "daemon", "restart")
    #expect(try left() == 9)
    try home.expect(77, "unlock", "--passcode-file", home.wrongFile)
    let killed = try home.daemonPID()
    kill(killed, SIGKILL)
    while kill(killed, 0) == 0 { usleep(1000) }
    #expect(try left() == 8)
    try home.expect(77, "change", "--passcode-file", home.wrongFile, "--new-passcode-file", home.newFile)
    #expect(try left() == 7)
    try home.write(policy: #""retryLimit": 9"#)
    let pid = try home.daemonPID()
    kill(pid, SIGHUP)
    try home.expect(77, "verify", "--passcode-file", home.wrongFile)
    #expect(try left() == 5, "four of nine are used up")
    try home.expect(77, "verify", "--passcode-file", home.wrongFile)
    let out = try home.expect(75, "verify", "--json", "--passcode-file", home.passcodeFile)
    #expect(jsonString("error", in: out.errorText) == "org.passcoded.Passcode.LockedOut")
    #expect(jsonNumber("retryAfterSeconds", in: out.errorText).map { (1...30).contains($0) } == true)
    try home.expect(0, "daemon", "restart")
    try home.expect(75, "unlock", "--passcode-file", home.passcodeFile)
    try home.expect(75, "change", "--passcode-file", home.passcodeFile, "--new-passcode-file", home.newFile)
  }

  @Test("SC-54: of guesses in parallel each one is charged")
  func parallelGuesses() throws {
    let home = try Sandbox()
    try home.create()
    let guesses = try (0..<4).map { _ in try home.command(["verify", "--passcode-file", home.wrongFile]).start() }
    let codes = try guesses.map { try $0.finish().status }
    #expect(codes == Array(repeating: .exited(77), count: 4))
    #expect(jsonNumber("triesRemaining", in: try home.expect(0, "status", "--json").outputText) == 6)
  }

  @Test("SC-61: a policy made stricter applies at the next unlock; one made looser leaves no rule unchecked at a change")
  func tightenedPolicy() throws {
    let home = try Sandbox()
    try home.create()
    try home.expect(0, "put", "a", input: "x".utf8)
    try home.expect(0, "lock")
    try home.write(policy: #""minLength": 40"#)
    try home.expect(0, "daemon", "restart")
    let verify = try home.expect(75, "verify", "--json", "--passcode-file", home.passcodeFile)
    #expect(jsonString("error", in: verify.errorText) == "org.passcoded.Passcode.MustChange")
    #expect(jsonString("reason", in: verify.errorText) == "belowPolicy")
    let unlock = try home.expect(75, "unlock", "--json", "--passcode-file", home.passcodeFile)
    #expect(jsonString("reason", in: unlock.errorText) == "belowPolicy")
    let get = try home.expect(75, "get", "a", "--no-input", "--json")
    #expect(jsonString("error", in: get.errorText) == "org.passcoded.Passcode.MustChange")
    let refused = try home.expect(
      65, "change", "--json", "--passcode-file", home.passcodeFile, "--new-passcode-file", home.newFile)
    #expect(refused.errorText.contains("minLength"))
    try home.write(policy: "")
    try home.expect(65, "change", "--passcode-file", home.passcodeFile, "--new-passcode-file", home.wrongFile)
    try home.expect(0, "change", "--passcode-file", home.passcodeFile, "--new-passcode-file", home.newFile)
    #expect(try home.expect(0, "get", "a").outputText == "x")
  }
}
