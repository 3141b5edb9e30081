import Glibc
import PasscodePlatform
import TestSupport
import Testing

struct SpawnTests {
  let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory() }

  /// What a daemon that runs `script` writes to its log, after its end.
  private func daemon(_ script: String, environment: [String] = []) throws -> String {
    let path = directory.file("state/daemon.log")
    do {
      let log = try DaemonLog.open(at: path)
      let process = try Spawn.daemon("/bin/sh", arguments: ["-c", script], environment: environment, log: log)
      while true {
        if let status = process.exitStatus() {
          #expect(status == .exited(0))
          break
        }
        usleep(1000)
      }
    }
    return String(decoding: try Files.read(path, limit: 100_000), as: UTF8.self)
  }

  /// Starts a daemon that does nothing, and looks at it from outside.
  private func idleDaemon<R>(_ look: (Int32) throws -> R) throws -> R {
    let log = try DaemonLog.open(at: directory.file("state/daemon.log"))
    let process = try Spawn.daemon("/bin/sleep", arguments: ["1000"], environment: [], log: log)
    defer {
      kill(process.pid, SIGKILL)
      while process.exitStatus() == nil { usleep(1000) }
    }
    return try look(process.pid)
  }

  @Test("A daemon has no descriptor but 0 to 2: nothing, nothing and its log")
  func descriptors() throws {
    // One that is inherited on exec, as from a careless parent.
    let careless = unsafe open("/dev/null", O_RDONLY)
    defer { close(careless) }
    try idleDaemon { pid in
      #expect(directoryEntries("/proc/\(pid)/fd") == ["0", "1", "2"])
      let links = try (0...2).map { try Files.linkTarget(of: "/proc/\(pid)/fd/\($0)") }
      #expect(links == ["/dev/null", "/dev/null", directory.file("state/daemon.log")])
    }
  }

  @Test("A daemon leads a session of its own, in the root directory")
  func session() throws {
    let facts = try daemon("cut -d' ' -f6 /proc/$$/stat >&2; echo $$ >&2; pwd >&2").split(separator: "\n")
    #expect(facts.count == 3 && facts[0] == facts[1] && facts[2] == "/")
  }

  @Test("A daemon has the environment that was built and nothing else")
  func environment() throws {
    let text = try daemon("exec /usr/bin/env >&2", environment: ["HOME=/h", "LANG=C"])
    // The shell adds its own directory.
    let variables = text.split(separator: "\n").filter { !$0.hasPrefix("PWD=") && !$0.hasPrefix("OLDPWD=") }
    #expect(variables.sorted() == ["HOME=/h", "LANG=C"])
  }

  @Test("A daemon starts with no signal ignored or blocked, whatever its parent does")
  func signals() throws {
    Signals.ignoreBrokenPipes()
    try idleDaemon { pid in
      let status = String(decoding: try Files.read("/proc/\(pid)/status", limit: 65_536), as: UTF8.self)
      let masks = status.split(separator: "\n").filter { $0.hasPrefix("SigIgn:") || $0.hasPrefix("SigBlk:") }
        .compactMap { $0.split(separator: "\t").last.flatMap { UInt64($0, radix: 16) } }
      // 32 and 33 are glibc's own, which stay ignored until they are used.
      #expect(masks.map { $0 & ~0x1_8000_0000 } == [0, 0])
    }
  }

  @Test("A program that is missing or named without its path is not started")
  func missing() throws {
    let path = directory.file("missing")
    #expect(throws: PlatformError.file(path: path, SyscallError("execve", ENOENT))) {
      _ = try Spawn.child(path).pid
    }
    #expect(throws: PlatformError.invalidPath) { _ = try Spawn.child("sh").pid }
  }

  @Test("A helper is talked to through pipes and its exit code is seen")
  func child() throws {
    var child = try Spawn.child("/bin/sh", arguments: ["-c", "read x; echo got $x; echo no >&2; exit 3"])
    try child.input?.writeAll("it\n")
    child.closeInput()
    let output = try child.output.readAll(limit: 100)
    let error = try child.error.readAll(limit: 100)
    let status = try child.wait()
    #expect(output == Array("got it\n".utf8) && error == Array("no\n".utf8) && status == .exited(3))
  }

  @Test("A helper that hangs is given up after the limit and killed with its owner")
  func hanging() throws {
    let pid: Int32
    do {
      var child = try Spawn.child("/bin/sleep", arguments: ["1000"])
      pid = child.pid
      let status = try child.wait(within: .milliseconds(20))
      #expect(status == nil)
      #expect(kill(pid, 0) == 0)
    }
    #expect(kill(pid, 0) != 0 && errno == ESRCH)
    var child = try Spawn.child("/bin/sleep", arguments: ["1000"])
    child.terminate()
    let status = try child.wait()
    #expect(status == .signalled(SIGTERM))
  }

  @Test("A helper that ignores every polite signal is killed with the thread that started it, and one that is to stay is not")
  func orphan() throws {
    let path = directory.file("ready")
    let pids = Background { [path] () -> [Int32] in
      [true, false].map { ends in
        var plan = SpawnPlan("/bin/sh", arguments: ["-c", "trap '' TERM HUP INT; echo x >> \(path); exec sleep 100000"])
        plan.endsWithCaller = ends
        plan.startsSession = true
        let pid = (try? plan.start()) ?? 0
        return pid
      }
    }.value()
    var status: Int32 = 0
    #expect(unsafe waitpid(pids[0], &status, 0) == pids[0] && ExitStatus(waitStatus: status) == .signalled(SIGKILL))
    while (try? Files.read(path, limit: 10)) == nil {}
    #expect(RunningProcess.isRunning(pids[1]))
    kill(pids[1], SIGKILL)
    // It has ended, and nobody has waited for it.
    while RunningProcess.isRunning(pids[1]) {}
    #expect(kill(pids[1], 0) == 0)
    #expect(unsafe waitpid(pids[1], &status, 0) == pids[1])
    #expect(!RunningProcess.isRunning(pids[1]))
  }

  @Test("The log is private, is added to, and begins anew when it is full")
  func log() throws {
    let path = directory.file("state/daemon.log")
    for word in ["one", "two"] { try DaemonLog.open(at: path, limit: 6).writeAll(word) }
    #expect(try Files.read(path, limit: 100) == Array("onetwo".utf8))
    #expect(try Files.status(of: path)?.mode == 0o600)
    try DaemonLog.open(at: path, limit: 6).writeAll("three")
    #expect(try Files.read(path, limit: 100) == Array("three".utf8))
    #expect(try Files.read(path + ".1", limit: 100) == Array("onetwo".utf8))
    #expect(directoryEntries(directory.file("state")) == ["daemon.log", "daemon.log.1"])
  }

  @Test("The running program knows its path, and finds its companions beside it")
  func executable() throws {
    let path = try ExecutablePath.current()
    #expect(path.hasPrefix("/"))
    let name = path.split(separator: "/").last.map(String.init) ?? ""
    #expect(try ExecutablePath.companion(named: name) == path)
    #expect(try ExecutablePath.companion(named: "no-such-program") == nil)
  }
}
