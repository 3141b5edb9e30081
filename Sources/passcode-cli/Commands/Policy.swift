internal import PasscodeClient
internal import PasscodeCore
internal import PasscodePlatform
internal import PasscodeWire
internal import StrictJSON

extension Verb {
  static let policyShow = Verb(
    path: ["policy", "show"], topic: .rest, summary: "Show the policy in force and where each value comes from",
    options: [.preset],
    discussion: ["With --preset it shows what a preset stands for, and asks no daemon."],
    examples: [("passcode policy show --preset nist-800-63b", "a preset")],
    run: { invocation throws(CommandError) in try PolicyShowCommand.run(invocation) })
}

enum PolicyShowCommand {
  static func run(_ invocation: Invocation) throws(CommandError) {
    if let name = invocation.value(.preset) { return try show(preset: name, invocation) }
    let session = try Session(invocation)
    let policy = try session.call { client throws(ClientError) in try client.policy() }
    guard let root = try? JSONDocument.parse(policy.json.span) else { throw CommandError(ClientError.badReply("policy")) }
    if invocation.wantsJSON {
      try Output.json { write(root, policy, &$0) }
    } else {
      try Output.lines(Words.table(rows(root, origins: policy.origins)))
      for file in policy.files { session.note("\(file.role.rawValue): \(file.path): \(StatusReport.words(file))") }
    }
  }

  private static func show(preset name: String, _ invocation: Invocation) throws(CommandError) {
    guard let preset = PolicyPreset(rawValue: name) else {
      let known = PolicyPreset.allCases.map(\.rawValue)
      let message = "there is no preset '\(name.shownSafely)'"
      if let nearest = nearestName(to: name, among: known) { throw .slip(message, meaning: [nearest]) }
      throw .usage("\(message); there are: \(known.joined(separator: ", "))", verb: invocation.verb)
    }
    if invocation.wantsJSON {
      try Output.json { preset.policy.write(to: &$0) }
    } else {
      var writer = JSONWriter(ByteSink())
      preset.policy.write(to: &writer)
      let text = writer.finish().bytes
      guard let root = try? JSONDocument.parse(text.span) else { preconditionFailure("a policy is JSON") }
      try Output.lines(Words.table(rows(root, origins: [:])))
    }
  }

  /// A key, its origin where it is known, and its value, a line each; members of an object under their path.
  private static func rows(_ node: JSONNode, origins: [String: String], prefix: String = "") -> [[String]] {
    guard case .object(let members) = node.value else { return [] }
    return members.flatMap { member -> [[String]] in
      let path = prefix + member.key
      if case .object(let inner) = member.node.value, !inner.isEmpty {
        return rows(member.node, origins: origins, prefix: path + ".")
      }
      let origin = origins[path] ?? origins[String(path.prefix { $0 != "." })]
      return [[path] + (origin.map { [$0] } ?? []) + [Output.shown(compact(member.node))]]
    }
  }

  private static func compact(_ node: JSONNode) -> String {
    var writer = JSONWriter(ByteSink())
    writer.node(node)
    return String(decoding: writer.finish().bytes, as: UTF8.self)
  }

  private static func write(_ root: JSONNode, _ policy: PolicyInForce, _ writer: inout JSONWriter<ByteSink>) {
    writer.beginObject()
    writer.key("policy")
    writer.node(root)
    writer.key("origins")
    writer.strings(policy.origins)
    writer.key("files")
    writer.policyFiles(policy.files)
    writer.endObject()
  }
}

extension JSONWriter where Sink: ~Copyable {
  mutating func node(_ node: JSONNode) {
    switch node.value {
    case .object(let members):
      beginObject()
      for member in members {
        key(member.key)
        self.node(member.node)
      }
      endObject()
    case .array(let nodes):
      beginArray()
      for node in nodes { self.node(node) }
      endArray()
    case .string(let text): string(text)
    case .integer(let value): integer(value)
    case .number(let value): number(value)
    case .bool(let value): bool(value)
    case .null: null()
    }
  }
}
