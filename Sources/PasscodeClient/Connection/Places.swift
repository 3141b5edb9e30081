internal import Glibc
internal import PasscodePlatform
internal import PasscodeWire

/// Where the socket and the store of a client are.
struct Places {
  let socket: SocketPath
  let environment: ProcessEnvironment
  let directories: UserDirectories
  /// Where the store is to be; nil where the socket is named and the store is not.
  let store: String?
  /// The store that a person or a script named; nil for the user's own.
  let namedStore: String?

  init(_ options: ClientOptions) throws(ClientError) {
    let environment = ProcessEnvironment.current()
    // A directory service may be slow: it is asked only where the environment does not name the home directory.
    let account = environment.absolutePath("HOME") == nil ? AccountFacts.current() : Self.bareAccount
    do {
      socket = try SocketPath.resolve(option: options.socket, environment: environment, account: account)
      directories = try UserDirectories(environment: environment, account: account)
      namedStore = try (options.store ?? environment["PASSCODED_STORE"]).map(PathParts.absolute)
    } catch {
      throw .platform(error)
    }
    self.environment = environment
    store = namedStore ?? (socket.source.isExplicit ? nil : directories.data + "/store.db")
  }

  /// Whether the daemon serves another store; nil where it is the right one.
  func mismatch(of status: WireStatus) -> ClientError? {
    guard let store, store != status.storePath else { return nil }
    // Two names of one file, such as through a link to another disk, are one store.
    if Self.isSameFile(store, status.storePath) { return nil }
    return .otherStore(socket: socket.path, wanted: store, served: status.storePath)
  }

  /// Whether systemd is to listen at the socket: its user manager runs, and has our socket unit enabled.
  ///
  /// Source: systemd.unit(5), "User Unit Search Path".
  var isOwnedBySystemd: Bool {
    guard socket.source == .runtimeDirectory || socket.source == .userRuntimeDirectory else { return false }
    let runtime = PathParts.split(socket.directory).directory
    guard Self.exists(runtime + "/systemd/private") else { return false }
    let config = PathParts.split(directories.config).directory
    let units = [config + "/systemd/user", "/etc/systemd/user", runtime + "/systemd/user", "/run/systemd/user"]
    return units.contains { Self.exists($0 + "/sockets.target.wants/passcoded.socket") }
  }

  private static func exists(_ path: String) -> Bool { (try? Files.status(of: path, followingLink: false)) ?? nil != nil }

  private static func isSameFile(_ one: String, _ other: String) -> Bool {
    guard let one = try? Files.status(of: one), let other = try? Files.status(of: other) else { return false }
    return one.isSameFile(as: other)
  }

  private static var bareAccount: AccountFacts {
    AccountFacts(uid: geteuid(), userName: "", fullName: "", home: nil, hostName: "")
  }
}
