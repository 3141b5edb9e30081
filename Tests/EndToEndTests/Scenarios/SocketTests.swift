import Glibc
import PasscodePlatform
import SecretMemory
import Synchronization
import TestSupport
import Testing

@Suite struct SocketTests {
  @Test("SC-29: after a kill -9 the stale socket is no hindrance, and the client knows whom it talks to")
  func staleSocket() throws {
    let home = try Sandbox()
    try home.create()
    try home.expect(0, "put", "a", input: "x".utf8)
    let first = try home.daemonPID()
    kill(first, SIGKILL)
    while kill(first, 0) == 0 { usleep(1000) }
    #expect(try Files.status(of: home.socketPath)?.kind == .socket)
    #expect(jsonString("state", in: try home.expect(0, "status", "--json").outputText) == "locked")
    #expect(try home.daemonPID() != first)
    try home.expect(0, "unlock", "--passcode-file", home.passcodeFile)
    #expect(try home.expect(0, "get", "a").outputText == "x")
  }

  @Test(
    "SC-31: whatever the runtime directory is, the socket has a safe place or there is a clear error",
    arguments: ["unset", "empty", "relative", "missing", "0755", "open"])
  func runtimeDirectory(kind: String) throws {
    let value: String?
    let folder = try TemporaryDirectory()
    switch kind {
    case "unset": value = nil
    case "empty": value = ""
    case "relative": value = "run"
    case "missing": value = folder.file("none")
    case "0755": value = try folder.makeDirectory("r", mode: 0o755)
    default: value = try folder.makeDirectory("r", mode: 0o777)
    }
    let home = try Sandbox(environment: ["XDG_RUNTIME_DIR": value])
    if kind == "open" {
      let refused = try home.expect(78, "status")
      #expect(refused.errorText.contains("others can write"))
      return
    }
    let socket = try #require(jsonString("socketPath", in: try home.expect(0, "status", "--json").outputText))
    let expected = kind == "0755" ? "\(value ?? "")/passcoded/socket" : home.directory.file("state/passcoded/run/socket")
    // A user manager's directory comes before the state directory; a machine that tests may have none.
    #expect(socket == expected || socket == "/run/user/\(geteuid())/passcoded/socket")
    let directory = try #require(try Files.status(of: PathParts.split(socket).directory, followingLink: false))
    #expect(directory.mode == 0o700 && directory.kind == .directory)
  }

  @Test("SC-31: a socket path over the limit gets an error that names it")
  func longPath() throws {
    let home = try Sandbox()
    let path = home.directory.path + "/" + String(repeating: "x", count: 120)
    let refused = try home.expect(78, "--socket", path, "status")
    #expect(refused.errorText.contains("107"))
  }

  @Test("SC-32: a socket's directory that is open, a link or another user's is refused before a byte is sent")
  func unsafeDirectory() throws {
    let home = try Sandbox()
    let directory = try home.directory.makeDirectory("run/passcoded")
    let listener = try UnixListener.bind(to: SocketPath(home.socketPath))
    let connections = Mutex(0)
    _ = startThread {
      while let connection = try? listener.accept() {
        connections.withLock { $0 += 1 }
        connection.shutdown()
      }
    }
    defer { listener.stop() }
    func expectRefusal(_ what: String) throws {
      let client = try home.run(["verify", "--passcode-file", home.passcodeFile])
      client.expectExit(78, what)
      #expect(client.errorText.contains(home.directory.file("run/passcoded")), "\(client.errorText)")
      let daemon = try Command(try binary(named: "passcoded"), environment: home.environment).run()
      #expect(daemon.status != .exited(0), "the daemon serves in a directory that is \(what)")
    }
    for mode: UInt32 in [0o755, 0o770, 0o707] {
      #expect(unsafe chmod(directory, mode) == 0)
      try expectRefusal("open")
    }
    #expect(unsafe chmod(directory, 0o700) == 0)
    if geteuid() == 0 {
      #expect(unsafe chown(directory, 12_345, 12_345) == 0)
      try expectRefusal("another user's")
      #expect(unsafe chown(directory, 0, 0) == 0)
    }
    #expect(unsafe rename(directory, home.directory.file("elsewhere")) == 0)
    #expect(unsafe symlink(home.directory.file("elsewhere"), directory) == 0)
    try expectRefusal("a link")
    #expect(connections.withLock { $0 } == 0, "nobody connected")
  }

  @Test("SC-36: half a message, an endless one and a reader that never reads leave the others served")
  func badClients() throws {
    let home = try Sandbox()
    try home.create()
    try home.expect(0, "put", "a", input: "x".utf8)
    let path = try SocketPath(home.socketPath)
    let half = try UnixConnection.connect(to: path)
    try half.sendAll(Array(#"{"method":"org.passcoded.Pass"#.utf8).span)
    let endless = try UnixConnection.connect(to: path)
    let block = [UInt8](repeating: UInt8(ascii: "x"), count: 65_536)
    var isClosed = false
    for _ in 0..<64 where !isClosed {
      do { try endless.sendAll(block.span) } catch { isClosed = true }
    }
    #expect(isClosed, "4 MiB without an end are not taken")
    let deaf = try UnixConnection.connect(to: path)
    let call = Array((#"{"method":"org.passcoded.Credentials.List"}"# + "\0").utf8)
    for _ in 0..<200 { try? deaf.sendAll(call.span, within: .milliseconds(50)) }
    #expect(jsonString("state", in: try home.expect(0, "status", "--json").outputText) == "unlocked")
    #expect(try home.expect(0, "get", "a").outputText == "x")
    // Used to the end: none of them is closed before.
    half.shutdown()
    deaf.shutdown()
  }

  @Test("SC-36: an open prompt does not block status")
  func openPrompt() throws {
    let home = try Sandbox()
    let terminal = try home.onTerminal("create")
    try terminal.expect("New passcode: ")
    #expect(jsonString("state", in: try home.expect(0, "status", "--json").outputText) == "absent")
    try terminal.send("\u{3}")
    #expect(try terminal.waitForExit() == .exited(2))
  }

  @Test("SC-64: the same command reads where it wrote, or says why not")
  func onePlace() throws {
    let home = try Sandbox()
    try home.create()
    try home.expect(0, "put", "a", input: "default".utf8)
    let other = home.directory.file("other.db")
    let refused = try home.expect(78, "--store", other, "get", "a")
    #expect(refused.errorText.contains(other) && refused.errorText.contains(home.storePath))
    try home.expect(0, "daemon", "stop")
    try home.expect(0, "--store", other, "create", "--passcode-file", home.passcodeFile)
    try home.expect(0, "--store", other, "put", "a", input: "other".utf8)
    // The daemon that runs now serves the other store: the plain command must not read that one.
    try home.expect(78, "get", "a")
    try home.expect(78, "put", "a", input: "lost".utf8)
    // Yet it can be seen, locked and ended.
    let status = try home.expect(0, "status", "--json")
    #expect(jsonString("storePath", in: status.outputText) == other && status.errorText.contains(home.storePath))
    #expect(try home.expect(0, "--store", other, "get", "a").outputText == "other")
    try home.expect(0, "lock")
    try home.expect(75, "--no-input", "--store", other, "get", "a")
    try home.expect(0, "daemon", "stop")
    try home.expect(0, "unlock", "--passcode-file", home.passcodeFile)
    #expect(try home.expect(0, "get", "a").outputText == "default")
  }
}
