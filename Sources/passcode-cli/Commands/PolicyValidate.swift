internal import Glibc
internal import PasscodeCore
internal import PasscodePlatform
internal import PasscodeWire
internal import StrictJSON

extension Verb {
  static let policyValidate = Verb(
    path: ["policy", "validate"], topic: .rest, summary: "Check a policy file, and say where its faults are",
    operands: [Operand("FILE", "the file; - is stdin", completion: .file)], options: [.asRole],
    discussion: ["Exit 0 where it is good, 78 with every fault by line and column where it is not. No daemon is asked."],
    examples: [("passcode policy validate ~/.config/passcoded/policy.json", "your own policy")],
    run: { invocation throws(CommandError) in try PolicyValidateCommand.run(invocation) })
}

enum PolicyValidateCommand {
  static func run(_ invocation: Invocation) throws(CommandError) {
    let role = try role(invocation)
    let path = invocation.operands[0]
    let bytes = try read(path)
    do {
      _ = try PolicyFile.parse(bytes.span, role: role)
    } catch {
      let faults = [error] + error.further
      let message = (["the policy file is faulty:"] + faults.map { "  " + words($0, path) }).joined(separator: "\n")
      throw CommandError(
        exitCode: WireErrorName.policyFault.exitCode, name: WireErrorName.policyFault.fullName, message: message,
        facts: [
          ("file", .text(path)), ("line", .number(error.line)), ("column", .number(error.column)),
          ("faults", .texts(faults.map(\.description))),
        ])
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
      try Output.line("\(path): good")
    }
  }

  private static func role(_ invocation: Invocation) throws(CommandError) -> PolicyRole {
    switch invocation.value(.asRole) {
    case nil, "user": return .user
    case "administrator": return .administrator
    case .some: throw .usage("--as wants user or administrator", verb: invocation.verb)
    }
  }

  private static func read(_ path: String) throws(CommandError) -> [UInt8] {
    let limit = PolicyFile.maximumByteCount
    do {
      return try Files.read(path == "-" ? "/dev/stdin" : path, limit: limit)
    } catch .file(let path, let error) where error.errno == ENOENT || error.errno == ENOTDIR {
      throw CommandError(66, "NoInput", "there is no file \(path)")
    } catch {
      throw CommandError(error)
    }
  }

  private static func words(_ fault: PolicyFileFault, _ path: String) -> String {
    let question = fault.suggestion.map { "; did you mean \"\($0)\"?" } ?? ""
    return "\(path):\(fault.line):\(fault.column): \(fault.message)\(question)"
  }
}
