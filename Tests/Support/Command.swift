internal import Glibc
public import PasscodePlatform

/// A program that ran to its end.
public struct CommandResult: Sendable {
  /// How it ended.
  public let status: ExitStatus
  /// What it wrote to 1.
  public let output: [UInt8]
  /// What it wrote to 2.
  public let error: [UInt8]

  /// ``output`` as text.
  public var outputText: String { String(decoding: output, as: UTF8.self) }
  /// ``error`` as text.
  public var errorText: String { String(decoding: error, as: UTF8.self) }
}

/// A program with what it is given: nothing is inherited but what stands here.
public struct Command: Sendable {
  /// The absolute path.
  public var executable: String
  /// The arguments after its name.
  public var arguments: [String]
  /// All its variables.
  public var environment: [String: String]
  /// What it reads from 0.
  public var input: [UInt8] = []
  /// Further descriptors: number there, number here (such as `[5: pipe]`).
  public var descriptors: [Int32: Int32] = [:]

  /// A command.
  public init(_ executable: String, _ arguments: [String] = [], environment: [String: String] = [:]) {
    self.executable = executable
    self.arguments = arguments
    self.environment = environment
  }

  var plan: SpawnPlan {
    SpawnPlan(executable, arguments: arguments, environment: environment.map { "\($0)=\($1)" }.sorted())
  }

  /// Runs it to its end. What it leaves running does not hold this up unless it keeps 1 or 2 open.
  public func run() throws -> CommandResult { try start().finish() }

  /// Starts it with pipes on 0 to 2; ``RunningCommand/finish()`` feeds and collects.
  public func start() throws -> RunningCommand {
    let (inputReading, inputWriting) = try makePipe()
    let (outputReading, outputWriting) = try makePipe()
    let (errorReading, errorWriting) = try makePipe()
    defer { for end in [inputReading, outputWriting, errorWriting] { close(end) } }
    var plan = plan
    plan.descriptors = descriptors.merging([0: inputReading, 1: outputWriting, 2: errorWriting]) { _, pipe in pipe }
    do {
      let pid = try plan.start()
      return RunningCommand(pid: pid, input: input, ends: [inputWriting, outputReading, errorReading])
    } catch {
      for end in [inputWriting, outputReading, errorReading] { close(end) }
      throw error
    }
  }
}

/// A started program. It is killed when its owner ends without ``finish()``.
public final class RunningCommand {
  /// Its pid.
  public let pid: Int32
  private let input: [UInt8]
  private var ends: [Int32]
  private var isFinished = false

  init(pid: Int32, input: [UInt8], ends: [Int32]) {
    self.pid = pid
    self.input = input
    self.ends = ends
  }

  deinit {
    if !isFinished {
      kill(pid, SIGKILL)
      _ = waitForEnd(of: pid)
    }
    for end in ends where end >= 0 { close(end) }
  }

  /// Sends a signal.
  public func send(signal: Int32) { kill(pid, signal) }

  /// Feeds the input, collects the output and waits for the end.
  public func finish() throws -> CommandResult {
    signal(SIGPIPE, SIG_IGN)
    let (inputEnd, outputEnd, errorEnd) = (ends[0], ends[1], ends[2])
    _ = fcntl(inputEnd, F_SETFL, O_NONBLOCK)
    var output: [UInt8] = []
    var error: [UInt8] = []
    var pending = input[...]
    var open: Set = [inputEnd, outputEnd, errorEnd]
    func finishInput() {
      open.remove(inputEnd)
      ends[0] = -1
      close(inputEnd)
    }
    if pending.isEmpty { finishInput() }
    while open.contains(outputEnd) || open.contains(errorEnd) {
      var entries = open.map { pollfd(fd: $0, events: Int16($0 == inputEnd ? POLLOUT : POLLIN), revents: 0) }
      guard unsafe poll(&entries, nfds_t(entries.count), -1) > 0 else { continue }
      for entry in entries where entry.revents != 0 {
        if entry.fd == inputEnd {
          let sent = unsafe pending.withUnsafeBytes { unsafe Glibc.write(inputEnd, $0.baseAddress!, $0.count) }
          if sent > 0 { pending = pending.dropFirst(sent) }
          if pending.isEmpty || (sent < 0 && errno == EPIPE) { finishInput() }
        } else {
          let chunk = readChunk(entry.fd)
          if chunk.isEmpty { open.remove(entry.fd) }
          if entry.fd == outputEnd { output += chunk } else { error += chunk }
        }
      }
    }
    isFinished = true
    return CommandResult(status: waitForEnd(of: pid), output: output, error: error)
  }
}

/// A pipe: the end to read, the end to write.
public func makePipe() throws -> (reading: Int32, writing: Int32) {
  var ends: [Int32] = [-1, -1]
  guard unsafe pipe(&ends) == 0 else { throw TestFailure.call("pipe") }
  for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
  return (ends[0], ends[1])
}

/// A descriptor to read `bytes` from, up to the end. The caller closes it.
public func makeReadable(_ bytes: some Sequence<UInt8>) throws -> Int32 {
  let (reading, writing) = try makePipe()
  defer { close(writing) }
  _ = fcntl(writing, F_SETFL, O_NONBLOCK)
  let bytes = Array(bytes)
  guard unsafe Glibc.write(writing, bytes, bytes.count) == bytes.count else { throw TestFailure.call("write") }
  return reading
}

/// Two Unix stream sockets connected to each other. The caller closes both.
public func makeSocketPair() throws -> (Int32, Int32) {
  var ends: [Int32] = [-1, -1]
  guard unsafe socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0 else { throw TestFailure.call("socketpair") }
  for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
  return (ends[0], ends[1])
}

func readChunk(_ descriptor: Int32) -> [UInt8] {
  var chunk = [UInt8](repeating: 0, count: 65_536)
  let count = unsafe chunk.withUnsafeMutableBytes { unsafe read(descriptor, $0.baseAddress!, $0.count) }
  return Array(chunk.prefix(max(0, count)))
}

func waitForEnd(of pid: Int32) -> ExitStatus {
  var status: Int32 = 0
  while unsafe waitpid(pid, &status, 0) < 0 && errno == EINTR {}
  return ExitStatus(waitStatus: status)
}
