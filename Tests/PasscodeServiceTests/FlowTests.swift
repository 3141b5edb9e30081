import PasscodePlatform
import StrictJSON
import TestSupport
import Testing

@testable import PasscodeService

@Suite struct FlowTests {
  private func enter(_ client: RawClient, _ passcode: String) throws -> JSONNode {
    try client.call("Passcode.EnterPasscode", ["passcode": .string(passcode)])
  }

  private func step(_ reply: JSONNode) -> String? { reply.reply?["step"]?["step"]?.text }

  private func start(_ client: RawClient, _ flow: String) throws -> JSONNode {
    try client.call("Passcode.StartFlow", ["flow": .string(flow)])
  }

  @Test("create: enter, what is unmet, confirm, a mismatch begins the pair again, quick unlock is not available, done")
  func create() throws {
    let test = try TestDaemon()
    let client = try test.connect()
    let first = try start(client, "create")
    #expect(step(first) == "enter")
    let listed = try #require(first.reply?["step"]?["requirements"]?.list)
    #expect(listed.map { $0["id"]?.text } == ["minLength", "maxLength", "strength", "blocklist"])
    #expect(listed.allSatisfy { $0["isSatisfied"]?.isTrue == false })
    let refused = try enter(client, "abc")
    #expect(step(refused) == "enter")
    #expect(refused.reply?["step"]?["unmet"]?.list.map { $0["id"]?.text } == ["minLength", "strength"])
    #expect(refused.reply?["step"]?["strength"]?["score"]?.number == 0)
    let taken = try enter(client, TestDaemon.passcode)
    #expect(step(taken) == "confirm" && taken.reply?["step"]?["strength"]?["score"]?.number == 4)
    let mismatch = try enter(client, "something else entirely")
    #expect(step(mismatch) == "enter" && mismatch.reply?["step"]?["mismatch"]?.isTrue == true)
    #expect(try step(enter(client, TestDaemon.passcode)) == "confirm")
    let done = try enter(client, TestDaemon.passcode)
    #expect(step(done) == "finished" && done.reply?["step"]?["quickUnlockAvailable"]?.isTrue == false)
    #expect(done.reply?["step"]?["quickUnlockReason"]?.text?.contains("not available") == true)
    #expect(try enter(client, "x").errorName == "NoFlow")
    #expect(try start(client, "create").errorName == "StoreExists")
  }

  @Test("nothing is there before the last step, nor after a cancel or a lost connection")
  func nothingBefore() throws {
    let test = try TestDaemon()
    for ends in [true, false] {
      let client = try test.connect()
      _ = try start(client, "create")
      _ = try enter(client, TestDaemon.passcode)
      if ends { #expect(try step(client.call("Passcode.CancelFlow")) == "cancelled") }
    }
    let client = try test.connect()
    #expect(try client.call("Passcode.Status").reply?["state"]?.text == "absent")
    #expect(directoryEntries(test.directory.path).allSatisfy { !$0.hasPrefix("store.db") || $0.hasSuffix(".lock") })
    #expect(try enter(client, TestDaemon.passcode).errorName == "NoFlow")
    #expect(try client.error("Passcode.CancelFlow") == "NoFlow")
  }

  @Test("a flow belongs to its connection, which has one at a time, and takes only what its step asks for")
  func belongs() throws {
    let test = try TestDaemon()
    let (client, other) = (try test.connect(), try test.connect())
    _ = try start(client, "create")
    let second = try start(client, "create")
    #expect(second.errorName == "WrongStep" && second.reply?["step"]?.text == "enter")
    #expect(try client.error("Passcode.AnswerQuickUnlock", ["enable": .bool(true)]) == "WrongStep")
    #expect(try enter(other, "x").errorName == "NoFlow")
    #expect(try start(other, "change").errorName == "NoStore")
  }

  @Test("change: a wrong current passcode costs a try and leaves the flow where it is; then current, new, confirm")
  func change() throws {
    let test = try TestDaemon()
    let client = try test.createStore()
    try client.call("Credentials.Put", ["name": .string("a"), "secret": .string("AQI=")])
    try client.call("Passcode.Lock")
    #expect(try step(start(client, "change")) == "current")
    let wrong = try enter(client, "wrong")
    #expect(wrong.errorName == "WrongPasscode" && wrong.reply?["triesRemaining"]?.number == 9)
    #expect(try step(enter(client, TestDaemon.passcode)) == "enter")
    let same = try enter(client, TestDaemon.passcode)
    #expect(step(same) == "enter" && same.reply?["step"]?["unmet"]?.list.first?["id"]?.text == "notCurrent")
    let new = "another horse battery staple"
    #expect(try step(enter(client, new)) == "confirm")
    #expect(try step(enter(client, new)) == "finished")
    #expect(try client.call("Credentials.Get", ["name": .string("a")]).reply?["secret"]?.text == "AQI=")
    #expect(try client.error("Passcode.Verify", ["passcode": .string(TestDaemon.passcode)]) == "WrongPasscode")
    #expect(try client.error("Passcode.Verify", ["passcode": .string(new)]) == nil)
  }

  @Test("a change that another one has overtaken says so at its end, and is over; what counts is the other's passcode")
  func overtaken() throws {
    let test = try TestDaemon()
    let (slow, fast) = (try test.createStore(), try test.connect())
    let new = "another horse battery staple"
    for client in [slow, fast] {
      _ = try start(client, "change")
      _ = try enter(client, TestDaemon.passcode)
    }
    #expect(try step(enter(slow, "a third horse battery staple")) == "confirm")
    _ = try enter(fast, new)
    #expect(try step(enter(fast, new)) == "finished")
    #expect(try enter(slow, "a third horse battery staple").errorName == "PasscodeChanged")
    #expect(try enter(slow, "a third horse battery staple").errorName == "NoFlow")
    #expect(try fast.error("Passcode.Verify", ["passcode": .string(new)]) == nil)
  }

  @Test("locking ends a change that is half done: it holds the store's key")
  func lockEndsChange() throws {
    let test = try TestDaemon()
    let client = try test.createStore()
    _ = try start(client, "change")
    #expect(try step(enter(client, TestDaemon.passcode)) == "enter")
    try test.connect().call("Passcode.Lock")
    #expect(try enter(client, "another horse battery staple").errorName == "NoFlow")
  }

  @Test("a flow's connection may not be silent for ever")
  func silentFlow() throws {
    let test = try TestDaemon { $0.limits.flowStep = .milliseconds(50) }
    let client = try test.connect()
    _ = try start(client, "create")
    #expect(client.waitForClose())
    #expect(test.log.text.contains("silent for too long"))
  }

  @Test("SC-23: a passcode of 1,025 bytes is refused everywhere, and costs no try")
  func tooLong() throws {
    let test = try TestDaemon()
    let client = try test.createStore()
    let long = String(repeating: "a", count: 1025)
    for method in ["Passcode.Verify", "Passcode.Unlock", "Passcode.Check"] {
      let reply = try client.call(method, ["passcode": .string(long)])
      #expect(reply.errorName == "InvalidText" && reply.reply?["reason"]?.text == "tooLong")
    }
    _ = try start(client, "change")
    #expect(try enter(client, long).errorName == "InvalidText")
    #expect(try enter(client, "\u{0}").errorName == "InvalidText")
    #expect(try client.call("Passcode.Status").reply?["triesRemaining"]?.number == 10)
  }

  @Test("SC-17: a passcode set in one normal form opens in the other")
  func normalForms() throws {
    let test = try TestDaemon()
    let client = try test.createStore("caf\u{E9} battery staple horse")
    #expect(try client.error("Passcode.Verify", ["passcode": .string("cafe\u{301} battery staple horse")]) == nil)
  }

  @Test("two clients that create at the same time: one store is made, the other client is told")
  func race() throws {
    let test = try TestDaemon()
    let answers = (0..<2).map { _ in
      Background { () -> String in
        guard let client = try? test.connect(), (try? client.call("Passcode.StartFlow", ["flow": .string("create")])) != nil,
          (try? client.call("Passcode.EnterPasscode", ["passcode": .string(TestDaemon.passcode)])) != nil,
          let last = try? client.call("Passcode.EnterPasscode", ["passcode": .string(TestDaemon.passcode)])
        else { return "no reply" }
        return last.errorName ?? last.reply?["step"]?["step"]?.text ?? "no step"
      }
    }.map { $0.value() }
    let other = answers.first { $0 != "finished" }
    #expect(answers.contains("finished"))
    #expect(other == "StoreExists" || other == "Busy")
  }

  @Test("an earlier passcode can't come back where the policy says so")
  func history() throws {
    let test = try TestDaemon(userPolicy: #"{"historyDepth": 3}"#)
    let client = try test.createStore()
    func change(from current: String, to new: String) throws -> JSONNode {
      _ = try start(client, "change")
      _ = try enter(client, current)
      return try enter(client, new)
    }
    let second = "another horse battery staple"
    #expect(try step(change(from: TestDaemon.passcode, to: second)) == "confirm")
    #expect(try step(enter(client, second)) == "finished")
    let refused = try change(from: second, to: TestDaemon.passcode)
    #expect(step(refused) == "enter" && refused.reply?["step"]?["unmet"]?.list.first?["id"]?.text == "historyDepth")
  }
}
