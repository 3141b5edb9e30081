import Glibc
import PasscodePlatform
import PasscodeWire
import StrictJSON
import TestSupport
import Testing

@testable import PasscodeService

/// Flows whose passcodes are asked for by the daemon.
@Suite struct FlowPromptTests {
  private static let onScreen: KeyValuePairs<String, RawClient.Value> = ["environment": .map(["DISPLAY": ":0"])]

  private func daemon(_ pinentry: ScriptedPinentry) throws -> TestDaemon {
    try TestDaemon { (configuration: inout ServiceConfiguration) in configuration.pinentry = pinentry.path }
  }

  private func step(_ reply: JSONNode) -> String? { reply.reply?["step"]?["step"]?.text }

  @Test("The quality bar and the refusal of a new passcode are the policy's; both entries are one step of the flow")
  func quality() throws {
    let pinentry = try ScriptedPinentry(
      """
      GETPIN) for typed in '' abc '\(TestDaemon.passcode)'; do
          echo "INQUIRE QUALITY $typed"; read -r d; read -r e; echo "$d" >>"${0%/*}/answers"; done
        echo 'INQUIRE CHECKPIN abc'; read -r d; read -r e; echo "$d" >>"${0%/*}/answers"
        echo 'INQUIRE CHECKPIN \(TestDaemon.passcode)'; read -r e; echo "$e" >>"${0%/*}/answers"
        echo 'S PIN_REPEATED'; echo 'D \(TestDaemon.passcode)'; echo OK ;;
      """)
    let test = try daemon(pinentry)
    let client = try test.connect()
    #expect(step(try client.call("Passcode.StartFlow", ["flow": .string("create")])) == "enter")
    #expect(step(try client.call("Passcode.EnterPasscode", Self.onScreen)) == "finished")
    let answers = pinentry.lines("answers")
    try #require(answers.count == 5)
    let scores = answers.prefix(3).map { Int($0.dropFirst(2)) ?? 0 }
    #expect(scores[0] < 0 && scores[1] < 0 && scores[2] > 0, "\(answers)")
    #expect(answers[3].contains("at least 8 characters") && answers[4] == "END")
    #expect(pinentry.log.contains { $0.hasPrefix("SETDESC") && $0.contains("at least 8 characters") })
    #expect(try client.error("Passcode.Verify", ["passcode": .string(TestDaemon.passcode)]) == nil)
  }

  @Test("A change asks for the current passcode again where it is wrong, and refuses it as the new one")
  func change() throws {
    let pinentry = try ScriptedPinentry(
      """
      GETPIN) echo x >>"${0%/*}/times"; case $(wc -l <"${0%/*}/times") in
        1) echo 'D wrong' ;; 2|3) echo 'D \(TestDaemon.passcode)' ;; *) echo 'D another \(TestDaemon.passcode)' ;; esac
        echo 'S PIN_REPEATED'; echo OK ;;
      """)
    let test = try daemon(pinentry)
    let client = try test.createStore()
    #expect(step(try client.call("Passcode.StartFlow", ["flow": .string("change")])) == "current")
    #expect(step(try client.call("Passcode.EnterPasscode", Self.onScreen)) == "enter")
    #expect(pinentry.log.contains("SETERROR Wrong passcode. 9 tries left."))
    #expect(step(try client.call("Passcode.EnterPasscode", Self.onScreen)) == "finished")
    #expect(pinentry.log.contains { $0.hasPrefix("SETERROR Not taken.") && $0.contains("current passcode") })
    #expect(try client.error("Passcode.Verify", ["passcode": .string("another \(TestDaemon.passcode)")]) == nil)
  }

  @Test("A cancel leaves the flow where it stands, and the passcode can come another way")
  func cancelled() throws {
    let pinentry = try ScriptedPinentry("GETPIN) echo 'ERR 83886179 cancelled' ;;")
    let test = try daemon(pinentry)
    let client = try test.connect()
    #expect(try client.error("Passcode.EnterPasscode", Self.onScreen) == "NoFlow")
    try client.call("Passcode.StartFlow", ["flow": .string("create")])
    #expect(try client.error("Passcode.EnterPasscode", Self.onScreen) == "Cancelled")
    #expect(step(try client.call("Passcode.EnterPasscode", ["passcode": .string(TestDaemon.passcode)])) == "confirm")
  }

  @Test("A flow that waits for its prompt behind another is ended by a lock at once")
  func lockedInLine() throws {
    let pinentry = try ScriptedPinentry("GETPIN) while :; do sleep 1000; done ;;")
    let test = try daemon(pinentry)
    let client = try test.createStore()
    try client.call("Passcode.Lock")
    let unlocking = try test.connect()
    try unlocking.send("Passcode.Unlock", Self.onScreen)
    while !pinentry.log.contains("GETPIN") { usleep(2000) }
    try client.call("Passcode.StartFlow", ["flow": .string("change")])
    try client.send("Passcode.EnterPasscode", Self.onScreen)
    while test.waiting < 2 { usleep(2000) }
    try test.connect().call("Passcode.Lock")
    #expect(try client.receive().errorName == "NoFlow")
    #expect(test.isPrompting && test.waiting == 1)
  }

  @Test("Who waits in line to unlock is answered when the store is opened, though another prompt is shown")
  func openedInLine() throws {
    let pinentry = try ScriptedPinentry("GETPIN) while :; do sleep 1000; done ;;")
    let test = try daemon(pinentry)
    let client = try test.createStore()
    try client.call("Passcode.Lock")
    try client.call("Passcode.StartFlow", ["flow": .string("change")])
    try client.send("Passcode.EnterPasscode", Self.onScreen)
    while !pinentry.log.contains("GETPIN") { usleep(2000) }
    let unlocking = try test.connect()
    try unlocking.send("Passcode.Unlock", Self.onScreen)
    while test.waiting < 2 { usleep(2000) }
    try test.connect().call("Passcode.Unlock", ["passcode": .string(TestDaemon.passcode)])
    #expect(try unlocking.receive().reply?["state"]?.text == "unlocked")
    #expect(test.isPrompting && test.waiting == 1)
  }

  @Test("A lock ends the flow and its prompt")
  func locked() throws {
    let pinentry = try ScriptedPinentry("GETPIN) while :; do sleep 1000; done ;;")
    let test = try daemon(pinentry)
    let client = try test.createStore()
    try client.call("Passcode.StartFlow", ["flow": .string("change")])
    try client.send("Passcode.EnterPasscode", Self.onScreen)
    while !pinentry.log.contains("GETPIN") { usleep(2000) }
    // The lock does not wait for the person either.
    try test.connect().call("Passcode.Lock")
    #expect(try client.receive().errorName == "NoFlow")
    #expect(pinentry.isGone())
  }
}
