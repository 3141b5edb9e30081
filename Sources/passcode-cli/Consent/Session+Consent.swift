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

  func readConsent(_ reading: ConsentReading) throws(CommandError) -> [UInt8] {
    var reading = reading
    reading.languages = Surroundings().languages.map(\.description)
    return try call { client throws(ClientError) in try client.readConsent(reading) }
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

  /// Adds to a refusal for want of consent how to answer each form: the command lines for where nobody can be asked.
  func explaining(_ error: CommandError, forms ids: [String]) -> CommandError {
    guard let forms = try? consentForms().forms.filter({ ids.contains($0.id) }), !forms.isEmpty else { return error }
    let commands = forms.map(ConsentWords.acceptCommand)
    return CommandError(
      exitCode: error.exitCode, name: error.name, message: error.message,
      details: ["after reading each with passcode consent show FORM, a script answers with:"] + commands.map { "  " + $0 },
      facts: error.facts + [("commands", .texts(commands))])
  }
}
