internal import PasscodeClient
internal import PasscodeWire
internal import SecretMemory
internal import StrictJSON

extension Verb {
  static let recoveryCreate = Verb(
    path: ["recovery", "create"], topic: .passcode, summary: "Print a key that sets a new passcode after a forgotten one",
    options: Option.current,
    discussion: [
      "The key is printed once, on standard output, and kept nowhere: write it down and put it where only you get at it. Whoever "
        + "has it and the store's file has what is in it. An earlier key opens nothing any more.",
      "Nine groups of four characters; the last group is a check, so that a slip in typing is found.",
    ],
    examples: [("passcode recovery create | lp", "to the printer")],
    run: { invocation throws(CommandError) in try RecoveryCommand.create(try Session(invocation)) })

  static let recoveryRevoke = Verb(
    path: ["recovery", "revoke"], topic: .passcode, summary: "Make the recovery key open nothing any more",
    discussion: ["No error where there is none."],
    run: { invocation throws(CommandError) in
      let session = try Session(invocation)
      try session.call { client throws(ClientError) in try client.revokeRecoveryKey() }
      guard invocation.wantsJSON else { return session.note("there is no recovery key now") }
      try Output.json { writer in
        writer.beginObject()
        writer.key("recovery")
        writer.bool(false)
        writer.endObject()
      }
    })

  static let recover = Verb(
    path: ["recover"], topic: .passcode, summary: "Set a new passcode by the recovery key",
    options: [.recoveryKeyFD, .recoveryKeyFile, .acceptOlder] + Option.new,
    discussion: [
      "Asks for the recovery key, then for the new passcode as create does, twice. The store is unlocked afterwards, credentials "
        + "stay untouched, and the key still counts. It costs no try, and a lock-out does not matter.",
      "Small letters, spaces and dashes do not matter. Exit 65 for a slip in the key, 77 for another store's or an earlier key, "
        + "75 where the store has none.",
    ],
    examples: [
      ("passcode recover", "at the terminal"),
      ("passcode recover --recovery-key-file ./key --new-passcode-file ./new", "in a script"),
    ],
    run: { invocation throws(CommandError) in
      let session = try Session(invocation)
      let screen = try FlowRunner(session: session, dialogue: try session.terminal()).recover()
      if invocation.wantsJSON {
        let status = try session.call { client throws(ClientError) in try client.status() }
        try Output.json { StatusReport.write(status, &$0) }
      } else {
        session.note("the new passcode is set; the store is unlocked")
        if let reason = screen.quickUnlockReason { session.note(Words.message(reason)) }
      }
    })
}

enum RecoveryCommand {
  static func create(_ session: Session) throws(CommandError) {
    let passcode = try session.passcode("Passcode to make a recovery key: ")
    let key = try session.call { client throws(ClientError) in try client.createRecoveryKey(passcode) }
    do throws(CommandError) { try tell(key, asJSON: session.invocation.wantsJSON) } catch {
      throw error.saying("\(error.message); the key was not told and no earlier one counts: run passcode recovery create again")
    }
    session.note("write this key down and put it away; it is told only this once, and passcode recover asks for it")
    if session.status.recovery { session.note("the earlier recovery key opens nothing any more") }
  }

  private static func tell(_ key: borrowing SecretBytes, asJSON isJSON: Bool) throws(CommandError) {
    // In pieces: the key goes from locked memory to the descriptor, through no other buffer.
    if isJSON { try Output.write(Array("{\n  \"recoveryKey\": \"".utf8).span) }
    try Output.write(key.bytes)
    try Output.line(isJSON ? "\"\n}" : "")
  }
}
