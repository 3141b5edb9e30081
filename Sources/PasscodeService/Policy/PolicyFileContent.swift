internal import PasscodeCore
internal import PasscodePlatform
internal import PasscodeValidators

/// What stands at the path of a policy file.
enum PolicyFileContent {
  /// Nothing.
  case absent
  /// A good file.
  case good(PolicyFile)
  /// Something that can't be read as one: every fault, the first one of the text first.
  case faulty([FaultyPolicyFile])

  /// Reads a file.
  init(_ path: String, _ role: PolicyRole) {
    do throws(PlatformError) {
      guard let status = try Files.status(of: path) else {
        self = .absent
        return
      }
      // Opening a pipe would wait for somebody to write.
      guard status.kind == .file else {
        self = .faulty([FaultyPolicyFile(path, "it is not a regular file")])
        return
      }
      self = Self.parsed(try Files.read(path, limit: PolicyFile.maximumByteCount), path, role)
    } catch {
      self = .faulty([FaultyPolicyFile(path, Self.words(error))])
    }
  }

  private static func parsed(_ bytes: [UInt8], _ path: String, _ role: PolicyRole) -> PolicyFileContent {
    do throws(PolicyFileFault) {
      return .good(try PolicyFile.parse(bytes.span, role: role, patterns: PCRE2Patterns()))
    } catch {
      return .faulty(([error] + error.further).map { FaultyPolicyFile(path, $0) })
    }
  }

  /// What is wrong, without the path.
  private static func words(_ error: PlatformError) -> String {
    if case .file(_, let error) = error { return "\(error)" }
    return "\(error)"
  }
}
