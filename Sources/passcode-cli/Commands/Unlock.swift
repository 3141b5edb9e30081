internal import PasscodeClient
internal import PasscodeWire
internal import SecretMemory
internal import StrictJSON

extension Verb {
  static let unlock = Verb(
    path: ["unlock"], topic: .passcode, summary: "Open the store",
    options: [.quick, .noQuick, .acceptOlder] + Option.current, exclusive: [[.quick, .noQuick]],
    discussion: [
      "Quick unlock is tried first where it is on; then the passcode is asked for. A wrong passcode costs a try (exit 77); "
        + "after some of them there is a wait (exit 75).",
      "A passcode that must be changed is changed here on a terminal; elsewhere the exit code is 75.",
      "A store that is older than the one last seen here is not opened (exit 78): a backup or another machine's copy took its "
        + "place. If that was you: --accept-older. What was changed since that copy is not in it.",
    ],
    examples: [("passcode unlock", "at the terminal"), ("passcode unlock --passcode-file ./passcode", "in a script")],
    run: { invocation throws(CommandError) in try UnlockCommand.run(invocation) })

  static let lock = Verb(
    path: ["lock"], topic: .passcode, summary: "Close the store: keys are wiped from memory",
    discussion: ["Returns when every key is wiped. Locking a locked store is no error."],
    run: { invocation throws(CommandError) in
      let session = try Session(invocation, acceptsOtherStore: true)
      try session.call { client throws(ClientError) in try client.lock() }
      if invocation.wantsJSON {
        try Output.json { UnlockCommand.write(StateWords(state: .locked, locksAt: nil), &$0) }
      } else {
        session.note("the store is locked")
      }
    })
}

/// The state, as `unlock` and `lock` report it.
struct StateWords {
  let state: WireState
  let locksAt: Int?
}

enum UnlockCommand {
  static func run(_ invocation: Invocation) throws(CommandError) {
    try invocation.requireOne(of: .quick, .passcodeFD, .passcodeFile)
    try invocation.requireOne(of: .quick, .acceptOlder)
    let session = try Session(invocation)
    try unlock(session)
    let status = try session.call { client throws(ClientError) in try client.status() }
    if invocation.wantsJSON {
      try Output.json { write(StateWords(state: status.state, locksAt: status.locksAt), &$0) }
    } else {
      let end = status.locksAt.map { "; if unused it locks at \(Words.moment($0))" } ?? ""
      session.note("the store is unlocked\(end)")
      if !status.damage.isEmpty { session.note(CommandError(WireError.damaged(status.damage)).message) }
      for damage in status.damage { session.note("  - \(damage.shownSafely)") }
    }
  }

  private static func unlock(_ session: Session) throws(CommandError) {
    let invocation = session.invocation
    if invocation.has(.quick) {
      let place: PromptPlace = invocation.allowsInput ? .current() : .nowhere
      let change = try session.call { client throws(ClientError) in try client.quickUnlock(at: place) }
      if change.state == .mustChange { try session.changeToGoOn(because: nil, knowing: nil) }
    } else if let passcode = try session.givenPasscode() {
      try session.unlock(with: passcode)
    } else if session.status.state != .unlocked {
      if session.status.state == .absent { throw CommandError(WireError.noStore) }
      let triesQuickUnlock = !invocation.has(.noQuick) && !invocation.has(.acceptOlder)
      if triesQuickUnlock, session.status.quickUnlock, try session.tryQuickUnlock() { return }
      try session.unlockByAsking()
    }
  }

  static func write(_ words: StateWords, _ writer: inout JSONWriter<ByteSink>) {
    writer.beginObject()
    writer.key("state")
    writer.string(words.state.rawValue)
    writer.key("locksAt")
    writer.optional(words.locksAt)
    writer.endObject()
  }
}
