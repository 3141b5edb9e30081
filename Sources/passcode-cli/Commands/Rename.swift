internal import PasscodeClient
internal import PasscodeWire
internal import StrictJSON

extension Verb {
  static let rename = Verb(
    path: ["rename"], topic: .credentials, summary: "Give a credential another name; its history goes with it",
    operands: [.credential, Operand("NEW-NAME", "the new name")], options: [.replace] + Option.current,
    discussion: [
      "Exit 1 where there is no such credential, 73 where the new name is taken. With --json: name, newName."
    ],
    examples: [("passcode rename work/api/token work/api/old", "out of the way")],
    run: { invocation throws(CommandError) in
      let (old, new) = (invocation.operands[0], invocation.operands[1])
      let session = try Session(invocation)
      try session.replacing("add --replace, and it gives way") { () throws(CommandError) in
        try session.unlocked { client throws(ClientError) in
          try client.rename(old, to: new, replaces: invocation.has(.replace))
        }
      }
      try session.report("renamed '\(old.shownSafely)' to '\(new.shownSafely)'", [("name", old), ("newName", new)])
    })

  static let delete = Verb(
    path: ["delete"], topic: .credentials, summary: "Delete a credential; its values can be put back",
    operands: [.credential], options: [.purge] + Option.current,
    discussion: [
      "The values are kept as earlier ones are: passcode history NAME --restore N brings one back. --purge keeps nothing.",
      "Exit 1 where there is no such credential. With --json: name.",
    ],
    run: { invocation throws(CommandError) in
      let name = invocation.operands[0]
      let session = try Session(invocation)
      try session.unlocked { client throws(ClientError) in try client.delete(name, purges: invocation.has(.purge)) }
      let how = invocation.has(.purge) ? "purged" : "deleted"
      try session.report("\(how) '\(name.shownSafely)'", [("name", name)])
    })
}

extension Session {
  /// Runs a call that a taken name refuses, and then tells what would replace the credential of that name.
  func replacing<R: ~Copyable>(_ way: String, _ body: () throws(CommandError) -> R) throws(CommandError) -> R {
    do { return try body() } catch {
      throw error.name == WireErrorName.exists.fullName ? error.saying("\(error.message); \(way)") : error
    }
  }

  /// What was done: a note, or with `--json` a document of texts.
  func report(_ text: String, _ facts: [(key: String, value: String)]) throws(CommandError) {
    guard invocation.wantsJSON else { return note(text) }
    try Output.json { writer in
      writer.beginObject()
      for fact in facts {
        writer.key(fact.key)
        writer.string(fact.value)
      }
      writer.endObject()
    }
  }
}
