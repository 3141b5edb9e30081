import Glibc
import PasscodeCore
import PasscodeKeyring
import PasscodePlatform
import SecretMemory
import TestSupport
import Testing

/// SC-45 without a keyring that works: each obstacle has its own name, and none lasts longer than the limit.
struct BrokenSessionTests {
  private let home: TemporaryDirectory
  private let store = StoreID.random()
  private static let short = Duration.milliseconds(300)

  init() throws { home = try TemporaryDirectory() }

  /// What each call of the keyring meets, in an environment.
  ///
  /// - Parameter limit: no test depends on how fast the machine is.
  private func obstacles(
    _ environment: [String: String], _ executable: String? = nil, limit: Duration = .seconds(60)
  ) throws -> [KeyringObstacle?] {
    let helper = KeyringHelper(
      environment: ProcessEnvironment(environment), executable: try executable ?? binary(named: "passcode-keyring"),
      limit: limit)
    func obstacle(_ call: () throws(KeyringObstacle) -> Void) -> KeyringObstacle? {
      do throws(KeyringObstacle) {
        try call()
        return nil
      } catch {
        return error
      }
    }
    return [
      obstacle { () throws(KeyringObstacle) in try helper.probe() },
      obstacle { () throws(KeyringObstacle) in _ = try helper.enable(store: store, generation: 1).count },
      obstacle { () throws(KeyringObstacle) in _ = try helper.recall(store: store, generation: 1).count },
      obstacle { () throws(KeyringObstacle) in try helper.remove(store: store) },
    ]
  }

  private func all(_ obstacle: KeyringObstacle) -> [KeyringObstacle?] { [KeyringObstacle?](repeating: obstacle, count: 4) }

  /// A program that answers as the shell script says.
  private func program(_ script: String) throws -> String {
    try home.write("helper", "#!/bin/sh\n\(script)\n".utf8, mode: 0o700)
  }

  @Test("SC-45: without a bus, with a dead one, or where only a display is known, there is no bus and none is started")
  func noBus() throws {
    #expect(try obstacles([:]) == all(.noBus))
    #expect(try obstacles(["DISPLAY": ":0", "HOME": home.path]) == all(.noBus))
    #expect(try obstacles(["DBUS_SESSION_BUS_ADDRESS": "unix:path=" + home.file("none")]) == all(.noBus))
    #expect(try obstacles(["DBUS_SESSION_BUS_ADDRESS": "autolaunch:"]) == all(.noBus))
    #expect(try obstacles(["DBUS_SESSION_BUS_ADDRESS": "no address"]) == all(.noBus))
    #expect(try obstacles(["XDG_RUNTIME_DIR": home.path]) == all(.noBus))
    try home.write("bus", [])
    #expect(try obstacles(["XDG_RUNTIME_DIR": home.path]) == all(.noBus))
  }

  @Test("SC-45: a bus on which nothing is or can become a keyring", .enabled(if: DesktopSession.isInstalled))
  func noService() throws {
    let configuration = """
      <busconfig><type>session</type><listen>unix:tmpdir=/tmp</listen><auth>EXTERNAL</auth>
      <policy context="default"><allow send_destination="*"/><allow eavesdrop="true"/><allow own="*"/></policy></busconfig>
      """
    let session = try DesktopSession(home: home, password: nil, bus: home.write("bus.conf", configuration.utf8))
    #expect(try obstacles(session.environment) == all(.noService))
  }

  @Test("SC-45: a keyring service without a keyring", .enabled(if: DesktopSession.isInstalled))
  func noCollection() throws {
    let session = try DesktopSession(home: home, password: nil)
    let obstacles = try obstacles(session.environment)
    #expect(obstacles == [.noDefaultKeyring, .noDefaultKeyring, .noDefaultKeyring, nil])
  }

  @Test("SC-45: a bus that accepts and never answers costs the limit, and the helper is gone when the call returns")
  func hangingBus() throws {
    let listener = try UnixListener.bind(to: SocketPath(home.file("run/bus")))
    let address = ["DBUS_SESSION_BUS_ADDRESS": "unix:path=" + home.file("run/bus")]
    #expect(try obstacles(address, limit: .seconds(1)) == all(.tooSlow))
    for _ in 0..<4 {
      let connection = try listener.accept()
      var greeting = try SecretBytes(capacity: 4096)
      while try connection!.receive(into: &greeting) > 0 {}
      let hasSpoken = !greeting.isEmpty
      #expect(hasSpoken)
    }
  }

  @Test("A helper that is missing is said to be missing")
  func missing() throws {
    let helper = KeyringHelper(environment: ProcessEnvironment([:]))
    let isBesideTheTests = try ExecutablePath.companion(named: "passcode-keyring") != nil
    #expect(throws: isBesideTheTests ? KeyringObstacle.noBus : .noHelper) { try helper.probe() }
    let path = home.file("none")
    let error = PlatformError.file(path: path, SyscallError("execve", ENOENT))
    #expect(try obstacles([:], path) == all(.system(error)))
  }

  @Test(
    "A helper that crashes, talks nonsense, talks without end or ends late gives no key",
    arguments: [
      "exit 0", "kill -9 $$", "printf '\\001\\000'", "printf '\\000x'", "printf '\\014'", "head -c 100 /dev/zero",
      "exec cat /dev/zero",
    ])
  func nonsense(script: String) throws { #expect(try obstacles([:], program("PATH=/usr/bin:/bin; " + script)) == all(.failed)) }

  @Test("A helper that hangs is killed at the limit, also where it has closed its output")
  func hanging() throws {
    #expect(try obstacles([:], program("exec /bin/sleep 1000"), limit: Self.short) == all(.tooSlow))
    #expect(try obstacles([:], program("exec >&-; exec /bin/sleep 1000"), limit: Self.short) == all(.failed))
  }
}
