internal import PasscodePlatform
internal import PasscodeWire
internal import StrictJSON

extension Verb {
  static let policyValidate = Verb(
    path: ["policy", "validate"], topic: .rest, summary: "Check a policy file, and say where its faults are",
    operands: [Operand("FILE", "the policy file (- is stdin)", completion: .file)], options: [.asRole],
    discussion: [
      "Exit 0 where it is good, 78 with every fault by line and column where it is not, 66 where there is none. No daemon "
        + "is started: the program passcoded looks through the file and ends."
    ],
    examples: [("passcode policy validate ~/.config/passcoded/policy.json", "your own policy")],
    run: { invocation throws(CommandError) in try PolicyValidateCommand.run(invocation) })
}

/// The patterns and lists that a policy names are the daemon's to judge, so its program does; linking them in here would
/// make every other verb start slower.
enum PolicyValidateCommand {
  private struct Fault {
    let line: Int?
    let column: Int?
    let message: String
  }

  static func run(_ invocation: Invocation) throws(CommandError) {
    let role = invocation.value(.asRole) ?? "user"
    guard role == "user" || role == "administrator" else {
      throw .usage("--as wants user or administrator", verb: invocation.verb)
    }
    let source = try InputSource(invocation.operands[0], invocation)
    let path = source.name
    let (report, exitCode) = try report(on: source, role)
    let faults = try faults(in: report)
    if exitCode == 66 { throw CommandError(66, "NoInput", "there is no file \(path)") }
    guard exitCode == 0, faults.isEmpty else {
      var failure = failure(path, faults)
      failure.details += hint(source, faults, invocation)
      throw failure
    }
    if invocation.wantsJSON {
      try Output.json { writer in
        writer.beginObject()
        writer.key("file")
        writer.string(path)
        writer.key("valid")
        writer.bool(true)
        writer.endObject()
      }
    } else {
      try Output.line("\(Output.shown(path)): good")
    }
  }

  /// Where nobody said whose file it is, and as the administrator's it is better.
  private static func hint(_ source: InputSource, _ faults: [Fault], _ invocation: Invocation) -> [String] {
    // What is piped in is gone.
    guard !invocation.has(.asRole), source.descriptor == nil, let other = try? report(on: source, "administrator"),
      let others = try? Self.faults(in: other.text), others.count < faults.count
    else { return [] }
    let verdict = others.isEmpty ? "good" : "less faulty"
    return [
      "as an administrator's file it is \(verdict): passcode policy validate --as administrator \(ShellWord.quoted(source.name))"
    ]
  }

  private static func report(on source: InputSource, _ role: String) throws(CommandError) -> (text: [UInt8], exitCode: Int32) {
    do {
      guard let program = try ExecutablePath.companion(named: "passcoded") else {
        throw CommandError(
          69, "NoDaemon", "passcoded checks policy files, and is neither beside this program nor in ../libexec")
      }
      return try run(program, ["--validate-policy", source.argument, "--as", role], reading: source.descriptor)
    } catch let error as CommandError {
      throw error
    } catch let error as PlatformError {
      throw CommandError(error)
    } catch {
      throw CommandError(70, "Internal", "\(error)")
    }
  }

  private static func run(
    _ program: String, _ arguments: [String], reading descriptor: Int32?
  ) throws(PlatformError) -> ([UInt8], Int32) {
    var child = try Spawn.child(
      program, arguments: arguments, environment: ProcessEnvironment.current().forDaemon, reading: descriptor)
    child.closeInput()
    let text = try child.output.readAll(limit: 1 << 20)
    guard case .exited(let code) = try child.wait() else { return ([], 70) }
    return (text, code)
  }

  private static func faults(in report: [UInt8]) throws(CommandError) -> [Fault] {
    guard let root = try? JSONDocument.parse(report.span), case .array(let nodes) = root[WireField("faults")]?.value else {
      throw CommandError(70, "Internal", "passcoded gave no report on the file; it may be of another release")
    }
    return nodes.map {
      Fault(line: $0.integer(.line), column: $0.integer(.column), message: $0.string(.message) ?? "faulty")
    }
  }

  private static func failure(_ path: String, _ faults: [Fault]) -> CommandError {
    let lines = faults.map { fault in
      "  \(path)\(fault.line.map { ":\($0)" } ?? "")\(fault.column.map { ":\($0)" } ?? ""): \(fault.message)"
    }
    var facts: [(key: String, value: CommandError.Fact)] = [("file", .text(path))]
    if let line = faults.first?.line { facts.append(("line", .number(line))) }
    if let column = faults.first?.column { facts.append(("column", .number(column))) }
    facts.append(("faults", .texts(lines.map { String($0.dropFirst(2)) })))
    return CommandError(
      exitCode: WireErrorName.policyFault.exitCode, name: WireErrorName.policyFault.fullName,
      message: "the policy file is faulty:", details: lines, facts: facts)
  }
}
