import PasscodePlatform
import TestSupport
import Testing

@Suite struct PasscodeTextTests {
  /// One passcode with everything that has two forms, and with what has none.
  static let composed = "caf\u{e9} \u{d55c}\u{ad6d} \u{627}\u{644}\u{639} \u{1f469}\u{200d}\u{1f680} orbit"
  static let decomposed =
    "cafe\u{301} \u{1112}\u{1161}\u{11ab}\u{1100}\u{116e}\u{11a8} \u{627}\u{644}\u{639} \u{1f469}\u{200d}\u{1f680} orbit"

  @Test("SC-17: a passcode set in NFC is verified in NFD, and the reverse")
  func normalisation() throws {
    #expect(Array(Self.composed.utf8) != Array(Self.decomposed.utf8))
    let home = try Sandbox()
    try home.expect(0, "create", "--passcode-fd", "0", input: Self.composed.utf8)
    try home.expect(0, "verify", "--passcode-fd", "0", input: Self.decomposed.utf8)
    let change = home.command(["change", "--passcode-fd", "0", "--new-passcode-file", home.newFile])
    try home.directory.write("new", "new \(Self.decomposed)".utf8)
    var given = change
    given.input = Array(Self.composed.utf8)
    try given.run().expectExit(0, "change")
    try home.expect(0, "verify", "--passcode-fd", "0", input: "new \(Self.composed)".utf8)
    try home.expect(77, "verify", "--passcode-fd", "0", input: "new \(Self.composed) ".utf8)
  }

  @Test("SC-18: echo, printf and the prompt give the same passcode")
  func trailingNewline() throws {
    let home = try Sandbox()
    try home.expect(0, "create", "--passcode-fd", "0", input: "\(Sandbox.passcode)\n".utf8)
    try home.expect(0, "verify", "--passcode-fd", "0", input: Sandbox.passcode.utf8)
    try home.expect(77, "verify", "--passcode-fd", "0", input: "\(Sandbox.passcode)\n\n".utf8)
    let terminal = try home.onTerminal("verify")
    try terminal.expect("Passcode: ")
    try terminal.send("\(Sandbox.passcode)\r")
    #expect(try terminal.waitForExit() == .exited(0), "\(terminal.transcriptText)")
  }

  @Test("SC-23: a passcode of 1,025 bytes is refused, not cut, and costs no try")
  func tooLong() throws {
    let home = try Sandbox(policy: #""maxLength": 1024"#)
    let longest = String(repeating: "orbit-mule-49-kites-", count: 52).prefix(1024)
    for verb in ["create", "check"] {
      let refused = try home.expect(65, verb, "--json", "--passcode-fd", "0", input: "\(longest)x".utf8)
      #expect(jsonString("reason", in: refused.errorText) == "tooLong")
    }
    try home.expect(0, "create", "--passcode-fd", "0", input: longest.utf8)
    try home.expect(65, "verify", "--passcode-fd", "0", input: "\(longest)x".utf8)
    try home.expect(65, "verify", "--passcode-fd", "0", input: [UInt8](repeating: 0x61, count: 1 << 20))
    #expect(jsonNumber("triesRemaining", in: try home.expect(0, "status", "--json").outputText) == 10)
    try home.expect(0, "verify", "--passcode-fd", "0", input: "\(longest)\n".utf8)
  }

  @Test("a passcode file has to be the user's own and closed to others")
  func openFile() throws {
    let home = try Sandbox()
    let open = try home.directory.write("open", Sandbox.passcode.utf8, mode: 0o644)
    let refused = try home.expect(77, "create", "--passcode-file", open)
    #expect(refused.errorText.contains("chmod 600"))
    try home.expect(66, "create", "--passcode-file", home.directory.file("none"))
    try home.expect(66, "create", "--passcode-fd", "9")
    try home.expect(65, "create", "--passcode-fd", "0", input: [0x61, 0, 0x62])
    try home.expect(65, "create", "--passcode-fd", "0", input: [0xff, 0xfe])
    try home.expect(64, "create", "--passcode-fd", "0", "--passcode-file", home.passcodeFile)
    #expect(jsonString("state", in: try home.expect(0, "status", "--json").outputText) == "absent")
  }
}
