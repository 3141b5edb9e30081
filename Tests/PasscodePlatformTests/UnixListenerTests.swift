import Glibc
import PasscodePlatform
import SecretMemory
import TestSupport
import Testing

struct UnixListenerTests {
  let root: TemporaryDirectory
  let path: SocketPath

  init() throws {
    root = try TemporaryDirectory()
    path = try SocketPath(root.file("run/socket"))
  }

  /// A socket file that nobody serves, as kill -9 leaves it.
  private func leaveStaleSocket(at path: SocketPath) throws {
    try SocketDirectory.prepare(path.directory)
    let listener = try UnixListener.bind(to: path)
    #expect(unsafe link(path.path, path.path + ".kept") == 0)
    withExtendedLifetime(listener) {}
    _ = consume listener
    #expect(unsafe rename(path.path + ".kept", path.path) == 0)
  }

  @Test("A client reaches a daemon of its own user, and each sees the other's uid and pid")
  func connect() throws {
    let listener = try UnixListener.bind(to: path)
    let server = Background { () -> PeerCredentials? in
      guard let connection = try? listener.accept() else { return nil }
      try? connection.sendAll(Array("hello".utf8).span)
      return try? connection.peerCredentials()
    }
    let client = try UnixConnection.connect(to: path)
    let expected = PeerCredentials(uid: geteuid(), gid: getegid(), pid: getpid())
    #expect(try client.peerCredentials() == expected)
    var message = try SecretBytes(capacity: 16)
    while message.count < 5 { #expect(try client.receive(into: &message) > 0) }
    let isHello = message.bytes.count == 5 && message.bytes[0] == UInt8(ascii: "h")
    #expect(isHello)
    #expect(server.value() == expected)
    let ended = try client.receive(into: &message)
    #expect(ended == 0)
  }

  @Test("The directory is 0700 and the socket 0600, whatever the umask")
  func modes() throws {
    let listener = try UnixListener.bind(to: path)
    #expect(try Files.status(of: path.directory)?.mode == 0o700)
    let socket = try Files.status(of: path.path)
    #expect(socket?.kind == .socket && socket?.mode == 0o600)
    withExtendedLifetime(listener) {}
  }

  @Test("A listener that ends takes its socket away")
  func removed() throws {
    do { _ = try UnixListener.bind(to: path) }
    #expect(directoryEntries(path.directory) == ["socket.lock"])
    let error = #expect(throws: PlatformError.self) { _ = try UnixConnection.connect(to: path).descriptor.raw }
    #expect(UnixConnection.isNobodyServing(error!))
  }

  @Test("SC-29: a stale socket is nobody serving to a client, and is replaced by the next daemon")
  func stale() throws {
    try leaveStaleSocket(at: path)
    let error = #expect(throws: PlatformError.self) { _ = try UnixConnection.connect(to: path).descriptor.raw }
    #expect(UnixConnection.isNobodyServing(error!))
    let listener = try UnixListener.bind(to: path)
    _ = try UnixConnection.connect(to: path)
    withExtendedLifetime(listener) {}
  }

  @Test("A second daemon is told that another serves")
  func second() throws {
    let listener = try UnixListener.bind(to: path)
    #expect(throws: PlatformError.alreadyServing(path: path.path)) { _ = try UnixListener.bind(to: path) }
    _ = try UnixConnection.connect(to: path)
    withExtendedLifetime(listener) {}
  }

  @Test("A socket that somebody serves without the lock is not taken from him")
  func servedWithoutLock() throws {
    let listener = try UnixListener.bind(to: path)
    try Files.remove(path.path + ".lock")
    #expect(throws: PlatformError.alreadyServing(path: path.path)) { _ = try UnixListener.bind(to: path) }
    _ = try UnixConnection.connect(to: path)
    withExtendedLifetime(listener) {}
  }

  @Test("SC-29: of many daemons that race for a stale socket exactly one wins")
  func race() throws {
    for round in 0..<10 {
      let path = try SocketPath(root.file("run\(round)/socket"))
      try leaveStaleSocket(at: path)
      let gate = Monitor(false)
      let daemons = (0..<16).map { _ in
        Background { () -> UnixListener? in
          _ = gate.wait { $0 ? true : nil }
          return try? UnixListener.bind(to: path)
        }
      }
      gate.broadcast { $0 = true }
      let winners = daemons.compactMap { $0.value() }
      #expect(winners.count == 1)
      _ = try UnixConnection.connect(to: path)
      withExtendedLifetime(winners) {}
    }
  }

  @Test("Something that is no socket is not removed")
  func notASocket() throws {
    try SocketDirectory.prepare(path.directory)
    try root.write("run/socket", [1])
    #expect(throws: PlatformError.notASocket(path: path.path)) { _ = try UnixListener.bind(to: path) }
    #expect(try Files.read(path.path, limit: 1) == [1])
  }

  @Test("SC-32: neither daemon nor client uses a socket in a directory open to others, or in a link")
  func unsafeDirectory() throws {
    do {
      let listener = try UnixListener.bind(to: path)
      #expect(unsafe chmod(path.directory, 0o755) == 0)
      #expect(throws: PlatformError.unsafeDirectory(path: path.directory, .openToOthers(mode: 0o755))) {
        _ = try UnixConnection.connect(to: path).descriptor.raw
      }
      withExtendedLifetime(listener) {}
    }
    #expect(throws: PlatformError.self) { _ = try UnixListener.bind(to: path) }
    #expect(unsafe chmod(path.directory, 0o700) == 0)
    #expect(unsafe symlink(path.directory, root.file("link")) == 0)
    let linked = try SocketPath(root.file("link/socket"))
    #expect(throws: PlatformError.unsafeDirectory(path: root.file("link"), .isLink)) {
      _ = try UnixListener.bind(to: linked)
    }
  }

  @Test("A stopped listener lets its thread go and refuses clients")
  func stop() throws {
    let listener = try UnixListener.bind(to: path)
    let server = Background { () -> Bool in
      guard let connection = try? listener.accept() else { return true }
      withExtendedLifetime(connection.descriptor.raw) {}
      return false
    }
    listener.stop()
    #expect(server.value())
    #expect(throws: PlatformError.self) { _ = try UnixConnection.connect(to: path).descriptor.raw }
  }

  @Test("An inherited socket is adopted when LISTEN_PID names this process")
  func inherited() throws {
    let own = ["LISTEN_PID": "\(getpid())", "LISTEN_FDS": "1"]
    for (name, value) in [("LISTEN_PID", "1"), ("LISTEN_FDS", "0"), ("LISTEN_FDS", "x"), ("LISTEN_FDS", "-1")] {
      let environment = ProcessEnvironment(own.merging([name: value]) { $1 })
      #expect(try UnixListener.inherited(environment: environment) == nil)
    }
    #expect(try UnixListener.inherited(environment: ProcessEnvironment([:])) == nil)
  }

  @Test("An adopted socket serves, and is left in place at the end")
  func adopted() throws {
    let other = try UnixListener.bind(to: path)
    do {
      let listener = try UnixListener(adopting: try other.duplicateSocket())
      #expect(listener.path.path == path.path)
      let client = try UnixConnection.connect(to: path)
      let server = try listener.accept()
      let pid = try server?.peerCredentials().pid
      #expect(pid == getpid())
      withExtendedLifetime(client.descriptor.raw) {}
    }
    #expect(try Files.status(of: path.path)?.kind == .socket)
    let (one, two) = try makeSocketPair()
    #expect(throws: PlatformError.notASocket(path: "descriptor \(one)")) {
      _ = try UnixListener(adopting: FileDescriptor(owning: one))
    }
    close(two)
    withExtendedLifetime(other) {}
  }
}
