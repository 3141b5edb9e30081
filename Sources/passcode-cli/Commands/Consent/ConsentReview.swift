internal import ConsentCore
internal import PasscodeClient
internal import PasscodeWire
internal import StrictJSON

extension Verb {
  static let consentReview = Verb(
    path: ["consent", "review"], topic: .consent, summary: "Read the forms that are to be answered, and answer them",
    options: [.layout],
    discussion: [
      "Page by page on the terminal: space and the arrows read on, the letters in brackets are the buttons, which stand on the last "
        + "page only. Where a form asks for it, a review, your name, a signature and a sharing choice follow. Nothing is recorded "
        + "before the end.",
      "Exit 2 where you leave, 77 where you deny a required form, 75 where there is no terminal. With --json: end (finished, denied, "
        + "cancelled) and records, each as history has it.",
    ],
    run: { invocation throws(CommandError) in
      let session = try Session(invocation)
      let asked = try session.consentForms().forms.filter(\.isAsked)
      guard !asked.isEmpty, let dialogue = try session.terminal() else {
        return try ConsentReviewCommand.withoutTerminal(asked, session)
      }
      try ConsentReviewCommand.run(asked, session, dialogue)
    })
}

enum ConsentReviewCommand {
  /// Asks forms, tells the outcome, and ends with an error where it is not consent.
  static func run(_ forms: [WireConsentForm], _ session: Session, _ dialogue: Dialogue) throws(CommandError) {
    let (end, records) = try ask(forms, session, dialogue)
    try tell(end, records, session)
    if let error = refusal(end, records) { throw error }
  }

  /// Asks forms.
  static func ask(
    _ forms: [WireConsentForm], _ session: Session, _ dialogue: Dialogue
  ) throws(CommandError) -> (ConsentEnd, [WireConsentRecord]) {
    var items: [ConsentAgendaItem] = []
    for form in forms { items.append(try session.agendaItem(form)) }
    let runner = try ReviewRunner(session, dialogue)
    return (try runner.run(items), runner.records)
  }

  /// What a denial and a cancel end a command with; nil where every form has its answer.
  static func refusal(_ end: ConsentEnd, _ records: [WireConsentRecord]) -> CommandError? {
    switch end {
    case .finished: return nil
    case .cancelled: return CommandError(WireError.cancelled).saying("cancelled; the answers given before are kept")
    case .denied:
      let forms = records.filter { $0.event == .refused }.map(\.form)
      return CommandError(WireError.consentRequired(forms: forms))
        .saying(
          "you denied '\(forms.joined(separator: "', '"))', and what it gates stays closed; passcode consent review asks again")
    }
  }

  static func withoutTerminal(_ asked: [WireConsentForm], _ session: Session) throws(CommandError) {
    if asked.isEmpty {
      session.note("no form is to be answered; passcode consent list shows them all")
      return try tell(.finished, [], session)
    }
    let error = CommandError.nobodyToAsk.saying("there is no terminal to show the forms on")
    throw session.explaining(error, forms: asked.map(\.id))
  }

  private static func tell(_ end: ConsentEnd, _ records: [WireConsentRecord], _ session: Session) throws(CommandError) {
    guard session.invocation.wantsJSON else { return records.forEach { session.note(ConsentWords.outcome($0)) } }
    try Output.json { writer in
      writer.beginObject()
      writer.text("end", end.rawValue)
      writer.key("records")
      ConsentReport.write(records, &writer)
      writer.endObject()
    }
  }
}
