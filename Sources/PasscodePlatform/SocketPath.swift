internal import CLinux
internal import Glibc

/// Where the daemon's socket is: the same answer in the daemon and in the client.
public struct SocketPath: Equatable, Sendable {
  /// What named the path.
  public enum Source: Sendable {
    /// `--socket`.
    case option
    /// `$PASSCODED_SOCKET`.
    case variable
    /// `$XDG_RUNTIME_DIR/passcoded/socket`.
    case runtimeDirectory
    /// `/run/user/UID/passcoded/socket`.
    case userRuntimeDirectory
    /// `$XDG_STATE_HOME/passcoded/run/socket`.
    case stateDirectory

    /// Whether a person or a script named the socket itself.
    public var isExplicit: Bool { self == .option || self == .variable }
  }

  /// The absolute path, at most ``limit`` bytes.
  public let path: String
  /// What named it.
  public let source: Source

  /// The longest path of a Unix socket, in bytes.
  ///
  /// Source: unix(7): `sun_path` is 108 bytes with its final NUL.
  public static let limit = Int(clinux_socket_path_limit())

  /// The directory that the socket lives in.
  public var directory: String { PathParts.split(path).directory }

  /// An absolute or relative path named by a person.
  ///
  /// - Throws: `socketPathTooLong`; `invalidPath` where it is empty, holds NUL or ends in a slash.
  public init(_ path: String, source: Source = .option) throws(PlatformError) {
    guard Files.isValid(path), !PathParts.split(path).name.isEmpty else { throw .invalidPath }
    let absolute = try PathParts.absolute(path)
    guard absolute.utf8.count <= Self.limit else { throw .socketPathTooLong(path: absolute, limit: Self.limit) }
    self.path = absolute
    self.source = source
  }

  /// The first of: `option`, `$PASSCODED_SOCKET`, the two runtime directories where they can be used, the state directory.
  ///
  /// A runtime directory that is missing or read-only is passed over. One that is there but belongs to another user or can
  /// be written by others is an error: to go elsewhere in silence would serve two places.
  ///
  /// - Parameter userRuntimeDirectory: stands in for `/run/user/UID`.
  /// - Throws: `socketPathTooLong`; `unsafeDirectory`; `invalidPath`; `noHome`.
  public static func resolve(
    option: String?, environment: ProcessEnvironment, account: AccountFacts, userRuntimeDirectory: String? = nil
  ) throws(PlatformError) -> SocketPath {
    if let option { return try SocketPath(option, source: .option) }
    if let path = environment["PASSCODED_SOCKET"] { return try SocketPath(path, source: .variable) }
    if let base = environment.absolutePath("XDG_RUNTIME_DIR"), try isUsable(base) {
      return try SocketPath(UserDirectories.join(base, "passcoded/socket"), source: .runtimeDirectory)
    }
    let base = userRuntimeDirectory ?? "/run/user/\(account.uid)"
    if try isUsable(base) {
      return try SocketPath(UserDirectories.join(base, "passcoded/socket"), source: .userRuntimeDirectory)
    }
    let state = try UserDirectories(environment: environment, account: account).state
    return try SocketPath(UserDirectories.join(state, "run/socket"), source: .stateDirectory)
  }

  private static func isUsable(_ base: String) throws(PlatformError) -> Bool {
    let status: FileStatus?
    do {
      status = try Files.status(of: base)
    } catch .file(_, let error) where error.errno == EACCES {
      return false
    }
    guard let status, status.kind == .directory else { return false }
    guard status.owner == 0 || status.owner == geteuid() else {
      throw .unsafeDirectory(path: base, .foreignOwner(uid: status.owner))
    }
    guard status.mode & 0o022 == 0 || status.mode & UInt32(S_ISVTX) != 0 else {
      throw .unsafeDirectory(path: base, .writableByOthers(mode: status.mode))
    }
    let own = UserDirectories.join(base, "passcoded")
    return unsafe access(own, F_OK) == 0 || access(base, W_OK) == 0
  }
}
