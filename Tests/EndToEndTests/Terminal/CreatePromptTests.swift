import Glibc
import PasscodePlatform
import TestSupport
import Testing

@Suite struct CreatePromptTests {
  @Test("create ticks the requirements as they are met, names the strength, and shows nothing of the passcode")
  func checklist() throws {
    let home = try Sandbox(policy: #""hasDigit": true"#)
    let terminal = try home.onTerminal("create", variables: ["TERM": "xterm", "NO_COLOR": "1"])
    try terminal.expect("New passcode: ")
    try terminal.expect("· at least 8 characters")
    try terminal.expect("strength: –")
    try terminal.send("abc")
    try terminal.expect("strength: very weak")
    try terminal.expect("still missing")
    try terminal.send("\u{15}amber-lantern-orbit")
    try terminal.expect("✓ at least 8 characters")
    try terminal.expect("1 still missing")
    try terminal.send("-49")
    try terminal.expect("strength: strong; nothing is missing")
    try terminal.send("\r")
    try terminal.expect("The same again: ")
    #expect(!terminal.isEchoing)
    try terminal.send("amber-lantern-orbit-49\r")
    try terminal.expect("try next")
    #expect(try terminal.waitForExit() == .exited(0), "\(terminal.transcriptText)")
    #expect(terminal.isEchoing && terminal.isCollectingLines)
    for piece in ["abc", "amber", "lantern", "-49"] { #expect(!terminal.hasShown(piece), "\(piece) was shown") }
    #expect(terminal.hasShown(home.storePath))
    #expect(terminal.hasShown("quick unlock"))
    #expect(!terminal.hasShown("\u{1b}[3"), "NO_COLOR is obeyed")
    try home.expect(0, "verify", "--passcode-fd", "0", input: "amber-lantern-orbit-49".utf8)
  }

  @Test("create asks again where the entries differ or the policy is not met, and stores nothing meanwhile")
  func again() throws {
    let home = try Sandbox()
    let terminal = try home.onTerminal("create")
    try terminal.expect("New passcode: ")
    try terminal.send("short\r")
    try terminal.expect("does not meet the policy:")
    try terminal.expect("at least 8 characters")
    try terminal.expect("New passcode: ")
    try terminal.send("\(Sandbox.passcode)\r")
    try terminal.expect("The same again: ")
    try terminal.send("another\r")
    try terminal.expect("The two entries differ")
    try terminal.expect("New passcode: ")
    #expect(jsonString("state", in: try home.expect(0, "status", "--json").outputText) == "absent")
    try terminal.send("\(Sandbox.passcode)\r")
    try terminal.expect("The same again: ")
    try terminal.send("\(Sandbox.passcode)\r")
    #expect(try terminal.waitForExit() == .exited(0), "\(terminal.transcriptText)")
  }

  @Test("create without a terminal's abilities lists the requirements once")
  func dumb() throws {
    let home = try Sandbox()
    let terminal = try home.onTerminal("create", variables: ["TERM": "dumb"])
    try terminal.expect("- at least 8 characters")
    try terminal.expect("New passcode: ")
    try terminal.send("\(Sandbox.passcode)\r")
    try terminal.expect("The same again: ")
    try terminal.send("\(Sandbox.passcode)\r")
    #expect(try terminal.waitForExit() == .exited(0), "\(terminal.transcriptText)")
    #expect(!terminal.hasShown("\u{1b}["))
  }

  @Test("a cancel at any prompt of create leaves nothing behind and ends with 2", arguments: ["enter", "confirm"])
  func cancel(step: String) throws {
    let home = try Sandbox()
    let terminal = try home.onTerminal("create")
    try terminal.expect("New passcode: ")
    if step == "confirm" {
      try terminal.send("\(Sandbox.passcode)\r")
      try terminal.expect("The same again: ")
    }
    try terminal.send("\u{3}")
    #expect(try terminal.waitForExit() == .exited(2), "\(terminal.transcriptText)")
    #expect(terminal.isEchoing)
    #expect(jsonString("state", in: try home.expect(0, "status", "--json").outputText) == "absent")
  }

  @Test("a signal at the prompt puts the terminal back", arguments: [SIGTERM, SIGINT, SIGHUP])
  func signals(number: Int32) throws {
    let home = try Sandbox()
    let terminal = try home.onTerminal("create")
    try terminal.expect("New passcode: ")
    terminal.waitUntil(echoing: false)
    terminal.send(signal: number)
    #expect(try terminal.waitForExit() == .signalled(number))
    #expect(terminal.isEchoing && terminal.isCollectingLines)
  }
}
