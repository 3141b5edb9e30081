internal import PasscodeClient
internal import PasscodeWire
internal import StrictJSON

extension Verb {
  static let consentWithdraw = Verb(
    path: ["consent", "withdraw"], topic: .consent, summary: "Take back what you agreed to",
    operands: [.form],
    discussion: [
      "No question is asked. What the form gates closes at once; what was done before stays lawful. The form need not be in force "
        + "any more. Exit 1 where nothing was agreed to. With --json: the entry, and closed, what the form gates."
    ],
    examples: [("passcode consent withdraw diagnostics", "as easy as agreeing")],
    run: { invocation throws(CommandError) in
      let session = try Session(invocation)
      let form = invocation.operands[0]
      let nothing =
        "you have not agreed to '\(form.shownSafely)', so there is nothing to take back; passcode consent list shows how you stand"
      let record = try session.call(whereNothing: nothing) { client throws(ClientError) in
        try client.withdrawConsent(form, Surroundings().occasion(.command))
      }
      // A form that is no longer in force gates nothing.
      let closed = try session.consentForms().forms.first { $0.id == form }?.gates ?? []
      guard invocation.wantsJSON else {
        session.note(ConsentWords.outcome(record))
        return session.note(closed.isEmpty ? "it gated nothing" : "closed now: \(closed.joined(separator: ", "))")
      }
      try Output.json { writer in
        writer.beginObject()
        writer.key("record")
        ConsentReport.write(record, &writer)
        writer.key("closed")
        writer.strings(closed)
        writer.endObject()
      }
    })
}
