internal import PasscodePlatform
internal import PasscodeWire
internal import SecretMemory
internal import StrictJSON

extension Verb {
  static let breachListImport = Verb(
    path: ["breach-list", "import"], topic: .rest, summary: "Make a breach list ready for the policy's breachList",
    operands: [
      Operand("SOURCE", "the list sorted by SHA-1 (- is stdin), or the directory of the range files", completion: .file)
    ],
    options: [.to],
    discussion: [
      "Reads what Have I Been Pwned publishes for use offline: one text file of SHA1:COUNT lines sorted by hash, or the "
        + "directory of the 1,048,576 range files. Writes an index of 8 bytes an entry, which everybody may read, in one piece "
        + "or not at all. Nothing is sent anywhere, and no daemon is started: the program passcoded does it and ends.",
      "A policy names the index: {\"validators\": [{\"type\": \"breachList\", \"path\": \"/var/lib/passcoded/breaches\"}]}",
    ],
    examples: [
      ("passcode breach-list import pwned-passwords-sha1.txt --to ~/.local/share/passcoded/breaches", "for your own policy"),
      ("zstdcat pwned-passwords-sha1.txt.zst | passcode breach-list import - --to ./breaches", "from a packed list"),
    ],
    run: { invocation throws(CommandError) in try BreachListImportCommand.run(invocation) })
}

/// The index is the validators' to make, and they are linked into the daemon's program.
enum BreachListImportCommand {
  static func run(_ invocation: Invocation) throws(CommandError) {
    guard let destination = invocation.value(.to) else {
      throw .usage("say where the index goes: --to FILE", verb: invocation.verb)
    }
    let isShown = Terminal.isTerminal(2) && !invocation.isQuiet && !invocation.wantsJSON
    let source = try InputSource(invocation.operands[0], invocation)
    let (entries, message, exitCode) = try importing(source, destination, isShown)
    guard exitCode == 0, let entries else { throw failure(exitCode, message) }
    if invocation.wantsJSON {
      try Output.json { writer in
        writer.beginObject()
        writer.key("file")
        writer.string(destination)
        writer.key("entries")
        writer.integer(entries)
        writer.endObject()
      }
    } else {
      try Output.line("\(Output.shown(destination)): \(Words.count(entries, "entry", "entries"))")
    }
  }

  private static func importing(
    _ source: InputSource, _ destination: String, _ isShown: Bool
  ) throws(CommandError) -> (entries: Int?, message: String?, exitCode: Int32) {
    do {
      guard let program = try ExecutablePath.companion(named: "passcoded") else {
        throw CommandError(
          69, "NoDaemon", "passcoded imports breach lists, and is neither beside this program nor in ../libexec")
      }
      var child = try Spawn.child(
        program, arguments: ["--import-breach-list", source.argument, "--to", destination],
        environment: ProcessEnvironment.current().forDaemon, reading: source.descriptor)
      child.closeInput()
      let last = try follow(child.output, isShown)
      guard case .exited(let code) = try child.wait() else { return (nil, nil, 70) }
      return (last?.integer(WireField("entries")), last?.string(.message), code)
    } catch let error as CommandError {
      throw error
    } catch let error as PlatformError {
      throw CommandError(error)
    } catch {
      throw CommandError(70, "Internal", "\(error)")
    }
  }

  /// Reads the reports, a line each, to the end.
  ///
  /// - Returns: the last one.
  private static func follow(_ output: borrowing FileDescriptor, _ isShown: Bool) throws -> JSONNode? {
    var text = try SecretBytes(capacity: 16_384)
    var last: JSONNode?
    while try output.read(into: &text) > 0 {
      while let end = text.bytes.indices.first(where: { text.bytes[$0] == UInt8(ascii: "\n") }) {
        last = try JSONDocument.parse(text.bytes.extracting(first: end))
        text.removeFirst(end + 1)
        if isShown, let last { show(last) }
      }
    }
    if isShown { Output.transient("") }
    return last
  }

  private static func show(_ report: JSONNode) {
    guard let entries = report.integer(WireField("entries")), let completed = report.integer(WireField("completed")),
      let total = report.integer(WireField("total"))
    else { return }
    let share = total > 0 ? ", \(completed * 100 / total) %" : ""
    Output.transient("passcode: \(Words.count(entries, "entry", "entries"))\(share)")
  }

  private static func failure(_ exitCode: Int32, _ message: String?) -> CommandError {
    guard let message else {
      return CommandError(70, "Internal", "passcoded gave no report on the import; it may be of another release")
    }
    let name =
      switch exitCode {
      case 64: "Usage"
      case 65: "MalformedList"
      case 66: "NoInput"
      case 73: "NotAFile"
      default: "System"
      }
    return CommandError(exitCode, name, message)
  }
}
