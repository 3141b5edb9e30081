import StrictJSON
import TestSupport
import Testing

@testable import PasscodeService

/// A key of quick unlock that could not be removed is removed later, and what is left is told.
@Suite struct LeftKeyTests {
  private let keyring = FakeKeyring()
  private static let passcode: KeyValuePairs<String, RawClient.Value> = ["passcode": .string(TestDaemon.passcode)]
  private static let quickly: KeyValuePairs<String, RawClient.Value> = ["quickUnlock": .bool(true)]

  private func daemon(
    in directory: TemporaryDirectory? = nil, policy: String? = nil, administrator: String? = nil
  ) throws -> TestDaemon {
    try TestDaemon(in: directory, administratorPolicy: administrator, userPolicy: policy) { [keyring] in
      $0.makeQuickUnlockMethod = { _ in keyring }
    }
  }

  /// A daemon whose store has quick unlock on, and a client.
  private func turnedOn(policy: String? = nil, administrator: String? = nil) throws -> (TestDaemon, RawClient) {
    let test = try daemon(policy: policy, administrator: administrator)
    let client = try test.connect()
    try create(client, quickUnlock: true)
    try #require(!keyring.isEmpty)
    return (test, client)
  }

  private func create(_ client: RawClient, quickUnlock: Bool) throws {
    try client.call("Passcode.StartFlow", ["flow": .string("create"), "quickUnlock": .bool(quickUnlock)])
    for _ in 0..<2 { try client.call("Passcode.EnterPasscode", Self.passcode) }
  }

  private func storeID(_ client: RawClient) throws -> String {
    try #require(try client.call("Passcode.Status").reply?["storeId"]?.text)
  }

  @Test(
    "SC-63: turned off while the keyring was locked, it is turned off again, and the key is removed", arguments: [true, false])
  func twice(restarts: Bool) throws {
    let (first, client) = try turnedOn()
    keyring.obstruct("the keyring is locked")
    for _ in 0..<2 { #expect(try client.error("Passcode.DisableQuickUnlock") == "QuickUnlockUnavailable") }
    if restarts { first.stop() }
    let test = restarts ? try daemon(in: first.directory) : first
    let next = try test.connect()
    #expect(try next.error("Passcode.DisableQuickUnlock") == "QuickUnlockUnavailable")
    keyring.obstruct(nil)
    #expect(try next.error("Passcode.DisableQuickUnlock") == nil)
    #expect(keyring.isEmpty)
    // Nothing is left: a keyring out of reach is no matter any more.
    keyring.obstruct("the keyring is locked")
    #expect(try next.error("Passcode.DisableQuickUnlock") == nil)
  }

  @Test("SC-63: a reset removes a key that was left behind, or says what is left", arguments: [true, false])
  func reset(isReachable: Bool) throws {
    let (test, client) = try turnedOn()
    keyring.obstruct("the keyring is locked")
    try client.call("Passcode.DisableQuickUnlock")
    if isReachable { keyring.obstruct(nil) }
    let id = try storeID(client)
    let reply = try client.call("Passcode.Reset", ["confirm": .string(id)])
    #expect(reply.reply?["setAside"] != nil)
    #expect(reply.reply?["quickUnlockReason"]?.text == (isReachable ? nil : "the keyring is locked"))
    #expect(keyring.isEmpty == isReachable)
    let words = "a key of quick unlock may be left in the keyring: the keyring is locked"
    #expect(test.log.text.contains(words) != isReachable)
  }

  @Test("SC-63: a keyring that was never within reach has no key, and no reset warns of one")
  func neverReached() throws {
    let test = try daemon()
    let client = try test.connect()
    keyring.obstruct("there is no keyring")
    try create(client, quickUnlock: false)
    #expect(try client.error("Passcode.EnableQuickUnlock", Self.passcode) == "QuickUnlockUnavailable")
    let reply = try client.call(
      "Passcode.Reset", ["confirm": .string(try storeID(client)), "erase": .bool(true)])
    #expect(reply.errorName == nil && reply.reply?["quickUnlockReason"]?.text == nil)
    #expect(!test.log.text.contains("may be left in the keyring"))
  }

  @Test(
    "SC-63: a key of a store that is gone is removed when quick unlock is turned on or off the next time",
    arguments: [true, false])
  func goneStore(byTurningOn: Bool) throws {
    let (test, client) = try turnedOn()
    defer { withExtendedLifetime(test) {} }
    keyring.obstruct("the keyring is locked")
    try client.call("Passcode.Reset", ["confirm": .string(try storeID(client)), "erase": .bool(true)])
    keyring.obstruct(nil)
    try create(client, quickUnlock: false)
    let calls = keyring.calls
    try client.call("Passcode.Lock")
    #expect(try client.error("Passcode.Unlock", Self.passcode) == nil)
    try client.call("Passcode.Status")
    #expect(keyring.calls == calls)
    if byTurningOn { #expect(try client.error("Passcode.EnableQuickUnlock", Self.passcode) == nil) }
    #expect(try client.error("Passcode.DisableQuickUnlock") == nil)
    #expect(keyring.isEmpty)
  }

  @Test("SC-63: a store that was set aside with its key left behind is rid of it when it comes back")
  func undone() throws {
    let (test, client) = try turnedOn()
    defer { withExtendedLifetime(test) {} }
    keyring.obstruct("the keyring is locked")
    let aside = try client.call("Passcode.Reset", ["confirm": .string(try storeID(client))]).reply?["setAside"]
    keyring.obstruct(nil)
    try client.call("Passcode.UndoReset", ["id": .string(try #require(aside?["id"]?.text))])
    #expect(keyring.isEmpty)
  }

  @Test("SC-63: a store that erases itself takes its key along")
  func wiped() throws {
    let (test, client) = try turnedOn(administrator: #"{"retryLimit": 1, "onRetryLimit": "wipe"}"#)
    defer { withExtendedLifetime(test) {} }
    #expect(try client.error("Passcode.Verify", ["passcode": .string("wrong")]) != nil)
    #expect(try client.call("Passcode.Status").reply?["state"]?.text == "absent")
    #expect(keyring.isEmpty)
  }

  @Test("turned on after the policy has changed, it opens the store at once")
  func policyChanged() throws {
    let (test, client) = try turnedOn()
    try test.write("user.json", #"{"lockTimeoutSeconds": 300}"#)
    #expect(try client.error("Passcode.EnableQuickUnlock", Self.passcode) == nil)
    try client.call("Passcode.Lock")
    #expect(try client.error("Passcode.Unlock", Self.quickly) == nil)
  }

  @Test("it is not turned on with a passcode that has to be changed first")
  func belowPolicy() throws {
    let (test, client) = try turnedOn()
    try test.write("user.json", #"{"minLength": 64, "onTightenedPolicy": "requireChange"}"#)
    let reply = try client.call("Passcode.EnableQuickUnlock", Self.passcode)
    #expect(reply.errorName == "QuickUnlockUnavailable")
    #expect(reply.reply?["reason"]?.text == "the passcode has to be changed first")
  }

  @Test("SC-51: a quick unlock that was under way when the store was locked leaves it locked, and nothing says otherwise")
  func lockedMeanwhile() throws {
    let (test, client) = try turnedOn()
    try client.call("Passcode.Lock")
    let unlocked = test.log.text
    keyring.hang()
    let waiting = try test.connect()
    try waiting.send("Passcode.Unlock", Self.quickly)
    keyring.waitForCall()
    try client.call("Passcode.Lock")
    keyring.resume()
    #expect(try waiting.receive().errorName == "Locked")
    let status = try client.call("Passcode.Status").reply
    #expect(status?["state"]?.text == "locked" && status?["locksAt"] == nil)
    #expect(test.log.text == unlocked)
  }

  @Test("a state that was locked right after its unlock has no time to lock")
  func openedAndLocked() throws {
    let (test, client) = try turnedOn()
    try client.call("Passcode.Lock")
    keyring.hang()
    let unlocking = try test.connect()
    try unlocking.send("Passcode.Unlock", Self.passcode)
    // Open, and renewing.
    keyring.waitForCall()
    #expect(try client.call("Passcode.Status").reply?["state"]?.text == "unlocked")
    try client.call("Passcode.Lock")
    let log = test.log.text
    keyring.resume()
    #expect(try unlocking.receive().errorName == nil)
    let status = try client.call("Passcode.Status").reply
    #expect(status?["state"]?.text == "locked" && status?["locksAt"] == nil)
    #expect(test.log.text == log)
  }
}
