import PasscodeCore
import SecretMemory
import Testing

@Suite("Verify flow") struct VerifyFlowTests {
  @Test("the right passcode ends the flow, whatever its normal form (SC-17)") func right() throws {
    for text in ["caf\u{e9} au lait", "cafe\u{301} au lait"] {
      let flow = VerifyFlow(authority: try FakeAuthority(passcode: "caf\u{e9} au lait"))
      #expect(try flow.enter(secret(text)).end == .done(.unchanged))
      #expect(!flow.holdsPasscode)
    }
  }

  @Test("a wrong passcode costs one try and says how many are left") func wrong() throws {
    let authority = try FakeAuthority(passcode: "right passcode")
    let flow = VerifyFlow(authority: authority)
    #expect(flow.step.match?.triesRemaining == 3)
    #expect(flow.step.match?.finding == nil)
    let facts = try #require(try flow.enter(secret("wrong passcode")).match)
    #expect(facts.triesRemaining == 2)
    #expect(facts.finding == .wrong(WrongTry(triesRemaining: 2)))
    #expect(!flow.holdsPasscode)
    #expect(try flow.enter(secret("right passcode")).name == "done")
  }

  @Test("no limit is told as none") func noLimit() throws {
    let flow = VerifyFlow(authority: try FakeAuthority(passcode: "right passcode", tries: nil))
    let facts = try #require(try flow.enter(secret("wrong passcode")).match)
    #expect(facts.triesRemaining == nil)
  }

  @Test("what is no text costs no try") func unreadable() throws {
    let authority = try FakeAuthority(passcode: "right passcode")
    let flow = VerifyFlow(authority: authority)
    #expect(try flow.enter(secret([0xff])).match?.finding == .unreadable(.notUTF8))
    #expect(authority.calls.isEmpty && authority.triesRemaining == 3)
  }

  @Test(
    "each closing answer ends the flow with its facts",
    arguments: [
      (PasscodeAnswer.mustChange(.expired), FlowEnd.mustChange(.expired)),
      (.mustChange(.belowPolicy), .mustChange(.belowPolicy)),
      (.lockedOut(retryAfterSeconds: 42), .lockedOut(retryAfterSeconds: 42)),
      (.lockedOut(retryAfterSeconds: nil), .lockedOut(retryAfterSeconds: nil)),
      (.erased, .erased),
      (
        .failed(FlowFailure(code: "corrupt", message: "The store is damaged.")),
        .failed(FlowFailure(code: "corrupt", message: "The store is damaged."))
      ),
    ]) func ends(_ answer: PasscodeAnswer, _ end: FlowEnd) throws
  {
    let authority = try FakeAuthority(passcode: "right passcode")
    authority.plannedAnswer = answer
    let flow = VerifyFlow(authority: authority)
    #expect(try flow.enter(secret("right passcode")).end == end)
    #expect(!flow.holdsPasscode)
    #expect(throws: FlowRefusal.ended) { try flow.enter(secret("right passcode")) }
    #expect(authority.calls == ["try match"])
  }

  @Test("a cancel and the wish for a reset end the flow and are told, without a try") func leaving() throws {
    let authority = try FakeAuthority(passcode: "right passcode")
    let cancelled = VerifyFlow(authority: authority)
    try cancelled.cancel()
    #expect(cancelled.step.name == "cancelled")
    let forgotten = VerifyFlow(authority: authority)
    try forgotten.askReset()
    #expect(forgotten.step.end == .resetAsked)
    #expect(authority.calls == ["cancel", "reset"])
  }

  @Test("a flow that is called back while a passcode is tried refuses") func reentrance() throws {
    let authority = try FakeAuthority(passcode: "right passcode")
    let flow = VerifyFlow(authority: authority)
    var refusals: [FlowRefusal] = []
    authority.interruption = {
      do throws(FlowRefusal) { try flow.cancel() } catch { refusals.append(error) }
      do { try flow.enter(secret("another one")) } catch { refusals.append(error as! FlowRefusal) }
      #expect(flow.step.name == "working")
    }
    #expect(try flow.enter(secret("right passcode")).name == "done")
    #expect(refusals == [.notNow, .notNow])
    #expect(authority.calls.count == 1)
  }
}
