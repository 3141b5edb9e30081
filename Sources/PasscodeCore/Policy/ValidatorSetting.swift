/// One entry of `validators`.
public enum ValidatorSetting: Sendable, Equatable {
  /// An estimate of at least this score, 0 to 4.
  case strength(minimumScore: Int)
  /// Not an entry of a list, compared as a whole.
  case blocklist(BlocklistSource)
  /// Not an entry of a list of passwords known from breaches.
  case breachList(path: String)
  /// Nothing that the user's name or the machine's would give away.
  case notPersonal
  /// No run such as `1234`, `aaaa` or `qwer` longer than this many characters.
  case noSequences(max: Int)
  /// An executable of the administrator's decides.
  case command(path: String, timeoutSeconds: Int)

  /// The type's name in the policy file.
  public var type: String {
    switch self {
    case .strength: "strength"
    case .blocklist: "blocklist"
    case .breachList: "breachList"
    case .notPersonal: "notPersonal"
    case .noSequences: "noSequences"
    case .command: "command"
    }
  }
}

/// Where a blocklist comes from.
public enum BlocklistSource: Sendable, Equatable {
  /// The packaged list of common passwords.
  case common
  /// The packaged list of common PINs.
  case pins
  /// A text file, one entry a line.
  case file(path: String)
}
