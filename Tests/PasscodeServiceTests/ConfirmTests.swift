import PasscodePlatform
import PasscodeWire
import StrictJSON
import TestSupport
import Testing

@testable import PasscodeService

/// Quick unlock where the policy wants a person to agree each time.
@Suite struct ConfirmTests {
  private let keyring = FakeKeyring()

  /// A daemon with a locked store that quick unlock opens, and how it is asked.
  private func locked(_ pinentry: ScriptedPinentry) throws -> TestDaemon {
    let test = try TestDaemon(userPolicy: #"{"quickUnlock": {"confirm": true}}"#) {
      [keyring] (configuration: inout ServiceConfiguration) in
      configuration.makeQuickUnlockMethod = { _ in keyring }
      configuration.pinentry = pinentry.path
    }
    let client = try test.connect()
    try client.call("Passcode.StartFlow", ["flow": .string("create"), "quickUnlock": .bool(true)])
    for _ in 0..<2 { try client.call("Passcode.EnterPasscode", ["passcode": .string(TestDaemon.passcode)]) }
    try client.call("Passcode.Lock")
    #expect(try client.call("Passcode.Status").reply?["quickUnlock"]?.isTrue == true)
    return test
  }

  private func unlock(_ test: TestDaemon, quickUnlock: Bool? = true) throws -> JSONNode {
    let client = try test.connect()
    guard let quickUnlock else { return try client.call("Passcode.Unlock", ["environment": .map(["DISPLAY": ":0"])]) }
    return try client.call(
      "Passcode.Unlock", ["environment": .map(["DISPLAY": ":0"]), "quickUnlock": .bool(quickUnlock)])
  }

  @Test("SC-47: who agrees has the store open; the asker is named, and no passcode is asked for")
  func agreed() throws {
    let pinentry = try ScriptedPinentry("CONFIRM) echo OK ;;")
    let test = try locked(pinentry)
    #expect(try unlock(test).reply?["state"]?.text == "unlocked")
    #expect(pinentry.log.contains { $0.hasPrefix("SETDESC") && $0.contains("quick unlock") && $0.contains("unverified") })
    #expect(pinentry.log.count { $0 == "CONFIRM" } == 1 && !pinentry.log.contains("GETPIN"))
  }

  @Test("Who declines leaves it locked, and the keyring is not called; without more words the passcode is asked for, with why")
  func declined() throws {
    let pinentry = try ScriptedPinentry(
      "CONFIRM) echo 'ERR 83886194 Not confirmed' ;; GETPIN) echo 'D \(TestDaemon.passcode)'; echo OK ;;")
    let test = try locked(pinentry)
    let calls = keyring.calls
    let refused = try unlock(test)
    #expect(refused.errorName == "QuickUnlockUnavailable" && refused.reply?["reason"]?.text == "it was declined")
    #expect(keyring.calls == calls)
    #expect(try unlock(test, quickUnlock: nil).reply?["state"]?.text == "unlocked")
    #expect(pinentry.log.contains { $0.hasPrefix("SETDESC") && $0.contains("not available: it was declined") })
  }

  @Test("Who cancels has cancelled, and is asked nothing more")
  func cancelled() throws {
    let pinentry = try ScriptedPinentry("CONFIRM) echo 'ERR 83886179 cancelled' ;;")
    let test = try locked(pinentry)
    #expect(try unlock(test, quickUnlock: nil).errorName == "Cancelled")
    #expect(!pinentry.log.contains("GETPIN"))
  }

  @Test("SC-45: where nobody can be asked it is not available; a crash is no agreement")
  func nobody() throws {
    let pinentry = try ScriptedPinentry("CONFIRM) exit 1 ;;")
    let test = try locked(pinentry)
    let calls = keyring.calls
    let crashed = try unlock(test)
    #expect(crashed.errorName == "QuickUnlockUnavailable")
    #expect(crashed.reply?["reason"]?.text?.contains("pinentry ended with code 1") == true)
    let nowhere = try test.connect().call("Passcode.Unlock", ["quickUnlock": .bool(true), "environment": .map([:])])
    #expect(nowhere.errorName == "QuickUnlockUnavailable")
    #expect(nowhere.reply?["reason"]?.text?.contains("no display and no terminal") == true)
    #expect(keyring.calls == calls)
  }
}
