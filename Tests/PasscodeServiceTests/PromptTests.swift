import Glibc
import PasscodePlatform
import PasscodeWire
import StrictJSON
import TestSupport
import Testing

@testable import PasscodeService

/// Unlocking without a passcode on the wire, with a pinentry that does what no real one can be made to do.
@Suite struct PromptTests {
  private static let onScreen: KeyValuePairs<String, RawClient.Value> = ["environment": .map(["DISPLAY": ":0"])]

  /// A daemon with a locked store and a credential in it.
  private func locked(
    _ pinentry: ScriptedPinentry, userPolicy: String? = nil, adjusting: (inout ServiceConfiguration) -> Void = { _ in }
  ) throws -> TestDaemon {
    let test = try TestDaemon(userPolicy: userPolicy) { configuration in
      configuration.pinentry = pinentry.path
      adjusting(&configuration)
    }
    let client = try test.createStore()
    try client.call("Credentials.Put", ["name": .string("a"), "secret": .string(base64([1]))])
    try client.call("Passcode.Lock")
    return test
  }

  /// Waits until the pinentry was asked for the passcode so many times.
  private func wait(_ pinentry: ScriptedPinentry, asked count: Int = 1) {
    while pinentry.log.count(where: { $0 == "GETPIN" }) < count { usleep(2000) }
  }

  private func obstacle(_ reply: JSONNode) -> String? { reply.reply?["obstacle"]?.text }

  @Test("A passcode at the prompt opens the store; the call says what unlock says, and none of it was on the wire")
  func opens() throws {
    let pinentry = try ScriptedPinentry("GETPIN) echo 'D \(TestDaemon.passcode)'; echo OK ;;")
    let test = try locked(pinentry)
    let reply = try test.connect().call("Passcode.Unlock", Self.onScreen)
    #expect(reply.reply?["state"]?.text == "unlocked" && reply.reply?["locksAt"]?.number != nil)
    let asked = pinentry.log.joined(separator: "\n")
    #expect(asked.contains("unverified name, process \(getpid())"))
    #expect(!asked.contains("SETKEYINFO") && !asked.contains("external-password-cache"))
    #expect(pinentry.lines("arguments").count == 2)
    #expect(pinentry.lines("environment").contains("DISPLAY=:0"))
  }

  @Test("A wrong passcode is asked for again with the tries left, and where there is a wait the call ends")
  func lockOut() throws {
    let pinentry = try ScriptedPinentry("GETPIN) echo 'D wrong'; echo OK ;;")
    let test = try locked(pinentry, userPolicy: #"{"lockOut": {"afterTries": 3}}"#)
    let reply = try test.connect().call("Passcode.Unlock", Self.onScreen)
    #expect(reply.errorName == "WrongPasscode")
    #expect(reply.reply?["triesRemaining"]?.number == 7 && reply.reply?["retryAfterSeconds"]?.number == 30)
    #expect(
      pinentry.log.filter { $0.hasPrefix("SETERROR") } == [
        "SETERROR Wrong passcode. 9 tries left.", "SETERROR Wrong passcode. 8 tries left.",
      ])
    // Nobody is asked for what is not looked at.
    #expect(try test.connect().error("Passcode.Unlock", Self.onScreen) == "LockedOut")
    #expect(pinentry.log.count { $0 == "GETPIN" } == 3)
  }

  @Test("SC-42: thirty scripts keep asking: there is one prompt; a cancel frees all who wait, and costs no try")
  func onePrompt() throws {
    let pinentry = try ScriptedPinentry(
      "GETPIN) while [ ! -e \"${0%/*}/go\" ]; do sleep 0.01; done; echo 'ERR 83886179 cancelled' ;;")
    let test = try locked(pinentry)
    let clients = try (0..<30).map { _ in try test.connect() }
    for client in clients { try client.send("Passcode.Unlock", Self.onScreen) }
    wait(pinentry)
    while test.waiting < 30 { usleep(2000) }
    try pinentry.directory.write("go", [])
    for client in clients { #expect(try client.receive().errorName == "Cancelled") }
    #expect(pinentry.log.count { $0 == "GETPIN" } == 1)
    #expect(try test.connect().call("Passcode.Status").reply?["triesRemaining"]?.number == 10)
  }

  @Test("While a pinentry hangs, others are answered; its time is limited, and then it is gone")
  func hangs() throws {
    let pinentry = try ScriptedPinentry("GETPIN) while :; do sleep 1000; done ;;")
    let test = try locked(pinentry) { $0.limits.prompt = .seconds(3) }
    let client = try test.connect()
    try client.send("Passcode.Unlock", Self.onScreen)
    wait(pinentry)
    let other = try test.connect()
    for _ in 0..<100 { #expect(try other.error("Credentials.Get", ["name": .string("a")]) == "Locked") }
    #expect(try other.call("Passcode.Status").reply?["state"]?.text == "locked")
    #expect(try other.error("Passcode.Verify", ["passcode": .string(TestDaemon.passcode)]) == nil)
    #expect(test.waiting == 1)
    #expect(try client.receive().errorName == "PromptTimedOut")
    #expect(pinentry.isGone())
  }

  @Test("A store that is opened in another way ends the prompt, and all who wait have what they asked for")
  func openedElsewhere() throws {
    let pinentry = try ScriptedPinentry("GETPIN) while :; do sleep 1000; done ;;")
    let test = try locked(pinentry)
    let clients = try [test.connect(), test.connect()]
    for client in clients { try client.send("Passcode.Unlock", Self.onScreen) }
    wait(pinentry)
    while test.waiting < 2 { usleep(2000) }
    try test.connect().call("Passcode.Unlock", ["passcode": .string(TestDaemon.passcode)])
    for client in clients { #expect(try client.receive().reply?["state"]?.text == "unlocked") }
    #expect(pinentry.isGone())
    // It is open now: nobody is asked.
    #expect(try clients[0].call("Passcode.Unlock", Self.onScreen).reply?["state"]?.text == "unlocked")
    #expect(pinentry.log.count { $0 == "GETPIN" } == 1)
  }

  @Test("A reset ends the prompt for the store that is gone")
  func resetElsewhere() throws {
    let pinentry = try ScriptedPinentry("GETPIN) while :; do sleep 1000; done ;;")
    let test = try locked(pinentry)
    let client = try test.connect()
    try client.send("Passcode.Unlock", Self.onScreen)
    wait(pinentry)
    let other = try test.connect()
    let id = try #require(try other.call("Passcode.Status").reply?["storeId"]?.text)
    #expect(try other.error("Passcode.Reset", ["confirm": .string(id)]) == nil)
    #expect(try client.receive().errorName == "NoStore")
    #expect(pinentry.isGone())
  }

  @Test("A client that goes away waits no more, and the prompt goes with the last one")
  func hangUp() throws {
    let pinentry = try ScriptedPinentry("GETPIN) while :; do sleep 1000; done ;;")
    let test = try locked(pinentry)
    var clients: [RawClient] = []
    for _ in 0..<2 {
      clients.append(try test.connect())
      try clients[clients.count - 1].send("Passcode.Unlock", Self.onScreen)
    }
    while test.waiting < 2 { usleep(2000) }
    wait(pinentry)
    clients.removeLast()
    while test.waiting > 1 { usleep(2000) }
    #expect(test.isPrompting)
    clients.removeLast()
    #expect(pinentry.isGone())
    while test.isPrompting { usleep(2000) }
  }

  @Test(
    "A pinentry that ends, is killed or talks nonsense is an error of its own, for all who wait",
    arguments: [
      ("GETPIN) exit 3 ;;", "pinentry ended with code 3"), ("GETPIN) kill -9 $$ ;;", "ended by signal 9"),
      ("GETPIN) echo nonsense ;;", "not its protocol"),
    ])
  func crashes(script: String, reason: String) throws {
    let pinentry = try ScriptedPinentry(script)
    defer { withExtendedLifetime(pinentry) {} }
    let test = try locked(pinentry)
    let reply = try test.connect().call("Passcode.Unlock", Self.onScreen)
    #expect(reply.errorName == "NoPrompt" && obstacle(reply) == "crashed")
    #expect(reply.reply?["reason"]?.text?.contains(reason) == true)
    #expect(test.log.text.contains("nobody could be asked: pinentry") && test.log.text.contains(reason))
  }

  @Test("A pinentry that gives nothing over and over is given up")
  func endless() throws {
    let pinentry = try ScriptedPinentry("GETPIN) echo OK ;;")
    let test = try locked(pinentry)
    let reply = try test.connect().call("Passcode.Unlock", Self.onScreen)
    #expect(reply.errorName == "NoPrompt" && obstacle(reply) == "crashed")
    #expect(pinentry.log.count { $0 == "GETPIN" } == 100)
    #expect(try test.connect().call("Passcode.Status").reply?["triesRemaining"]?.number == 10)
  }

  @Test("SC-45: no pinentry, no display and no terminal each say so at once")
  func noWay() throws {
    let missing = try TestDaemon { $0.pinentry = "/nonexistent/pinentry" }
    try missing.createStore().call("Passcode.Lock")
    let reply = try missing.connect().call("Passcode.Unlock", Self.onScreen)
    #expect(reply.errorName == "NoPrompt" && obstacle(reply) == "noProgram")
    #expect(reply.reply?["reason"]?.text?.contains("/nonexistent/pinentry") == true)

    let test = try locked(try ScriptedPinentry("x) ;;"))
    for place: KeyValuePairs<String, RawClient.Value> in [
      [:], ["environment": .map([:])], ["environment": .map(["TERM": "xterm"])],
    ] {
      #expect(obstacle(try test.connect().call("Passcode.Unlock", place)) == "nowhere")
    }
    for terminal in ["/dev/null", "/etc/passwd", "pts/1", "/dev/pts/../pts/0", "/dev/tty"] {
      let reply = try test.connect().call("Passcode.Unlock", ["terminal": .string(terminal)])
      #expect(reply.errorName == "NoPrompt" && obstacle(reply) == "terminal", "\(terminal)")
    }
  }

  @Test("A client that says nothing of where it is gets the display that the daemon was started with")
  func ownDisplay() throws {
    let pinentry = try ScriptedPinentry("GETPIN) echo 'D \(TestDaemon.passcode)'; echo OK ;;")
    let test = try locked(pinentry) { configuration in
      configuration.environment = ProcessEnvironment(["DISPLAY": ":7", "LD_PRELOAD": "/tmp/x", "PATH": "/tmp"])
    }
    #expect(try test.connect().error("Passcode.Unlock") == nil)
    #expect(pinentry.lines("environment").sorted().filter { !$0.hasPrefix("PWD=") && !$0.hasPrefix("_=") } == ["DISPLAY=:7"])
  }

  @Test("A prompt that waits does not keep the daemon from ending")
  func stopping() throws {
    let pinentry = try ScriptedPinentry("GETPIN) while :; do sleep 1000; done ;;")
    let test = try locked(pinentry)
    let client = try test.connect()
    try client.send("Passcode.Unlock", Self.onScreen)
    wait(pinentry)
    test.stop()
    #expect(obstacle(try client.receive()) == "stopping")
    #expect(pinentry.isGone())
  }

  @Test("No more than so many may wait; the next one is told that the daemon is busy")
  func tooMany() throws {
    let pinentry = try ScriptedPinentry("GETPIN) while :; do sleep 1000; done ;;")
    let test = try locked(pinentry) { $0.limits.promptWaiters = 1 }
    let client = try test.connect()
    try client.send("Passcode.Unlock", Self.onScreen)
    wait(pinentry)
    #expect(try test.connect().error("Passcode.Unlock", Self.onScreen) == "Busy")
  }
}
