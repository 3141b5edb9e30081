internal import PasscodeClient
internal import PasscodeWire
internal import StrictJSON

extension Verb {
  static let history = Verb(
    path: ["history"], topic: .credentials, summary: "Show the values a credential had, or put one back",
    operands: [.credential], options: [.restore] + Option.current,
    discussion: [
      "The latest value comes first. A deleted credential has its history too. passcode get NAME --version N prints one.",
      "Exit 1 where there is no such credential or version. With --json: name and versions, each version, storedAt, size, type, "
        + "isCurrent; with --restore: name, version.",
    ],
    examples: [("passcode history work/api/token --restore 3", "store version 3 again as the newest")],
    run: { invocation throws(CommandError) in try HistoryCommand.run(invocation) })
}

enum HistoryCommand {
  static func run(_ invocation: Invocation) throws(CommandError) {
    let name = invocation.operands[0]
    let restored = try invocation.number(.restore, atLeast: 1)
    let session = try Session(invocation)
    if let restored {
      let version = try session.unlocked { client throws(ClientError) in try client.restore(name, version: restored) }
      guard invocation.wantsJSON else {
        return session.note("'\(name.shownSafely)' has the value of version \(restored) again, as version \(version)")
      }
      try Output.json { writer in
        writer.beginObject()
        writer.key("name")
        writer.string(name)
        writer.key("version")
        writer.integer(version)
        writer.endObject()
      }
    } else {
      try show(try session.unlocked { client throws(ClientError) in try client.history(name) }, name, invocation)
    }
  }

  private static func show(_ versions: [WireVersion], _ name: String, _ invocation: Invocation) throws(CommandError) {
    guard invocation.wantsJSON else {
      return try Output.lines(
        Words.table(
          versions.map {
            [
              "\($0.version)", Words.moment($0.storedAt), Words.count($0.size, "byte", "bytes"), Output.shown($0.type ?? ""),
              $0.isCurrent ? "current" : "",
            ]
          }))
    }
    try Output.json { writer in
      writer.beginObject()
      writer.key("name")
      writer.string(name)
      writer.key("versions")
      writer.beginArray()
      for version in versions { write(version, &writer) }
      writer.endArray()
      writer.endObject()
    }
  }

  private static func write(_ facts: WireVersion, _ writer: inout JSONWriter<ByteSink>) {
    writer.beginObject()
    writer.key("version")
    writer.integer(facts.version)
    writer.key("storedAt")
    writer.integer(facts.storedAt)
    writer.key("size")
    writer.integer(facts.size)
    writer.key("type")
    writer.optional(facts.type)
    writer.key("isCurrent")
    writer.bool(facts.isCurrent)
    writer.endObject()
  }
}
