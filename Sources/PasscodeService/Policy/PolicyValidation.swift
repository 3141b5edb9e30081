internal import PasscodeCore
internal import PasscodePlatform
internal import PasscodeValidators
internal import StrictJSON

/// Looks through a policy file without putting it in force.
public enum PolicyValidation {
  /// What was found.
  public struct Report: Sendable {
    /// One JSON document: `{"file", "role", "valid", "faults": [{"line"?, "column"?, "message"}]}`.
    public let json: String
    /// 0 for a good file, 66 where there is none, 78 for a faulty one.
    public let exitCode: Int32
  }

  /// Looks through a file as the one of a role; `-` is standard input.
  public static func report(on path: String, asAdministrator: Bool) -> Report {
    let role: PolicyRole = asAdministrator ? .administrator : .user
    let faults: [FaultyPolicyFile]
    var exitCode: Int32 = 78
    switch path == "-" ? PolicyFileContent(standardInputAs: role) : PolicyFileContent(path, role) {
    case .absent:
      faults = [FaultyPolicyFile(path, "no such file")]
      exitCode = 66
    case .faulty(let found): faults = found
    case .good(let file, let text): faults = unavailable(file, text)
    }
    if faults.isEmpty { exitCode = 0 }
    return Report(json: json(path, role, faults), exitCode: exitCode)
  }

  /// What the file names and is not there.
  private static func unavailable(_ file: PolicyFile, _ text: PolicyText) -> [FaultyPolicyFile] {
    let isAdministrators = file.role == .administrator
    let (administrator, user) = isAdministrators ? (file, nil) : (nil, file)
    do {
      _ = try PolicyAssembly(PersonalFacts()).policy(administrator, user, files: [])
      let policy = EffectivePolicy.merge(administrator: administrator, user: user).policy
      let validators = try BuiltInValidators.make(for: policy, facts: PersonalFacts())
      return validators.compactMap { $0 as? CommandValidator }.compactMap { command in
        command.obstacle.map { FaultyPolicyFile(text, $0, at: command.path) }
      }
    } catch {
      return [FaultyPolicyFile(text, "\(error)", at: PolicyText.path(in: error))]
    }
  }

  private static func json(_ path: String, _ role: PolicyRole, _ faults: [FaultyPolicyFile]) -> String {
    var writer = JSONWriter(ByteSink())
    writer.beginObject()
    writer.key("file")
    writer.string(path)
    writer.key("role")
    writer.string(role == .administrator ? "administrator" : "user")
    writer.key("valid")
    writer.bool(faults.isEmpty)
    writer.key("faults")
    writer.beginArray()
    for fault in faults { write(fault, to: &writer) }
    writer.endArray()
    writer.endObject()
    return String(decoding: writer.finish().bytes, as: UTF8.self)
  }

  private static func write(_ fault: FaultyPolicyFile, to writer: inout JSONWriter<ByteSink>) {
    writer.beginObject()
    if let line = fault.line, let column = fault.column {
      writer.key("line")
      writer.integer(line)
      writer.key("column")
      writer.integer(column)
    }
    writer.key("message")
    writer.string(fault.message)
    writer.endObject()
  }
}
