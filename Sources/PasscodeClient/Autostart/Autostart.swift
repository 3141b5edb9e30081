internal import Glibc
internal import PasscodePlatform

/// Starts the daemon where none answers: exactly one, however many clients find none at the same time.
///
/// A lock beside the socket lets one client start it while the others wait for the socket; and of two daemons the second ends
/// by itself, because the first holds the socket's own lock.
struct Autostart {
  let places: Places
  let options: ClientOptions

  /// How long a daemon may take until it answers.
  private static let limit = Duration.seconds(30)

  /// How a daemon ends that finds another one serving its socket.
  private static let socketTaken = ExitStatus.exited(73)

  /// Connects to a daemon that this or another client starts.
  func connection() throws(ClientError) -> UnixConnection {
    let program = try permittedProgram()
    let deadline = Deadline(Self.limit)
    let lock = try mapped { () throws(PlatformError) in
      try SocketDirectory.prepare(places.socket.directory)
      return try Files.open(places.socket.path + ".start", .readWrite, followingLink: false)
    }
    while !deadline.isOver {
      if try mapped({ () throws(PlatformError) in try lock.tryLock() }) { return try start(program, until: deadline) }
      if let connection = try connectNow() { return connection }
      pause()
    }
    throw .noDaemon(socket: places.socket.path, .silent(log: log))
  }

  private func permittedProgram() throws(ClientError) -> String {
    func refused(_ reason: NoDaemonReason) -> ClientError { .noDaemon(socket: places.socket.path, reason) }
    guard options.autostarts else { throw refused(.autostartOff) }
    guard !places.socket.source.isExplicit || places.namedStore != nil else { throw refused(.explicitSocket) }
    guard !places.isOwnedBySystemd else { throw refused(.systemdOwnsSocket) }
    let found = try mapped { () throws(PlatformError) in
      if let named = options.daemonPath { return try Files.status(of: named) == nil ? nil : named }
      return try ExecutablePath.companion(named: "passcoded")
    }
    guard let program = found else { throw refused(.notInstalled) }
    // A program of this very name, or a link to it: it would start itself, again and again.
    let isThisProgram = try mapped { () throws(PlatformError) in
      guard let own = try Files.status(of: "/proc/self/exe"), let other = try Files.status(of: program) else { return false }
      return own.isSameFile(as: other)
    }
    guard !isThisProgram else { throw refused(.isThisProgram(path: program)) }
    return program
  }

  /// Holds the lock.
  private func start(_ program: String, until deadline: Deadline) throws(ClientError) -> UnixConnection {
    // Whoever had the lock before may have started it.
    if let connection = try connectNow() { return connection }
    var daemon = try spawn(program)
    while !deadline.isOver {
      let status = daemon.exitStatus()
      if let connection = try connectNow() { return connection }
      if status == Self.socketTaken {
        // By a daemon that is ending, or one that has not begun to listen.
        usleep(20_000)
        daemon = try spawn(program)
        continue
      }
      guard status == nil else { throw .noDaemon(socket: places.socket.path, .ended(log: log)) }
      pause()
    }
    throw .noDaemon(socket: places.socket.path, .silent(log: log))
  }

  private func spawn(_ program: String) throws(ClientError) -> DaemonProcess {
    var arguments = ["--socket", places.socket.path]
    if let store = places.namedStore { arguments += ["--store", store] }
    return try mapped { () throws(PlatformError) in
      try Spawn.daemon(
        program, arguments: arguments, environment: places.environment.forDaemon, log: try DaemonLog.open(at: log))
    }
  }

  private var log: String { places.directories.state + "/daemon.log" }

  private func connectNow() throws(ClientError) -> UnixConnection? {
    do {
      return try UnixConnection.connect(to: places.socket)
    } catch .timedOut {
      throw .unresponsive(pid: nil)
    } catch {
      guard UnixConnection.isNobodyServing(error) else { throw .platform(error) }
      return nil
    }
  }

  /// The kernel tells nobody that a socket has begun to listen.
  private func pause() { usleep(2000) }

  private func mapped<R: ~Copyable>(_ body: () throws(PlatformError) -> R) throws(ClientError) -> R {
    do { return try body() } catch { throw .platform(error) }
  }
}
