internal import PasscodeClient
internal import PasscodeWire
internal import SecretMemory
internal import StrictJSON

extension Verb {
  static let quickUnlockEnable = Verb(
    path: ["quick-unlock", "enable"], topic: .passcode, summary: "Open the store by the OS keyring, without the passcode",
    options: Option.current,
    discussion: [
      QuickUnlockWords.cost,
      "The keyring gets a random key, never the passcode. The passcode is asked for again after each start of the machine and "
        + "when it was not given for a week (the policy says how long). Exit 75 where the keyring does not work, with the reason.",
    ],
    run: { invocation throws(CommandError) in
      let session = try Session(invocation)
      let passcode = try session.passcode("Passcode to turn quick unlock on: ")
      try session.call { client throws(ClientError) in try client.enableQuickUnlock(passcode) }
      try QuickUnlockWords.report(session, isOn: true)
    })

  static let quickUnlockDisable = Verb(
    path: ["quick-unlock", "disable"], topic: .passcode, summary: "Ask for the passcode again at each unlock",
    discussion: ["Its key is removed from the keyring. No error where it is off."],
    run: { invocation throws(CommandError) in
      let session = try Session(invocation)
      try session.call { client throws(ClientError) in try client.disableQuickUnlock() }
      try QuickUnlockWords.report(session, isOn: false)
    })

  static let quickUnlockStatus = Verb(
    path: ["quick-unlock", "status"], topic: .passcode, summary: "Show whether quick unlock is on",
    discussion: ["Prints on or off. The keyring is not asked."],
    run: { invocation throws(CommandError) in
      let session = try Session(invocation)
      let isOn = session.status.quickUnlock
      guard invocation.wantsJSON else { return try Output.line(isOn ? "on" : "off") }
      try QuickUnlockWords.report(session, isOn: isOn)
    })
}

enum QuickUnlockWords {
  /// What it costs, before anybody agrees to it.
  static let cost =
    "Quick unlock opens the store without the passcode: whoever gets into your unlocked session, and any program that you run, "
    + "can open it too."

  static func report(_ session: Session, isOn: Bool) throws(CommandError) {
    guard session.invocation.wantsJSON else { return session.note("quick unlock is \(isOn ? "on" : "off")") }
    try Output.json { writer in
      writer.beginObject()
      writer.key("quickUnlock")
      writer.bool(isOn)
      writer.endObject()
    }
  }
}
