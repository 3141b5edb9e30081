internal import PasscodeClient
internal import PasscodeWire
internal import SecretMemory
internal import StrictJSON

extension Verb {
  static let consentRestart = Verb(
    path: ["consent", "restart"], topic: .consent, summary: "Set a record that was tampered with aside, and begin a new one",
    options: Option.current,
    discussion: [
      "Where an entry was changed, dropped, swapped or cut off, nothing in the record counts and every gate stays closed. This takes the "
        + "passcode, keeps the faulty record whole in a file beside the store, and begins a new one: nobody has agreed to anything "
        + "in it, and every form is asked again. Its first entry says what was wrong, and the file's SHA-256.",
      "The file is evidence: it is never removed with a reset, and passcode consent verify FILE says what is wrong with it. Answers "
        + "from before the store wait in a file of their own; a faulty one is moved away, see passcode consent list.",
      "Exit 1 where nothing is wrong with the record. With --json: record, the first entry; fault; path; sha256.",
    ],
    examples: [("passcode consent restart", "after passcode consent verify ended with 78")],
    run: { invocation throws(CommandError) in
      let session = try Session(invocation)
      let passcode = try session.passcode("Passcode to begin the record of consent anew: ")
      let restart = try session.call { client throws(ClientError) in
        try client.restartConsentRecord(passcode, Surroundings().occasion(.command))
      }
      guard invocation.wantsJSON else {
        session.note("the faulty record (\(restart.fault.shownSafely)) is kept in \(restart.path.shownSafely)")
        return session.note(
          "SHA-256 \(restart.sha256); a new record is begun, and every form is asked again: passcode consent review")
      }
      try Output.json { writer in
        writer.beginObject()
        writer.key("record")
        ConsentReport.write(restart.record, &writer)
        writer.text("fault", restart.fault)
        writer.text("path", restart.path)
        writer.text("sha256", restart.sha256)
        writer.endObject()
      }
    })
}
