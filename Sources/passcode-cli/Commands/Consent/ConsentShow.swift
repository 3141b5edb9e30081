internal import ConsentCore
internal import PasscodeClient
internal import PasscodePlatform
internal import PasscodeWire
internal import SecretMemory
internal import StrictJSON

extension Verb {
  static let consentShow = Verb(
    path: ["consent", "show"], topic: .consent, summary: "Show a form, and what an answer to it has to name",
    operands: [.form], options: [.exact, .locale, .layout],
    discussion: [
      "The whole form, set for reading; its version, the SHA-256 of its exact text and the command line that agrees to it go to "
        + "stderr. With --exact the exact text alone, byte for byte: sha256sum of it gives the value that an answer names.",
      "Without --locale the language that suits LANG and LANGUAGE best. passcode consent review leads through the forms and asks; "
        + "passcode consent accept FORM on a terminal shows and asks this one. What stands in <> is to be filled in. "
        + "With --json: form, version, locale, locales, title, sha256, text.",
    ],
    examples: [
      ("passcode consent show terms", "to read it"),
      ("passcode consent show terms --exact | sha256sum", "the digest of what was read"),
    ],
    run: { invocation throws(CommandError) in try ConsentShowCommand.run(invocation) })
}

enum ConsentShowCommand {
  static func run(_ invocation: Invocation) throws(CommandError) {
    let session = try Session(invocation)
    let facts = try session.consentForm(invocation.operands[0])
    let form = try session.form(facts)
    let variant = try variant(of: form, facts, invocation)
    let text = form.text(of: variant)
    if invocation.wantsJSON { return try Output.json { write(form, variant, text, &$0) } }
    if invocation.has(.exact) { return try Output.write(Array(text.text.utf8).span) }
    try read(form.everything(in: variant), variant, session)
    session.note("version \(form.version), SHA-256 \(text.digest.hex)")
    var shown = facts
    (shown.version, shown.sha256) = (form.version.description, text.digest.hex)
    session.note("to agree: \(ConsentWords.command("accept", shown, AnswerDemand(form)))")
  }

  /// On a terminal that it does not fit on, page by page.
  private static func read(_ text: RichText, _ variant: ConsentVariant, _ session: Session) throws(CommandError) {
    let theme = try ThemeFile.theme(session)
    let lines = text.lines(width: Output.columns, locale: variant.locale, theme: theme)
    if Output.isTerminal, let dialogue = try session.terminal(), dialogue.canRedraw, lines.count >= dialogue.terminal.rows {
      let close = ReviewScreen.Button(key: "q", label: "Close", action: .cancel)
      let screen = ReviewScreen(heading: variant.title, text: text, locale: variant.locale, theme: theme, buttons: [close])
      _ = try FullScreenPager(dialogue: dialogue).present(screen)
      return
    }
    let dressing = LineDressing(style: Style(for: 1), theme: theme)
    try Output.lines(lines.map(dressing.text))
  }

  private static func variant(
    of form: ConsentForm, _ facts: WireConsentForm, _ invocation: Invocation
  ) throws(CommandError) -> ConsentVariant {
    guard let wanted = invocation.value(.locale) else {
      return LanguageTag(facts.locale).flatMap { form.variant(in: $0) } ?? form.variant(for: [])
    }
    guard let tag = LanguageTag(wanted) ?? LanguageTag(posix: wanted) else {
      throw .usage("--locale wants a language such as de or pt-BR", verb: invocation.verb)
    }
    if let chosen = LanguageTag.choose(from: form.variants.map(\.locale), for: [tag]), let variant = form.variant(in: chosen) {
      return variant
    }
    let known = form.variants.map(\.locale.description).joined(separator: ", ")
    throw CommandError(1, "NoLocale", "the form has no text in \(tag); it has: \(known)")
  }

  private static func write(
    _ form: ConsentForm, _ variant: ConsentVariant, _ text: ConsentFormText, _ writer: inout JSONWriter<ByteSink>
  ) {
    writer.beginObject()
    writer.text("form", form.id.description)
    writer.text("version", form.version.description)
    writer.text("locale", variant.locale.description)
    writer.key("locales")
    writer.strings(form.variants.map(\.locale.description))
    writer.text("title", variant.title)
    writer.text("sha256", text.digest.hex)
    writer.text("text", text.text)
    writer.endObject()
  }
}
