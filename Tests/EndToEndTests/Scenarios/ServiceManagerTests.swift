import Glibc
import PasscodePlatform
import TestSupport
import Testing

/// The daemon as systemd runs it.
@Suite struct ServiceManagerTests {
  @Test("The daemon tells its manager that it serves, each state, that it lives, reads its policy again and ends")
  func notices() throws {
    let home = try Sandbox()
    let socket = try NoticeSocket(home.directory.file("notify"))
    let daemon = try home.startDaemon(["NOTIFY_SOCKET": home.directory.file("notify"), "WATCHDOG_USEC": "200000"])
    #expect(socket.next() == "READY=1\nSTATUS=starting")
    #expect(socket.next() == "STATUS=there is no store")
    try home.create()
    socket.wait(for: "STATUS=unlocked")
    socket.wait(for: "WATCHDOG=1")
    socket.wait(for: "WATCHDOG=1")
    try home.expect(0, "lock")
    socket.wait(for: "STATUS=locked")
    daemon.send(signal: SIGHUP)
    socket.wait(for: "RELOADING=1")
    socket.wait(for: "READY=1")
    daemon.send(signal: SIGTERM)
    socket.wait(for: "STOPPING=1")
    #expect(try daemon.finish().status == .exited(0))
  }

  @Test("A manager that is not there is told of once in the log, and hinders nothing")
  func noManager() throws {
    let home = try Sandbox()
    let daemon = try home.startDaemon(["NOTIFY_SOCKET": home.directory.file("nobody")])
    try home.create()
    try home.expect(0, "lock")
    daemon.send(signal: SIGTERM)
    let result = try daemon.finish()
    #expect(result.errorText.split(separator: "\n").count { $0.contains("the service manager can't be told") } == 1)
    #expect(result.status == .exited(0))
  }

  @Test("A manager that does not read hinders nothing, and is told of all that counts as soon as it does")
  func fullManager() throws {
    let home = try Sandbox()
    let path = home.directory.file("notify")
    let socket = try NoticeSocket(path)
    let other = try #require(ServiceManager(environment: ProcessEnvironment(["NOTIFY_SOCKET": path])))
    #expect(throws: PlatformError.self) { while true { try other.tell([.watchdog]) } }
    let daemon = try home.startDaemon(["NOTIFY_SOCKET": path])
    try home.create()
    daemon.send(signal: SIGHUP)
    daemon.send(signal: SIGUSR1)
    while jsonString("state", in: try home.expect(0, "status", "--json").outputText) != "locked" { usleep(1000) }
    try home.expect(0, "unlock", "--passcode-file", home.passcodeFile)
    for words in ["READY=1", "RELOADING=1", "READY=1", "STATUS=unlocked"] { socket.wait(for: words) }
    #expect(throws: PlatformError.self) { while true { try other.tell([.watchdog]) } }
    daemon.send(signal: SIGTERM)
    let result = try daemon.finish()
    #expect(result.status == .exited(0) && result.errorText.contains("locked: stopping"))
  }

  @Test("stop returns when the daemon has ended, though its parent has not looked")
  func zombie() throws {
    let home = try Sandbox()
    let daemon = try home.startDaemon()
    #expect(try home.expect(0, "daemon", "stop").errorText.contains("the daemon has ended"))
    #expect(try daemon.finish().status == .exited(0))
  }

  @Test("A pinentry is asked for by an absolute path")
  func relativePinentry() throws {
    let home = try Sandbox()
    let result = try Command(
      try binary(named: "passcoded"), ["--pinentry", "bin/pinentry"], environment: home.environment
    ).run()
    #expect(result.status == .exited(64) && result.errorText.contains("--pinentry takes an absolute path"))
  }

  @Test("SIGUSR1 locks the store")
  func signal() throws {
    let home = try Sandbox()
    let daemon = try home.startDaemon()
    try home.create()
    daemon.send(signal: SIGUSR1)
    while jsonString("state", in: try home.expect(0, "status", "--json").outputText) != "locked" { usleep(1000) }
    daemon.send(signal: SIGTERM)
    #expect(try daemon.finish().errorText.contains("locked: SIGUSR1"))
  }

  @Test(
    "Started by systemd-socket-activate, the daemon serves on the socket it was handed, and leaves it at its end",
    .enabled(if: unsafe access(activator, X_OK) == 0, "needs systemd-socket-activate"))
  func activated() throws {
    let home = try Sandbox()
    try home.directory.makeDirectory("run/passcoded")
    let variables = home.environment.flatMap { ["-E", "\($0.key)=\($0.value)"] }
    let manager = try Command(
      activator, ["--fdname=varlink", "-l", home.socketPath] + variables + [try binary(named: "passcoded")]
    ).start()
    while try Files.status(of: home.socketPath) == nil { usleep(1000) }
    #expect(try home.daemonPID() == manager.pid)
    // The peer that clients see is the daemon, not whoever bound the socket.
    #expect(try UnixConnection.connect(to: SocketPath(home.socketPath)).peerCredentials().pid == manager.pid)
    try home.create()
    try home.expect(0, "put", "a", input: "x".utf8)
    #expect(try home.expect(0, "--no-autostart", "get", "a").outputText == "x")
    manager.send(signal: SIGTERM)
    #expect(try manager.finish().status == .exited(0))
    #expect(try Files.status(of: home.socketPath)?.kind == .socket)
  }

  @Test(
    "The daemon runs under the system-call filter of its unit",
    .enabled(if: ProcessEnvironment.current()["PASSCODE_FILTERED"] != nil, "runs in the part \"filter\" of scripts/test"))
  func filtered() throws {
    let home = try Sandbox()
    try home.create()
    let status = try readFile("/proc/\(try home.daemonPID())/status")
    #expect(String(decoding: status, as: UTF8.self).contains("\nSeccomp:\t2\n"))
  }

  @Test("What is handed over and is no listening Unix stream socket is refused with 78")
  func wrongDescriptor() throws {
    let home = try Sandbox()
    let script = #"LISTEN_PID=$$ LISTEN_FDS=1 exec "$0" 3</dev/null"#
    let result = try Command("/bin/sh", ["-c", script, try binary(named: "passcoded")], environment: home.environment).run()
    result.expectExit(78, "descriptor")
    #expect(result.errorText.contains("descriptor 3"))
  }
}

private let activator = "/usr/bin/systemd-socket-activate"
