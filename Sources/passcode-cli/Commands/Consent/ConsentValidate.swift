internal import ConsentCore
internal import PasscodePlatform
internal import SecretMemory
internal import StrictJSON

extension Verb {
  static let consentValidate = Verb(
    path: ["consent", "validate"], topic: .consent, summary: "Check the file of a consent form, and say where its faults are",
    operands: [
      Operand("FILE", "the form's JSON file; its texts are looked for beside it (- is stdin, without them)", completion: .file)
    ],
    discussion: [
      "Exit 0 where it is good, with its id, its version and the SHA-256 of each language's exact text; 65 with every fault by file, "
        + "line and column where it is not; 66 where there is no file. No daemon is asked. With --json: file, valid, form, version, "
        + "sha256 (by language)."
    ],
    examples: [("passcode consent validate /etc/passcoded/consent/terms.json", "before people are asked")],
    run: { invocation throws(CommandError) in try ConsentValidateCommand.run(invocation) })
}

/// The parsers of Markdown and HTML are those of `passcode-consent`, so its process reads the file.
enum ConsentValidateCommand {
  static func run(_ invocation: Invocation) throws(CommandError) {
    let operand = invocation.operands[0] == "/dev/stdin" ? "-" : invocation.operands[0]
    let path = operand == "-" ? "stdin" : operand
    let report = try PaperHelper.run("passcode-consent", try arguments(operand), on: try input(operand, invocation))
    guard report.code == 0 else {
      throw CommandError(
        70, "Internal", report.message.isEmpty ? "passcode-consent gave no report on the file" : report.message)
    }
    let catalog: ConsentCatalog
    do { catalog = try ConsentCatalog.parse(report.output.span, origin: .administrator) } catch {
      throw CommandError(70, "Internal", "passcode-consent's report was not understood; it may be of another release")
    }
    guard let form = catalog.forms.first, catalog.faults.isEmpty else { throw failure(path, catalog.faults) }
    try tell(form, path, invocation)
    if operand != "-" { warnOfMode(operand, invocation) }
  }

  /// What is good as a text may still be refused where it lies.
  private static func warnOfMode(_ path: String, _ invocation: Invocation) {
    guard let status = (try? Files.status(of: path)) ?? nil, status.mode & 0o022 != 0 else { return }
    Output.note(
      "warning: group or others can write to it, so it is refused in a folder of forms; run: chmod go-w \(ShellWord.quoted(path))",
      unless: invocation.isQuiet)
  }

  /// The helper's process need not start in this folder.
  private static func arguments(_ operand: String) throws(CommandError) -> [String] {
    if operand == "-" { return ["check"] }
    guard ((try? Files.status(of: operand)) ?? nil) != nil else {
      throw CommandError(66, "NoInput", "there is no file \(operand.shownSafely)")
    }
    do { return ["check", try PathParts.absolute(operand)] } catch { throw CommandError(error) }
  }

  private static func input(_ operand: String, _ invocation: Invocation) throws(CommandError) -> [UInt8] {
    if operand != "-" { return [] }
    if Terminal.isTerminal(0) { throw .usage("this is no text to type; name a file, or pipe it in", verb: invocation.verb) }
    do { return try FileDescriptor(owning: 0).readAll(limit: ConsentFormFile.maximumByteCount) } catch {
      throw CommandError(error)
    }
  }

  private static func tell(_ form: ConsentForm, _ path: String, _ invocation: Invocation) throws(CommandError) {
    let digests = form.digests.map { ($0.key.description, $0.value.hex) }
    guard invocation.wantsJSON else {
      try Output.line("\(Output.shown(path)): good")
      let rows = digests.sorted { $0.0 < $1.0 }.map { [form.id.description, form.version.description, $0.0, $0.1] }
      return try Output.lines(Words.table(rows))
    }
    try Output.json { writer in
      writer.beginObject()
      writer.text("file", path)
      writer.key("valid")
      writer.bool(true)
      writer.text("form", form.id.description)
      writer.text("version", form.version.description)
      writer.key("sha256")
      writer.strings(Dictionary(uniqueKeysWithValues: digests))
      writer.endObject()
    }
  }

  private static func failure(_ path: String, _ faults: [ConsentFileFault]) -> CommandError {
    let (directory, _) = PathParts.split(path)
    let folder = path.contains("/") ? (directory == "/" ? "" : directory) + "/" : ""
    let lines = faults.map { fault in
      let question = fault.suggestion.map { "; did you mean \"\($0)\"?" } ?? ""
      return "\(folder)\(fault.file):\(fault.line):\(fault.column): \(fault.message)\(question)"
    }
    var facts: [(key: String, value: CommandError.Fact)] = [("file", .text(path))]
    if let first = faults.first { facts += [("line", .number(first.line)), ("column", .number(first.column))] }
    facts.append(("faults", .texts(lines)))
    var error = CommandError(65, "FaultyForm", "the form is faulty:")
    error.details = lines
    error.facts = facts
    return error
  }
}
