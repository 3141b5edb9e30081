import PasscodeKeyring
import PasscodePlatform
import PasscodeStore
import StrictJSON
import TestSupport
import Testing

@testable import PasscodeService

@Suite struct QuickUnlockTests {
  private let keyring = FakeKeyring()
  static let passcode: KeyValuePairs<String, RawClient.Value> = ["passcode": .string(TestDaemon.passcode)]

  private func daemon(policy: String? = nil, administrator: String? = nil) throws -> TestDaemon {
    let clock = TurnedClock()
    return try TestDaemon(administratorPolicy: administrator, userPolicy: policy, clock: clock) {
      [keyring] (configuration: inout ServiceConfiguration) in
      configuration.makeQuickUnlockMethod = { _ in keyring }
      configuration.storeOptions.clock = TurnedStoreClock(clock: clock)
    }
  }

  /// A client of a store that was just made, with quick unlock as it was answered in advance.
  private func createStore(_ test: TestDaemon, quickUnlock: Bool) throws -> (client: RawClient, step: JSONNode?) {
    let client = try test.connect()
    try client.call("Passcode.StartFlow", ["flow": .string("create"), "quickUnlock": .bool(quickUnlock)])
    try client.call("Passcode.EnterPasscode", Self.passcode)
    let last = try client.call("Passcode.EnterPasscode", Self.passcode)
    try #require(last.reply?["step"]?["step"]?.text == "finished", "\(last)")
    return (client, last.reply?["step"])
  }

  private func status(_ client: RawClient, _ field: String) throws -> JSONNode? {
    try client.call("Passcode.Status").reply?[field]
  }

  /// Why quick unlock does not unlock; nil where it does.
  private func refusal(_ client: RawClient) throws -> String? {
    let reply = try client.call("Passcode.Unlock", ["quickUnlock": .bool(true)])
    if let name = reply.errorName { try #require(name == "QuickUnlockUnavailable") }
    return reply.reply?["reason"]?.text
  }

  @Test("SC-47: where the keyring works it is offered, turned on with the new store, and opens it without a try")
  func offered() throws {
    let test = try daemon()
    let client = try test.connect()
    try client.call("Passcode.StartFlow", ["flow": .string("create")])
    try client.call("Passcode.EnterPasscode", Self.passcode)
    let offer = try client.call("Passcode.EnterPasscode", Self.passcode).reply?["step"]
    #expect(offer?["step"]?.text == "quickUnlock" && offer?["quickUnlockAvailable"]?.isTrue == true)
    let done = try client.call("Passcode.AnswerQuickUnlock", ["enable": .bool(true)]).reply?["step"]
    #expect(done?["step"]?.text == "finished" && done?["quickUnlockReason"] == nil)
    #expect(try status(client, "quickUnlock")?.isTrue == true)
    try client.call("Credentials.Put", ["name": .string("a"), "secret": .string("AQI=")])
    try client.call("Passcode.Lock")
    #expect(try client.call("Passcode.Unlock").reply?["state"]?.text == "unlocked")
    #expect(try client.call("Credentials.Get", ["name": .string("a")]).reply?["secret"]?.text == "AQI=")
    #expect(try status(client, "triesRemaining")?.number == 10)
  }

  @Test("SC-47: where the keyring does not work, or the policy says no, it is not offered, and the reason is told")
  func notOffered() throws {
    keyring.obstruct("the keyring is locked")
    let first = try createStore(try daemon(), quickUnlock: true)
    #expect(first.step?["quickUnlockAvailable"]?.isTrue == false)
    #expect(first.step?["quickUnlockReason"]?.text?.contains("the keyring is locked") == true)
    keyring.obstruct(nil)
    for policy in [#"{"allowsQuickUnlock": false}"#, #"{"quickUnlock": {"confirm": true}}"#] {
      let calls = keyring.calls
      let test = try daemon(policy: policy)
      let (client, step) = try createStore(test, quickUnlock: true)
      #expect(step?["quickUnlockAvailable"]?.isTrue == false && step?["quickUnlockReason"] != nil)
      #expect(try client.error("Passcode.EnableQuickUnlock", Self.passcode) == "QuickUnlockUnavailable")
      #expect(keyring.calls == calls)
    }
  }

  @Test("with quick unlock off the keyring is called by nothing but turning it off once more")
  func neverCalled() throws {
    let test = try daemon()
    let (client, _) = try createStore(test, quickUnlock: false)
    try client.call("Passcode.Lock")
    #expect(try client.error("Passcode.Unlock", ["quickUnlock": .bool(true)]) == "QuickUnlockUnavailable")
    #expect(try client.error("Passcode.Unlock") == "NoPrompt")
    #expect(try client.error("Passcode.Unlock", Self.passcode) == nil)
    try client.call("Passcode.Lock")
    #expect(try client.error("Passcode.Unlock", ["quickUnlock": .bool(false)]) == "NoPrompt")
    try change(client, to: "another horse battery staple")
    try client.call("Passcode.Status")
    #expect(keyring.calls == 0)
    #expect(try client.error("Passcode.DisableQuickUnlock") == nil)
    #expect(keyring.calls == 1)
    try reset(client)
    #expect(keyring.calls == 1)
  }

  @Test("turning it on takes the passcode: a wrong one costs a try; a faulty administrator's file keeps it off")
  func enabling() throws {
    let test = try daemon()
    let (client, _) = try createStore(test, quickUnlock: false)
    try client.call("Passcode.Lock")
    let wrong = try client.call("Passcode.EnableQuickUnlock", ["passcode": .string("wrong")])
    #expect(wrong.errorName == "WrongPasscode" && wrong.reply?["triesRemaining"]?.number == 9)
    #expect(keyring.isEmpty)
    #expect(try client.error("Passcode.EnableQuickUnlock", Self.passcode) == nil)
    #expect(try status(client, "state")?.text == "locked")
    #expect(try refusal(client) == nil)
    try test.write("administrator.json", "{")
    #expect(try client.error("Passcode.EnableQuickUnlock", Self.passcode) == "PolicyFault")
  }

  @Test("SC-63: turning it off and resetting remove the key from the keyring", arguments: ["off", "set aside", "erase"])
  func removed(how: String) throws {
    let test = try daemon()
    let (client, _) = try createStore(test, quickUnlock: true)
    #expect(!keyring.isEmpty)
    try client.call("Passcode.Lock")
    if how == "off" {
      #expect(try client.error("Passcode.DisableQuickUnlock") == nil)
      #expect(try refusal(client) == "it is not turned on")
    } else {
      try reset(client, erases: how == "erase")
    }
    #expect(keyring.isEmpty)
    #expect(try status(client, "quickUnlock")?.isTrue == false)
  }

  @Test("SC-63: it is off even where the key can't be removed, and that is said")
  func removedOutOfReach() throws {
    let test = try daemon()
    let (client, _) = try createStore(test, quickUnlock: true)
    keyring.obstruct("the keyring is locked")
    let reply = try client.call("Passcode.DisableQuickUnlock")
    #expect(reply.errorName == "QuickUnlockUnavailable")
    #expect(reply.reply?["reason"]?.text?.contains("may still lie in the keyring: the keyring is locked") == true)
    keyring.obstruct(nil)
    try client.call("Passcode.Lock")
    #expect(try refusal(client) == "it is not turned on")
  }

  @Test("SC-48: a passcode changed while the keyring is out of reach turns it off, and that is said")
  func changeOutOfReach() throws {
    let test = try daemon()
    let (client, _) = try createStore(test, quickUnlock: true)
    let renewed = try change(client, to: "another horse battery staple")
    #expect(renewed?["quickUnlockReason"] == nil)
    try client.call("Passcode.Lock")
    #expect(try refusal(client) == nil)
    keyring.obstruct("the keyring is locked")
    let dropped = try change(client, from: "another horse battery staple", to: TestDaemon.passcode)
    #expect(dropped?["quickUnlockReason"]?.text?.contains("off now") == true)
    keyring.obstruct(nil)
    try client.call("Passcode.Lock")
    #expect(try refusal(client) == "it is not turned on")
    #expect(try client.error("Passcode.Unlock", Self.passcode) == nil)
  }

  @Test("SC-49: a key that has gone leads to the passcode, destroys nothing, and the passcode brings it back")
  func lost() throws {
    let test = try daemon()
    let (client, _) = try createStore(test, quickUnlock: true)
    try client.call("Passcode.Lock")
    keyring.lose()
    #expect(try refusal(client) == "it is empty")
    #expect(try status(client, "quickUnlock")?.isTrue == true)
    #expect(try client.error("Passcode.Unlock", Self.passcode) == nil)
    try client.call("Passcode.Lock")
    #expect(try refusal(client) == nil)
  }

  @Test("after the age that the policy names it is turned off, slot and key, and the passcode is asked for")
  func lapsed() throws {
    let test = try daemon(policy: #"{"quickUnlock": {"maxAgeHours": 24}}"#)
    let (client, _) = try createStore(test, quickUnlock: true)
    try client.call("Passcode.Lock")
    test.clock.turn(seconds: 23 * 3600)
    #expect(try refusal(client) == nil)
    try client.call("Passcode.Lock")
    test.clock.turn(seconds: 2 * 3600)
    #expect(try refusal(client)?.contains("turned off") == true)
    #expect(try status(client, "quickUnlock")?.isTrue == false)
    #expect(keyring.isEmpty)
  }

  @Test("a policy that forbids it later turns it off", arguments: [true, false])
  func forbiddenLater(byPasscode: Bool) throws {
    let test = try daemon()
    let (client, _) = try createStore(test, quickUnlock: true)
    try client.call("Passcode.Lock")
    try test.write("user.json", #"{"allowsQuickUnlock": false}"#)
    if byPasscode {
      #expect(try client.error("Passcode.Unlock", Self.passcode) == nil)
    } else {
      #expect(try refusal(client) == "the policy does not allow it")
    }
    #expect(keyring.isEmpty)
  }

  @Test(
    "SC-45: a keyring that hangs delays nobody else",
    arguments: ["Unlock", "EnableQuickUnlock", "DisableQuickUnlock"])
  func hanging(method: String) throws {
    let test = try daemon()
    let (client, _) = try createStore(test, quickUnlock: true)
    keyring.hang()
    let call = Background { [passcode = Self.passcode] () -> String? in
      guard let hung = try? test.connect() else { return "no connection" }
      let parameters: KeyValuePairs<String, RawClient.Value> =
        switch method {
        case "Unlock": ["quickUnlock": .bool(true)]
        case "EnableQuickUnlock": passcode
        default: [:]
        }
      return try? hung.error("Passcode." + method, parameters)
    }
    keyring.waitForCall()
    #expect(try client.error("Credentials.Put", ["name": .string("a"), "secret": .string("AQI=")]) == nil)
    #expect(try client.call("Credentials.Get", ["name": .string("a")]).reply?["secret"]?.text == "AQI=")
    #expect(try status(client, "state")?.text == "unlocked")
    #expect(try client.error("Passcode.Lock") == nil)
    #expect(try client.error("Credentials.Get", ["name": .string("a")]) == "Locked")
    if method == "Unlock" { #expect(try client.error("Passcode.Verify", Self.passcode) == nil) }
    #expect(call.finished == nil)
    keyring.resume()
    // What was to open the store began before it was locked.
    #expect(call.value() == (method == "Unlock" ? "Locked" : nil))
  }

  @Test(
    "SC-45: a helper that hangs, crashes or is missing is given up, and the store is made without", arguments: [true, false])
  func brokenHelper(hangs: Bool) throws {
    let directory = try TemporaryDirectory()
    let script = "#!/bin/sh\n\(hangs ? "exec /bin/sleep 1000" : "kill -9 $$")\n"
    let path = try directory.write("helper", script.utf8, mode: 0o700)
    for executable in [path, directory.file("none")] {
      let test = try TestDaemon { (configuration: inout ServiceConfiguration) in
        configuration.makeQuickUnlockMethod = { _ in
          let helper = KeyringHelper(environment: ProcessEnvironment([:]), executable: executable, limit: .milliseconds(200))
          return KeyringMethod(helper: helper, passcodeAfterReboot: false)
        }
      }
      let (client, step) = try createStore(test, quickUnlock: true)
      #expect(step?["quickUnlockAvailable"]?.isTrue == false && step?["quickUnlockReason"] != nil)
      #expect(try client.error("Passcode.EnableQuickUnlock", Self.passcode) == "QuickUnlockUnavailable")
      #expect(try status(client, "quickUnlock")?.isTrue == false)
    }
  }

  // MARK: - Flows

  @discardableResult
  private func change(_ client: RawClient, from current: String = TestDaemon.passcode, to new: String) throws -> JSONNode? {
    try client.call("Passcode.StartFlow", ["flow": .string("change")])
    var reply = try client.call("Passcode.EnterPasscode", ["passcode": .string(current)])
    for _ in 0..<2 { reply = try client.call("Passcode.EnterPasscode", ["passcode": .string(new)]) }
    try #require(reply.reply?["step"]?["step"]?.text == "finished", "\(reply)")
    return reply.reply?["step"]
  }

  private func reset(_ client: RawClient, erases: Bool = false) throws {
    let id = try #require(try status(client, "storeId")?.text)
    try #require(try client.error("Passcode.Reset", ["confirm": .string(id), "erase": .bool(erases)]) == nil)
  }
}
