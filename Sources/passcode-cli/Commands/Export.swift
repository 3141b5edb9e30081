internal import Glibc
internal import PasscodeClient
internal import PasscodePlatform
internal import PasscodeWire
internal import SecretMemory
internal import StrictJSON

extension Verb {
  static let export = Verb(
    path: ["export"], topic: .credentials, summary: "Take every credential out, secrets in clear",
    operands: [Operand("FILE", "where they go (- is stdout)", completion: .file)],
    options: [.salvage, .replaceFile] + Option.current,
    discussion: [
      "Takes the passcode, whether the store is unlocked or not. One JSON object a line: name, type, attributes, createdAt, modifiedAt, "
        + "encoding (base64), secret. Earlier values stay behind. passcode import reads it.",
      "Whoever has the file has all secrets: it is for you alone, and is written whole or not at all.",
      "A damaged store ends with exit 78, unless --salvage is given: then what is whole is taken out, and what is not is told on stderr.",
    ],
    examples: [
      ("passcode export - | gpg -c -o all.gpg", "into a file that another passphrase closes"),
      ("passcode export --salvage rest.jsonl", "what is whole of a damaged store"),
    ],
    run: { invocation throws(CommandError) in try ExportCommand.run(invocation) })
}

enum ExportCommand {
  static func run(_ invocation: Invocation) throws(CommandError) {
    let path = invocation.operands[0]
    if path != "-" { try refuseWhatStands(path, invocation) }
    let session = try Session(invocation)
    if session.status.state == .absent { throw CommandError(WireError.noStore) }
    let passcode = try session.passcode("Passcode to take every secret out: ")
    let facts = path == "-" ? try print(passcode, session) : try write(path, passcode, session)
    report(facts, path, session)
  }

  private static func refuseWhatStands(_ path: String, _ invocation: Invocation) throws(CommandError) {
    guard let status = (try? Files.status(of: path, followingLink: false)) ?? nil else { return }
    if status.kind != .file { throw CommandError(73, "Exists", "\(path.shownSafely) is no regular file, and stays") }
    if !invocation.has(.replaceFile) { throw exists(path) }
  }

  private static func exists(_ path: String) -> CommandError {
    CommandError(73, "Exists", "\(path.shownSafely) exists; --replace replaces it")
  }

  private static func print(_ passcode: borrowing SecretBytes, _ session: Session) throws(CommandError) -> ExportFacts {
    try take(passcode, session) { bytes throws(CommandError) in try Output.write(bytes) }
  }

  private static func write(
    _ path: String, _ passcode: borrowing SecretBytes, _ session: Session
  ) throws(CommandError) -> ExportFacts {
    let file = try begin(path)
    let facts = try fill(file, passcode, session)
    do {
      try file.commit(overwriting: session.invocation.has(.replaceFile))
    } catch .file(_, let error) where error.errno == EEXIST {
      throw exists(path)
    } catch {
      throw CommandError(error)
    }
    return facts
  }

  private static func begin(_ path: String) throws(CommandError) -> AtomicFile {
    do { return try AtomicFile(replacing: path) } catch { throw CommandError(error) }
  }

  private static func fill(
    _ file: borrowing AtomicFile, _ passcode: borrowing SecretBytes, _ session: Session
  ) throws(CommandError) -> ExportFacts {
    try take(passcode, session) { bytes throws(CommandError) in
      do throws(PlatformError) { try file.write(bytes) } catch { throw CommandError(error) }
    }
  }

  /// Writes a line for each credential: each secret goes from locked memory to the descriptor, through no other buffer.
  private static func take(
    _ passcode: borrowing SecretBytes, _ session: Session, _ write: (Span<UInt8>) throws(CommandError) -> Void
  ) throws(CommandError) -> ExportFacts {
    var failure: CommandError?
    let salvages = session.invocation.has(.salvage)
    do {
      return try session.client.export(passcode, salvages: salvages) { (credential, secret) throws(ClientError) in
        do throws(CommandError) {
          let text = try base64(secret)
          let head = ExportLine.head(credential)
          try write(head.span)
          try write(text.bytes)
          try write(ExportLine.tail.span)
        } catch {
          failure = error
          throw .disconnected
        }
      }
    } catch {
      throw failure ?? session.failure(error)
    }
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

  private static func report(_ facts: ExportFacts, _ path: String, _ session: Session) {
    let credentials = Words.count(facts.count, "credential", "credentials")
    session.note("took out \(credentials)" + (path == "-" ? "" : " into \(path.shownSafely)"))
    session.note("the secrets are in clear there: whoever can read them has them all")
    // What is lost is no note that a script can do without.
    for hurt in facts.hurt {
      let fate = hurt.harm.isToldAllTheSame ? "taken, look at it" : "not taken"
      Output.note("\(fate): \(HurtWords.text(hurt))", unless: false)
    }
    if facts.hurtCount > facts.hurt.count { Output.note("and \(facts.hurtCount - facts.hurt.count) more", unless: false) }
    if facts.gaps > 0 {
      let parts = Words.count(facts.gaps, "part of the file", "parts of the file")
      Output.note("not taken: what lay in \(parts) that can't be read", unless: false)
    }
  }
}

/// One credential as a line of an export, without its secret.
enum ExportLine {
  static let tail = Array("\"}\n".utf8)

  /// Everything before the secret's base64.
  static func head(_ credential: WireCredential) -> [UInt8] {
    var writer = JSONWriter(ByteSink())
    writer.beginObject()
    writer.key("name")
    writer.string(credential.name)
    if let type = credential.type {
      writer.key("type")
      writer.string(type)
    }
    writer.key("attributes")
    writer.strings(credential.attributes)
    writer.key("createdAt")
    writer.integer(credential.createdAt)
    writer.key("modifiedAt")
    writer.integer(credential.modifiedAt)
    writer.key("encoding")
    writer.string("base64")
    writer.key("secret")
    writer.string("")
    let bytes = Array(writer.abandon().bytes.dropLast())
    guard Output.isTerminal else { return bytes }
    return Array(String(decoding: bytes, as: UTF8.self).shownAsJSON.utf8)
  }
}
