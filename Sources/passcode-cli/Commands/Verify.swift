internal import PasscodeClient
internal import SecretMemory
internal import StrictJSON

extension Verb {
  static let verify = Verb(
    path: ["verify"], topic: .passcode, summary: "Find out whether a passcode is right",
    options: Option.current,
    discussion: [
      "A wrong one costs a try and ends with exit 77. One that is right but expired, or below today's policy, ends with "
        + "exit 75 (MustChange). The store stays locked or unlocked as it was."
    ],
    examples: [("passcode verify --passcode-file ./passcode", "in a script")],
    run: { invocation throws(CommandError) in
      let session = try Session(invocation)
      let passcode = try session.passcode("Passcode: ")
      try session.call { client throws(ClientError) in try client.verify(passcode) }
      if invocation.wantsJSON {
        try Output.json { writer in
          writer.beginObject()
          writer.key("verified")
          writer.bool(true)
          writer.endObject()
        }
      } else {
        session.note("the passcode is right")
      }
    })
}

extension Session {
  /// The current passcode, from where the command line says, else from the person.
  func passcode(_ prompt: String) throws(CommandError) -> SecretBytes {
    if let given = try givenPasscode() { return given }
    guard let dialogue = try terminal() else { throw .nobodyToAsk }
    return try dialogue.secret(prompt)
  }
}
