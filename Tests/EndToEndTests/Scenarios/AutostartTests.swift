import Glibc
import PasscodePlatform
import TestSupport
import Testing

@Suite struct AutostartTests {
  @Test("twenty clients that race start exactly one daemon")
  func race() throws {
    let home = try Sandbox()
    let clients = try (0..<20).map { _ in try home.command(["status", "--json"]).start() }
    let pids = try clients.map { client in
      let result = try client.finish()
      result.expectExit(0, "status")
      return jsonNumber("pid", in: result.outputText)
    }
    #expect(Set(pids).count == 1)
    let starts = try home.expect(0, "daemon", "log").outputText.split(separator: "\n").filter { $0.contains(" serves ") }
    #expect(starts.count == 1)
  }

  @Test("of twenty clients that race to make the store one does, and the others are told that it is there")
  func createRace() throws {
    let home = try Sandbox()
    let clients = try (0..<20).map { _ in try home.command(["create", "--passcode-file", home.passcodeFile]).start() }
    let ends = try clients.map { try $0.finish().status }
    #expect(ends.count { $0 == .exited(0) } == 1)
    #expect(ends.count { $0 == .exited(73) } == 19)
  }

  @Test("a command right after the daemon was killed starts another one")
  func killed() throws {
    let home = try Sandbox()
    try home.create()
    for _ in 1...10 {
      kill(try home.daemonPID(), SIGKILL)
      try home.expect(0, "unlock", "--passcode-file", home.passcodeFile)
    }
  }

  @Test("a daemon that was started holds nothing of its client: output, session, directory, variables")
  func detached() throws {
    let home = try Sandbox(environment: ["SECRET_OF_SHELL": "x", "LC_TIME": "C", "PASSCODED_TEST": "1", "PATH": "/bin"])
    // To the end of the output: it would not end while the daemon held the pipe.
    let pid = try home.daemonPID()
    let ends = try makePipe()
    defer { close(ends.reading) }
    for number: Int32 in 0...1 { #expect(try Files.linkTarget(of: "/proc/\(pid)/fd/\(number)") == "/dev/null") }
    #expect(try Files.linkTarget(of: "/proc/\(pid)/fd/2") == home.directory.file("state/passcoded/daemon.log"))
    #expect(try Files.linkTarget(of: "/proc/\(pid)/cwd") == "/")
    #expect(getsid(pid) == pid)
    close(ends.writing)
    let variables = String(decoding: try readFile("/proc/\(pid)/environ"), as: UTF8.self)
      .split(separator: "\0").map { $0.prefix { $0 != "=" } }
    #expect(!variables.contains("SECRET_OF_SHELL") && !variables.contains("PATH"))
    for name in ["HOME", "XDG_DATA_HOME", "LC_TIME", "PASSCODED_TEST", "LANG"] { #expect(variables.contains { $0 == name }) }
  }

  @Test("--no-autostart starts none, and an explicit socket starts none without an explicit store")
  func refused() throws {
    let home = try Sandbox()
    try home.expect(69, "--no-autostart", "status")
    let socket = try home.directory.makeDirectory("s") + "/socket"
    let refused = try home.expect(69, "--socket", socket, "status")
    #expect(refused.errorText.contains("--store"))
    let store = home.directory.file("own.db")
    try home.expect(0, "--socket", socket, "--store", store, "create", "--passcode-file", home.passcodeFile)
    try home.expect(0, "--socket", socket, "put", "a", input: "x".utf8)
    #expect(try home.expect(0, "--socket", socket, "get", "a").outputText == "x")
    try home.expect(0, "--socket", socket, "daemon", "stop")
  }

  @Test("where systemd is to listen, no daemon is started")
  func systemd() throws {
    let home = try Sandbox()
    for folder in ["config/systemd", "config/systemd/user", "config/systemd/user/sockets.target.wants", "run/systemd"] {
      try home.directory.makeDirectory(folder)
    }
    try home.directory.write("config/systemd/user/sockets.target.wants/passcoded.socket", "".utf8)
    try home.directory.write("run/systemd/private", "".utf8)
    let refused = try home.expect(69, "status")
    #expect(refused.errorText.contains("systemctl --user start passcoded.socket"))
  }

  @Test("SC-35: a program never starts itself in the daemon's place")
  func neverItself() throws {
    let home = try Sandbox()
    let app = try home.directory.makeDirectory("app")
    let program = try binary(named: "passcode")
    let bytes = try readFile(program)
    try home.directory.write("app/passcoded", bytes, mode: 0o700)
    // The daemon's name is a link to the app, then the app is the file of the daemon's name itself.
    #expect(unsafe link(app + "/passcoded", app + "/tool") == 0)
    for name in ["tool", "passcoded"] {
      let result = try Command(app + "/" + name, ["status"], environment: runnable(home)).run()
      #expect(result.status == .exited(69), "\(result.errorText)")
      #expect(result.errorText.contains("this program itself"))
    }
    // A copy is another file: it is started, has no verb to do, and ends.
    #expect(unsafe unlink(app + "/tool") == 0)
    try home.directory.write("app/tool", bytes, mode: 0o700)
    let copy = try Command(app + "/tool", ["status"], environment: runnable(home)).run()
    #expect(copy.status == .exited(69), "\(copy.errorText)")
    #expect(unsafe unlink(app + "/passcoded") == 0)
    let none = try Command(app + "/tool", ["status"], environment: runnable(home)).run()
    #expect(none.status == .exited(69))
    #expect(none.errorText.contains("../libexec"))
  }

  /// A debug build finds its Swift libraries beside where it was built; a copy has to be told.
  private func runnable(_ home: Sandbox) -> [String: String] {
    guard let libraries = ProcessEnvironment.current()["LD_LIBRARY_PATH"] else { return home.environment }
    return home.environment.merging(["LD_LIBRARY_PATH": libraries]) { own, _ in own }
  }
}
