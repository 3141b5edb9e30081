internal import PasscodeClient
internal import PasscodeWire
internal import StrictJSON

extension Verb {
  static let consentList = Verb(
    path: ["consent", "list"], topic: .consent, summary: "List the consent forms, and how you stand to each",
    discussion: [
      "Each line has the form's id, its version, whether it is required, the state, since when, what the form gates, and its title. "
        + "Faults of form files and of the record are told on stderr.",
      "With --json: forms (each form, version, kind, required, origin, gates, locale, title, sha256, state, isAsked, "
        + "answeredVersion, answeredAt, expiresAt, agreedBefore), formFaults (file, line, column, message), recordFault.",
    ],
    run: { invocation throws(CommandError) in
      let session = try Session(invocation)
      let forms = try session.consentForms()
      guard invocation.wantsJSON else {
        try Output.lines(ConsentReport.table(forms.forms))
        return ConsentListCommand.warn(of: forms, session)
      }
      try Output.json { writer in
        writer.beginObject()
        writer.key("forms")
        writer.beginArray()
        for form in forms.forms { ConsentReport.write(form, &writer) }
        writer.endArray()
        writer.key("formFaults")
        writer.beginArray()
        for fault in forms.formFaults { ConsentReport.write(fault, &writer) }
        writer.endArray()
        writer.key("recordFault")
        writer.optional(forms.recordFault)
        writer.endObject()
      }
    })

  static let consentHistory = Verb(
    path: ["consent", "history"], topic: .consent, summary: "Show the record: what was answered, when and how",
    operands: [.optionalForm],
    discussion: [
      "The oldest entry comes first. Each line has the entry's number, when, the form, its version, what happened, how, the "
        + "account, and whether the store has signed it.",
      "With --json: records, each entry, id, form, version, locale, sha256, event, at, zone, means, account, recording, isSigned.",
    ],
    run: { invocation throws(CommandError) in
      let session = try Session(invocation)
      let records = try session.call { client throws(ClientError) in
        try client.consentHistory(of: invocation.operands.first)
      }
      guard invocation.wantsJSON else { return try Output.lines(Words.table(ConsentReport.rows(records))) }
      try Output.json { writer in
        writer.beginObject()
        writer.key("records")
        ConsentReport.write(records, &writer)
        writer.endObject()
      }
    })
}

enum ConsentListCommand {
  /// Says what is wrong with files and record: what is not in force can't be seen from the list.
  static func warn(of forms: ConsentForms, _ session: Session) {
    for fault in forms.formFaults {
      let place = fault.line.map { ":\($0)" + (fault.column.map { ":\($0)" } ?? "") } ?? ""
      session.note("\(fault.path)\(place): \(fault.message)")
    }
    if let fault = forms.recordFault { session.note(CommandError(WireError.recordFaulty(reason: fault)).message) }
  }
}
