import PasscodePlatform
import TestSupport
import Testing

@Suite struct PromptTests {
  @Test("verify asks once, without echo, and says how many tries are left")
  func verify() throws {
    let home = try Sandbox()
    try home.create()
    let terminal = try home.onTerminal("verify")
    try terminal.expect("Passcode: ")
    terminal.waitUntil(echoing: false)
    try terminal.send("guess\r")
    #expect(try terminal.waitForExit() == .exited(77))
    #expect(terminal.hasShown("9 tries are left"))
    #expect(!terminal.hasShown("guess"))
  }

  @Test("change asks for the current passcode until it is right, then as create does")
  func change() throws {
    let home = try Sandbox()
    try home.create()
    let terminal = try home.onTerminal("change")
    try terminal.expect("Current passcode: ")
    try terminal.send("guess\r")
    try terminal.expect("9 tries are left")
    try terminal.expect("Current passcode: ")
    try terminal.send("\(Sandbox.passcode)\r")
    try terminal.expect("New passcode: ")
    try terminal.send("\(Sandbox.newPasscode)\r")
    try terminal.expect("The same again: ")
    try terminal.send("\(Sandbox.newPasscode)\r")
    #expect(try terminal.waitForExit() == .exited(0), "\(terminal.transcriptText)")
    try home.expect(0, "verify", "--passcode-file", home.newFile)
  }

  @Test("on a terminal a locked store asks, and the verb goes on; data stays on stdout")
  func lockedAsks() throws {
    let home = try Sandbox()
    try home.create()
    try home.expect(0, "put", "a", input: "the secret".utf8)
    try home.expect(0, "lock")
    let terminal = try home.onTerminal("get", "a")
    try terminal.expect("Passcode to unlock the store: ")
    try terminal.send("guess\r")
    try terminal.expect("wrong passcode")
    try terminal.expect("Passcode to unlock the store: ")
    try terminal.send("\(Sandbox.passcode)\r")
    try terminal.expect("the secret\r\n")
    #expect(try terminal.waitForExit() == .exited(0))
    try home.expect(0, "lock")
    let silent = try home.onTerminal("--no-input", "get", "a")
    #expect(try silent.waitForExit() == .exited(75))
    #expect(!silent.hasShown("Passcode"))
  }

  @Test("on a terminal a passcode that must be changed is changed, and the verb goes on")
  func mustChange() throws {
    let home = try Sandbox()
    try home.create()
    try home.expect(0, "put", "a", input: "the secret".utf8)
    try home.expect(0, "lock")
    try home.write(policy: #""minLength": 30"#)
    try home.expect(0, "daemon", "restart")
    let terminal = try home.onTerminal("get", "a")
    try terminal.expect("Passcode to unlock the store: ")
    try terminal.send("\(Sandbox.passcode)\r")
    try terminal.expect("must be changed")
    try terminal.expect("New passcode: ")
    let longer = Sandbox.passcode + "-kites-drift"
    try terminal.send("\(longer)\r")
    try terminal.expect("The same again: ")
    try terminal.send("\(longer)\r")
    try terminal.expect("the secret")
    #expect(try terminal.waitForExit() == .exited(0), "\(terminal.transcriptText)")
    #expect(!terminal.hasShown("Current passcode"), "it was given a moment ago")
  }

  @Test("put asks for the secret on a terminal, one line or several")
  func put() throws {
    let home = try Sandbox()
    try home.create()
    let terminal = try home.onTerminal("put", "line")
    try terminal.expect("Secret for line: ")
    try terminal.send("typed secret\r")
    #expect(try terminal.waitForExit() == .exited(0), "\(terminal.transcriptText)")
    #expect(!terminal.hasShown("typed"))
    #expect(try home.expect(0, "get", "line").outputText == "typed secret")
    try home.expect(0, "lock")
    let several = try home.onTerminal("put", "lines", "--multiline")
    try several.expect("Passcode to unlock the store: ")
    try several.send("\(Sandbox.passcode)\r")
    try several.expect("Ctrl-D")
    try several.send("one\rtwo\r\u{4}")
    #expect(try several.waitForExit() == .exited(0), "\(several.transcriptText)")
    #expect(try home.expect(0, "get", "lines").outputText == "one\ntwo\n")
    try home.onTerminal("--no-input", "put", "line").waitForExit().expect(75)
  }

  @Test("check judges as it is typed and keeps nothing")
  func check() throws {
    let home = try Sandbox()
    let terminal = try home.onTerminal("check")
    try terminal.expect("Candidate: ")
    try terminal.send(Sandbox.passcode)
    try terminal.expect("nothing is missing")
    try terminal.send("\r")
    #expect(try terminal.waitForExit() == .exited(0))
  }
}
