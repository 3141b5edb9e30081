import Glibc
import PasscodePlatform
import TestSupport
import Testing

/// Quick unlock with the real programs and a real keyring.
@Suite(.enabled(if: DesktopSession.isInstalled, "no gnome-keyring, dbus-run-session or secret-tool"))
struct QuickUnlockTests {
  private let desktop: TemporaryDirectory
  private let session: DesktopSession

  init() throws {
    desktop = try TemporaryDirectory()
    session = try DesktopSession(home: desktop, password: "password")
  }

  private func sandbox() throws -> Sandbox {
    try Sandbox(environment: ["DBUS_SESSION_BUS_ADDRESS": session.environment["DBUS_SESSION_BUS_ADDRESS"]])
  }

  /// Makes a store with quick unlock on and a credential in it, locked.
  private func create(_ home: Sandbox) throws {
    let made = try home.expect(0, "create", "--quick-unlock", "--passcode-file", home.passcodeFile)
    try #require(try isOn(home), "\(made.errorText)")
    try home.expect(0, "put", "a", input: "x".utf8)
    try home.expect(0, "lock")
  }

  private func isOn(_ home: Sandbox) throws -> Bool {
    try home.expect(0, "quick-unlock", "status").outputText == "on\n"
  }

  /// Nothing of the test stays in the kernel's keyring.
  private func cleanUp(_ home: Sandbox) { _ = try? home.run(["quick-unlock", "disable"]) }

  @Test("SC-63: turned on with the store it opens it after a restart and a change, and is gone once turned off or reset")
  func life() throws {
    let home = try sandbox()
    defer { cleanUp(home) }
    try create(home)
    #expect(try session.itemCount() == 1)
    try home.expect(0, "daemon", "restart")
    #expect(try home.expect(0, "--no-input", "get", "a").outputText == "x")
    try home.expect(0, "lock")
    try home.expect(75, "unlock", "--no-quick", "--no-input")
    try home.expect(0, "unlock", "--quick")
    try home.expect(0, "change", "--passcode-file", home.passcodeFile, "--new-passcode-file", home.newFile)
    try home.expect(0, "lock")
    try home.expect(0, "unlock", "--quick")
    #expect(try session.itemCount() == 1)
    #expect(jsonNumber("triesRemaining", in: try home.expect(0, "status", "--json").outputText) == 10)

    try home.expect(0, "quick-unlock", "disable")
    #expect(try session.itemCount() == 0)
    #expect(try !isOn(home))
    try home.expect(0, "lock")
    try home.expect(75, "unlock", "--quick")
    try home.expect(77, "quick-unlock", "enable", "--passcode-file", home.passcodeFile)
    try home.expect(0, "quick-unlock", "enable", "--passcode-file", home.newFile)
    try home.expect(0, "unlock", "--quick")
    let id = try #require(jsonString("storeId", in: try home.expect(0, "status", "--json").outputText))
    try home.expect(0, "reset", "--confirm", id)
    #expect(try session.itemCount() == 0)
  }

  @Test(
    "SC-47: with confirm in the policy a get asks at its terminal first: yes reads, declining leads to the passcode",
    .enabled(if: unsafe access("/usr/bin/pinentry-tty", X_OK) == 0), arguments: [true, false])
  func confirmed(agrees: Bool) throws {
    let home = try Sandbox(
      policy: #""quickUnlock": {"confirm": true}"#,
      environment: [
        "DBUS_SESSION_BUS_ADDRESS": session.environment["DBUS_SESSION_BUS_ADDRESS"],
        "PASSCODED_PINENTRY": "/usr/bin/pinentry-tty",
      ])
    defer { cleanUp(home) }
    try create(home)
    // Where nobody may be asked it is no way in.
    try home.expect(75, "--no-input", "get", "a")
    let terminal = try home.onTerminal("get", "a")
    try terminal.expect("by quick unlock?")
    try terminal.expect("]?")
    terminal.waitUntil(echoing: false)
    try terminal.send(agrees ? "y" : "u")
    if !agrees {
      try terminal.expect("it was declined")
      try terminal.expect("Passcode to unlock the store: ")
      try terminal.send("\(Sandbox.passcode)\r")
    }
    #expect(try terminal.waitForExit() == .exited(0), "\(terminal.transcriptText)")
    #expect(terminal.isEchoing)
  }

  @Test("SC-49: an item that has gone leads to the passcode, which brings quick unlock back")
  func itemGone() throws {
    let home = try sandbox()
    defer { cleanUp(home) }
    try create(home)
    try session.run("secret-tool", ["clear", "xdg:schema", "org.passcoded.QuickUnlock"])
    let refused = try home.expect(75, "unlock", "--quick", "--json")
    #expect(jsonString("reason", in: refused.errorText) == "the keyring holds no key of this store")
    try home.expect(75, "--no-input", "get", "a")
    try home.expect(0, "unlock", "--passcode-file", home.passcodeFile)
    try home.expect(0, "lock")
    #expect(try home.expect(0, "--no-input", "get", "a").outputText == "x")
  }

  @Test("SC-45: a locked keyring is not waited for: on a terminal the reason is told, and the passcode is asked for")
  func keyringLocked() throws {
    let home = try sandbox()
    defer { cleanUp(home) }
    try create(home)
    try session.lockKeyring()
    let refused = try home.expect(75, "unlock", "--quick", "--json")
    #expect(jsonString("reason", in: refused.errorText) == "the keyring is locked")
    let terminal = try home.onTerminal("get", "a")
    try terminal.expect("quick unlock is not available (the keyring is locked); use your passcode")
    try terminal.expect("Passcode to unlock the store: ")
    try terminal.send("\(Sandbox.passcode)\r")
    #expect(try terminal.waitForExit() == .exited(0), "\(terminal.transcriptText)")
  }

  @Test(
    "SC-48: a passcode changed while the keyring is locked turns quick unlock off, which is said; the old item opens nothing")
  func changedOutOfReach() throws {
    let home = try sandbox()
    defer { cleanUp(home) }
    try create(home)
    try session.lockKeyring()
    let changed = try home.expect(0, "change", "--passcode-file", home.passcodeFile, "--new-passcode-file", home.newFile)
    #expect(changed.errorText.contains("quick unlock is off now"))
    try home.expect(0, "lock")
    try home.expect(75, "unlock", "--quick")
    try home.expect(0, "unlock", "--passcode-file", home.newFile)
  }

  @Test(
    "SC-47: on a terminal create says what quick unlock costs before it asks, and the answer counts", arguments: [true, false])
  func question(agrees: Bool) throws {
    let home = try sandbox()
    defer { cleanUp(home) }
    let terminal = try home.onTerminal("create")
    try terminal.expect("New passcode: ")
    try terminal.send("\(Sandbox.passcode)\r")
    try terminal.expect("The same again: ")
    try terminal.send("\(Sandbox.passcode)\r")
    try terminal.expect("opens the store without the passcode")
    try terminal.expect("Turn quick unlock on? [y/N] ")
    try terminal.send(agrees ? "y\r" : "\r")
    try terminal.expect("try next")
    #expect(try terminal.waitForExit() == .exited(0), "\(terminal.transcriptText)")
    #expect(try isOn(home) == agrees)
    #expect(try session.itemCount() == (agrees ? 1 : 0))
  }

  @Test("SC-45: a keyring that hangs is given up with its own message; meanwhile others are answered, and the passcode opens")
  func hanging() throws {
    let home = try sandbox()
    try create(home)
    let service = try session.keyringProcess()
    kill(service, SIGSTOP)
    defer {
      kill(service, SIGCONT)
      cleanUp(home)
    }
    let hung = try home.command(["unlock", "--quick", "--json"]).start()
    try home.expect(0, "status")
    try home.expect(0, "verify", "--passcode-file", home.passcodeFile)
    let refused = try hung.finish()
    refused.expectExit(75, "unlock --quick")
    #expect(jsonString("reason", in: refused.errorText) == "the keyring did not answer in time")
    #expect(try home.expect(0, "get", "a", "--passcode-file", home.passcodeFile).outputText == "x")
  }

  @Test("SC-47: without a bus it is not offered; a store is made all the same, and the reason is told")
  func noBus() throws {
    let home = try Sandbox()
    let made = try home.expect(0, "create", "--quick-unlock", "--passcode-file", home.passcodeFile)
    #expect(made.errorText.contains("there is no session bus"))
    let refused = try home.expect(75, "quick-unlock", "enable", "--passcode-file", home.passcodeFile)
    #expect(refused.errorText.contains("there is no session bus"))
    #expect(try !isOn(home))
  }
}
