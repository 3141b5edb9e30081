internal import Glibc
internal import PasscodePlatform
internal import SecretMemory

/// One started pinentry: moves bytes between it and the dialogue, within the limits, and sees to its end.
struct PinentrySession: ~Copyable {
  /// What may end it from outside.
  struct Limits: Sendable {
    /// On the boot-time clock, in nanoseconds.
    let deadline: UInt64
    let cancellation: PromptCancellation
    /// Whether a hang-up of the terminal ends it, if it does not tell whether it asks there or in a window.
    let watchesTerminal: Bool
  }

  /// The locked memory of one prompt.
  struct Buffers: ~Copyable {
    var lines: AssuanLineBuffer
    var first: SecretBytes
    var second: SecretBytes
    /// What it says on 2, and what it says after the end: never looked at.
    var ignored: SecretBytes

    init() throws(SecretMemoryError) {
      let lines = try AssuanLineBuffer()
      let first = try SecretBytes(capacity: Pinentry.maximumAnswerByteCount)
      let second = try SecretBytes(capacity: Pinentry.maximumAnswerByteCount)
      let ignored = try SecretBytes(capacity: 4096)
      self.lines = lines
      self.first = first
      self.second = second
      self.ignored = ignored
    }
  }

  /// Why it is over.
  enum Stop {
    case ending(Dialogue.Ending)
    case timedOut
    case cancelled
    case terminalGone

    /// Whether it still listens.
    fileprivate var isOrderly: Bool {
      switch self {
      case .ending(.crashed), .timedOut, .cancelled, .terminalGone: false
      case .ending: true
      }
    }

    /// Whether it has ended by itself.
    fileprivate var isEnd: Bool {
      if case .ending(.crashed(.ended)) = self { true } else { false }
    }
  }

  /// How many bytes of a candidate an inquiry carries at most.
  private static let inquiredByteCount = 300
  /// How long it may take to leave, before it is killed.
  private static let grace = Duration.seconds(1)

  private var child: ChildProcess
  private let process: FileDescriptor?
  /// The number of ``process``, or -1.
  private let processNumber: Int32
  private let terminal: PeerTerminal?
  /// The terminal's number, or -1.
  private let terminalNumber: Int32
  private var watchesTerminal: Bool
  private var dialogue: Dialogue
  private let judges: CandidateJudges
  private let limits: Limits
  private var hearsErrors = true

  init(
    child: consuming ChildProcess, terminal: consuming PeerTerminal?, dialogue: Dialogue, judges: CandidateJudges,
    limits: Limits
  ) {
    terminalNumber = terminal?.raw ?? -1
    watchesTerminal = limits.watchesTerminal
    do {
      let process = try child.descriptor()
      processNumber = process.raw
      self.process = consume process
    } catch {
      processNumber = -1
      process = nil
    }
    self.child = child
    self.terminal = terminal
    self.dialogue = dialogue
    self.judges = judges
    self.limits = limits
    // A command is shorter than what a pipe takes at once: a full pipe means that nobody reads.
    try? self.child.input?.stopWaiting()
  }

  /// Converses up to the end; the program has been waited for then.
  mutating func run(_ buffers: inout Buffers) -> Stop {
    let stop = converse(&buffers)
    let status = stop.isOrderly ? leave(&buffers) : kill(&buffers, afterItsEnd: stop.isEnd)
    if stop.isEnd { return .ending(.crashed(.ended(status))) }
    // The flavour for terminals takes a hang-up for the person's wish.
    if case .ending(.cancelled) = stop, isHungUp { return .terminalGone }
    return stop
  }

  // MARK: - Conversation

  private mutating func converse(_ buffers: inout Buffers) -> Stop {
    while true {
      switch buffers.lines.front {
      case .line(let count):
        let (event, part) = Self.read(count, &buffers.lines)
        if let ending = perform(dialogue.handle(event), part, &buffers) { return .ending(ending) }
        buffers.lines.dropLine(count)
        if BootClock.now() >= limits.deadline { return .timedOut }
        if limits.cancellation.isCancelled { return .cancelled }
      case .oversized: return .ending(.crashed(.oversizedLine))
      case .partial:
        if let stop = waitForBytes(&buffers) { return stop }
      }
    }
  }

  /// Reads more bytes, or tells why there are none.
  private mutating func waitForBytes(_ buffers: inout Buffers) -> Stop? {
    var entries = [
      pollfd(fd: limits.cancellation.raw, events: Int16(POLLIN), revents: 0),
      pollfd(fd: child.output.raw, events: Int16(POLLIN), revents: 0),
      // A negative number is left out.
      pollfd(fd: hearsErrors ? child.error.raw : -1, events: Int16(POLLIN), revents: 0),
      pollfd(fd: watchesTerminal ? terminalNumber : -1, events: 0, revents: 0),
      // What it has started may hold its output open after its end.
      pollfd(fd: processNumber, events: Int16(POLLIN), revents: 0),
    ]
    guard Waiting.wait(&entries, until: limits.deadline) else { return .timedOut }
    if entries[0].revents != 0 { return .cancelled }
    if entries[2].revents != 0 { hearsErrors = Self.ignore(child.error, &buffers.ignored) }
    if entries[1].revents != 0 {
      let isOpen = (try? buffers.lines.fill(from: child.output)) ?? false
      return isOpen ? nil : .ending(.crashed(.ended(nil)))
    }
    if entries[4].revents != 0 { return .ending(.crashed(.ended(nil))) }
    return entries[3].revents != 0 ? .terminalGone : nil
  }

  /// Reads what nobody looks at: the program must not wait for a reader, and what it says may hold anything.
  ///
  /// - Returns: false at the end.
  private static func ignore(_ descriptor: borrowing FileDescriptor, _ ignored: inout SecretBytes) -> Bool {
    ignored.removeAll()
    return (try? descriptor.read(into: &ignored)).map { $0 > 0 } ?? false
  }

  /// What the first line says, and where in the buffer its bytes are: unescaped in place.
  private static func read(_ count: Int, _ lines: inout AssuanLineBuffer) -> (Dialogue.Event, Range<Int>) {
    let reply = lines.reply(count)
    switch reply {
    case .data(let range), .inquiry(_, let range):
      guard let part = lines.unescape(range) else { return (.broken(.malformedReply), 0..<0) }
      return (event(reply, part.count), part)
    default: return (event(reply, 0), 0..<0)
    }
  }

  private static func event(_ reply: AssuanReply, _ count: Int) -> Dialogue.Event {
    switch reply {
    case .ok: .ok
    case .error(let code): .error(code)
    case .status(let isPINRepeated): isPINRepeated ? .pinRepeated : .note
    case .comment: .note
    case .data: .data
    case .inquiry(.quality, _): .quality
    case .inquiry(.check, _): .check(isWhole: count < inquiredByteCount)
    case .inquiry(.other, _): .otherInquiry
    case .malformed: .broken(.malformedReply)
    }
  }

  private mutating func perform(
    _ first: Dialogue.Action, _ part: Range<Int>, _ buffers: inout Buffers
  ) -> Dialogue.Ending? {
    var action = first
    while true {
      switch action {
      case .wait: return nil
      case .finish(let ending): return ending
      case .send(.getPIN):
        if dialogue.isSecondEntry { buffers.second.removeAll() } else { buffers.first.removeAll() }
        return send(.getPIN)
      case .send(let command): return send(command)
      case .keepData:
        if keep(part, &buffers) { return nil }
        action = dialogue.handle(.broken(.oversizedPasscode))
      case .readFlavor:
        let needsTerminal = buffers.lines.withPart(part) { AssuanText.needsTerminal($0) }
        watchesTerminal = needsTerminal
        action = dialogue.handle(.flavor(needsTerminal: needsTerminal))
      case .rate:
        let quality = buffers.lines.withPart(part) { judges.quality?($0) ?? 0 }
        return send(.answer("\(max(-100, min(quality, 100)))"))
      case .check: return send(.answer(buffers.lines.withPart(part) { judges.refusal?($0) }))
      case .judgeCandidate: action = dialogue.handle(.judged(refusal: judges.refusal?(buffers.first.bytes)))
      case .compare:
        let areEqual = SecretBytes.isEqual(buffers.first, buffers.second)
        action = dialogue.handle(.compared(areEqual: areEqual))
      }
    }
  }

  private func keep(_ part: Range<Int>, _ buffers: inout Buffers) -> Bool {
    do {
      if dialogue.isSecondEntry {
        try buffers.lines.append(part, to: &buffers.second)
      } else {
        try buffers.lines.append(part, to: &buffers.first)
      }
      return true
    } catch {
      return false
    }
  }

  /// - Returns: an ending where it can't be sent.
  private mutating func send(_ command: AssuanCommand) -> Dialogue.Ending? {
    do {
      try child.input?.writeAll(command.bytes.span)
      return nil
    } catch {
      return .crashed(error == .disconnected ? .ended(nil) : .notReading)
    }
  }

  // MARK: - The end

  private var isHungUp: Bool { watchesTerminal && terminalNumber >= 0 && PeerTerminal.isGone(terminalNumber) }

  /// Says goodbye; one that stays all the same is killed.
  private mutating func leave(_ buffers: inout Buffers) -> ExitStatus? {
    _ = send(.bye)
    child.closeInput()
    if let status = try? child.wait(within: Self.grace) { return status }
    return kill(&buffers, afterItsEnd: false)
  }

  /// Ends it and all that it started in its session, by the number of a process not waited for yet, so never another's.
  private mutating func kill(_ buffers: inout Buffers, afterItsEnd hasEnded: Bool) -> ExitStatus? {
    defer { terminal?.restore() }
    // What ended by itself is not sent a signal: its status is a fact to tell.
    if hasEnded, let status = try? child.wait(within: Self.grace, endingGroup: true) { return status }
    Glibc.kill(-child.pid, SIGTERM)
    waitForClosedOutput(&buffers)
    Glibc.kill(-child.pid, SIGKILL)
    waitForClosedOutput(&buffers)
    return (try? child.wait()) ?? nil
  }

  /// Its end of the pipe closes when it and all that it started have ended.
  private mutating func waitForClosedOutput(_ buffers: inout Buffers) {
    let deadline = Waiting.deadline(Self.grace)
    while true {
      var entries = [pollfd(fd: child.output.raw, events: Int16(POLLIN), revents: 0)]
      guard Waiting.wait(&entries, until: deadline), Self.ignore(child.output, &buffers.ignored) else { return }
    }
  }
}
