import PasscodePlatform
import TestSupport
import Testing

@Suite struct RecoveryTests {
  /// The key that `recovery create` prints.
  private func makeKey(_ home: Sandbox) throws -> String {
    let made = try home.expect(0, "recovery", "create", "--passcode-file", home.passcodeFile)
    #expect(made.errorText.contains("write this key down"))
    let lines = made.outputText.split(separator: "\n")
    try #require(lines.count == 1 && lines[0].utf8.count == 44, "nothing but the key is data: \(made.outputText)")
    #expect(!made.errorText.contains(lines[0]))
    return String(lines[0])
  }

  @Test("SC-62: a forgotten passcode is replaced by the recovery key; the key is told once and comes from a file or descriptor")
  func recover() throws {
    let home = try Sandbox()
    try home.create()
    try home.expect(0, "put", "a", input: "kept".utf8)
    try home.expect(75, "recover", "--recovery-key-fd", "0", "--new-passcode-file", home.newFile, input: "x".utf8)
    try home.expect(77, "recovery", "create", "--passcode-file", home.wrongFile)
    let key = try makeKey(home)
    #expect(try home.expect(0, "status").outputText.contains("recovery key"))
    try home.expect(0, "lock")
    try home.directory.write("key", (key.lowercased() + "\n").utf8)
    try home.expect(64, "recover", "--recovery-key-fd", "0", "--new-passcode-fd", "0")
    try home.expect(64, "recover", key)
    try home.expect(65, "recover", "--recovery-key-fd", "0", "--new-passcode-file", home.newFile, input: "\(key)0".utf8)
    try home.expect(
      65, "recover", "--recovery-key-file", home.directory.file("key"), "--new-passcode-file", home.wrongFile)
    try home.expect(0, "recover", "--recovery-key-file", home.directory.file("key"), "--new-passcode-file", home.newFile)
    #expect(try home.expect(0, "get", "a").outputText == "kept")
    try home.expect(77, "verify", "--passcode-file", home.passcodeFile)
    try home.expect(0, "verify", "--passcode-file", home.newFile)
    try home.expect(0, "recovery", "revoke")
    let refused = try home.expect(
      75, "recover", "--json", "--recovery-key-file", home.directory.file("key"), "--new-passcode-file", home.passcodeFile)
    #expect(jsonString("error", in: refused.errorText) == "org.passcoded.Passcode.NoRecoveryKey")
  }

  @Test("a new recovery key makes the earlier one a wrong key, and both are told from a slip")
  func earlier() throws {
    let home = try Sandbox()
    try home.create()
    let first = try makeKey(home)
    let second = try home.expect(0, "recovery", "create", "--json", "--passcode-file", home.passcodeFile)
    let key = try #require(jsonString("recoveryKey", in: second.outputText))
    #expect(second.errorText.contains("earlier"))
    let wrong = try home.expect(
      77, "recover", "--json", "--recovery-key-fd", "0", "--new-passcode-file", home.newFile, input: first.utf8)
    #expect(jsonString("error", in: wrong.errorText) == "org.passcoded.Passcode.RecoveryKeyWrong")
    try home.expect(0, "recover", "--recovery-key-fd", "0", "--new-passcode-file", home.newFile, input: key.utf8)
  }

  @Test("at the terminal the key is asked for hidden, a slip is said and asked again, then the new passcode comes twice")
  func terminal() throws {
    let home = try Sandbox()
    try home.create()
    let key = try makeKey(home)
    try home.expect(0, "lock")
    let terminal = try home.onTerminal("recover")
    try terminal.expect("Recovery key: ")
    try terminal.send("\(key.dropLast())\r")
    try terminal.expect("this is no recovery key")
    try terminal.expect("Recovery key: ")
    try terminal.send("\(key)\r")
    try terminal.expect("New passcode: ")
    try terminal.send("\(Sandbox.newPasscode)\r")
    try terminal.expect("The same again: ")
    try terminal.send("\(Sandbox.newPasscode)\r")
    try terminal.expect("the new passcode is set")
    #expect(try terminal.waitForExit() == .exited(0), "\(terminal.transcriptText)")
    #expect(!terminal.hasShown(key) && !terminal.hasShown(String(key.prefix(9))))
    try home.expect(0, "verify", "--passcode-file", home.newFile)
  }
}
