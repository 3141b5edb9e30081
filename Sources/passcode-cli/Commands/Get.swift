internal import PasscodeClient
internal import PasscodePlatform
internal import PasscodeWire
internal import SecretMemory
internal import StrictJSON

extension Verb {
  static let get = Verb(
    path: ["get"], topic: .credentials, summary: "Print a secret",
    operands: [.credential], options: [.secretVersion, .attribute] + Option.current,
    exclusive: [[.secretVersion, .attribute]],
    discussion: [
      "The secret goes to standard output byte for byte; a newline is added only on a terminal. Exit 1 where there is no "
        + "such credential, 75 where the store is locked and nobody can be asked.",
      "Where the policy asks for the passcode each time, it is asked for on the terminal, else in a window, and counts for this "
        + "one reading.",
      "With --json: name, version, type, encoding, and secret in base64; with --attr: name, attributes.",
    ],
    examples: [
      ("passcode get work/api/token", "print it"), ("passcode get work/api/token --version 3", "an earlier value"),
    ],
    run: { invocation throws(CommandError) in try GetCommand.run(invocation) })
}

enum GetCommand {
  static func run(_ invocation: Invocation) throws(CommandError) {
    let version = try invocation.number(.secretVersion, atLeast: 1)
    let session = try Session(invocation)
    let name = invocation.operands[0]
    if let key = invocation.value(.attribute) { return try printAttribute(key, of: name, session) }
    let found = try read(name, version: version, session)
    if invocation.wantsJSON {
      try writeJSON(found, name)
    } else {
      try Output.write(found.secret.bytes)
      if Terminal.isTerminal(1), !endsWithNewline(found.secret) { try Output.line("") }
    }
  }

  /// Reads the secret; where the policy asks for the passcode each time, gets it first.
  private static func read(_ name: String, version: Int?, _ session: Session) throws(CommandError) -> CredentialSecret {
    let found = try session.unlocked { client throws(ClientError) -> CredentialSecret? in
      do throws(ClientError) { return try client.get(name, version: version, at: .nowhere) } catch {
        guard case .daemon(.noPrompt) = error else { throw error }
        return nil
      }
    }
    switch consume found {
    case .some(let secret): return secret
    case .none: return try session.readWithPasscode(name, version: version)
    }
  }

  private static func endsWithNewline(_ secret: borrowing SecretBytes) -> Bool {
    secret.count > 0 && secret.bytes[secret.count - 1] == UInt8(ascii: "\n")
  }

  private static func printAttribute(_ key: String, of name: String, _ session: Session) throws(CommandError) {
    let facts = try session.unlocked { client throws(ClientError) in try client.show(name) }
    guard let value = facts.attributes[key] else {
      throw CommandError(
        1, "NoAttribute", "'\(name.shownSafely)' has no attribute '\(key.shownSafely)'; passcode show lists those it has")
    }
    guard session.invocation.wantsJSON else {
      try Output.write(Array(Output.shown(value).utf8).span)
      if Terminal.isTerminal(1) { try Output.line("") }
      return
    }
    try Output.json { writer in
      writer.beginObject()
      writer.key("name")
      writer.string(name)
      writer.key("attributes")
      writer.strings([key: value])
      writer.endObject()
    }
  }

  /// The document goes out in three pieces, so that the secret is never in a buffer that is not locked.
  private static func writeJSON(_ found: borrowing CredentialSecret, _ name: String) throws(CommandError) {
    let text = try base64(found.secret)
    let head = """
      {
        "name": \(quoted(name)),
        "version": \(found.version),
        "type": \(found.type.map(quoted) ?? "null"),
        "encoding": "base64",
        "secret": "
      """
    try Output.write(Array(head.utf8).span)
    try Output.write(text.bytes)
    try Output.line("\"\n}")
  }

  private static func base64(_ secret: borrowing SecretBytes) throws(CommandError) -> SecretBytes {
    do {
      // One more: the encoder writes a NUL behind it.
      var text = try SecretBytes(capacity: Base64.encodedCount(secret.count) + 1)
      try Base64.encode(secret.bytes, into: &text)
      return text
    } catch {
      throw CommandError(PlatformError.secretMemory(error))
    }
  }

  private static func quoted(_ text: String) -> String {
    var writer = JSONWriter(ByteSink())
    writer.string(text)
    return String(decoding: writer.finish().bytes, as: UTF8.self)
  }
}
