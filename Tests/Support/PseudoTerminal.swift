internal import CLinux
internal import Glibc
public import PasscodePlatform

/// A pseudo-terminal that a test types into and reads from.
public final class PseudoTerminal {
  /// The path of the side that a program sees.
  public let path: String
  /// Everything that appeared so far.
  public private(set) var transcript: [UInt8] = []
  private let master: Int32
  // Kept open, so that the terminal's modes last when a program closes it.
  private let slave: Int32
  private var searched = 0
  private var pid: Int32?

  /// A new terminal.
  public init() throws {
    var name = [CChar](repeating: 0, count: 64)
    master = unsafe name.withUnsafeMutableBufferPointer { unsafe clinux_pseudo_terminal($0.baseAddress!, $0.count) }
    guard master >= 0 else { throw TestFailure("no pseudo-terminal: errno \(-master)") }
    path = String(decoding: name.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    slave = unsafe open(path, O_RDWR | O_NOCTTY | O_CLOEXEC)
    guard slave >= 0 else { throw TestFailure.call("open") }
  }

  deinit {
    if let pid {
      kill(pid, SIGKILL)
      _ = waitForEnd(of: pid)
    }
    close(slave)
    close(master)
  }

  /// Starts a program in a session of its own with this as controlling terminal and, where the command's `descriptors` say
  /// nothing else, as 0 to 2. The command's `input` is not used: type it with ``send(_:)-(String)``.
  public func start(_ command: Command) throws {
    precondition(pid == nil, "one program at a time")
    var plan = command.plan
    plan.descriptors = command.descriptors
    plan.terminal = path
    pid = try plan.start()
  }

  /// Types bytes.
  public func send(_ bytes: [UInt8]) throws {
    var rest = bytes[...]
    while !rest.isEmpty {
      let sent = unsafe rest.withUnsafeBytes { unsafe write(master, $0.baseAddress!, $0.count) }
      guard sent > 0 || errno == EINTR else { throw TestFailure.call("write") }
      rest = rest.dropFirst(max(0, sent))
    }
  }

  /// Types a text; Enter is `\r`, Ctrl-C is `\u{3}`.
  public func send(_ text: String) throws { try send(Array(text.utf8)) }

  /// Waits until `text` appears after what was expected before.
  ///
  /// - Throws: when the program has closed the terminal, or a minute passes in silence: the test would hang otherwise.
  public func expect(_ text: String) throws {
    let wanted = Array(text.utf8)
    while true {
      if let end = find(wanted, from: searched) {
        searched = end
        return
      }
      guard try readMore() else { throw TestFailure("no \(text.debugDescription) in \(transcriptText.debugDescription)") }
    }
  }

  /// Whether `text` appeared at any time so far.
  public func hasShown(_ text: String) -> Bool { find(Array(text.utf8), from: 0) != nil }

  /// ``transcript`` as text.
  public var transcriptText: String { String(decoding: transcript, as: UTF8.self) }

  /// Reads what is still to come and waits for the program's end.
  public func waitForExit() throws -> ExitStatus {
    guard let pid else { throw TestFailure("nothing was started") }
    var status: Int32 = 0
    while true {
      let ended = unsafe waitpid(pid, &status, WNOHANG)
      if ended == pid { break }
      _ = try? readMore(milliseconds: 20)
    }
    while try readMore(milliseconds: 0) {}
    self.pid = nil
    return ExitStatus(waitStatus: status)
  }

  /// Sends a signal to the program.
  public func send(signal: Int32) { if let pid { kill(pid, signal) } }

  /// Whether what is typed is shown by the terminal itself.
  public var isEchoing: Bool { modes.c_lflag & tcflag_t(ECHO) != 0 }
  /// Whether the terminal collects whole lines.
  public var isCollectingLines: Bool { modes.c_lflag & tcflag_t(ICANON) != 0 }

  /// Waits until the terminal echoes, or does not: the moment that a program has set its mode.
  public func waitUntil(echoing: Bool) {
    while isEchoing != echoing { usleep(1000) }
  }

  private var modes: termios {
    var modes = termios()
    unsafe tcgetattr(slave, &modes)
    return modes
  }

  private func readMore(milliseconds: Int32 = 60_000) throws -> Bool {
    var entry = pollfd(fd: master, events: Int16(POLLIN), revents: 0)
    guard unsafe poll(&entry, 1, milliseconds) > 0 else { return false }
    let chunk = readChunk(master)
    transcript += chunk
    return !chunk.isEmpty
  }

  private func find(_ wanted: [UInt8], from start: Int) -> Int? {
    guard !wanted.isEmpty, transcript.count >= start + wanted.count else { return wanted.isEmpty ? start : nil }
    for index in start...(transcript.count - wanted.count)
    where transcript[index..<index + wanted.count].elementsEqual(wanted) {
      return index + wanted.count
    }
    return nil
  }
}
