import Glibc
import PasscodePlatform
import SecretMemory
import TestSupport
import Testing

/// What signals do to a prompt, in a process with a controlling terminal of its own.
@Suite(.serialized)
struct TerminalSignalTests {
  private let pty: PseudoTerminal

  init() throws { pty = try PseudoTerminal() }

  /// Makes the terminal at `path` the controlling one of this process, which becomes a session leader.
  private static func control(_ path: String) -> Int32 {
    setsid()
    return unsafe open(path, O_RDWR)
  }

  private static func isEchoing(_ descriptor: Int32) -> Bool {
    var modes = termios()
    unsafe tcgetattr(descriptor, &modes)
    return modes.c_lflag & tcflag_t(ECHO) != 0
  }

  @Test("A signal ends the program as ever, with the terminal as before", arguments: [SIGINT, SIGTERM, SIGHUP, SIGQUIT])
  func restored(number: Int32) async {
    await #expect(processExitsWith: .signal(number)) { [path = pty.path as String, number = number as Int32] in
      let tty = Self.control(path)
      _ = startThread {
        while Self.isEchoing(tty) { usleep(1000) }
        kill(getpid(), number)
      }
      _ = try? Terminal.open().readSecret(prompt: "Passcode: ").count
    }
    #expect(pty.isEchoing && pty.isCollectingLines)
  }

  @Test("A signal that was ignored stays ignored, as nohup wants")
  func ignored() async throws {
    await #expect(processExitsWith: .exitCode(7)) { [path = pty.path as String] in
      signal(SIGHUP, SIG_IGN)
      let tty = Self.control(path)
      let terminal = try Terminal.open()
      try terminal.withKeys { (_: inout KeyReader) in
        kill(getpid(), SIGHUP)
        #expect(!Self.isEchoing(tty))
      }
      exit(Self.isEchoing(tty) ? 7 : 1)
    }
  }

  @Test("Keys are lent once at a time, and again after")
  func onceAtATime() async throws {
    await #expect(processExitsWith: .exitCode(7)) { [path = pty.path as String] in
      _ = Self.control(path)
      let terminal = try Terminal.open()
      var inner: PlatformError?
      try terminal.withKeys { (_: inout KeyReader) in
        do throws(PlatformError) { try terminal.withKeys { (_: inout KeyReader) in } } catch { inner = error }
      }
      try terminal.withKeys { (_: inout KeyReader) in }
      exit(inner == .system(SyscallError("tcsetattr", EBUSY)) ? 7 : 1)
    }
  }

  @Test("Ctrl-Z stops the program with the terminal as before; back again, the prompt and what was typed are there")
  func stopAndContinue() async throws {
    let terminal = UncheckedBox(pty)
    let person = Background { () -> Bool in
      let pty = terminal.value
      do {
        try pty.expect("Passcode: ")
        try pty.send("ab\u{1a}")
        try pty.expect("Passcode: ")
        try pty.send("c\r")
        return true
      } catch {
        return false
      }
    }
    await #expect(processExitsWith: .exitCode(7)) { [path = pty.path as String] in
      let tty = Self.control(path)
      signal(SIGTTOU, SIG_IGN)
      // A job of its own under this session leader: the kernel stops no group without a parent that could continue it.
      let job = fork()
      if job == 0 {
        // The thread that a test runs on blocks most signals; a program's main thread does not.
        var none = sigset_t()
        unsafe sigprocmask(SIG_SETMASK, &none, nil)
        setpgid(0, 0)
        tcsetpgrp(tty, getpid())
        let secret = try Terminal.open().readSecret(prompt: "Passcode: ")
        _exit(constantTimeEqual(secret.bytes, Array("abc".utf8).span) ? 0 : 1)
      }
      var status: Int32 = 0
      guard unsafe waitpid(job, &status, WUNTRACED) == job, status & 0xff == 0x7f else { exit(1) }
      let isRestored = Self.isEchoing(tty)
      kill(job, SIGCONT)
      guard unsafe waitpid(job, &status, 0) == job, status == 0 else { exit(2) }
      exit(isRestored && Self.isEchoing(tty) ? 7 : 3)
    }
    #expect(person.value())
  }
}

/// Hands a value to the one thread that uses it from then on.
private final class UncheckedBox<Value>: @unchecked Sendable {
  // SAFETY: the test touches the value again only after that thread has ended.
  let value: Value
  init(_ value: Value) { self.value = value }
}
