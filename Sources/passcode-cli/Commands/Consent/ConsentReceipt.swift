internal import ConsentCore
internal import PasscodeClient
internal import PasscodeWire

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
      if let target {
        reading.piece = .receiptPaper
        return try target.write(try PaperHelper.pdf(of: try session.readConsent(reading), invocation), session)
      }
      try OutputFile.data(try session.readConsent(reading))
    })

  static let consentDocument = Verb(
    path: ["consent", "document"], topic: .consent, summary: "Print the document that was signed last",
    operands: [.form], options: [.pdf, .html] + Option.paper,
    discussion: [
      "As text, or with --pdf or --html into a file. Exit 1 where none was signed, 73 where the file exists and --force is not given.",
      PaperHelper.words,
    ],
    examples: [("passcode consent document study --pdf study.pdf", "with its signature page")],
    run: { invocation throws(CommandError) in try ConsentDocumentCommand.run(invocation) })
}

enum ConsentDocumentCommand {
  static func run(_ invocation: Invocation) throws(CommandError) {
    try invocation.requireOne(of: .pdf, .html)
    let pdf = try OutputFile(invocation.value(.pdf), invocation)
    let html = try OutputFile(invocation.value(.html), invocation)
    let session = try Session(invocation)
    let bytes = try session.readConsent(ConsentReading(.document, of: invocation.operands[0]))
    if let pdf { return try pdf.write(try PaperHelper.pdf(of: bytes, invocation), session) }
    if invocation.wantsJSON { return try OutputFile.data(bytes) }
    let paper: ConsentPaper
    do { paper = try ConsentPaper.parse(bytes.span) } catch { throw CommandError(ClientError.badReply("document")) }
    if let html {
      return try html.write(Array(paper.text.htmlDocument(title: paper.title, locale: paper.locale).utf8), session)
    }
    let dressing = LineDressing(style: Style(for: 1))
    try Output.lines(paper.text.lines(width: Output.columns, locale: paper.locale).map(dressing.text))
  }
}
