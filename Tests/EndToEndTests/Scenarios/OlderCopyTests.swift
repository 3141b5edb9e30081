import PasscodePlatform
import TestSupport
import Testing

@Suite struct OlderCopyTests {
  @Test("an older copy in the store's place is told, costs no try, and goes on only with --accept-older")
  func older() throws {
    let home = try Sandbox()
    try home.create()
    try home.expect(0, "put", "a", input: "old".utf8)
    try home.expect(0, "daemon", "stop")
    let copy = try readFile(home.storePath)
    try home.expect(0, "unlock", "--passcode-file", home.passcodeFile)
    try home.expect(0, "put", "a", input: "new".utf8)
    try home.expect(0, "daemon", "stop")
    try home.directory.write("data/passcoded/store.db", copy)

    let refused = try home.run(["--json", "unlock", "--passcode-file", home.passcodeFile])
    #expect(refused.status == .exited(78))
    #expect(refused.errorText.contains("org.passcoded.Passcode.OlderThanLastSeen"))
    let read = try home.run(["get", "a", "--passcode-file", home.passcodeFile])
    #expect(read.status == .exited(78), "\(read.errorText)")
    #expect(read.errorText.contains("--accept-older"))
    try home.expect(0, "unlock", "--accept-older", "--passcode-file", home.passcodeFile)
    #expect(try home.expect(0, "get", "a").outputText == "old")
    try home.expect(0, "lock")
    try home.expect(0, "unlock", "--passcode-file", home.passcodeFile)
  }
}
