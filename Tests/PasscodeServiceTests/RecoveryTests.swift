import PasscodeCore
import SecretMemory
import StrictJSON
import TestSupport
import Testing

@testable import PasscodeService

@Suite struct RecoveryTests {
  private static let passcode: KeyValuePairs<String, RawClient.Value> = ["passcode": .string(TestDaemon.passcode)]
  private static let new = "another horse battery staple"

  private func start(_ client: RawClient, _ key: String) throws -> JSONNode {
    try client.call("Passcode.StartFlow", ["flow": .string("recover"), "recoveryKey": .string(key)])
  }

  private func makeKey(_ client: RawClient) throws -> String {
    try #require(try client.call("Passcode.CreateRecoveryKey", Self.passcode).reply?["key"]?.text)
  }

  private func status(_ client: RawClient, _ field: String) throws -> JSONNode? {
    try client.call("Passcode.Status").reply?[field]
  }

  @Test("SC-62: a recovery key opens, in any spelling, and goes straight to the new passcode; credentials stay untouched")
  func recover() throws {
    let test = try TestDaemon()
    let client = try test.createStore()
    try client.call("Credentials.Put", ["name": .string("a"), "secret": .string("AQI=")])
    #expect(try status(client, "recovery")?.isTrue == false)
    let key = try makeKey(client)
    #expect(key.utf8.count == 44 && key.split(separator: "-").count == 9)
    #expect(try status(client, "recovery")?.isTrue == true)
    try client.call("Passcode.Lock")
    let first = try start(client, key.lowercased().split(separator: "-").joined(separator: " "))
    #expect(first.reply?["step"]?["step"]?.text == "enter" && first.reply?["step"]?["flow"]?.text == "recover")
    #expect(try status(client, "state")?.text == "locked", "nothing is open before the last step")
    let weak = try client.call("Passcode.EnterPasscode", ["passcode": .string("abc")])
    #expect(weak.reply?["step"]?["step"]?.text == "enter" && weak.reply?["step"]?["unmet"]?.list.isEmpty == false)
    #expect(try enter(client) == "confirm")
    #expect(try enter(client) == "finished")
    #expect(try client.call("Credentials.Get", ["name": .string("a")]).reply?["secret"]?.text == "AQI=")
    #expect(try client.error("Passcode.Verify", Self.passcode) == "WrongPasscode")
    #expect(try client.error("Passcode.Verify", ["passcode": .string(Self.new)]) == nil)
    #expect(try start(client, key).errorName == nil, "the key still counts")
  }

  @Test("a slip is told from a wrong key, and both from a store without one; none costs a try")
  func wrongKeys() throws {
    let test = try TestDaemon()
    let client = try test.createStore()
    let foreign = try RecoveryKey.random().printed()
    let foreignText = String(decoding: (0..<foreign.count).map { foreign.bytes[$0] }, as: UTF8.self)
    #expect(try start(client, foreignText).errorName == "NoRecoveryKey")
    let first = try makeKey(client)
    let key = try makeKey(client)
    #expect(try start(client, first).errorName == "RecoveryKeyWrong", "an earlier key")
    #expect(try start(client, foreignText).errorName == "RecoveryKeyWrong")
    let last = try #require(key.last)
    #expect(try start(client, key.dropLast() + (last == "0" ? "1" : "0")).errorName == "RecoveryKeyMistyped")
    #expect(try start(client, "").errorName == "RecoveryKeyMistyped")
    #expect(try client.error("Passcode.StartFlow", ["flow": .string("recover")]) == "InvalidParameter")
    #expect(try status(client, "triesRemaining")?.number == 10)
    #expect(try client.error("Passcode.RevokeRecoveryKey") == nil)
    #expect(try client.error("Passcode.RevokeRecoveryKey") == nil)
    #expect(try start(client, key).errorName == "NoRecoveryKey")
    #expect(try status(client, "recovery")?.isTrue == false)
  }

  @Test("making one takes the passcode: a wrong one costs a try, and makes none")
  func wrongPasscode() throws {
    let test = try TestDaemon()
    let client = try test.createStore()
    let wrong = try client.call("Passcode.CreateRecoveryKey", ["passcode": .string("wrong")])
    #expect(wrong.errorName == "WrongPasscode" && wrong.reply?["triesRemaining"]?.number == 9)
    #expect(try status(client, "recovery")?.isTrue == false)
    #expect(try client.error("Passcode.StartFlow", ["flow": .string("change")]) == nil)
  }

  @Test("a lock-out does not matter to a recovery, and ends with it")
  func lockedOut() throws {
    let test = try TestDaemon(userPolicy: #"{"lockOut": {"afterTries": 1, "firstSeconds": 60}}"#)
    let client = try test.createStore()
    let key = try makeKey(client)
    try client.call("Passcode.Lock")
    for _ in 0..<2 { try client.call("Passcode.Verify", ["passcode": .string("wrong")]) }
    #expect(try client.error("Passcode.Verify", Self.passcode) == "LockedOut")
    #expect(try start(client, key).errorName == nil)
    #expect(try enter(client) == "confirm")
    #expect(try enter(client) == "finished")
    #expect(try client.error("Passcode.Verify", ["passcode": .string(Self.new)]) == nil)
  }

  @Test("an earlier passcode can't come back by the recovery key either")
  func history() throws {
    let test = try TestDaemon(userPolicy: #"{"historyDepth": 3}"#)
    let client = try test.createStore()
    try client.call("Passcode.StartFlow", ["flow": .string("change")])
    try client.call("Passcode.EnterPasscode", Self.passcode)
    #expect(try enter(client) == "confirm")
    #expect(try enter(client) == "finished")
    let reply = try client.call("Passcode.CreateRecoveryKey", ["passcode": .string(Self.new)])
    let key = try #require(reply.reply?["key"]?.text)
    _ = try start(client, key)
    let refused = try client.call("Passcode.EnterPasscode", Self.passcode)
    #expect(refused.reply?["step"]?["unmet"]?.list.first?["id"]?.text == "historyDepth")
  }

  @Test("locking ends a recovery that is half done: it holds the store's key")
  func lockEnds() throws {
    let test = try TestDaemon()
    let client = try test.createStore()
    _ = try start(client, try makeKey(client))
    try test.connect().call("Passcode.Lock")
    #expect(try client.call("Passcode.EnterPasscode", ["passcode": .string(Self.new)]).errorName == "NoFlow")
  }

  private func enter(_ client: RawClient) throws -> String? {
    try client.call("Passcode.EnterPasscode", ["passcode": .string(Self.new)]).reply?["step"]?["step"]?.text
  }
}
