internal import CLinux
internal import Glibc

/// A listening Unix stream socket.
///
/// Safe to share: one thread accepts, another stops it.
public final class UnixListener: Sendable {
  /// Where it listens.
  public let path: SocketPath
  private let socket: FileDescriptor
  private let lock: FileDescriptor?
  private let bound: FileStatus?
  /// A byte in it ends a wait in ``accept()``: a socket that a service manager passed on stays open for the next daemon.
  private let wakeReading: FileDescriptor
  private let wakeWriting: FileDescriptor
  private static let backlog: Int32 = 4096

  private init(
    path: SocketPath, socket: consuming FileDescriptor, lock: consuming FileDescriptor?, bound: FileStatus?
  ) throws(PlatformError) {
    var ends: (Int32, Int32) = (-1, -1)
    let result = unsafe withUnsafeMutablePointer(to: &ends) { pointer in
      // SAFETY: a pair of Int32 is laid out like an array of two.
      unsafe pointer.withMemoryRebound(to: Int32.self, capacity: 2) { unsafe clinux_pipe($0) }
    }
    guard result == 0 else { throw .system(SyscallError("pipe2", -result)) }
    wakeReading = FileDescriptor(owning: ends.0)
    wakeWriting = FileDescriptor(owning: ends.1)
    self.path = path
    self.socket = socket
    self.lock = lock
    self.bound = bound
  }

  deinit { removeSocket() }

  /// Makes the directory and the socket (0600) and listens.
  ///
  /// An exclusive lock on `PATH.lock` is held for the listener's life; only under it is a socket file that a killed daemon
  /// left behind replaced, so that of many daemons exactly one wins. The lock file stays: to remove it would let two
  /// daemons lock two files of the same name.
  ///
  /// - Throws: `alreadyServing`; `unsafeDirectory`; `notASocket`; `file` with the errno of mkdir(2), open(2) or bind(2).
  public static func bind(to path: SocketPath) throws(PlatformError) -> UnixListener {
    try SocketDirectory.prepare(path.directory)
    let lock = try Files.open(path.path + ".lock", .readWrite, followingLink: false)
    guard try lock.lockSoon() else { throw .alreadyServing(path: path.path) }
    try removeStale(path)
    let socket = try UnixConnection.newSocket()
    let name = path.path
    // The kernel takes the file's mode from the socket: it is never wider, whatever the umask, not even for a moment.
    guard fchmod(socket.raw, 0o600) == 0 else { throw .system(SyscallError("fchmod", errno)) }
    let result = unsafe clinux_bind(socket.raw, name)
    guard result == 0 else { throw .file(path: name, SyscallError("bind", -result)) }
    let bound = try Files.status(of: name, followingLink: false)
    let listener = try UnixListener(path: path, socket: socket, lock: lock, bound: bound)
    try listener.listen()
    return listener
  }

  private static func removeStale(_ path: SocketPath) throws(PlatformError) {
    guard let status = try Files.status(of: path.path, followingLink: false) else { return }
    guard status.kind == .socket else { throw .notASocket(path: path.path) }
    // Somebody may serve it without our lock: a service manager that hands the socket over.
    let probe = try UnixConnection.newSocket()
    let name = path.path
    let result = unsafe clinux_connect(probe.raw, name, 1000)
    guard result == -ECONNREFUSED else { throw .alreadyServing(path: name) }
    try Files.remove(name)
  }

  /// The socket that a service manager passed on, or nil where it passed none.
  ///
  /// `listen` is called again on it, so that the peer credentials that clients see name this process.
  ///
  /// - Throws: `unsafeDirectory`; `invalidPath` where it has no path; `notASocket` where it is no listening Unix socket;
  ///   `system` with listen(2)'s errno.
  ///
  /// Source: sd_listen_fds(3): `LISTEN_PID`, `LISTEN_FDS`, descriptors from 3 on.
  public static func inherited(environment: ProcessEnvironment) throws(PlatformError) -> UnixListener? {
    guard let first = InheritedDescriptors.range(environment: environment)?.first else { return nil }
    return try UnixListener(adopting: FileDescriptor(owning: first))
  }

  /// Takes over a socket that somebody else bound, and listens on it.
  ///
  /// - Throws: as ``inherited(environment:)``.
  public convenience init(adopting socket: consuming FileDescriptor) throws(PlatformError) {
    _ = fcntl(socket.raw, F_SETFD, FD_CLOEXEC)
    guard clinux_is_unix_listener(socket.raw) == 1 else { throw .notASocket(path: "descriptor \(socket.raw)") }
    var name = [CChar](repeating: 0, count: SocketPath.limit + 1)
    let descriptor = socket.raw
    let named = unsafe name.withUnsafeMutableBufferPointer { unsafe clinux_socket_name(descriptor, $0.baseAddress!, $0.count) }
    guard named == 0 else { throw .invalidPath }
    let path = try SocketPath(
      String(decoding: name.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self), source: .option)
    try SocketDirectory.require(path.directory)
    try self.init(path: path, socket: socket, lock: nil, bound: nil)
    try listen()
  }

  private func listen() throws(PlatformError) {
    let refused = clinux_refuse_ancillary(socket.raw)
    guard refused == 0 else { throw .system(SyscallError("setsockopt", -refused)) }
    guard Glibc.listen(socket.raw, Self.backlog) == 0 else { throw .system(SyscallError("listen", errno)) }
  }

  /// A second descriptor of the listening socket, to hand over.
  ///
  /// - Throws: `system` when the process has too many.
  package func duplicateSocket() throws(PlatformError) -> FileDescriptor { try socket.duplicate() }

  /// Waits for the next connection.
  ///
  /// The caller checks its ``UnixConnection/peerCredentials()`` before it reads a byte.
  ///
  /// - Returns: nil once the listener is stopped.
  /// - Throws: `system` with accept4(2)'s errno, such as `EMFILE`: the connection waits, the caller frees a descriptor.
  public func accept() throws(PlatformError) -> UnixConnection? {
    while try waitForConnection() {
      let result = clinux_accept(socket.raw)
      if result >= 0 { return UnixConnection(owning: FileDescriptor(owning: result)) }
      switch -result {
      case EINTR, ECONNABORTED: continue
      case EINVAL: return nil
      default: throw .system(SyscallError("accept4", -result))
      }
    }
    return nil
  }

  /// - Returns: false once the listener is stopped.
  private func waitForConnection() throws(PlatformError) -> Bool {
    var waited = [
      pollfd(fd: wakeReading.raw, events: Int16(POLLIN), revents: 0), pollfd(fd: socket.raw, events: Int16(POLLIN), revents: 0),
    ]
    while true {
      let result = unsafe poll(&waited, nfds_t(waited.count), -1)
      if result > 0 { return waited[0].revents == 0 }
      guard errno == EINTR else { throw .system(SyscallError("poll", errno)) }
    }
  }

  /// Stops listening for good: a thread in ``accept()`` returns. A socket of our own is removed and clients are refused; one
  /// that a service manager passed on stays, and who connects waits for the next daemon.
  public func stop() {
    let wake: [UInt8] = [0]
    try? wakeWriting.writeAll(wake.span)
    guard bound != nil else { return }
    removeSocket()
    _ = shutdown(socket.raw, Int32(SHUT_RDWR))
  }

  /// Removed only while the lock is held and only if it is still ours: never another daemon's.
  private func removeSocket() {
    guard let bound, let now = try? Files.status(of: path.path, followingLink: false), now.isSameFile(as: bound) else {
      return
    }
    try? Files.remove(path.path)
  }
}
