internal import Glibc

/// Where this user's files belong, by the XDG Base Directory Specification.
public struct UserDirectories: Equatable, Sendable {
  /// The store: `$XDG_DATA_HOME/passcoded`, else `~/.local/share/passcoded`.
  public let data: String
  /// The user's policy: `$XDG_CONFIG_HOME/passcoded`, else `~/.config/passcoded`.
  public let config: String
  /// What lies outside the store: `$XDG_STATE_HOME/passcoded`, else `~/.local/state/passcoded`.
  public let state: String

  /// The directories of an account under an environment.
  ///
  /// Nothing is made or looked at.
  ///
  /// - Throws: `noHome` when HOME is unset, empty or relative and the account has none either.
  public init(environment: ProcessEnvironment, account: AccountFacts) throws(PlatformError) {
    func place(_ variable: String, _ underHome: String) throws(PlatformError) -> String {
      if let base = environment.absolutePath(variable) { return Self.join(base, "passcoded") }
      guard let home = environment.absolutePath("HOME") ?? account.home else { throw .noHome }
      return Self.join(home, underHome + "/passcoded")
    }
    data = try place("XDG_DATA_HOME", ".local/share")
    config = try place("XDG_CONFIG_HOME", ".config")
    state = try place("XDG_STATE_HOME", ".local/state")
  }

  /// The directories of this process's user.
  ///
  /// - Throws: `noHome`.
  public static func current() throws(PlatformError) -> UserDirectories {
    try UserDirectories(environment: .current(), account: .current())
  }

  /// Makes a directory and the missing ones above it, mode 0700.
  ///
  /// An existing one has to be ours and not writable by others; it may be a link, for people keep their data on another disk.
  ///
  /// - Throws: `unsafeDirectory`; `file` with mkdir(2)'s errno; `invalidPath`.
  public static func prepare(_ path: String) throws(PlatformError) {
    try makeMissing(path)
    guard let status = try Files.status(of: path) else { throw .file(path: path, SyscallError("stat", ENOENT)) }
    guard status.kind == .directory else { throw .unsafeDirectory(path: path, .notADirectory) }
    guard status.owner == geteuid() else { throw .unsafeDirectory(path: path, .foreignOwner(uid: status.owner)) }
    guard status.mode & 0o022 == 0 else { throw .unsafeDirectory(path: path, .writableByOthers(mode: status.mode)) }
  }

  /// Makes a directory and the missing ones above it, mode 0700.
  static func makeMissing(_ path: String) throws(PlatformError) {
    guard try Files.status(of: path) == nil else { return }
    let parent = PathParts.split(path).directory
    if parent != path, parent != "/", parent != "." { try makeMissing(parent) }
    do {
      try Files.makeDirectory(path)
    } catch .file(_, let error) where error.errno == EEXIST {
      // Another process was faster.
      return
    }
  }

  static func join(_ base: String, _ name: String) -> String { (base.hasSuffix("/") ? base : base + "/") + name }
}
