import Glibc
import PasscodeKeyring
import PasscodePlatform
import TestSupport
import Testing

/// What can be seen of the helper from outside.
struct HygieneTests {
  private let home: TemporaryDirectory
  private let secret = Array("0123456789abcdefghijklmnopqrstuv".utf8)

  init() throws { home = try TemporaryDirectory() }

  private var storing: [UInt8] { [1, 1] + [UInt8](repeating: 7, count: 16) + [UInt8](repeating: 0, count: 8) + secret }

  @Test("The helper starts with no argument, what leads to the bus, and nowhere to write messages to")
  func surroundings() throws {
    let seen = home.file("seen")
    let script = """
      #!/bin/sh
      exec >\(seen)
      tr '\\0' ' ' </proc/$$/cmdline; echo; tr '\\0' '\\n' </proc/$$/environ | sort; readlink /proc/$$/fd/2
      """
    let executable = try home.write("helper", script.utf8, mode: 0o700)
    let helper = KeyringHelper(
      environment: ProcessEnvironment([
        "HOME": "/h", "XDG_RUNTIME_DIR": "/r", "DBUS_SESSION_BUS_ADDRESS": "a", "DISPLAY": ":0", "LD_PRELOAD": "x", "A": "b",
      ]), executable: executable, limit: .seconds(60))
    #expect(throws: KeyringObstacle.failed) { try helper.probe() }
    let text = String(decoding: try Files.read(seen, limit: 4096), as: UTF8.self)
    #expect(
      text == "/bin/sh \(executable) \nDBUS_SESSION_BUS_ADDRESS=a\nHOME=/h\nLD_BIND_NOW=1\nXDG_RUNTIME_DIR=/r\n/dev/null\n")
  }

  @Test("A secret stands in none of the helper's arguments, variables and messages", .enabled(if: geteuid() == 0))
  func visible() throws {
    let listener = try UnixListener.bind(to: SocketPath(home.file("run/bus")))
    let (errorReading, errorWriting) = try makePipe()
    let input = try makeReadable(storing)
    var plan = SpawnPlan(
      try binary(named: "passcode-keyring"),
      environment: ["DBUS_SESSION_BUS_ADDRESS=unix:path=" + home.file("run/bus"), "G_MESSAGES_DEBUG=all", "G_DBUS_DEBUG=all"])
    plan.descriptors = [0: input, 2: errorWriting]
    let pid = try plan.start()
    // On every way out: a child that nobody waits for keeps the runner busy for ever.
    defer {
      kill(pid, SIGKILL)
      while waitpid(pid, nil, 0) < 0 && errno == EINTR {}
    }
    close(errorWriting)
    close(input)
    // It connects when it has read its request.
    guard let connection = try listener.accept() else { throw TestFailure("it does not connect") }
    for file in ["cmdline", "environ"] {
      let content = try Files.read("/proc/\(pid)/\(file)", limit: 65_536)
      #expect(!content.isEmpty && !content.holds(secret))
    }
    // Until here: it ends when nobody answers.
    extendLifetime(connection)
    kill(pid, SIGKILL)
    #expect(try FileDescriptor(owning: errorReading).readAll(limit: 1 << 20).isEmpty)
  }

  @Test("GLib says nothing, however much it is asked to", .enabled(if: DesktopSession.isInstalled))
  func silent() throws {
    let session = try DesktopSession(home: home, password: "password")
    var command = Command(
      try binary(named: "passcode-keyring"),
      environment: session.environment.merging(["G_MESSAGES_DEBUG": "all", "G_DBUS_DEBUG": "all"]) { $1 })
    command.input = storing
    let result = try command.run()
    #expect(result.status == .exited(0) && result.output == [0] && result.error.isEmpty)
    #expect(try session.itemCount() == 1)
  }

  @Test("A helper into which foreign code is put does nothing", .enabled(if: DesktopSession.isInstalled))
  func preload() throws {
    let session = try DesktopSession(home: home, password: "password")
    var command = Command(
      try binary(named: "passcode-keyring"), environment: session.environment.merging(["LD_PRELOAD": "libm.so.6"]) { $1 })
    command.input = storing
    #expect(try command.run().output == [KeyringMessage.Status.failed.rawValue])
    #expect(try session.itemCount() == 0)
  }
}

extension [UInt8] {
  /// Whether another string of bytes stands in this one.
  fileprivate func holds(_ other: [UInt8]) -> Bool {
    count >= other.count && (0...count - other.count).contains { Array(self[$0..<$0 + other.count]) == other }
  }
}
