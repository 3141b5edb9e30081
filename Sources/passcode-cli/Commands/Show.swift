internal import PasscodeClient
internal import PasscodeWire
internal import StrictJSON

extension Verb {
  static let show = Verb(
    path: ["show"], topic: .credentials, summary: "Show what is known of a credential, but not its secret",
    operands: [.credential], options: Option.current,
    discussion: [
      "Exit 1 where there is no such credential. With --json: name, version, createdAt, modifiedAt, size, type, attributes."
    ],
    examples: [("passcode show work/api/token", "size, times, type and attributes")],
    run: { invocation throws(CommandError) in
      let session = try Session(invocation)
      let facts = try session.unlocked { client throws(ClientError) in try client.show(invocation.operands[0]) }
      try CredentialReport.print(facts, invocation)
    })

  static let list = Verb(
    path: ["list"], topic: .credentials, summary: "List the names in a folder and below it",
    operands: [Operand("FOLDER", "such as work/aws; without it, everything", isRequired: false)],
    options: Option.current,
    discussion: [
      "One name a line, in byte order. An empty list is no error. With --json: credentials, each as show has it."
    ],
    examples: [("passcode list work", "the names under work/")],
    run: { invocation throws(CommandError) in
      let session = try Session(invocation)
      // As a shell completes it: work/ is the folder work.
      let folder = invocation.operands.first.map { $0.count > 1 && $0.hasSuffix("/") ? String($0.dropLast()) : $0 }
      let found = try session.unlocked { client throws(ClientError) in try client.list(in: folder) }
      try CredentialReport.print(found, invocation)
    })

  static let find = Verb(
    path: ["find"], topic: .credentials, summary: "List the credentials that have every one of these attributes",
    operands: [Operand("K=V", "an attribute and its value", repeats: true)], options: Option.current,
    discussion: ["Exit 1 where there is none. With --json: credentials, each as show has it."],
    examples: [("passcode find env=prod owner=ops", "those that have both")],
    run: { invocation throws(CommandError) in
      let pairs = try PutCommand.pairs(invocation.operands, invocation)
      let session = try Session(invocation)
      let found = try session.unlocked { client throws(ClientError) in try client.find(pairs) }
      try CredentialReport.print(found, invocation)
      if found.isEmpty { throw CommandError(1, "NothingFound", "no credential has these attributes") }
    })
}

/// What is known of credentials, for a person and for a program.
enum CredentialReport {
  static func print(_ facts: WireCredential, _ invocation: Invocation) throws(CommandError) {
    guard !invocation.wantsJSON else { return try Output.json { write(facts, &$0) } }
    var rows = [
      ["name", Output.shown(facts.name)], ["version", "\(facts.version)"], ["size", Words.count(facts.size, "byte", "bytes")],
      ["created", Words.moment(facts.createdAt)], ["modified", Words.moment(facts.modifiedAt)],
    ]
    if let type = facts.type { rows.append(["type", Output.shown(type)]) }
    for (key, value) in facts.attributes.sorted(by: { $0.key < $1.key }) {
      rows.append(["attribute", Output.shown("\(key)=\(value)")])
    }
    try Output.lines(Words.table(rows))
  }

  static func print(_ found: [WireCredential], _ invocation: Invocation) throws(CommandError) {
    guard invocation.wantsJSON else { return try Output.lines(found.map { Output.shown($0.name) }) }
    try Output.json { writer in
      writer.beginObject()
      writer.key("credentials")
      writer.beginArray()
      for facts in found { write(facts, &writer) }
      writer.endArray()
      writer.endObject()
    }
  }

  static func write(_ facts: WireCredential, _ writer: inout JSONWriter<ByteSink>) {
    writer.beginObject()
    writer.key("name")
    writer.string(facts.name)
    writer.key("version")
    writer.integer(facts.version)
    writer.key("createdAt")
    writer.integer(facts.createdAt)
    writer.key("modifiedAt")
    writer.integer(facts.modifiedAt)
    writer.key("size")
    writer.integer(facts.size)
    writer.key("type")
    writer.optional(facts.type)
    writer.key("attributes")
    writer.strings(facts.attributes)
    writer.endObject()
  }
}
