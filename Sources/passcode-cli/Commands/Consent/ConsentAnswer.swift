internal import ConsentCore
internal import PasscodeClient
internal import PasscodeWire
internal import StrictJSON

extension Operand {
  static let form = Operand("FORM", "the form's id, as passcode consent list shows it", completion: .form)
  static let optionalForm = Operand("FORM", "a form's id; without it, all forms", isRequired: false, completion: .form)
}

extension Verb {
  static let consentAccept = Verb(
    path: ["consent", "accept"], topic: .consent, summary: "Agree to a form that was read",
    operands: [.form], options: Option.answered + Option.signature + [.sharing],
    discussion: [
      "The answer names the version and the exact text, as passcode consent show prints them: a bare yes is no answer, and on a "
        + "terminal the form is shown and asked instead. Where a form asks for a signature or a sharing choice, it is given with it.",
      ConsentAnswerCommand.outcome,
    ],
    examples: [("passcode consent accept terms --version 2.0 --sha256 $(cat terms.sha256)", "in a script")],
    run: { invocation throws(CommandError) in try ConsentAnswerCommand.run(invocation, .agreed) })

  static let consentDecline = Verb(
    path: ["consent", "decline"], topic: .consent, summary: "Deny a required form",
    operands: [.form], options: Option.answered,
    discussion: ["What the form gates stays closed. An optional form is put off in its place.", ConsentAnswerCommand.outcome],
    run: { invocation throws(CommandError) in try ConsentAnswerCommand.run(invocation, .denied) })

  static let consentDefer = Verb(
    path: ["consent", "defer"], topic: .consent, summary: "Put off an optional form",
    operands: [.form], options: Option.answered,
    discussion: [
      "It may be asked again later, as the policy says. A required form can't be put off.", ConsentAnswerCommand.outcome,
    ],
    run: { invocation throws(CommandError) in try ConsentAnswerCommand.run(invocation, .notNow) })
}

/// An answer to one form, by a command that names what was read.
enum ConsentAnswerCommand {
  static let outcome =
    "Exit 65 where version or text is not the one in force, or the answer is not what the form asks for. With --json: the entry, "
    + "as history has it."

  static func run(_ invocation: Invocation, _ choice: WireConsentChoice) throws(CommandError) {
    let id = invocation.operands[0]
    guard let version = invocation.value(.formVersion), let digest = invocation.value(.sha256) else {
      return try askInstead(invocation)
    }
    var answer = WireConsentAnswer(form: id, version: version, sha256: digest.lowercased(), choice: choice)
    answer.sharing = try sharing(invocation)
    let input = try SignatureInput(invocation)
    let session = try Session(invocation)
    if input.isGiven { answer.signature = input.signature(id: try ownSignature(session.consentForm(id), session)) }
    let records: [WireConsentRecord]
    do throws(ClientError) {
      records = try session.client.answer([answer], Surroundings().occasion(.command))
    } catch {
      throw refusal(error, answer, session)
    }
    try tell(records, session)
  }

  /// A refusal, with the options that the form asks for, or with the verb that fits it.
  private static func refusal(_ error: ClientError, _ answer: WireConsentAnswer, _ session: Session) -> CommandError {
    var refusal = session.failure(error)
    guard case .daemon(.improperAnswer) = error, let facts = try? session.consentForm(answer.form) else { return refusal }
    switch answer.choice {
    case .denied where !facts.isRequired:
      refusal.details = ["to put it off: " + ConsentWords.command("defer", facts)]
    case .notNow where facts.isRequired:
      refusal.details = ["to deny it: " + ConsentWords.command("decline", facts)]
    case .agreed:
      guard let form = try? session.form(facts) else { return refusal }
      let demand = AnswerDemand(form)
      refusal.details =
        demand.faults(of: answer.signature, answer.sharing) + ["to agree: " + ConsentWords.command("accept", facts, demand)]
    default: break
    }
    return refusal
  }

  static func tell(_ records: [WireConsentRecord], _ session: Session) throws(CommandError) {
    guard session.invocation.wantsJSON, let record = records.first else {
      return records.forEach { session.note(ConsentWords.outcome($0)) }
    }
    try Output.json { ConsentReport.write(record, &$0) }
  }

  private static func sharing(_ invocation: Invocation) throws(CommandError) -> WireSharing? {
    guard let word = invocation.value(.sharing) else { return nil }
    guard let sharing = WireSharing(rawValue: word) else {
      throw .usage("--sharing wants widely or narrowly", verb: invocation.verb)
    }
    return sharing
  }

  /// Of a document's signatures the first is the person's own.
  private static func ownSignature(_ facts: WireConsentForm, _ session: Session) throws(CommandError) -> String {
    let form = try session.form(facts)
    guard case .document(let document) = form.variants[0].content, let place = document.signatures.first else {
      throw CommandError(WireError.improperAnswer(form: facts.id, reason: "the form asks for no signature"))
    }
    return place.id
  }

  /// Without what was read there is no answer; on a terminal it can be read now.
  private static func askInstead(_ invocation: Invocation) throws(CommandError) {
    let hasNeither = !invocation.has(.formVersion) && !invocation.has(.sha256)
    if hasNeither {
      let session = try Session(invocation)
      if let dialogue = try session.terminal() {
        let facts = try session.consentForm(invocation.operands[0])
        return try ConsentReviewCommand.run([facts], session, dialogue)
      }
    }
    throw CommandError(
      64, "Usage",
      "an answer names what was read: --version V and --sha256 H, both of which passcode consent show "
        + "\(invocation.operands[0].shownSafely) prints, with the whole command line")
  }
}
