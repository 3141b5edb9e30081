import Glibc
import PasscodePlatform
import TestSupport
import Testing

/// The commands that a person needs most, when other programs keep the daemon busy or it has hung.
@Suite struct CrowdTests {
  private func raiseDescriptorLimit() throws {
    let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
    var limit = rlimit()
    _ = unsafe getrlimit(resource, &limit)
    limit.rlim_cur = max(limit.rlim_cur, min(limit.rlim_max, 4096))
    _ = unsafe setrlimit(resource, &limit)
    guard limit.rlim_cur >= 2000 else { throw TestFailure("too few descriptors for this test: \(limit.rlim_cur)") }
  }

  @Test(
    "SC-36: however many connections are taken, by who is idle or by who watches: lock, status and daemon stop get through",
    arguments: [false, true])
  func crowd(isWatching: Bool) throws {
    try raiseDescriptorLimit()
    let home = try Sandbox()
    try home.create()
    let pid = try home.daemonPID()
    let path = try SocketPath(home.socketPath)
    let call = Array((#"{"method":"org.passcoded.Passcode.Monitor","more":true}"# + "\0").utf8)
    let crowd = try (0..<1250).map { _ in
      let connection = Held(try UnixConnection.connect(to: path))
      if isWatching { try? connection.connection.sendAll(call.span) }
      return connection
    }
    try home.expect(0, "lock")
    #expect(jsonString("state", in: try home.expect(0, "status", "--json").outputText) == "locked")
    #expect(try home.expect(0, "daemon", "stop").errorText.contains("the daemon has ended"))
    #expect(!RunningProcess.isRunning(pid))
    withExtendedLifetime(crowd) {}
  }

  @Test("a daemon that has hung is told from none: 75, with its process")
  func hung() throws {
    let home = try Sandbox()
    try home.create()
    let pid = try home.daemonPID()
    kill(pid, SIGSTOP)
    let commands = try [["status"], ["lock"], ["daemon", "stop"], ["list"]].map { try home.command($0).start() }
    let results = try commands.map { try $0.finish() }
    kill(pid, SIGCONT)
    for result in results {
      result.expectExit(75, "hung")
      #expect(result.errorText.contains("the daemon (process \(pid)) does not answer"))
    }
    #expect(jsonString("state", in: try home.expect(0, "status", "--json").outputText) == "unlocked")
    #expect(try home.daemonPID() == pid)
  }

  @Test("a file that may not grow any more is an error of the disk, and not the end of the daemon")
  func fileSizeLimit() throws {
    let home = try Sandbox()
    var start = Command(
      "/bin/sh",
      ["-c", #"ulimit -f 8192; exec "$0" create --passcode-file "$1""#, try binary(named: "passcode"), home.passcodeFile],
      environment: home.environment)
    start.environment["PATH"] = "/usr/bin:/bin"
    try start.run().expectExit(0, "create")
    let pid = try home.daemonPID()
    let secret = [UInt8](repeating: 7, count: 1 << 20)
    var codes: [PasscodePlatform.ExitStatus] = []
    while codes.count < 20, codes.last != .exited(74) {
      codes.append(try home.run(["put", "n\(codes.count)"], input: secret).status)
    }
    #expect(codes.last == .exited(74), "\(codes)")
    #expect(codes.dropLast().allSatisfy { $0 == .exited(0) })
    #expect(try home.daemonPID() == pid)
    #expect(try home.expect(0, "get", "n0").output == secret)
  }

  @Test("more attributes than a credential can have are refused before anything is sent")
  func manyAttributes() throws {
    let home = try Sandbox()
    try home.create()
    try home.expect(0, "put", "a", input: "x".utf8)
    let pairs = (0..<300).map { "k\($0)=v" }
    let commands = [
      ["find"] + pairs, ["put", "b"] + pairs.flatMap { ["--attr", $0] }, ["attr", "set", "a"] + pairs,
    ]
    for arguments in commands {
      let result = try home.run(arguments, input: "x".utf8)
      result.expectExit(65, arguments[0])
      #expect(result.errorText.contains("at most 64 attributes"))
    }
    #expect(try home.expect(0, "list").outputText == "a\n")
  }
}

private final class Held {
  let connection: UnixConnection
  init(_ connection: consuming UnixConnection) { self.connection = connection }
}
