import PasscodeCore
import SecretMemory
import Testing

@Suite("Create flow") struct CreateFlowTests {
  let good = "correct horse"

  private func confirmed(_ authority: FakeAuthority, _ quickUnlock: FakeQuickUnlock) throws -> CreateFlow {
    let flow = CreateFlow(authority: authority, quickUnlock: quickUnlock)
    #expect(try flow.enter(secret(good)).name == "confirm")
    try flow.enter(secret(good))
    return flow
  }

  @Test("the first step lists the requirements, none of them met") func firstStep() throws {
    let facts = try #require(CreateFlow(authority: FakeAuthority()).step.entry)
    #expect(!facts.requirements.isEmpty)
    #expect(facts.requirements.allSatisfy { !$0.isSatisfied })
    #expect(facts.finding == nil)
  }

  @Test("a passcode entered twice is handed over once, in mode create") func creates() throws {
    let authority = try FakeAuthority()
    let flow = CreateFlow(authority: authority)
    try flow.enter(secret(good))
    #expect(authority.passcode == nil)
    let end = try flow.enter(secret(good)).end
    #expect(end == .done(.notAvailable(.notProvided)))
    #expect(authority.passcode == Array(good.utf8))
    #expect(authority.calls == ["try create"])
    #expect(!flow.holdsPasscode)
  }

  @Test("below the policy: the verdict is shown, and nothing is kept") func belowPolicy() throws {
    let authority = try FakeAuthority()
    let flow = CreateFlow(authority: authority)
    let facts = try #require(try flow.enter(secret("short")).entry)
    guard case .belowPolicy(let verdict)? = facts.finding else {
      Issue.record("\(facts)")
      return
    }
    #expect(verdict.unmet.map(\.id) == ["minLength"])
    #expect(facts.requirements == verdict.requirements)
    #expect(!flow.holdsPasscode)
    #expect(authority.calls.isEmpty)
  }

  @Test("a mismatch starts the pair again: the confirmation that comes next is a first entry") func mismatch() throws {
    let authority = try FakeAuthority()
    let flow = CreateFlow(authority: authority)
    try flow.enter(secret(good))
    let step = try flow.enter(secret("correct house"))
    #expect(step.entry?.finding?.name == "mismatch")
    #expect(!flow.holdsPasscode)
    #expect(try flow.enter(secret(good)).name == "confirm")
    #expect(authority.passcode == nil)
    #expect(try flow.enter(secret(good)).name == "done")
  }

  @Test(
    "SC-17: a passcode entered in one normal form is confirmed in the other",
    arguments: [
      ("caf\u{e9} au lait", "cafe\u{301} au lait"),
      ("\u{d55c}\u{ae00}\u{c554}\u{d638}\u{d55c}\u{ae00}\u{c554}\u{d638}", "한글암호한글암호"),
      (
        "\u{622}\u{644}\u{645}\u{641}\u{62a}\u{627}\u{62d}\u{629}",
        "\u{627}\u{653}\u{644}\u{645}\u{641}\u{62a}\u{627}\u{62d}\u{629}"
      ),
      ("only ASCII here", "only ASCII here"),
    ]) func normalForms(_ composed: String, _ decomposed: String) throws
  {
    for (first, second) in [(composed, decomposed), (decomposed, composed)] {
      let authority = try FakeAuthority()
      let flow = CreateFlow(authority: authority)
      try flow.enter(secret(first))
      #expect(try flow.enter(secret(second)).name == "done")
      let normal = try PasscodeText.normalize(Array(composed.utf8).span)
      #expect(authority.passcode == plain(normal))
    }
  }

  @Test(
    "what is no text gets its own sentence, as an entry and as a confirmation",
    arguments: [
      ([0x63, 0xff, 0x66], TextFinding.notUTF8), ([0x61, 0x00, 0x62], .containsNUL), ([0xcd, 0xb8], .unassignedCodePoint),
      ([UInt8](repeating: 0x61, count: 1025), .tooLong),
    ]) func unreadable(_ bytes: [UInt8], _ expected: TextFinding) throws
  {
    let authority = try FakeAuthority()
    let flow = CreateFlow(authority: authority)
    for isConfirmation in [false, true] {
      if isConfirmation { try flow.enter(secret(good)) }
      let step = try flow.enter(secret(bytes))
      guard case .unreadable(let finding)? = step.entry?.finding else {
        Issue.record("\(step)")
        return
      }
      #expect(finding == expected)
      #expect(!flow.holdsPasscode)
    }
    #expect(authority.calls.isEmpty)
  }

  @Test("every text finding has a sentence of its own") func sentences() {
    #expect(Set(TextFinding.allCases.map(\.text)).count == TextFinding.allCases.count)
  }

  @Test("SC-23: a passcode of 1,024 bytes is taken whole, one of 1,025 is refused and not cut") func longest() throws {
    var policy = PasscodePolicy()
    policy.maxLength = 1024
    let authority = try FakeAuthority(policy: policy)
    let flow = CreateFlow(authority: authority)
    let longest = [UInt8](repeating: 0x61, count: 1024)
    let step = try flow.enter(secret(longest + [0x61]))
    #expect(step.entry?.finding?.text == TextFinding.tooLong.text)
    try flow.enter(secret(longest))
    try flow.enter(secret(longest))
    #expect(authority.passcode == longest)
  }

  @Test("quick unlock is offered, and turned on with the passcode once that is in force") func quickUnlock() throws {
    let authority = try FakeAuthority()
    let quickUnlock = FakeQuickUnlock()
    let flow = try confirmed(authority, quickUnlock)
    #expect(flow.step.name == "quickUnlock")
    #expect(authority.passcode == nil)
    #expect(try flow.answerQuickUnlock(true).end == .done(.enabled))
    #expect(quickUnlock.enabledWith == Array(good.utf8))
    #expect(!flow.holdsPasscode)
  }

  @Test("quick unlock that is not wanted is not turned on") func declined() throws {
    let quickUnlock = FakeQuickUnlock()
    let flow = try confirmed(FakeAuthority(), quickUnlock)
    #expect(try flow.answerQuickUnlock(false).end == .done(.declined))
    #expect(!quickUnlock.isEnabled)
  }

  @Test("quick unlock that fails is reported, and the passcode is set all the same") func quickUnlockFails() throws {
    let authority = try FakeAuthority()
    let quickUnlock = FakeQuickUnlock()
    let failure = FlowFailure(code: "noKeyring", message: "The keyring is locked.")
    quickUnlock.failure = failure
    let flow = try confirmed(authority, quickUnlock)
    #expect(try flow.answerQuickUnlock(true).end == .done(.failed(failure)))
    #expect(authority.passcode == Array(good.utf8))
  }

  @Test("SC-47: where quick unlock can't work or may not be used, the flow says why and goes on") func notAvailable() throws {
    let quickUnlock = FakeQuickUnlock()
    let obstacle = QuickUnlockObstacle.notWorking("no keyring answers")
    quickUnlock.availability = .unavailable(obstacle)
    #expect(try confirmed(FakeAuthority(), quickUnlock).step.end == .done(.notAvailable(obstacle)))

    quickUnlock.availability = .available
    var policy = PasscodePolicy()
    policy.allowsQuickUnlock = false
    let flow = try confirmed(FakeAuthority(policy: policy), quickUnlock)
    #expect(flow.step.end == .done(.notAvailable(.forbiddenByPolicy)))
  }

  @Test("a cancel at any step leaves nothing behind") func cancel() throws {
    for entries in 0...2 {
      let authority = try FakeAuthority()
      let quickUnlock = FakeQuickUnlock()
      let flow = CreateFlow(authority: authority, quickUnlock: quickUnlock)
      for _ in 0..<entries { try flow.enter(secret(good)) }
      #expect(flow.holdsPasscode == (entries > 0))
      try flow.cancel()
      #expect(flow.step.name == "cancelled")
      #expect(!flow.holdsPasscode)
      #expect(authority.passcode == nil && authority.calls == ["cancel"])
      #expect(!quickUnlock.isEnabled)
      #expect(throws: FlowRefusal.ended) { try flow.enter(secret(good)) }
      #expect(throws: FlowRefusal.ended) { try flow.cancel() }
      #expect(!flow.holdsPasscode)
    }
  }

  @Test("a cancel while the passcode is being taken is refused") func lateCancel() throws {
    let authority = try FakeAuthority()
    let flow = CreateFlow(authority: authority)
    var refusal: FlowRefusal?
    authority.interruption = { do throws(FlowRefusal) { try flow.cancel() } catch { refusal = error } }
    try flow.enter(secret(good))
    #expect(try flow.enter(secret(good)).name == "done")
    #expect(refusal == .notNow)
  }

  @Test("a hand-over that fails ends the flow, and nothing is stored") func commitFails() throws {
    let authority = try FakeAuthority()
    let failure = FlowFailure(code: "io", message: "The disk is full.")
    authority.plannedAnswer = .failed(failure)
    let flow = try confirmed(authority, FakeQuickUnlock())
    #expect(try flow.answerQuickUnlock(true).end == .failed(failure))
    #expect(authority.passcode == nil && !flow.holdsPasscode)
    #expect(throws: FlowRefusal.ended) { try flow.enter(secret(good)) }
  }

  @Test(
    "an answer that makes no sense ends the flow",
    arguments: [
      PasscodeAnswer.wrong(WrongTry()), .lockedOut(retryAfterSeconds: 3), .erased,
    ]) func nonsense(_ answer: PasscodeAnswer) throws
  {
    let authority = try FakeAuthority()
    authority.plannedAnswer = answer
    let flow = CreateFlow(authority: authority)
    try flow.enter(secret(good))
    guard case .failed(let failure)? = try flow.enter(secret(good)).end else {
      Issue.record("\(flow.step)")
      return
    }
    #expect(failure.code == "unexpectedAnswer")
  }

  @Test("a skip is possible only where the app allows it, and before the passcode is confirmed") func skip() throws {
    let authority = try FakeAuthority()
    let flow = CreateFlow(authority: authority, quickUnlock: FakeQuickUnlock())
    #expect(throws: FlowRefusal.mandatory) { try flow.skip() }
    #expect(flow.step.name == "enter")
    authority.allowsSkip = true
    try flow.enter(secret(good))
    try flow.skip()
    #expect(flow.step.end == .skipped)
    #expect(!flow.holdsPasscode && authority.passcode == nil && authority.calls == ["skip"])

    let late = CreateFlow(authority: authority, quickUnlock: FakeQuickUnlock())
    try late.enter(secret(good))
    try late.enter(secret(good))
    #expect(throws: FlowRefusal.notNow) { try late.skip() }
  }

  @Test("SC-61: a policy made stricter in the middle of a flow holds from the next entry on") func tightened() throws {
    let authority = try FakeAuthority()
    let flow = CreateFlow(authority: authority)
    try flow.enter(secret(good))
    try flow.enter(secret("something else"))
    var policy = PasscodePolicy()
    policy.hasDigit = true
    authority.policyEngine = try PolicyEngine(policy: policy)
    #expect(flow.step.entry?.requirements.contains { $0.id == "hasDigit" } == true)
    #expect(try flow.enter(secret(good)).entry?.finding?.name == "belowPolicy")
  }

  @Test("an entry can be judged while it is typed, and nothing moves") func assess() throws {
    let flow = try CreateFlow(authority: FakeAuthority())
    guard case .judged(let verdict) = try flow.assess(secret("short")) else {
      Issue.record("not judged")
      return
    }
    #expect(!verdict.isMet)
    guard case .unreadable(.notUTF8) = try flow.assess(secret([0xff])) else {
      Issue.record("not unreadable")
      return
    }
    #expect(flow.step.name == "enter" && flow.step.entry?.finding == nil && !flow.holdsPasscode)
  }
}
