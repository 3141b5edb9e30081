internal import PasscodeClient
internal import PasscodePlatform
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
        ConsentListCommand.warn(of: forms, session)
        if forms.forms.isEmpty { session.note("no form is in force, so nothing is asked; \(ConsentListCommand.way)") }
        return
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
      guard invocation.wantsJSON else {
        try Output.lines(Words.table(ConsentReport.rows(records)))
        let whose = invocation.operands.first.map { " for '\($0.shownSafely)'" } ?? ""
        if records.isEmpty {
          session.note("nothing is recorded\(whose) yet; passcode consent list shows the forms that are asked")
        }
        return
      }
      try Output.json { writer in
        writer.beginObject()
        writer.key("records")
        ConsentReport.write(records, &writer)
        writer.endObject()
      }
    })
}

enum ConsentListCommand {
  /// Where a form would be.
  static var way: String {
    let folder = (try? UserDirectories.current()).map { $0.config + "/consent" } ?? "/etc/passcoded/consent"
    return "a form is a JSON file in \(folder), which passcode consent validate FILE checks"
  }

  /// A fault, on one line.
  static func words(of fault: WireFormFault) -> String {
    let place = fault.line.map { ":\($0)" + (fault.column.map { ":\($0)" } ?? "") } ?? ""
    return "\(fault.path)\(place): \(fault.message)"
  }

  /// Says which of the user's own forms are left out: what was meant to be asked is not.
  static func warnOfOwn(_ forms: ConsentForms, _ session: Session) {
    var told: Set<String> = []
    for fault in forms.formFaults where !fault.path.hasPrefix("/etc/") && fault.line != nil && told.insert(fault.path).inserted
    {
      session.note(
        "warning: a faulty form is not asked, or its last good version is: \(words(of: fault)); all of its faults: "
          + "passcode consent validate \(ShellWord.quoted(fault.path))")
    }
  }

  /// Says what is wrong with files and record: what is not in force can't be seen from the list.
  static func warn(of forms: ConsentForms, _ session: Session) {
    for fault in forms.formFaults { session.note(words(of: fault)) }
    if let fault = forms.recordFault { session.note(CommandError(WireError.recordFaulty(reason: fault)).message) }
  }
}
