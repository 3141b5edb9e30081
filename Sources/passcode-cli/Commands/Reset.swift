internal import PasscodeClient
internal import PasscodeWire
internal import StrictJSON

extension Verb {
  static let reset = Verb(
    path: ["reset"], topic: .passcode, summary: "The way out of a forgotten passcode: take the store away unopened",
    options: [.confirm, .erase, .list, .undo], exclusive: [[.confirm, .list, .undo]],
    discussion: [
      "The sealed file is set aside for 7 days, and a new store can be created. Nobody gets in this way: what was in it "
        + "opens only with its passcode, after --undo.",
      "The store's id has to be given, as status shows it, so that no slip takes a store away. --erase keeps nothing.",
    ],
    examples: [
      ("passcode reset --confirm STORE-ID", "set the store aside"), ("passcode reset --list", "see what was set aside"),
      ("passcode reset --undo ID", "bring one back"),
    ],
    run: { invocation throws(CommandError) in try ResetCommand.run(invocation) })
}

enum ResetCommand {
  static func run(_ invocation: Invocation) throws(CommandError) {
    try invocation.requireOne(of: .list, .undo, .erase)
    if invocation.has(.list) {
      try list(try Session(invocation))
    } else if let id = invocation.value(.undo) {
      let session = try Session(invocation)
      try session.call { client throws(ClientError) in try client.undoReset(id) }
      try report(session, "undone", "the store is back; it is locked")
    } else if let id = invocation.value(.confirm) {
      try takeAway(try Session(invocation), confirming: id)
    } else {
      let session = try Session(invocation)
      guard let id = session.status.storeID else { throw CommandError(WireError.noStore) }
      throw .usage("say which store is to be taken away: passcode reset --confirm \(id)", verb: invocation.verb)
    }
  }

  private static func takeAway(_ session: Session, confirming id: String) throws(CommandError) {
    let erases = session.invocation.has(.erase)
    let facts = try session.call { client throws(ClientError) in try client.reset(confirming: id, erasing: erases) }
    if let reason = facts.keyLeft {
      session.note("warning: a key of quick unlock may still lie in the keyring, where it opens nothing: \(reason)")
    }
    guard let aside = facts.setAside else { return try report(session, "erased", "the store is erased; run: passcode create") }
    if session.invocation.wantsJSON {
      try Output.json { writer in
        writer.beginObject()
        writer.key("setAside")
        write(aside, &writer)
        writer.endObject()
      }
    } else {
      session.note("the store is set aside until \(Words.moment(aside.expiresAt)); a new one: passcode create")
      session.note("to bring it back: passcode reset --undo \(aside.id)")
    }
  }

  private static func list(_ session: Session) throws(CommandError) {
    let stores = try session.call { client throws(ClientError) in try client.resets() }
    if session.invocation.wantsJSON {
      try Output.json { writer in
        writer.beginObject()
        writer.key("resets")
        writer.beginArray()
        for store in stores { write(store, &writer) }
        writer.endArray()
        writer.endObject()
      }
    } else if stores.isEmpty {
      session.note("no store is set aside; passcode reset --confirm STORE-ID sets one aside")
    } else {
      try Output.lines(
        Words.table(
          stores.map {
            [$0.id, "store \($0.storeID)", "set aside \(Words.moment($0.setAsideAt))", "until \(Words.moment($0.expiresAt))"]
          }))
    }
  }

  private static func report(_ session: Session, _ key: String, _ text: String) throws(CommandError) {
    guard session.invocation.wantsJSON else { return session.note(text) }
    try Output.json { writer in
      writer.beginObject()
      writer.key(key)
      writer.bool(true)
      writer.endObject()
    }
  }

  private static func write(_ store: WireSetAside, _ writer: inout JSONWriter<ByteSink>) {
    writer.beginObject()
    writer.key("id")
    writer.string(store.id)
    writer.key("storeId")
    writer.string(store.storeID)
    writer.key("setAsideAt")
    writer.integer(store.setAsideAt)
    writer.key("expiresAt")
    writer.integer(store.expiresAt)
    writer.endObject()
  }
}
