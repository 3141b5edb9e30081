internal import ConsentCore
internal import PasscodeClient
internal import PasscodeWire
internal import StrictJSON

extension Verb {
  static let consentReceipt = Verb(
    path: ["consent", "receipt"], topic: .consent, summary: "Print the receipt of an answer",
    operands: [.form], options: [.entry, .pdf] + Option.paper,
    discussion: [
      "As JSON after ISO/IEC TS 27560, or with --pdf the same facts on paper. Without --entry it is of the form's latest answer. "
        + "Exit 1 where there is none, 73 where the file exists and --force is not given.",
      PaperHelper.words,
    ],
    examples: [("passcode consent receipt terms --pdf receipt.pdf", "to print or to send")],
    run: { invocation throws(CommandError) in
      var reading = ConsentReading(.receipt, of: invocation.operands[0])
      reading.sequence = try invocation.number(.entry, atLeast: 1)
      let target = try OutputFile(invocation.value(.pdf), invocation)
      let session = try Session(invocation)
      let form = reading.form ?? "", name = form.shownSafely
      let nothing =
        reading.sequence.map {
          "'\(name)' has no entry \($0); its entries are numbered by: passcode consent history \(ShellWord.quoted(form).shownSafely)"
        } ?? "nothing was answered for '\(name)' yet, so there is no receipt; passcode consent list shows the forms"
      if let target {
        reading.piece = .receiptPaper
        let paper = try session.readConsent(reading, whereNothing: nothing)
        return try target.write(try PaperHelper.pdf(of: paper, invocation), session)
      }
      try OutputFile.data(try session.readConsent(reading, whereNothing: nothing))
    })

  static let consentDocument = Verb(
    path: ["consent", "document"], topic: .consent, summary: "Print the document that was signed last",
    operands: [.form], options: [.pdf, .html] + Option.paper, exclusive: [[.pdf, .html]],
    discussion: [
      "As text, or into a file: with --pdf as a PDF, or with --html as HTML, not both. Exit 1 where none was signed, 73 where the file exists and --force is not given.",
      PaperHelper.words,
    ],
    examples: [("passcode consent document study --pdf study.pdf", "with its signature page")],
    run: { invocation throws(CommandError) in try ConsentDocumentCommand.run(invocation) })
}

enum ConsentDocumentCommand {
  static func run(_ invocation: Invocation) throws(CommandError) {
    let pdf = try OutputFile(invocation.value(.pdf), invocation)
    let html = try OutputFile(invocation.value(.html), invocation)
    let session = try Session(invocation)
    let form = invocation.operands[0]
    let nothing =
      "no document of '\(form.shownSafely)' was agreed to, so there is none; passcode consent list shows how you stand to each form"
    let bytes = try session.readConsent(ConsentReading(.document, of: form), whereNothing: nothing)
    if let pdf { return try pdf.write(try PaperHelper.pdf(of: bytes, invocation), session) }
    if invocation.wantsJSON { return try OutputFile.data(bytes) }
    let paper: ConsentPaper
    do { paper = try ConsentPaper.parse(bytes.span) } catch { throw CommandError(ClientError.badReply("document")) }
    if let html {
      return try html.write(Array(paper.text.htmlDocument(title: paper.title, locale: paper.locale).utf8), session)
    }
    let theme = try ThemeFile.theme(session)
    let dressing = LineDressing(style: Style(for: 1), theme: theme)
    try Output.lines(paper.text.lines(width: Output.columns, locale: paper.locale, theme: theme).map(dressing.text))
  }
}
