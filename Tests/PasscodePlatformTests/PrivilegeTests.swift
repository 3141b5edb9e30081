import CLinux
import Glibc
import SecretMemory
import TestSupport
import Testing

@testable import PasscodePlatform

/// What needs two users: each test becomes another one in a process of its own.
@Suite(.enabled(if: geteuid() == 0))
struct PrivilegeTests {
  private static let other: uid_t = 65_534

  @Test("SC-29: a client that finds another user at the other end sends nothing")
  func foreignPeer() async {
    await #expect(processExitsWith: .exitCode(7)) {
      let root = try TemporaryDirectory()
      let path = try SocketPath(root.file("run/socket"))
      let listener = try UnixListener.bind(to: path)
      let socket = try listener.duplicateSocket()
      seteuid(Self.other)
      listen(socket.raw, 8)
      seteuid(0)
      do throws(PlatformError) {
        _ = try UnixConnection.connect(to: path).descriptor.raw
        exit(1)
      } catch {
        let connection = try listener.accept()
        var message = try SecretBytes(capacity: 8)
        let received = try connection!.receive(into: &message)
        exit(error == .foreignPeer(uid: Self.other) && received == 0 ? 7 : 2)
      }
    }
  }

  @Test("SC-29: a daemon that got its socket from another process is who its clients see, and credentials are no descriptors")
  func adoptedPeer() async {
    await #expect(processExitsWith: .exitCode(7)) {
      let root = try TemporaryDirectory()
      let path = try SocketPath(root.file("run/socket"))
      let manager = try UnixListener.bind(to: path)
      let socket = try manager.duplicateSocket()
      var on: Int32 = 1
      unsafe setsockopt(socket.raw, SOL_SOCKET, SO_PASSCRED, &on, 4)
      seteuid(Self.other)
      listen(socket.raw, 8)
      seteuid(0)
      let listener = try UnixListener(adopting: socket)
      let client = try UnixConnection.connect(to: path)
      try client.sendAll([1, 2].span)
      let server = try listener.accept()
      var message = try SecretBytes(capacity: 8)
      let received = try server!.receive(into: &message)
      exit(received == 2 ? 7 : 1)
    }
  }

  @Test("An ordinary user closes his process and still reads what he needs of himself")
  func ordinaryUser() async {
    await #expect(processExitsWith: .exitCode(7)) {
      setgid(Self.other)
      setuid(Self.other)
      let findings = ProcessHardening.apply(.client, environment: ProcessEnvironment([:]))
      let namespace = try BootClock.timeNamespace()
      let bootID = try BootClock.bootID()
      let isRight = findings.isEmpty && ProcessHardening.tracer() == nil && namespace > 0 && bootID.count == 16
      let program = try ExecutablePath.current()
      exit(isRight && program.hasPrefix("/") ? 7 : 1)
    }
  }

  @Test("SC-31: a read-only runtime directory is passed over unless ours is in it")
  func readOnlyRuntime() async {
    await #expect(processExitsWith: .exitCode(7)) {
      setgid(Self.other)
      setuid(Self.other)
      let root = try TemporaryDirectory()
      let account = AccountFacts(uid: Self.other, userName: "", fullName: "", home: root.path, hostName: "")
      func source(_ runtime: String) throws -> SocketPath.Source {
        try SocketPath.resolve(
          option: nil, environment: ProcessEnvironment(["XDG_RUNTIME_DIR": runtime]), account: account,
          userRuntimeDirectory: root.file("none")
        ).source
      }
      let empty = try root.makeDirectory("empty", mode: 0o500)
      let used = try root.makeDirectory("used")
      try root.makeDirectory("used/passcoded")
      unsafe chmod(used, 0o500)
      let isRight = try source(empty) == .stateDirectory && source(used) == .runtimeDirectory
      exit(isRight ? 7 : 1)
    }
  }

  @Test("SC-32: root is no exception to another user, nor the reverse")
  func rootsDirectory() async {
    await #expect(processExitsWith: .exitCode(7)) {
      setgid(Self.other)
      setuid(Self.other)
      do throws(PlatformError) {
        try SocketDirectory.require("/run")
      } catch {
        exit(error == .unsafeDirectory(path: "/run", .foreignOwner(uid: 0)) ? 7 : 1)
      }
      exit(2)
    }
  }
}
