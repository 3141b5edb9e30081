import Glibc
import PasscodePlatform
import TestSupport
import Testing

/// The tests' own machinery, which other tests believe.
struct SupportTests {
  @Test("A generator gives the same numbers for the same seed, as published")
  func generator() {
    var random = SplitMix64(seed: 1_234_567)
    #expect(
      (0..<3).map { _ in random.next() } == [6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423])
  }

  @Test("A command is fed, and gives its output, messages and exit code")
  func command() throws {
    var command = Command("/bin/sh", ["-c", "cat; cat <&5 >&2; exit $CODE"], environment: ["CODE": "4"])
    command.input = [UInt8](repeating: 0x61, count: 1 << 20)
    let handed = try makeReadable("handed".utf8)
    defer { close(handed) }
    command.descriptors = [5: handed]
    let result = try command.run()
    #expect(result.status == .exited(4) && result.output == command.input && result.errorText == "handed")
    var deaf = Command("/bin/true")
    deaf.input = command.input
    #expect(try deaf.run().status == .exited(0))
  }

  @Test("A started command can be ended by a signal")
  func signalled() throws {
    let running = try Command("/bin/sleep", ["1000"]).start()
    running.send(signal: SIGTERM)
    #expect(try running.finish().status == .signalled(SIGTERM))
  }

  @Test("A program on a pseudo-terminal has it as its controlling terminal and is talked to through it")
  func terminal() throws {
    let pty = try PseudoTerminal()
    try pty.start(Command("/bin/sh", ["-c", "echo hi >/dev/tty; read x; echo \"<$x>\"; exit 5"]))
    try pty.expect("hi\r\n")
    try pty.send("word\r")
    try pty.expect("<word>")
    #expect(try pty.waitForExit() == .exited(5))
    #expect(pty.hasShown("word\r\n<word>"))
  }

  @Test("Ctrl-C on a pseudo-terminal reaches the program as a signal")
  func interrupt() throws {
    let pty = try PseudoTerminal()
    try pty.start(Command("/bin/sh", ["-c", "echo ready; exec sleep 1000"], environment: ["PATH": "/usr/bin:/bin"]))
    try pty.expect("ready")
    try pty.send("\u{3}")
    #expect(try pty.waitForExit() == .signalled(SIGINT))
  }

  @Test("What never appears is a failure with what did")
  func neverAppears() throws {
    let pty = try PseudoTerminal()
    try pty.start(Command("/bin/echo", ["something"]))
    #expect(try pty.waitForExit() == .exited(0))
    try pty.expect("some")
    #expect(!pty.hasShown("nothing"))
  }

  @Test("A temporary directory is private, and gone with its owner, whatever is in it")
  func temporaryDirectory() throws {
    let path: String
    do {
      let directory = try TemporaryDirectory()
      path = directory.path
      #expect(try Files.status(of: path)?.mode == 0o700)
      try directory.makeDirectory("closed", mode: 0o700)
      try directory.write("closed/file", [1])
      #expect(unsafe chmod(directory.file("closed"), 0) == 0)
      #expect(unsafe symlink("/etc", directory.file("link")) == 0)
    }
    #expect(try Files.status(of: path) == nil)
    #expect(try Files.status(of: "/etc/passwd") != nil)
  }

  @Test("The test bundle's directory holds the built programs")
  func binaries() throws {
    #expect(throws: TestFailure.self) { try binary(named: "no-such-program") }
    #expect(try binary(named: "passcoded").hasSuffix("/passcoded"))
  }
}
