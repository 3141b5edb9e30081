import ConsentCore
import TestSupport
import Testing

/// An app that records what it is told.
final class FakeApp: ConsentFlowDelegate {
  var recorded: [ConsentAnswer] = []
  var ends: [ConsentEnd] = []
  var told: [String] = []
  var acceptances: [ConsentAcceptance] = []
  var canRecord = true

  func record(_ answers: [ConsentAnswer], end: ConsentEnd) -> Bool {
    if canRecord { recorded += answers }
    ends.append(end)
    return canRecord
  }
  func didReceiveResponse(_ acceptances: [ConsentAcceptance]) { (told, self.acceptances) = (told + ["response"], acceptances) }
  func didCancel(_ acceptances: [ConsentAcceptance]) { (told, self.acceptances) = (told + ["cancel"], acceptances) }
}

func pagesForm(_ id: String, required: Bool = true, pages: Int = 1, version: String = "1.0", body: String = "Text")
  -> ConsentForm
{
  let page = ConsentPage(title: nil, body: ConsentText(plain: body))
  let variant = ConsentVariant(
    locale: tag("en"), title: id, content: .pages(Array(repeating: page, count: pages)))
  return try! ConsentForm(
    id: ConsentFormID(id)!, version: ConsentVersion(version)!, terms: ConsentTerms(kind: .terms, isRequired: required),
    defaultLocale: tag("en"), variants: [variant])
}

func documentForm(_ document: ConsentDocument, _ id: String = "study") -> ConsentForm {
  let variant = ConsentVariant(locale: tag("en"), title: id, content: .document(document))
  return try! ConsentForm(
    id: ConsentFormID(id)!, version: ConsentVersion("1.0")!, terms: ConsentTerms(kind: .terms, isRequired: true),
    defaultLocale: tag("en"), variants: [variant])
}

func agenda(_ forms: [ConsentForm], log: VerifiedConsentLog? = nil, now: Int64 = 0) -> ConsentAgenda {
  ConsentAgenda(
    try! ConsentFormSet(administrator: forms, user: []), log: log, languages: [tag("en")], now: now,
    rules: ConsentAskingRules())
}

func flow(_ forms: [ConsentForm], _ app: FakeApp, asks: Bool = false) -> ConsentFlow {
  ConsentFlow(agenda(forms), delegate: app, confirmations: ConsentConfirmations(deny: asks, cancel: asks))
}

@Suite("Consent flow as SAP's sequences have it") struct FlowTests {
  @Test("SAP: agreeing to every form finishes, with the acceptance of each") func allAgreed() throws {
    let app = FakeApp()
    let flow = flow([pagesForm("a"), pagesForm("b", required: false)], app)
    try flow.agree()
    #expect(flow.step == .showing(1, .page(0)) && app.recorded.isEmpty)
    try flow.agree()
    #expect(flow.step == .ended(.finished))
    #expect(app.told == ["response"] && app.acceptances.map(\.isAccepted) == [true, true])
    #expect(app.recorded.map(\.event) == [.given, .given])
  }

  @Test("SAP: not now moves on, without a question") func notNow() throws {
    let app = FakeApp()
    let flow = flow([pagesForm("a", required: false), pagesForm("b")], app, asks: true)
    try flow.decline()
    try flow.agree()
    #expect(app.acceptances.map(\.choice) == [.notNow, .agreed] && app.recorded.map(\.event) == [.deferred, .given])
  }

  @Test("S4: denying a required form ends the flow, and the refusal's record is all that is left") func denied() throws {
    let app = FakeApp()
    let flow = flow([pagesForm("a"), pagesForm("b"), pagesForm("c")], app)
    try flow.agree()
    try flow.decline()
    #expect(flow.step == .ended(.denied))
    #expect(app.recorded.map(\.event) == [.refused] && app.recorded.map(\.item.form.id.description) == ["b"])
    #expect(app.acceptances.map(\.choice) == [.agreed, .denied, nil])
    #expect(throws: ConsentRefusal.ended) { try flow.agree() }
  }

  @Test("SAP: the denial's question takes yes, no, and giving consent after all") func denialQuestion() throws {
    for (yes, step) in [(false, ConsentStep.showing(0, .page(0))), (true, .ended(.denied))] {
      let app = FakeApp()
      let flow = flow([pagesForm("a")], app, asks: true)
      try flow.decline()
      #expect(flow.step == .asking(0, .deny))
      try flow.answer(yes)
      #expect(flow.step == step)
    }
    let app = FakeApp()
    let flow = flow([pagesForm("a")], app, asks: true)
    try flow.decline()
    try flow.agree()
    #expect(flow.step == .ended(.finished) && app.recorded.map(\.event) == [.given])
  }

  @Test("SAP: a cancel ends the flow with and without its question, and keeps the answers given", arguments: [true, false])
  func cancelled(asks: Bool) throws {
    let app = FakeApp()
    let flow = flow([pagesForm("a"), pagesForm("b")], app, asks: asks)
    try flow.agree()
    try flow.cancel()
    if asks {
      #expect(flow.step == .asking(1, .cancel))
      try flow.answer(true)
    }
    #expect(flow.step == .ended(.cancelled) && app.told == ["cancel"])
    #expect(app.acceptances.map(\.choice) == [.agreed, nil])
    #expect(app.recorded.map(\.event) == [.given, .requested])
  }

  @Test("SAP: a form can switch each of the two questions off") func switchedOff() throws {
    func form(_ json: String) throws -> ConsentForm { try parseForm(termsJSON(more: #""confirmations": \#(json), "#)) }
    let quietCancel = FakeApp()
    let cancelled = flow([try form(#"{"cancel": false}"#)], quietCancel, asks: true)
    try cancelled.cancel()
    #expect(cancelled.step == .ended(.cancelled))
    let quietDenial = FakeApp()
    let denied = flow([try form(#"{"deny": false}"#)], quietDenial, asks: true)
    try denied.cancel()
    #expect(denied.step == .asking(0, .cancel))
    try denied.answer(false)
    try denied.decline()
    #expect(denied.step == .ended(.denied))
  }

  @Test("SAP: pages lead on and back, and the buttons that decide stand on the last only") func pages() throws {
    let flow = flow([pagesForm("a", pages: 3)], FakeApp())
    #expect(throws: ConsentRefusal.notHere) { try flow.agree() }
    #expect(throws: ConsentRefusal.notHere) { try flow.decline() }
    #expect(throws: ConsentRefusal.notNow) { try flow.back() }
    try flow.next()
    try flow.next()
    #expect(throws: ConsentRefusal.notNow) { try flow.next() }
    try flow.back()
    #expect(flow.step == .showing(0, .page(1)))
    try flow.next()
    let app = FakeApp()
    withExtendedLifetime(app) { #expect(flow.step == .showing(0, .page(2))) }
  }

  @Test("with no forms there is no step, no record and no word to the app") func noForms() {
    let app = FakeApp()
    #expect(flow([], app).step == .ended(.finished) && app.told.isEmpty && app.ends.isEmpty)
  }

  @Test("what can't be recorded is not agreed to") func notRecorded() throws {
    let app = FakeApp()
    app.canRecord = false
    let flow = flow([pagesForm("a")], app)
    try flow.agree()
    #expect(flow.step == .failed && app.told.isEmpty && app.recorded.isEmpty)
  }

  private var signed: ConsentDocument {
    var document = ConsentDocument(
      title: "Study", sections: [ConsentSection(type: .overview), ConsentSection(type: .onlyInDocument)],
      signatures: [ConsentSignature(id: "p", role: "Participant"), ConsentSignature(id: "i", role: "Investigator")],
      review: ConsentReview(requiresScrollToBottom: true, reason: "You join."))
    document.sharing = ConsentSharing(shortName: "Ex", longName: "Example", learnMore: "More")
    return document
  }

  @Test("S5, S15: a document runs sections, review, name, image, sharing; the record has what was signed") func wholeDocument()
    throws
  {
    let app = FakeApp()
    let flow = flow([documentForm(signed)], app)
    #expect(flow.step == .showing(0, .section(0)))
    try flow.next()
    #expect(throws: ConsentRefusal.unread) { try flow.agree() }
    try flow.sawEnd()
    // The gate has opened, and no step back closes it.
    try flow.back()
    try flow.next()
    try flow.agree()
    #expect(flow.step == .asking(0, .agree))
    try flow.answer(true)
    var given = GivenSignature(id: "p", signedAt: ZonedInstant(seconds: 5)!)
    given.givenName = "Ada"
    #expect(throws: ConsentRefusal.improper(.nameMissing)) { try flow.name(given) }
    #expect(flow.step == .showing(0, .name))
    given.familyName = "Lovelace"
    try flow.name(given)
    #expect(throws: ConsentRefusal.notNow) { try flow.name(given) }
    try flow.draw(ConsentImage(png: PNG.plain()), at: ZonedInstant(seconds: 6)!)
    #expect(app.recorded.isEmpty)
    try flow.share(.narrowly)
    #expect(flow.step == .ended(.finished))
    let answer = try #require(app.recorded.first)
    #expect(answer.sharing == .narrowly && answer.choice == .agreed)
    #expect(answer.document?.signatures.map(\.printedName) == ["Ada\u{A0}Lovelace", nil])
    #expect(answer.document?.signatures.first?.image != nil)
  }

  @Test("a document that is left half signed leaves no name, no picture and no consent behind") func halfSigned() throws {
    let app = FakeApp()
    let flow = flow([documentForm(signed)], app)
    try flow.next()
    try flow.sawEnd()
    try flow.agree()
    try flow.answer(true)
    var given = GivenSignature(id: "p", signedAt: ZonedInstant(seconds: 5)!)
    (given.givenName, given.familyName) = ("Ada", "Lovelace")
    try flow.name(given)
    try flow.cancel()
    #expect(app.recorded.map(\.event) == [.requested] && app.recorded.first?.document == nil)
  }
}
