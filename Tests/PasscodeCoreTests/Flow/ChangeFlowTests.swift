import PasscodeCore
import SecretMemory
import Testing

@Suite("Change flow") struct ChangeFlowTests {
  let old = "old passcode"
  let new = "new passcode"

  @Test("current, new, confirmed: the new passcode is handed over in mode change") func changes() throws {
    let authority = try FakeAuthority(passcode: old)
    let flow = ChangeFlow(authority: authority)
    #expect(flow.step.name == "current")
    #expect(try flow.enter(secret(old)).entry?.finding == nil)
    #expect(try flow.enter(secret(new)).name == "confirm")
    #expect(authority.passcode == Array(old.utf8))
    #expect(try flow.enter(secret(new)).end == .done(.unchanged))
    #expect(authority.passcode == Array(new.utf8))
    #expect(authority.calls == ["try matchForChange", "history", "try change"])
    #expect(!flow.holdsPasscode)
  }

  @Test("a recovery begins with the new passcode, asks the history, and tries no current one") func recovers() throws {
    let authority = try FakeAuthority(passcode: old)
    authority.earlier = [Array("older passcode".utf8)]
    let flow = ChangeFlow.recovering(authority: authority)
    #expect(flow.step.name == "enter")
    #expect(throws: FlowRefusal.notNow) { try flow.askReset() }
    #expect(try flow.enter(secret("older passcode")).entry?.finding == .earlier)
    #expect(try flow.enter(secret(new)).name == "confirm")
    #expect(try flow.enter(secret(new)).end == .done(.unchanged))
    #expect(authority.passcode == Array(new.utf8))
    #expect(authority.calls == ["history", "history", "try change"])
    #expect(!flow.holdsPasscode)
  }

  @Test("SC-54: a wrong current passcode costs a try, and a locked-out store ends the flow") func wrongCurrent() throws {
    let authority = try FakeAuthority(passcode: old)
    let flow = ChangeFlow(authority: authority)
    for left in [2, 1, 0] {
      #expect(try flow.enter(secret(new)).match?.triesRemaining == left)
      #expect(!flow.holdsPasscode)
    }
    #expect(try flow.enter(secret(old)).end == .lockedOut(retryAfterSeconds: 30))
    #expect(authority.passcode == Array(old.utf8))
  }

  @Test("a current passcode that must be changed leads on to the new one") func mustChange() throws {
    let authority = try FakeAuthority(passcode: old)
    authority.mustChange = .expired
    let flow = ChangeFlow(authority: authority)
    #expect(try flow.enter(secret(old)).name == "enter")
  }

  @Test("the current passcode is no new one, in either normal form") func sameAsCurrent() throws {
    let authority = try FakeAuthority(passcode: "caf\u{e9} au lait")
    let flow = ChangeFlow(authority: authority)
    try flow.enter(secret("caf\u{e9} au lait"))
    for text in ["caf\u{e9} au lait", "cafe\u{301} au lait"] {
      #expect(try flow.enter(secret(text)).entry?.finding?.name == "sameAsCurrent")
    }
    #expect(!authority.calls.contains("history"))
  }

  @Test("an earlier passcode may not come back; the history is asked only about one that meets the policy") func history()
    throws
  {
    let authority = try FakeAuthority(passcode: old)
    authority.earlier = [Array("earlier passcode".utf8), Array("short".utf8)]
    let flow = ChangeFlow(authority: authority)
    try flow.enter(secret(old))
    #expect(try flow.enter(secret("short")).entry?.finding?.name == "belowPolicy")
    #expect(!authority.calls.contains("history"))
    #expect(try flow.enter(secret("earlier passcode")).entry?.finding?.name == "earlier")
    #expect(authority.triesRemaining == 3)
  }

  @Test("a history that can't be asked ends the flow; the current passcode stays") func historyFails() throws {
    let authority = try FakeAuthority(passcode: old)
    let failure = FlowFailure(code: "outOfMemory", message: "There is not enough memory.")
    authority.plannedHistory = .failed(failure)
    let flow = ChangeFlow(authority: authority)
    try flow.enter(secret(old))
    #expect(try flow.enter(secret(new)).end == .failed(failure))
    #expect(authority.passcode == Array(old.utf8) && !flow.holdsPasscode)
  }

  @Test("a mismatch and an unreadable confirmation lead back to the new passcode, not to the current one") func back() throws {
    let authority = try FakeAuthority(passcode: old)
    let flow = ChangeFlow(authority: authority)
    try flow.enter(secret(old))
    try flow.enter(secret(new))
    #expect(try flow.enter(secret("new passcodes")).entry?.finding?.name == "mismatch")
    try flow.enter(secret(new))
    #expect(try flow.enter(secret([0xff])).entry?.finding?.text == TextFinding.notUTF8.text)
    try flow.enter(secret(new))
    #expect(try flow.enter(secret(new)).name == "done")
    #expect(authority.calls.filter { $0 == "try matchForChange" }.count == 1)
  }

  @Test(
    "each answer to the hand-over has its end",
    arguments: [
      (PasscodeAnswer.lockedOut(retryAfterSeconds: 9), "lockedOut"), (.erased, "erased"), (.wrong(WrongTry()), "failed"),
      (.failed(FlowFailure(code: "io", message: "The disk is full.")), "failed"),
      (.belowPolicy(message: "not this one"), "enter"),
    ]) func commit(_ answer: PasscodeAnswer, _ place: String) throws
  {
    let authority = try FakeAuthority(passcode: old)
    let flow = ChangeFlow(authority: authority)
    try flow.enter(secret(old))
    try flow.enter(secret(new))
    authority.plannedCommit = answer
    let step = try flow.enter(secret(new))
    #expect(step.name == place)
    #expect(authority.passcode == Array(old.utf8))
    #expect(flow.holdsPasscode == (place == "enter"))
    if place == "enter" { #expect(step.entry?.finding?.text == "not this one") }
  }

  @Test("quick unlock that is on is renewed, one that is off stays off") func keepsQuickUnlock() throws {
    for isEnabled in [true, false] {
      let quickUnlock = FakeQuickUnlock()
      quickUnlock.isEnabled = isEnabled
      let flow = ChangeFlow(authority: try FakeAuthority(passcode: old), quickUnlock: quickUnlock)
      for text in [old, new, new] { try flow.enter(secret(text)) }
      #expect(flow.step.end == .done(isEnabled ? .enabled : .unchanged))
      #expect(quickUnlock.enabledWith == (isEnabled ? Array(new.utf8) : nil))
    }
  }

  @Test("a cancel at any step leaves the current passcode in force and nothing behind") func cancel() throws {
    for entries in 0...2 {
      let authority = try FakeAuthority(passcode: old)
      let flow = ChangeFlow(authority: authority)
      for text in [old, new].prefix(entries) { try flow.enter(secret(text)) }
      try flow.cancel()
      #expect(flow.step.name == "cancelled" && !flow.holdsPasscode)
      #expect(authority.passcode == Array(old.utf8) && authority.calls.last == "cancel")
      #expect(!authority.calls.contains("try change"))
    }
  }

  @Test("a cancel in the middle of judging holds: the verdict that comes after it is refused") func cancelWhileJudging() throws
  {
    let authority = try FakeAuthority(passcode: old)
    let flow = ChangeFlow(authority: authority)
    try flow.enter(secret(old))
    authority.interruption = { try? flow.cancel() }
    #expect(throws: FlowRefusal.ended) { try flow.enter(secret(new)) }
    #expect(flow.step.name == "cancelled" && !flow.holdsPasscode)
    #expect(authority.calls == ["try matchForChange", "history", "cancel"])
  }

  @Test("a reset can be asked for only in the place of the current passcode") func askReset() throws {
    let authority = try FakeAuthority(passcode: old)
    let flow = ChangeFlow(authority: authority)
    try flow.enter(secret(old))
    #expect(throws: FlowRefusal.notNow) { try flow.askReset() }
    let forgotten = ChangeFlow(authority: authority)
    try forgotten.askReset()
    #expect(forgotten.step.end == .resetAsked)
    #expect(authority.calls.last == "reset")
  }
}
