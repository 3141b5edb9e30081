internal import CLinux
internal import Glibc
public import SecretMemory

/// What a program gave back: its standard output and how it ended.
public struct ProgramAnswer: ~Copyable, Sendable {
  /// Its output, which may hold what it was given.
  public let output: SecretBytes
  /// How it ended.
  public let status: ExitStatus
}

extension Spawn {
  /// The most that ``answer(of:to:limit:within:)`` hands a program, in bytes: what a pipe takes at once.
  public static let maximumInputByteCount = 4096

  /// Runs a program on one input and takes its answer.
  ///
  /// The program gets the input on 0 and a pipe on 1; nothing else: no argument, no variable, no other descriptor (2 is
  /// /dev/null), in `/`, in a session of its own. When this returns or throws, the whole session's first process group has been
  /// killed and the program waited for.
  ///
  /// - Parameters:
  ///   - executable: an absolute path.
  ///   - input: at most ``maximumInputByteCount`` bytes. It lies in the kernel's memory until the program reads it or ends.
  ///   - limit: of the output, in bytes.
  ///   - time: until the end of the output and of the program.
  /// - Throws: `timedOut`; `tooLong` over `limit`; `secretMemory`; `invalidPath`; `file` with the errno of execve(2);
  ///   `system` when no descriptor is left. How the program ended is no error.
  /// - Precondition: the input is within its bound.
  public static func answer(
    of executable: String, to input: Span<UInt8>, limit: Int, within time: Duration
  ) throws(PlatformError) -> ProgramAnswer {
    precondition(input.count <= maximumInputByteCount)
    let deadline = Deadline(time)
    let output = try Pipe()
    let program = try start(SpawnPlan(executable), reading: try filled(with: input), writing: output.writing)
    let text = try read(output.takeReading(), limit, deadline)
    guard try program.hasEnded(by: deadline) else { throw .timedOut }
    return ProgramAnswer(output: text, status: program.finish())
  }

  private static func start(
    _ plan: consuming SpawnPlan, reading input: borrowing FileDescriptor, writing output: borrowing FileDescriptor
  ) throws(PlatformError) -> SessionLeader {
    plan.startsSession = true
    plan.endsWithCaller = true
    plan.directory = "/"
    plan.descriptors = [0: input.raw, 1: output.raw]
    return SessionLeader(pid: try plan.start())
  }

  /// Runs a program on an input that is no secret and takes its output, as ``answer(of:to:limit:within:)`` does.
  ///
  /// - Parameters:
  ///   - arguments: after the program's own name.
  ///   - input: what it reads from a file in memory.
  /// - Throws: as ``answer(of:to:limit:within:)``; without its limit of the input.
  public static func output(
    of executable: String, arguments: [String] = [], to input: Span<UInt8> = Span(), limit: Int, within time: Duration
  ) throws(PlatformError) -> (bytes: [UInt8], status: ExitStatus) {
    let deadline = Deadline(time)
    let output = try Pipe()
    let program = try start(
      SpawnPlan(executable, arguments: arguments), reading: try MemoryFile.holding(input), writing: output.writing)
    let bytes = try readOpenly(output.takeReading(), limit, deadline)
    guard try program.hasEnded(by: deadline) else { throw .timedOut }
    return (bytes, program.finish())
  }

  private static func readOpenly(
    _ output: consuming FileDescriptor, _ limit: Int, _ deadline: Deadline
  ) throws(PlatformError) -> [UInt8] {
    let descriptor = output.raw
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 65_536)
    while true {
      guard try deadline.poll({ clinux_wait_readable(descriptor, $0) }) else { throw .timedOut }
      let count = unsafe chunk.withUnsafeMutableBytes { unsafe readRetrying(descriptor, $0) }
      guard count >= 0 else { throw .system(SyscallError("read", Int32(-count))) }
      if count == 0 { return bytes }
      guard bytes.count + count <= limit else { throw .tooLong(limit: limit) }
      bytes.append(contentsOf: chunk[..<count])
    }
  }

  /// A pipe to read `input` from. Both ends are ours while it is written: no broken pipe, and room for all of it.
  private static func filled(with input: Span<UInt8>) throws(PlatformError) -> FileDescriptor {
    let pipe = try Pipe()
    try pipe.writing.writeAll(input)
    return pipe.takeReading()
  }

  private static func read(
    _ output: consuming FileDescriptor, _ limit: Int, _ deadline: Deadline
  ) throws(PlatformError) -> SecretBytes {
    let descriptor = output.raw
    var text: SecretBytes
    do { text = try SecretBytes(capacity: limit + 1) } catch { throw .secretMemory(error) }
    while true {
      guard try deadline.poll({ clinux_wait_readable(descriptor, $0) }) else { throw .timedOut }
      if try output.read(into: &text) == 0 { return text }
      if text.count > limit { throw .tooLong(limit: limit) }
    }
  }
}

/// A child that leads a session and a process group; both are ended with it.
private struct SessionLeader: ~Copyable {
  let pid: Int32

  deinit { _ = Self.end(pid) }

  /// Whether it has ended. Nobody has waited for it yet then, so that its number is still its own.
  func hasEnded(by deadline: Deadline) throws(PlatformError) -> Bool {
    let opened = clinux_pidfd(pid)
    guard opened >= 0 else { throw .system(SyscallError("pidfd_open", -opened)) }
    let process = FileDescriptor(owning: opened)
    return try deadline.poll { clinux_wait_readable(process.raw, $0) }
  }

  /// Kills what is left of the group and waits for the child.
  consuming func finish() -> ExitStatus {
    let status = Self.end(pid)
    discard self
    return ExitStatus(waitStatus: status)
  }

  private static func end(_ pid: Int32) -> Int32 {
    kill(-pid, SIGKILL)
    var status: Int32 = 0
    while unsafe waitpid(pid, &status, 0) < 0, errno == EINTR {}
    return status
  }
}
