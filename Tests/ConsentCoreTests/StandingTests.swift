import SecretMemory
import TestSupport
import Testing

@testable import ConsentCore

private let day: Int64 = 86_400

@Suite("Standing") struct StandingTests {
  @Test("nobody who was never asked has agreed: S21, default deny") func neverAsked() throws {
    let standing = try TestLog().standing(pagesForm("a"))
    #expect(standing.state == .neverAsked && standing.isAsked && !standing.state.isGiven)
    #expect(
      ConsentGate([pagesForm("a").facts], log: .success(try TestLog().verified()), now: 0) == .required([ConsentFormID("a")!]))
  }

  @Test("each event leads to its state") func states() throws {
    let expected: [ConsentEvent: ConsentState] = [
      .requested: .requested, .deferred: .deferred, .refused: .refused, .given: .given, .renewed: .renewed,
      .signed: .neverAsked, .restarted: .neverAsked, .superseded: .superseded, .expired: .expired, .withdrawn: .withdrawn,
    ]
    for event in ConsentEvent.allCases {
      var test = TestLog()
      try test.add(event, pagesForm("a"))
      #expect(try test.standing(pagesForm("a")).state == expected[event])
    }
  }

  @Test("S17, S22: a major version asks those who agreed again, and says since which") func major() throws {
    var test = TestLog()
    try test.add(.given, pagesForm("a", version: "1.3"))
    let standing = try test.standing(pagesForm("a", version: "2.0"))
    #expect(standing.state == .superseded && standing.isAsked && standing.agreedBefore == ConsentVersion("1.3"))
    let items = agenda([pagesForm("a", version: "2.0")], log: try test.verified()).items
    #expect(items.map(\.isUpdate) == [true])
  }

  @Test("S18: a minor version asks nobody again") func minor() throws {
    var test = TestLog()
    try test.add(.given, pagesForm("a", version: "1.0"))
    let standing = try test.standing(pagesForm("a", version: "1.1", body: "Text, without the slip"))
    #expect(standing.state == .given && !standing.isAsked)
  }

  @Test("other words under the same version are another text") func sameVersionOtherText() throws {
    var test = TestLog()
    try test.add(.given, pagesForm("a", body: "one"))
    #expect(try test.standing(pagesForm("a", body: "two")).state == .superseded)
  }

  @Test("S19: who agreed to one version can agree to the next, and S8: every version is kept") func next() throws {
    var test = TestLog()
    try test.add(.given, pagesForm("a", version: "1.0"))
    try test.add(.renewed, pagesForm("a", version: "2.0"))
    #expect(try test.standing(pagesForm("a", version: "2.0")).state == .renewed)
    #expect(try test.verified().entries(of: ConsentFormID("a")!).map(\.fact.version.description) == ["1.0", "2.0"])
  }

  @Test("S20: a form that changes while it is asked is asked again once, not for ever") func changeDuring() throws {
    var test = TestLog()
    try test.add(.given, pagesForm("a", version: "1.0"))
    #expect(try test.standing(pagesForm("a", version: "2.0")).isAsked)
    try test.add(.renewed, pagesForm("a", version: "2.0"))
    #expect(try !test.standing(pagesForm("a", version: "2.0")).isAsked)
  }

  @Test("S29: agreeing twice is a renewal; agreeing to a version that is not in force is none") func twice() throws {
    var test = TestLog()
    try test.add(.given, pagesForm("a"))
    try test.add(.renewed, pagesForm("a"))
    #expect(try test.standing(pagesForm("a")).state == .renewed)
    try test.add(.given, pagesForm("a", version: "2.0"))
    #expect(try test.standing(pagesForm("a")).state == .superseded)
  }

  @Test("S30: a withdrawal counts at once, and agreeing again opens again") func withdrawal() throws {
    var test = TestLog()
    let form = pagesForm("a")
    try test.add(.given, form)
    let occasion = ConsentOccasion(person: person, at: instant(1), means: .command)
    let entry = try test.log.withdraw(form.id, from: try test.verified(), occasion)
    #expect(entry?.fact.event == .withdrawn)
    #expect(ConsentGate([form.facts], log: .success(try test.verified()), now: 1) == .required([form.id]))
    #expect(try test.log.withdraw(form.id, from: try test.verified(), occasion) == nil)
    try test.add(.given, form)
    #expect(ConsentGate([form.facts], log: .success(try test.verified()), now: 1) == .open)
  }

  @Test("an answer with an end expires at it") func expiry() throws {
    var test = TestLog()
    try test.add(.given, pagesForm("a"), expires: 100)
    #expect(try test.standing(pagesForm("a"), now: 99).state == .given)
    #expect(try test.standing(pagesForm("a"), now: 100).state == .expired)
  }

  @Test("being shown again takes no valid consent away") func shownAgain() throws {
    var test = TestLog()
    try test.add(.given, pagesForm("a"))
    try test.add(.requested, pagesForm("a"))
    try test.add(.signed, pagesForm("a"))
    #expect(try test.standing(pagesForm("a")).state == .given)
  }

  @Test("an optional form that was put off is asked again after the time, so often and no more") func deferral() throws {
    var test = TestLog()
    let form = pagesForm("a", required: false)
    let rules = ConsentAskingRules(askAgainDays: 30, maxDeferrals: 2)
    try test.add(.deferred, form, at: 0)
    #expect(try !test.standing(form, now: 30 * day - 1, rules: rules).isAsked)
    #expect(try test.standing(form, now: 30 * day, rules: rules).isAsked)
    try test.add(.deferred, form, at: 30 * day)
    #expect(try !test.standing(form, now: 400 * day, rules: rules).isAsked)
    #expect(try test.standing(pagesForm("a", required: false, version: "2.0"), now: 31 * day, rules: rules).isAsked)
  }

  @Test("an optional form that was declined or taken back is asked again with a major version only") func declined() throws {
    for event in [ConsentEvent.refused, .withdrawn] {
      var test = TestLog()
      try test.add(event, pagesForm("a", required: false))
      #expect(try !test.standing(pagesForm("a", required: false), now: 900 * day).isAsked)
      #expect(try test.standing(pagesForm("a", required: false, version: "2.0")).isAsked)
      #expect(try test.standing(pagesForm("a", required: true)).isAsked)
    }
  }

  @Test("a log with a fault counts for nothing: every form is asked") func faulty() throws {
    #expect(agenda([pagesForm("a"), pagesForm("b", required: false)], log: nil).items.count == 2)
    #expect(
      ConsentGate([pagesForm("a").facts], log: .failure(.headMissing), now: 0)
        == .faulty(.headMissing, [ConsentFormID("a")!]))
    #expect(ConsentGate([], log: .failure(.headMissing), now: 0) == .open)
  }

  @Test("S23: a gated call is told which forms are missing") func gate() throws {
    var test = TestLog()
    let forms = ["a", "b", "c"].map { pagesForm($0) }
    try test.add(.given, forms[1])
    #expect(
      ConsentGate(forms.map(\.facts), log: .success(try test.verified()), now: 0) == .required([forms[0].id, forms[2].id]))
  }

  @Test("S26: without a dialogue only the exact version and text are an answer") func headless() throws {
    let form = pagesForm("a", version: "1.2")
    let digest = form.text(of: form.variants[0]).digest
    #expect(try HeadlessAnswer.variant(of: form, version: form.version, text: digest) == form.variants[0])
    #expect(throws: HeadlessAnswer.Refusal.otherVersion(form.version)) {
      try HeadlessAnswer.variant(of: form, version: ConsentVersion("1.1")!, text: digest)
    }
    #expect(throws: HeadlessAnswer.Refusal.otherText) {
      try HeadlessAnswer.variant(of: form, version: form.version, text: SHA256.digest([0].span))
    }
    let signed = documentForm(
      ConsentDocument(sections: [ConsentSection(type: .overview)], signatures: [ConsentSignature(id: "a", role: "A")]))
    #expect(throws: HeadlessAnswer.Refusal.needsSignature) {
      try HeadlessAnswer.variant(of: signed, version: signed.version, text: signed.text(of: signed.variants[0]).digest)
    }
  }

  @Test("S24: what was agreed to can be read again, in its exact words") func readAgain() throws {
    var test = TestLog()
    try test.add(.given, pagesForm("a", body: "These very words"))
    let fact = try test.verified().entries[0].fact
    let text = try #require(test.log.attachments[fact.text])
    #expect(String(decoding: text, as: UTF8.self).contains("These very words"))
  }

  @Test("S25: time, version and text are each where their name says") func fields() throws {
    var test = TestLog()
    try test.add(.given, pagesForm("a", version: "4.2"), at: 77)
    let entry = String(decoding: test.log.entries[0], as: UTF8.self)
    #expect(entry.contains(#""version":"4.2""#) && entry.contains(#""at":{"seconds":77,"offset":0,"zone":"UTC"}"#))
  }

  @Test("S31: each form has its own text and its own record") func ownText() throws {
    var test = TestLog()
    try test.add(.given, pagesForm("site1", body: "One"))
    #expect(try test.standing(pagesForm("site2", body: "One")).state == .neverAsked)
    #expect(pagesForm("site1").digests != pagesForm("site2").digests)
  }

  @Test("100,000 random histories stand as a fold over them says") func model() throws {
    var random = SplitMix64.announced("consent standing")
    let versions = ["1.0", "1.1", "2.0"]
    let forms = versions.map { pagesForm("a", required: false, version: $0, body: "Text \($0)") }
    let facts = forms.map(\.facts)
    let subjects = forms.map { $0.subject(in: $0.variants[0]) }
    var seen: Set<ConsentState> = []
    for history in 0..<100_000 {
      var entries: [ConsentEntry] = []
      var model = ConsentState.neverAsked
      var agreed: (version: Int, end: Int64?)?
      let now = Int64.random(in: 0...20, using: &random)
      let current = Int.random(in: 0..<3, using: &random)
      for sequence in 1...Int.random(in: 1...6, using: &random) {
        let event = ConsentEvent.allCases.randomElement(using: &random)!
        let version = Int.random(in: 0..<3, using: &random)
        var fact = ConsentFact(event, of: subjects[version], person: person, at: instant(0), means: .app)
        if Bool.random(using: &random) { fact.expiresAt = .random(in: 0...20, using: &random) }
        let recording = ConsentRecording.allCases.randomElement(using: &random)!
        entries.append(ConsentEntry.forTest(sequence: sequence, fact, recording))
        switch event {
        case .signed, .restarted: break
        case .requested: if !isValid(agreed, current, now) { model = .requested } else { continue }
        case .given, .renewed: (agreed, model) = ((version, fact.expiresAt), event == .given ? .given : .renewed)
        case .deferred: (agreed, model) = (nil, .deferred)
        case .refused: (agreed, model) = (nil, .refused)
        case .superseded: (agreed, model) = (nil, .superseded)
        case .expired: (agreed, model) = (nil, .expired)
        case .withdrawn: (agreed, model) = (nil, .withdrawn)
        }
      }
      if model.isGiven, let agreed, !isValid(agreed, current, now) {
        model = major(agreed.version) == major(current) ? .expired : .superseded
      }
      let log = VerifiedConsentLog.forTest(entries)
      let standing = ConsentStanding(facts[current], in: log, now: now, rules: ConsentAskingRules())
      seen.insert(standing.state)
      guard standing.state == model else {
        Issue.record("history \(history): \(standing.state), model \(model): \(entries.map(\.fact.event))")
        return
      }
    }
    #expect(seen.count == ConsentState.allCases.count)
  }

  private func major(_ version: Int) -> Int { version == 2 ? 2 : 1 }

  private func isValid(_ agreed: (version: Int, end: Int64?)?, _ current: Int, _ now: Int64) -> Bool {
    guard let agreed else { return false }
    return major(agreed.version) == major(current) && (agreed.end ?? .max) > now
  }
}

extension ConsentEntry {
  /// An entry outside of any chain, for decisions alone.
  fileprivate static func forTest(
    sequence: Int, _ fact: ConsentFact, _ recording: ConsentRecording = .signed
  ) -> ConsentEntry {
    ConsentEntry(sequence: sequence, previous: fact.text, fact: fact, recording: recording)
  }
}

extension VerifiedConsentLog {
  fileprivate static func forTest(_ entries: [ConsentEntry]) -> VerifiedConsentLog {
    VerifiedConsentLog(
      entries: entries, signedCount: entries.count { $0.recording == .signed }, tip: ConsentLog(id: SHA256.digest([0].span)).tip
    )
  }
}
