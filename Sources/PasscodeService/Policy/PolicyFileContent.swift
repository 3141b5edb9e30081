internal import Glibc
internal import PasscodeCore
internal import PasscodePlatform
internal import PasscodeValidators

/// What stands at the path of a policy file.
enum PolicyFileContent {
  /// Nothing.
  case absent
  /// A good file.
  case good(PolicyFile, PolicyText)
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
      if let words = Self.stranger(status, role) {
        self = .faulty([FaultyPolicyFile(path, words)])
        return
      }
      self = Self.parsed(try Files.read(path, limit: PolicyFile.maximumByteCount), path, role)
    } catch {
      self = .faulty([FaultyPolicyFile(path, Self.words(error))])
    }
  }

  /// Who else could have written it; nil where nobody could. A group may write to a user's own file: many systems give each user
  /// one.
  private static func stranger(_ status: FileStatus, _ role: PolicyRole) -> String? {
    let owner = role == .administrator ? "root" : "you"
    if status.owner != 0, status.owner != geteuid() { return "it belongs to uid \(status.owner), and not to \(owner)" }
    let refused: UInt32 = role == .administrator ? 0o022 : 0o002
    guard status.mode & refused != 0 else { return nil }
    return "others can write to it (mode \(String(status.mode, radix: 8))); run: chmod go-w"
  }

  /// Reads a file's text from standard input.
  init(standardInputAs role: PolicyRole) {
    let input = FileDescriptor(owning: 0)
    let content: PolicyFileContent
    do throws(PlatformError) {
      content = Self.parsed(try input.readAll(limit: PolicyFile.maximumByteCount), "-", role)
    } catch {
      content = .faulty([FaultyPolicyFile("-", Self.words(error))])
    }
    _ = input.take()
    self = content
  }

  private static func parsed(_ bytes: [UInt8], _ path: String, _ role: PolicyRole) -> PolicyFileContent {
    do throws(PolicyFileFault) {
      return .good(
        try PolicyFile.parse(bytes.span, role: role, patterns: PCRE2Patterns()), PolicyText(path: path, bytes: bytes))
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
