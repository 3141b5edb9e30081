import TestSupport
import Testing

@testable import PasscodeService

@Suite struct LogTests {
  @Test("before there is a directory for a store, nothing is said of stores that were set aside, and none are listed")
  func noDirectory() throws {
    let test = try TestDaemon { $0.storePath += ".none/store.db" }
    #expect(try test.connect().call("Passcode.ListResets").reply?["resets"]?.list.isEmpty == true)
    test.stop()
    #expect(!test.log.text.contains("set aside"))
  }

  @Test("SC-37: nothing of a request gets into the log, whatever comes of it")
  func canaries() throws {
    let test = try TestDaemon(userPolicy: #"{"lockTimeoutSeconds": 100}"#)
    let client = try test.createStore("canary-passcode and enough words")
    let canary = "canary-name"
    let secret = try base64(Array("canary-secret".utf8))
    func use() throws {
      try client.call(
        "Credentials.Put",
        ["name": .string(canary), "secret": .string(secret), "attributes": .map(["canary-key": "canary-value"])])
      try client.call("Credentials.Get", ["name": .string(canary)])
      try client.call("Credentials.Get", ["name": .string("canary-missing")])
      try client.call("Credentials.List", ["folder": .string("canary-folder")])
      try client.call("Credentials.Rename", ["name": .string(canary), "newName": .string("canary/../other")])
      try client.call("Passcode.Verify", ["passcode": .string("canary-wrong")])
      try client.call("Passcode.Check", ["passcode": .string("canary")])
      try client.call("Passcode.Reset", ["confirm": .string("canary-id")])
      try client.call("org.canary.Method", ["canary": .string("canary")])
      try client.call("Passcode.Status", ["canary": .string("canary")])
    }
    try use()
    try client.call("Passcode.Lock")
    try use()
    for message in ["canary\u{0}", "{\"canary\":1}\u{0}", "{\"method\":\"canary\",\"more\":\"canary\"}\u{0}"] {
      let broken = try test.connect()
      try? broken.send(text: message)
      _ = broken.waitForClose()
    }
    try client.call("Passcode.StartFlow", ["flow": .string("change")])
    try client.call("Passcode.EnterPasscode", ["passcode": .string("canary-passcode and enough words")])
    try client.call("Passcode.EnterPasscode", ["passcode": .string("canary-new")])
    test.stop()
    #expect(test.log.text.contains("locked"))
    #expect(!test.log.text.lowercased().contains("canary"))
    #expect(!test.log.text.contains(secret))
  }

  @Test("clients can't fill the log: after some lines a minute, further ones are left out")
  func budget() {
    let clock = TurnedClock()
    let budget = LogBudget(clock: clock.clock)
    let log = CapturedLog()
    for _ in 0..<1000 { log.log.note(.connectionClosed("rule"), within: budget) }
    let lines = log.text.split(separator: "\n")
    #expect((31...62).contains(lines.count) && lines.contains { $0.contains("left out") })
    clock.turn(seconds: 60)
    log.log.note(.connectionClosed("another"), within: budget)
    #expect(log.text.hasSuffix("another"))
  }
}
