internal import Glibc
internal import PasscodeClient
internal import PasscodePlatform
internal import PasscodeWire
internal import SecretMemory
internal import StrictJSON

extension Verb {
  static let put = Verb(
    path: ["put"], topic: .credentials, summary: "Keep a secret under a name",
    operands: [.credential],
    options: [.attributes, .type, .noReplace, .trimNewline, .multiline] + Option.current,
    discussion: [
      "The secret comes from standard input, byte for byte, up to 1 MiB; on a terminal it is asked for, hidden. The value "
        + "that it replaces is kept in the history. Without --attr the attributes stay as they were; with it they are these.",
      "A newline at the end of standard input is kept, and said; --trim-newline leaves it out. So is an empty secret.",
      "Exit 65 for a secret over 1 MiB, 73 where the name is taken and --no-replace is given, 75 where the store is locked and "
        + "nobody can be asked. With --json: name, version, created.",
    ],
    examples: [
      ("printf %s \"$TOKEN\" | passcode put work/api/token --attr env=prod", "from a program"),
      ("passcode put work/tls/key < key.pem", "a file"),
      ("passcode put work/tls/key --multiline", "several lines, typed or pasted at the terminal, hidden"),
    ],
    run: { invocation throws(CommandError) in try PutCommand.run(invocation) })
}

extension Operand {
  static let credential = Operand("NAME", "the credential's name, a path such as work/aws/prod", completion: .credential)
}

enum PutCommand {
  static let limit = 1 << 20

  static func run(_ invocation: Invocation) throws(CommandError) {
    let name = invocation.operands[0]
    let attributes = invocation.has(.attributes) ? try pairs(invocation.values(.attributes), invocation) : nil
    let isTyped = Terminal.isTerminal(0)
    if !isTyped, try GivenPasscode.readsStandardInput(invocation) {
      throw .usage("the secret and the passcode can't both come from stdin", verb: invocation.verb)
    }
    let secret = isTyped ? nil : try read(invocation)
    let session = try Session(invocation)
    let value = if let secret = consume secret { secret } else { try ask(name, session) }
    if value.isEmpty { session.note("the secret is empty, and kept so") }
    let receipt = try session.replacing("leave out --no-replace to replace it") { () throws(CommandError) in
      try session.unlocked { client throws(ClientError) in
        try client.put(
          name, value, attributes: attributes, type: invocation.value(.type), replaces: !invocation.has(.noReplace))
      }
    }
    try report(receipt, name, session)
  }

  /// `K=V` each; a key that comes twice is a slip.
  static func pairs(_ texts: [String], _ invocation: Invocation) throws(CommandError) -> [String: String] {
    var pairs: [String: String] = [:]
    for text in texts {
      let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
      guard parts.count == 2 else { throw .usage("'\(text.shownSafely)' is no K=V", verb: invocation.verb) }
      guard pairs.updateValue(parts[1], forKey: parts[0]) == nil else {
        throw .usage("the attribute '\(parts[0].shownSafely)' is given twice", verb: invocation.verb)
      }
    }
    return pairs
  }

  private static func read(_ invocation: Invocation) throws(CommandError) -> SecretBytes {
    var secret: SecretBytes
    let trims = invocation.has(.trimNewline)
    do {
      // What is left out does not count.
      secret = try SecretInput.readValue(descriptor: 0, limit: trims ? limit + 1 : limit)
    } catch .tooLong {
      throw CommandError(WireError.tooLarge(limit: limit))
    } catch .system(let error) where error.errno == EBADF {
      throw CommandError(66, "NoInput", "stdin is not open")
    } catch {
      throw CommandError(error)
    }
    let endsWithNewline = secret.count > 0 && secret.bytes[secret.count - 1] == UInt8(ascii: "\n")
    if endsWithNewline, trims { secret.truncate(to: secret.count - 1) }
    guard secret.count <= limit else { throw CommandError(WireError.tooLarge(limit: limit)) }
    if endsWithNewline, !trims {
      Output.note(
        "the secret ends with a newline, which is kept; --trim-newline leaves it out", unless: invocation.isQuiet)
    }
    return secret
  }

  private static func ask(_ name: String, _ session: Session) throws(CommandError) -> SecretBytes {
    guard let dialogue = try session.terminal() else { throw .nobodyToAsk }
    // Nobody should type a secret that can't be stored then.
    try session.unlockIfNeeded()
    let isMultiline = session.invocation.has(.multiline)
    let ending = isMultiline ? " (end with Ctrl-D on a line of its own)" : ""
    return try dialogue.value("Secret for \(name.shownSafely)\(ending): ", isMultiline: isMultiline)
  }

  private static func report(_ receipt: PutReceipt, _ name: String, _ session: Session) throws(CommandError) {
    guard session.invocation.wantsJSON else {
      return session.note("\(receipt.isNew ? "stored" : "replaced") '\(name.shownSafely)', version \(receipt.version)")
    }
    try Output.json { writer in
      writer.beginObject()
      writer.key("name")
      writer.string(name)
      writer.key("version")
      writer.integer(receipt.version)
      writer.key("created")
      writer.bool(receipt.isNew)
      writer.endObject()
    }
  }
}
