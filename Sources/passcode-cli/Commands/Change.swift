internal import PasscodeClient
internal import PasscodeWire
internal import StrictJSON

extension Verb {
  static let change = Verb(
    path: ["change"], topic: .passcode, summary: "Replace the passcode; credentials stay untouched",
    options: Option.current + Option.new,
    discussion: [
      "Asks for the current passcode, then for the new one as create does, twice. The store is unlocked afterwards. It "
        + "takes the same time however much is stored."
    ],
    examples: [("passcode change --passcode-file ./old --new-passcode-file ./new", "in a script")],
    run: { invocation throws(CommandError) in
      let session = try Session(invocation)
      let screen = try FlowRunner(session: session, dialogue: try session.terminal()).change()
      if invocation.wantsJSON {
        let status = try session.call { client throws(ClientError) in try client.status() }
        try Output.json { StatusReport.write(status, &$0) }
      } else {
        session.note("the passcode is changed; the store is unlocked")
        if let reason = screen.quickUnlockReason { session.note(Words.message(reason)) }
      }
    })
}
