import PasscodePlatform
import TestSupport
import Testing

@Suite struct LockedTests {
  @Test("SC-5: a locked store answers locked, never not found, whether the name exists or not")
  func lockedIsNotAbsent() throws {
    let home = try Sandbox()
    try home.create()
    try home.expect(0, "put", "there", input: "x".utf8)
    try home.expect(0, "lock")
    for arguments in [
      ["get", "there"], ["get", "absent"], ["show", "there"], ["show", "absent"], ["list"], ["find", "a=b"],
      ["delete", "absent"], ["history", "absent"], ["rename", "absent", "b"], ["attr", "set", "absent", "a=b"],
    ] {
      let result = try home.run(["--json"] + arguments)
      result.expectExit(75, "\(arguments)")
      #expect(jsonString("error", in: result.errorText) == "org.passcoded.Passcode.Locked", "\(arguments)")
    }
    let put = try home.run(["--json", "put", "absent"], input: "x".utf8)
    #expect(jsonString("error", in: put.errorText) == "org.passcoded.Passcode.Locked")
  }

  @Test("SC-38: locked, then unlocked, it works again; without proof nothing is unlocked")
  func unlockNeedsProof() throws {
    let home = try Sandbox()
    try home.create()
    try home.expect(0, "put", "a", input: "x".utf8)
    for _ in 0..<2 {
      try home.expect(0, "lock")
      try home.expect(75, "unlock", "--no-input")
      try home.expect(75, "unlock", "--quick")
      try home.expect(77, "unlock", "--passcode-file", home.wrongFile)
      try home.expect(65, "unlock", "--passcode-fd", "0")
      try home.expect(75, "--no-input", "get", "a")
      try home.expect(0, "unlock", "--passcode-file", home.passcodeFile)
      #expect(try home.expect(0, "get", "a").outputText == "x")
    }
  }

  @Test("a passcode that is given with a verb opens a locked store on the way")
  func passcodeWithVerb() throws {
    let home = try Sandbox()
    try home.create()
    try home.expect(0, "put", "a", input: "x".utf8)
    try home.expect(0, "lock")
    try home.expect(77, "get", "a", "--passcode-file", home.wrongFile)
    #expect(try home.expect(0, "get", "a", "--passcode-file", home.passcodeFile).outputText == "x")
  }

  @Test("what asks each time takes the passcode once, from a descriptor too")
  func asksEachTime() throws {
    let home = try Sandbox(policy: #""askEachTime": ["bank/"]"#)
    try home.create()
    try home.expect(0, "put", "bank/pin", input: "1234".utf8)
    let refused = try home.expect(75, "get", "bank/pin", "--json")
    #expect(jsonString("error", in: refused.errorText) == "org.passcoded.Passcode.NoPrompt")
    try home.expect(77, "get", "bank/pin", "--passcode-file", home.wrongFile)
    try home.expect(0, "lock")
    let got = try home.expect(0, "get", "bank/pin", "--passcode-fd", "0", input: Sandbox.passcode.utf8)
    #expect(got.outputText == "1234")
    let terminal = try home.onTerminal("get", "bank/pin")
    try terminal.expect("Passcode to read 'bank/pin': ")
    try terminal.send("guess\r")
    try terminal.expect("wrong passcode; 9 tries are left")
    try terminal.expect("Passcode to read 'bank/pin': ")
    try terminal.send("\(Sandbox.passcode)\r")
    try terminal.expect("1234")
    #expect(try terminal.waitForExit() == .exited(0))
  }

  @Test("SC-39: polling status does not keep the store open")
  func statusKeepsNothingOpen() throws {
    let home = try Sandbox(policy: #""lockTimeoutSeconds": 1"#)
    try home.create()
    var state: String?
    // Ends as soon as the idle time is over; asking again and again must not put that off.
    repeat { state = jsonString("state", in: try home.run(["status", "--json"]).outputText) } while state == "unlocked"
    #expect(state == "locked")
    try home.expect(75, "--no-input", "get", "a")
  }
}
