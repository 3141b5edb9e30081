internal import PasscodeClient
internal import PasscodePlatform
internal import PasscodeWire
internal import SecretMemory
internal import StrictJSON

extension Verb {
  static let importing = Verb(
    path: ["import"], topic: .credentials, summary: "Keep every credential of a file that export wrote",
    operands: [Operand("FILE", "one JSON object a line (- is stdin)", completion: .file)],
    options: [.replaceExisting, .skipExisting] + Option.current,
    discussion: [
      "Reads what passcode export writes: name, encoding (base64) and secret have to be there; type, attributes, createdAt and modifiedAt "
        + "may be. Times begin anew. All of it is read before anything is kept: one faulty line, and nothing is imported.",
      "Where a name is taken, exit 73, and nothing is imported, unless --replace or --skip-existing is given. Through a pipe at most "
        + "2 MiB, from a file as much as there is.",
      "Exit 65 for a faulty line. With --json: imported, replaced, skipped.",
    ],
    examples: [
      ("passcode import all.jsonl --skip-existing", "what is not there yet"),
      ("gpg -d all.gpg | passcode import -", "from a file that another passphrase opens"),
    ],
    run: { invocation throws(CommandError) in try ImportCommand.run(invocation) })
}

enum ImportCommand {
  private struct Counts {
    var imported = 0
    var replaced = 0
    var skipped = 0
    var all: Int { imported + replaced }
  }

  static func run(_ invocation: Invocation) throws(CommandError) {
    try invocation.requireOne(of: .replaceExisting, .skipExisting)
    let source = try InputSource(invocation.operands[0], invocation)
    if source.descriptor == 0, try GivenPasscode.readsStandardInput(invocation) {
      throw .usage("the credentials and the passcode can't both come from stdin", verb: invocation.verb)
    }
    var lines = try SecretLines(source)
    // By bytes: two texts that Unicode takes for equal are two names.
    let names = try check(&lines, source.name)
    let session = try Session(invocation)
    let existing = try existing(names, session)
    if !existing.isEmpty, !invocation.has(.skipExisting), !invocation.has(.replaceExisting) { throw taken(existing) }
    let counts = try keep(&lines, existing: Set(existing), source.name, session)
    try report(counts, session)
  }

  /// Reads it all once, to the last byte of each secret.
  private static func check(_ lines: inout SecretLines, _ file: String) throws(CommandError) -> [[UInt8]] {
    var names: [[UInt8]] = []
    var known: Set<[UInt8]> = []
    while try lines.next({ (line, number) throws(CommandError) in
      let credential = try read(line, number, file)
      let name = Array(credential.name.utf8)
      guard known.insert(name).inserted else {
        throw fault(file, number, 1, "the name '\(credential.name.shownSafely)' is in the file twice")
      }
      names.append(name)
    }) {}
    return names
  }

  private static func read(_ line: Span<UInt8>, _ number: Int, _ file: String) throws(CommandError) -> ImportedCredential {
    do throws(ImportFault) { return try ImportedCredential(line) } catch {
      throw fault(file, number, error.column(in: line), error.reason)
    }
  }

  static func fault(_ file: String, _ line: Int, _ column: Int, _ reason: String) -> CommandError {
    var error = CommandError(
      65, "MalformedImport", "\(file.shownSafely):\(line):\(column): \(reason); nothing was imported")
    error.facts = [("file", .text(file)), ("line", .number(line)), ("column", .number(column))]
    return error
  }

  /// Those of the names that are taken, in the file's order.
  private static func existing(_ names: [[UInt8]], _ session: Session) throws(CommandError) -> [[UInt8]] {
    let all = try session.unlocked { client throws(ClientError) in try client.list() }
    let taken = Set(all.map { Array($0.name.utf8) })
    return names.filter(taken.contains)
  }

  private static func taken(_ names: [[UInt8]]) -> CommandError {
    let shown = names.prefix(3).map { "'\(String(decoding: $0, as: UTF8.self).shownSafely)'" }.joined(separator: ", ")
    let rest = names.count > 3 ? " and \(names.count - 3) more" : ""
    return CommandError(
      73, "Exists",
      "\(shown)\(rest) exist already, nothing was imported; add --skip-existing, or --replace to give them the new value")
  }

  private static func keep(
    _ lines: inout SecretLines, existing: Set<[UInt8]>, _ file: String, _ session: Session
  ) throws(CommandError) -> Counts {
    try lines.rewind()
    var counts = Counts()
    let replaces = session.invocation.has(.replaceExisting)
    do throws(CommandError) {
      while try lines.next({ (line, number) throws(CommandError) in
        let credential = try read(line, number, file)
        let isThere = existing.contains(Array(credential.name.utf8))
        if isThere, !replaces {
          counts.skipped += 1
          return
        }
        let receipt = try session.unlocked { client throws(ClientError) in
          try client.put(
            credential.name, credential.secret, attributes: credential.attributes, type: credential.type ?? "",
            replaces: replaces)
        }
        if receipt.isNew { counts.imported += 1 } else { counts.replaced += 1 }
      }) {}
    } catch {
      throw error.saying("\(error.message); before that, \(Words.count(counts.all, "credential was", "credentials were")) kept")
    }
    return counts
  }

  private static func report(_ counts: Counts, _ session: Session) throws(CommandError) {
    guard session.invocation.wantsJSON else {
      let replaced = counts.replaced > 0 ? ", \(counts.replaced) replaced" : ""
      let skipped = counts.skipped > 0 ? ", \(counts.skipped) left as they were" : ""
      return session.note("\(Words.count(counts.imported, "credential", "credentials")) imported\(replaced)\(skipped)")
    }
    try Output.json { writer in
      writer.beginObject()
      for (key, count) in [("imported", counts.imported), ("replaced", counts.replaced), ("skipped", counts.skipped)] {
        writer.key(key)
        writer.integer(count)
      }
      writer.endObject()
    }
  }
}
