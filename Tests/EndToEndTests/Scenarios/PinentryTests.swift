import Glibc
import PasscodeClient
import PasscodePlatform
import PasscodeWire
import TestSupport
import Testing

private let plain = "/usr/bin/pinentry-tty"
private let curses = "/usr/bin/pinentry-curses"
private let isInstalled = [plain, curses, AskingClient.python].allSatisfy { (path: String) in unsafe access(path, X_OK) == 0 }

/// The real daemon with Debian's own pinentries, and a person at a pseudo-terminal.
@Suite(.enabled(if: isInstalled, "no pinentry-tty, pinentry-curses or python3"))
struct PinentryTests {
  /// A home with a locked store and a credential in it, whose daemon asks through this program.
  private func home(_ pinentry: String, policy: String = "") throws -> Sandbox {
    let home = try Sandbox(policy: policy, environment: ["PASSCODED_PINENTRY": pinentry])
    try home.create()
    try home.expect(0, "put", "a", input: "x".utf8)
    try home.expect(0, "lock")
    return home
  }

  private func client(_ home: Sandbox) throws -> PasscodeClient {
    var options = ClientOptions()
    options.socket = home.socketPath
    options.store = home.storePath
    options.autostarts = false
    return try PasscodeClient.connect(options)
  }

  @Test(
    "Unlock without a passcode asks at the client's terminal, names it as unverified, and takes the right one",
    arguments: [plain, curses])
  func opens(pinentry: String) throws {
    let home = try home(pinentry)
    let asking = try AskingClient(home)
    try asking.terminal.expect("unverified")
    try asking.type("guess\r", after: "Passcode:")
    try asking.terminal.expect("Wrong passcode. 9 tries left.")
    try asking.type("\(Sandbox.passcode)\r", after: "Passcode:")
    #expect(try asking.reply().contains(#""state":"unlocked""#))
    #expect(!asking.terminal.hasShown(Sandbox.passcode) && !asking.terminal.hasShown("guess"))
    #expect(try home.expect(0, "get", "a").outputText == "x")
  }

  @Test("SC-42: a daemon that is killed leaves no pinentry behind, one that ignores signals neither")
  func orphan() throws {
    let deaf = try ScriptedPinentry("GETPIN) trap '' TERM HUP INT; while :; do sleep 1000; done ;;")
    for pinentry in [plain, deaf.path] {
      let home = try home(pinentry)
      let asking = try AskingClient(home)
      let daemon = try home.daemonPID()
      if pinentry == plain { try asking.terminal.expect("Passcode:") } else { while deaf.lines("pid").isEmpty { usleep(1000) } }
      let children = try Command("/usr/bin/pgrep", ["-P", "\(daemon)"]).run().outputText.split(separator: "\n")
      let pids = children.compactMap { Int32($0) }
      #expect(!pids.isEmpty)
      kill(daemon, SIGKILL)
      for pid in pids { while RunningProcess.isRunning(pid) { usleep(1000) } }
    }
  }

  @Test("Wrong passcodes are asked for again up to the lock-out, and no further", arguments: [plain, curses])
  func lockOut(pinentry: String) throws {
    let home = try home(pinentry, policy: #""lockOut": {"afterTries": 2}"#)
    let asking = try AskingClient(home)
    for _ in 0..<2 { try asking.type("guess\r", after: "Passcode:") }
    let reply = try asking.reply()
    #expect(reply.contains("WrongPasscode") && reply.contains(#""retryAfterSeconds":30"#))
    #expect(try AskingClient(home).reply().contains("LockedOut"))
  }

  @Test("Who gives up at the prompt has cancelled, and no try is charged", arguments: [(plain, "\u{4}"), (curses, "ab\t\t\r")])
  func cancelled(pinentry: String, keys: String) throws {
    let home = try home(pinentry)
    let asking = try AskingClient(home)
    try asking.type(keys, after: "Passcode:")
    #expect(try asking.reply().contains("org.passcoded.Passcode.Cancelled"))
    #expect(jsonNumber("triesRemaining", in: try home.expect(0, "status", "--json").outputText) == 10)
  }

  @Test("create and change run without a passcode on the wire: refused, differing and earlier ones are asked for again")
  func flows() throws {
    let home = try Sandbox(environment: ["PASSCODED_PINENTRY": plain])
    try home.expect(0, "status")
    let creating = try AskingClient(home, flow: ("create", 1))
    try creating.terminal.expect("at least 8 characters")
    try creating.type("short\r", after: "Passcode:")
    try creating.type("short\r", after: "Again:")
    try creating.terminal.expect("Not taken. It needs: at least 8 characters")
    try creating.type("\(Sandbox.passcode)\r", after: "Passcode:")
    try creating.type("\(Sandbox.newPasscode)\r", after: "Again:")
    try creating.terminal.expect("The two entries differ.")
    try creating.type("\(Sandbox.passcode)\r", after: "Passcode:")
    try creating.type("\(Sandbox.passcode)\r", after: "Again:")
    #expect(try creating.reply().contains(#""step":"finished""#))
    try home.expect(0, "verify", "--passcode-file", home.passcodeFile)
  }

  @Test("A change asks for the current passcode, then for a new one twice", arguments: [plain, curses])
  func change(pinentry: String) throws {
    let home = try home(pinentry)
    let changing = try AskingClient(home, flow: ("change", 2))
    try changing.terminal.expect("current passcode")
    try changing.type("\(Sandbox.passcode)\r", after: "Passcode:")
    try changing.terminal.expect("It needs")
    try changing.type("\(Sandbox.newPasscode)\r", after: "Passcode:")
    try changing.type("\(Sandbox.newPasscode)\r", after: "Again:")
    #expect(try changing.reply().contains(#""step":"finished""#))
    try home.expect(0, "verify", "--passcode-file", home.newFile)
    #expect(!changing.terminal.hasShown(Sandbox.newPasscode))
  }

  @Test("What the policy asks for each time is asked for at the client's terminal, with its name", arguments: [plain, curses])
  func reading(pinentry: String) throws {
    let home = try home(pinentry, policy: #""askEachTime": ["bank/"]"#)
    try home.expect(0, "put", "bank/pin", "--passcode-file", home.passcodeFile, input: "1234".utf8)
    for _ in 0..<2 {
      let asking = try AskingClient(home, reading: "bank/pin")
      try asking.terminal.expect("bank/pin")
      try asking.terminal.expect("unverified")
      try asking.type("guess\r", after: "Passcode:")
      try asking.terminal.expect("Wrong passcode. 9 tries left.")
      try asking.type("\(Sandbox.passcode)\r", after: "Passcode:")
      #expect(try asking.reply().contains(#""secret":"MTIzNA==""#))
      #expect(!asking.terminal.hasShown(Sandbox.passcode))
    }
    let app = try client(home)
    #expect(throws: ClientError.self) { _ = try app.get("bank/pin", at: .nowhere).version }
  }

  @Test("SC-42: one prompt for all who ask while nobody looks; others are answered; a cancel frees everybody")
  func onePrompt() throws {
    let home = try home(plain)
    let asking = try AskingClient(home)
    try asking.terminal.expect("Passcode:")
    asking.terminal.waitUntil(echoing: false)
    let others = try (0..<8).map { _ in
      let other = try client(home)
      return Background { try? other.unlockByPrompt(at: .nowhere) }
    }
    for _ in 0..<20 { try home.expect(75, "--no-input", "get", "a") }
    try home.expect(0, "status")
    #expect(!asking.terminal.hasShown("reply"))
    try asking.terminal.send("\u{4}")
    #expect(try asking.reply().contains("Cancelled"))
    for other in others { #expect(other.value() == nil) }
    #expect(try home.expect(0, "status", "--json").outputText.contains(#""state": "locked""#))
  }

  @Test("All who wait share the passcode that is entered")
  func shared() throws {
    let home = try home(plain)
    let asking = try AskingClient(home)
    try asking.terminal.expect("Passcode:")
    asking.terminal.waitUntil(echoing: false)
    let other = try client(home)
    let waiting = Background { try? other.unlockByPrompt(at: .nowhere).state }
    // The same client goes on meanwhile.
    #expect(try other.status().state == .locked)
    try asking.terminal.send("\(Sandbox.passcode)\r")
    #expect(try asking.reply().contains("unlocked"))
    #expect(waiting.value() == .unlocked)
  }

  @Test("A client that is killed takes its prompt along, and leaves the terminal as it was", arguments: [plain, curses])
  func killed(pinentry: String) throws {
    let home = try home(pinentry)
    let asking = try AskingClient(home)
    try asking.type("half", after: "Passcode:")
    asking.terminal.send(signal: SIGKILL)
    asking.terminal.waitUntil(echoing: true)
    let next = try AskingClient(home)
    try next.type("\(Sandbox.passcode)\r", after: "Passcode:")
    #expect(try next.reply().contains("unlocked"))
  }

  @Test("A terminal that is not the client's own is not asked at")
  func foreignTerminal() throws {
    let home = try home(plain)
    let other = try PseudoTerminal()
    try other.start(Command("/bin/sleep", ["1000"]))
    let reply = try AskingClient(home, naming: other.path).reply()
    #expect(reply.contains("NoPrompt") && reply.contains(#""obstacle":"terminal""#))
    #expect(reply.contains("not the terminal of the program that asks"))
    #expect(other.transcript.isEmpty)
  }

  @Test("SC-45: without a pinentry, or with a display alone that it can't use, that is said at once")
  func noWay() throws {
    let missing = try home("/nonexistent/pinentry")
    #expect(try AskingClient(missing).reply().contains(#""obstacle":"noProgram""#))
    let home = try home(plain)
    #expect(
      try AskingClient(home, naming: "/dev/null", variables: ["DISPLAY": ":0"]).reply().contains(#""obstacle":"needsTerminal""#)
    )
    let off = try home.command(["get", "a"]).withDisplay.run()
    off.expectExit(75, "get")
    #expect(off.errorText.contains("nobody could be asked: this pinentry can't use the display"))
  }
}

extension Command {
  /// The same where there is a display.
  fileprivate var withDisplay: Command {
    var command = self
    command.environment["DISPLAY"] = ":0"
    return command
  }
}

/// The command away from a terminal. What stands in for a pinentry with windows is a script: the real ones need a desktop.
@Suite struct DisplayPromptTests {
  private func home(_ pinentry: ScriptedPinentry, policy: String = "") throws -> Sandbox {
    let home = try Sandbox(policy: policy, environment: ["PASSCODED_PINENTRY": pinentry.path])
    try home.create()
    try home.expect(0, "put", "a", input: "x".utf8)
    try home.expect(0, "lock")
    return home
  }

  @Test("Off the terminal get asks through the daemon where there is a display, and goes on; with --no-input it does not")
  func get() throws {
    let pinentry = try ScriptedPinentry("GETPIN) echo 'D \(Sandbox.passcode)'; echo OK ;;")
    let home = try home(pinentry)
    try home.command(["--no-input", "get", "a"]).withDisplay.run().expectExit(75, "get --no-input")
    try home.expect(75, "get", "a")
    #expect(pinentry.log.isEmpty)
    let found = try home.command(["get", "a"]).withDisplay.run()
    found.expectExit(0, "get")
    #expect(found.outputText == "x")
    #expect(pinentry.log.contains { $0.contains("passcode") && $0.contains("unverified name") })
  }

  @Test("Off the terminal create and change ask through the daemon too; --no-input does not")
  func flows() throws {
    let pinentry = try ScriptedPinentry(
      """
      GETPIN) echo x >>"${0%/*}/times"; case $(wc -l <"${0%/*}/times") in
        1|2) echo 'D \(Sandbox.passcode)' ;; *) echo 'D \(Sandbox.newPasscode)' ;; esac
        echo 'S PIN_REPEATED'; echo OK ;;
      """)
    let home = try Sandbox(environment: ["PASSCODED_PINENTRY": pinentry.path])
    try home.expect(75, "create")
    try home.command(["--no-input", "create"]).withDisplay.run().expectExit(75, "create --no-input")
    try home.command(["create"]).withDisplay.run().expectExit(0, "create")
    try home.command(["change"]).withDisplay.run().expectExit(0, "change")
    try home.expect(0, "verify", "--passcode-file", home.newFile)
  }

  @Test("Off the terminal what asks each time is asked for through the daemon; --no-input asks nobody")
  func getAsksEachTime() throws {
    let pinentry = try ScriptedPinentry("GETPIN) echo 'D \(Sandbox.passcode)'; echo OK ;;")
    let home = try home(pinentry, policy: #""askEachTime": ["bank/"]"#)
    try home.expect(0, "put", "bank/pin", "--passcode-file", home.passcodeFile, input: "1234".utf8)
    try home.command(["--no-input", "get", "bank/pin"]).withDisplay.run().expectExit(75, "get --no-input")
    let refused = try home.expect(75, "get", "bank/pin", "--json")
    #expect(jsonString("error", in: refused.errorText) == "org.passcoded.Passcode.NoPrompt")
    #expect(pinentry.log.isEmpty)
    for count in 1...2 {
      let found = try home.command(["get", "bank/pin"]).withDisplay.run()
      found.expectExit(0, "get")
      #expect(found.outputText == "1234")
      #expect(pinentry.log.count { $0 == "GETPIN" } == count)
    }
    #expect(pinentry.log.contains { $0.contains("bank/pin") && $0.contains("unverified name") })
  }

  @Test("A cancel at the prompt is exit 2")
  func cancelled() throws {
    let pinentry = try ScriptedPinentry("GETPIN) echo 'ERR 83886179 cancelled' ;;")
    let home = try home(pinentry)
    try home.command(["get", "a"]).withDisplay.run().expectExit(2, "get")
    try home.command(["unlock"]).withDisplay.run().expectExit(2, "unlock")
    #expect(pinentry.log.count { $0 == "GETPIN" } == 2)
  }
}
