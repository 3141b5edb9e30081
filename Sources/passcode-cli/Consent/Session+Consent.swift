internal import ConsentCore
internal import PasscodeClient
internal import PasscodeWire
internal import SecretMemory
internal import StrictJSON

extension Session {
  /// All forms in force, and how the user stands to each.
  func consentForms() throws(CommandError) -> ConsentForms {
    let languages = Surroundings().languages.map(\.description)
    return try call { client throws(ClientError) in try client.consentForms(languages: languages) }
  }

  /// One of them.
  ///
  /// - Throws: `UnknownForm`.
  func consentForm(_ id: String) throws(CommandError) -> WireConsentForm {
    guard let form = try consentForms().forms.first(where: { $0.id == id }) else {
      throw CommandError(WireError.unknownForm(id))
    }
    return form
  }

  /// A form with its texts.
  ///
  /// - Throws: `FormChanged` where it is not the one that the daemon has listed.
  func form(_ facts: WireConsentForm) throws(CommandError) -> ConsentForm {
    let bytes = try readConsent(ConsentReading(.form, of: facts.id))
    let origin: ConsentOrigin = facts.origin == .administrator ? .administrator : .user
    let form: ConsentForm
    do {
      form = try ConsentFormFile.parse(flattened: bytes.span, name: facts.id, origin: origin)
    } catch {
      throw CommandError(ClientError.badReply("form"))
    }
    // What is shown is what is answered to: the digest is made here, of the text that is at hand.
    guard let tag = LanguageTag(facts.locale), let variant = form.variant(in: tag),
      form.text(of: variant).digest.hex == facts.sha256
    else { throw CommandError(WireError.formChanged(form: facts.id, version: form.version.description)) }
    return form
  }

  /// - Parameter words: what is said where nothing is recorded that it could be about.
  func readConsent(_ reading: ConsentReading, whereNothing words: String? = nil) throws(CommandError) -> [UInt8] {
    var reading = reading
    reading.languages = Surroundings().languages.map(\.description)
    return try call(whereNothing: words) { client throws(ClientError) in try client.readConsent(reading) }
  }

  /// Calls the daemon, with words of the verb's own for where nothing is recorded that it could be about.
  func call<R: ~Copyable>(
    whereNothing words: String?, _ body: (PasscodeClient) throws(ClientError) -> R
  ) throws(CommandError) -> R {
    do { return try body(client) } catch {
      guard let words, case .daemon(.nothingRecorded) = error else { throw failure(error) }
      throw failure(error).saying(words)
    }
  }

  /// A form that is to be asked, in the language that the daemon chose for the person.
  func agendaItem(_ facts: WireConsentForm) throws(CommandError) -> ConsentAgendaItem {
    let form = try form(facts)
    guard let tag = LanguageTag(facts.locale), let variant = form.variant(in: tag),
      let state = ConsentState(rawValue: facts.state.rawValue)
    else { throw CommandError(ClientError.badReply("form")) }
    let standing = ConsentStanding(
      decided: state, isAsked: facts.isAsked, agreedBefore: facts.agreedBefore.flatMap { ConsentVersion($0) })
    return ConsentAgendaItem(form, in: variant, standing: standing)
  }

  /// Adds to a refusal for want of consent how to answer each form, for where nobody can be asked; or, where no answer would
  /// open what is closed, who can mend that.
  func explaining(_ error: CommandError, forms ids: [String]) -> CommandError {
    guard let known = try? consentForms() else { return error }
    let forms = known.forms.filter { form in ids.contains(form.id) && !form.state.isGiven }
    let commands = forms.map { facts in ConsentWords.command("accept", facts, (try? form(facts)).map { AnswerDemand($0) }) }
    var told = error
    if let fault = known.recordFault { told.details.append(CommandError(WireError.recordFaulty(reason: fault)).message) }
    if forms.isEmpty { told = told.saying("consent is missing, and nobody can give it (\(ids.joined(separator: ", ")))") }
    for id in ids where !forms.contains(where: { $0.id == id }) { told.details += obstacle(id, known) }
    if !forms.isEmpty {
      told.details.append("a script reads and answers with:")
      for (form, command) in zip(forms, commands) { told.details += ["  passcode consent show \(form.id)", "  " + command] }
    }
    told.facts.append(("commands", .texts(commands)))
    return told
  }

  /// Why no answer opens the gate of a form, and who can mend it.
  private func obstacle(_ id: String, _ known: ConsentForms) -> [String] {
    let shown = id.shownSafely
    let way =
      "the administrator puts that form into /etc/passcoded/consent, or whoever wrote the policy takes the gate of '\(shown)' out "
      + "of it (passcode policy show tells whose it is)"
    let reason =
      known.forms.contains { $0.id == id }
      ? "the form '\(shown)' is your own, and opens nothing but the creation of a store"
      : "there is no form '\(shown)' in force"
    // A file that is faulty may be the form that is missing.
    let faults = known.formFaults.filter { $0.path.hasPrefix("/") }.map { "  " + ConsentListCommand.words(of: $0) }
    return ["\(reason), so the gate stays closed: \(way)"]
      + (faults.isEmpty ? [] : ["these files of forms are faulty:"] + faults)
  }
}
