internal import StrictJSON

/// Whose policy file it is.
public enum PolicyRole: Sendable {
  /// `/etc/passcoded/policy.json`: what it names is a floor.
  case administrator
  /// The user's, or the one of `--policy`: it can only tighten what the administrator's names.
  case user
}

/// A policy file that was read and found good.
public struct PolicyFile: Sendable, Equatable {
  /// The largest file, in bytes.
  public static let maximumByteCount = 1 << 20

  /// Whose it is.
  public let role: PolicyRole
  /// The preset that it starts from.
  public let preset: PolicyPreset?
  /// Its values, over those of the preset, over the defaults.
  public let policy: PasscodePolicy
  /// The keys that it names itself.
  public let namedKeys: Set<PolicyKey>

  /// Whether it names a key, itself or through its preset.
  public func names(_ key: PolicyKey) -> Bool { namedKeys.contains(key) || preset?.keys.contains(key) == true }

  /// An administrator who asks for digits only asks for what stands in the place of `strength` as well: a user who names
  /// `strength` must not do away with it.
  var namingWhatDigitsOnlyImplies: PolicyFile {
    guard policy.isDigitsOnly else { return self }
    var implied = policy
    implied.validators = policy.validatorsInForce
    return PolicyFile(role: role, preset: preset, policy: implied, namedKeys: namedKeys.union([.validators]))
  }

  /// Reads a policy file.
  ///
  /// - Parameters:
  ///   - bytes: the file's text.
  ///   - role: whose it is: some values are the administrator's alone.
  ///   - patterns: compiles the patterns of custom rules; without it they are not looked at.
  /// - Throws: every fault of the file, the first one first: bad JSON, an unknown or doubled key, a value of another kind or
  ///   out of range, a faulty pattern, values that contradict each other.
  /// - Complexity: O(*n*).
  public static func parse(
    _ bytes: Span<UInt8>, role: PolicyRole, patterns: (any PatternCompiling)? = nil
  ) throws(PolicyFileFault) -> PolicyFile {
    guard bytes.count <= maximumByteCount else {
      throw PolicyFileFault(
        line: 1, column: 1, message: "the file is larger than \(maximumByteCount >> 20) MiB", suggestion: nil, further: [])
    }
    let root: JSONNode
    do { root = try JSONDocument.parse(bytes) } catch {
      throw LocatedFault(offset: error.offset, message: error.reason.description).fault(in: bytes)
    }
    var reader = PolicyReader(role: role)
    let file = reader.file(root)
    if let patterns { reader.checkPatterns(with: patterns, in: bytes) }
    let faults = reader.faults.sorted { $0.offset < $1.offset }
    guard let first = faults.first else { return file }
    throw first.fault(in: bytes, further: faults.dropFirst().map { $0.fault(in: bytes) })
  }
}
