import Glibc
import PasscodePlatform
import SecretMemory
import TestSupport
import Testing

/// Prompts on a real pseudo-terminal. One at a time: a process has one terminal.
@Suite(.serialized)
struct TerminalTests {
  private let pty: PseudoTerminal

  init() throws { pty = try PseudoTerminal() }

  /// Asks on the pseudo-terminal from a thread of its own.
  private func ask(marksPaste: Bool = false, limit: Int = 1024) -> Background<Result<[UInt8], PlatformError>> {
    let path = pty.path
    return Background {
      do throws(PlatformError) {
        let terminal = Terminal(owning: try Files.open(path, .readWrite), marksPaste: marksPaste)
        let secret = try terminal.readSecret(prompt: "Passcode: ", limit: limit)
        return .success(secret.bytes.indices.map { secret.bytes[$0] })
      } catch {
        return .failure(error)
      }
    }
  }

  @Test("A passcode is read without being shown, and the terminal is as before")
  func hidden() throws {
    #expect(pty.isEchoing && pty.isCollectingLines)
    let answer = ask()
    try pty.expect("Passcode: ")
    #expect(!pty.isEchoing && !pty.isCollectingLines)
    try pty.send("xsé\u{7f}esame\u{15}sésame\r")
    #expect(answer.value() == .success(Array("sésame".utf8)))
    #expect(pty.isEchoing && pty.isCollectingLines)
    try pty.expect("\n")
    #expect(pty.transcriptText == "Passcode: \r\n")
  }

  @Test("Ctrl-C and Ctrl-D cancel, and what was typed after does not reach the next reader")
  func cancel() throws {
    for key in ["abc\u{3}rest\n", "\u{4}rest\n"] {
      let answer = ask()
      try pty.expect("Passcode: ")
      try pty.send(key)
      #expect(answer.value() == .failure(.cancelled))
      #expect(pty.isEchoing)
    }
    let answer = ask()
    try pty.expect("Passcode: ")
    try pty.send("next\r")
    #expect(answer.value() == .success(Array("next".utf8)))
  }

  @Test("Two prompts take what was typed ahead in order")
  func typeAhead() throws {
    let first = ask()
    try pty.expect("Passcode: ")
    try pty.send("one\rtwo\r")
    #expect(first.value() == .success(Array("one".utf8)))
    #expect(ask().value() == .success(Array("two".utf8)))
  }

  @Test("SC-23: 1,024 bytes can be typed, 1,025 are refused, and 4,000 do not hang")
  func length() throws {
    for count in [1024, 1025, 4000] {
      let text = String(repeating: "a", count: count)
      let answer = ask()
      try pty.expect("Passcode: ")
      try pty.send(text + "\r")
      #expect(answer.value() == (count <= 1024 ? .success(Array(text.utf8)) : .failure(.tooLong(limit: 1024))))
    }
  }

  @Test("A terminal is asked to mark pasted text, and no longer at the end")
  func paste() throws {
    let answer = ask(marksPaste: true)
    try pty.expect("\u{1b}[?2004h")
    try pty.expect("Passcode: ")
    try pty.send("\u{1b}[200~pasted\r\u{1b}[201~")
    try pty.send("\r")
    #expect(answer.value() == .success(Array("pasted".utf8)))
    try pty.expect("\u{1b}[?2004l")
  }

  @Test("A live checklist is drawn after whole characters, and once for what came together")
  func liveChecklist() throws {
    let path = pty.path
    let drawn = Monitor<[Int]>([])
    let answer = Background { () -> Bool in
      guard let file = try? Files.open(path, .readWrite) else { return false }
      let terminal = Terminal(owning: file, marksPaste: false)
      let secret = try? terminal.readSecret(prompt: "New: ") { (text: borrowing SecretBytes) in
        let count = text.count
        drawn.broadcast { $0.append(count) }
      }
      return secret != nil
    }
    try pty.expect("New: ")
    try pty.send("a")
    _ = drawn.wait { $0 == [1] ? true : nil }
    try pty.send([0xc3])
    usleep(20_000)
    #expect(drawn.withLock { $0 } == [1])
    try pty.send([0xa9])
    _ = drawn.wait { $0.last == 3 ? true : nil }
    try pty.send("\u{1b}[A")
    try pty.send("\r")
    #expect(answer.value())
    #expect(drawn.withLock { $0 } == [1, 3])
  }

  @Test("A visible answer is shown and can be corrected")
  func visible() throws {
    let path = pty.path
    let answer = Background { () -> String in
      guard let file = try? Files.open(path, .readWrite) else { return "" }
      return (try? Terminal(owning: file, marksPaste: false).readLine(prompt: "Sure? ")) ?? ""
    }
    try pty.expect("Sure? ")
    try pty.send("n\u{7f}yes")
    try pty.expect("yes")
    try pty.send("\r")
    #expect(answer.value() == "yes")
  }

  @Test("A terminal that goes away ends the prompt")
  func hangUp() throws {
    var other: PseudoTerminal? = try PseudoTerminal()
    let path = other!.path
    let answer = Background { () -> PlatformError? in
      guard let file = try? Files.open(path, .readWrite) else { return nil }
      do throws(PlatformError) {
        _ = try Terminal(owning: file, marksPaste: false).readSecret(prompt: "Passcode: ").count
        return nil
      } catch {
        return error
      }
    }
    try other!.expect("Passcode: ")
    other = nil
    #expect(answer.value() == .disconnected)
  }

  @Test("Without a terminal there is an error, and a file is none")
  func noTerminal() async throws {
    let file = try Files.open("/dev/null", .read)
    let isTerminal = Terminal.isTerminal(file.raw)
    #expect(!isTerminal)
    await #expect(processExitsWith: .exitCode(7)) {
      setsid()
      do throws(PlatformError) { _ = try Terminal.open().columns } catch { exit(error == .noTerminal ? 7 : 1) }
      exit(2)
    }
  }
}
