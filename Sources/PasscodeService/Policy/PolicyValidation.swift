internal import ConsentCore
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
  ///
  /// - Parameters:
  ///   - forms: the folder of the administrator's consent forms: an administrator's gates are compared with it.
  ///   - helper: what reads that folder.
  public static func report(
    on path: String, asAdministrator: Bool, forms: String = "/etc/passcoded/consent", helper: ConsentHelper = ConsentHelper()
  ) -> Report {
    let role: PolicyRole = asAdministrator ? .administrator : .user
    let faults: [FaultyPolicyFile]
    var exitCode: Int32 = 78
    switch path == "-" ? PolicyFileContent(standardInputAs: role) : PolicyFileContent(path, role) {
    case .absent:
      faults = [FaultyPolicyFile(path, "no such file")]
      exitCode = 66
    case .faulty(let found): faults = found
    case .good(let file, let text): faults = unavailable(file, text) + unopenable(file, text, forms, helper)
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

  /// The gates of an administrator's policy that no form of his opens.
  private static func unopenable(
    _ file: PolicyFile, _ text: PolicyText, _ folder: String, _ helper: ConsentHelper
  ) -> [FaultyPolicyFile] {
    guard file.role == .administrator else { return [] }
    let gates = EffectivePolicy.merge(administrator: file, user: nil).policy.consent.gates
    if gates.isEmpty { return [] }
    let catalog: ConsentCatalog
    do throws(ConsentHelperFault) { catalog = try helper.read(folder, .administrator) } catch {
      return [FaultyPolicyFile(text.path, "nobody can tell whether its gates open: \(error.words)")]
    }
    let known = Set(catalog.forms.map(\.id.description))
    let faulty = catalog.faults.first.map { "; \($0.file) in it is faulty: passcode consent validate tells more" } ?? ""
    return gates.filter { !known.contains($0.form) }.map { gate in
      FaultyPolicyFile(
        text, "the gate stays closed: no form in \(folder) has the id \"\(gate.form)\"\(faulty)", gate: gate.form)
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
