internal import CLinux
internal import Glibc
internal import PasscodePlatform
internal import SecretMemory

/// One run of the helper: started, asked, heard to the end of its output, waited for.
struct HelperExchange {
  private let executable: String
  private let environment: [String]
  private let end: ContinuousClock.Instant

  /// A run that begins now.
  init(_ executable: String, environment: [String], limit: Duration) {
    self.executable = executable
    self.environment = environment
    end = ContinuousClock.now + limit
  }

  /// Everything that the helper answers.
  ///
  /// - Throws: `tooSlow` at the limit; `failed` where it answers more than a reply; `secretMemory`; `system` where it can't be
  ///   started.
  func reply(to message: borrowing SecretBytes) throws(KeyringObstacle) -> SecretBytes {
    do throws(PlatformError) { return try run(message) } catch { throw KeyringObstacle(error) }
  }

  private func run(_ message: borrowing SecretBytes) throws(PlatformError) -> SecretBytes {
    let output = try Pipe()
    let pid = try start(message, output: output.writing)
    let reading = output.takeReading()
    do throws(PlatformError) {
      let reply = try readAll(reading)
      finish(pid)
      return reply
    } catch {
      kill(pid, SIGKILL)
      finish(pid)
      throw error
    }
  }

  private func start(_ message: borrowing SecretBytes, output: borrowing FileDescriptor) throws(PlatformError) -> Int32 {
    let input = try Pipe()
    // Before there is a reader: it fits the pipe's buffer, so it neither blocks nor meets a broken pipe.
    try input.writing.writeAll(message.bytes)
    var plan = SpawnPlan(executable, environment: environment)
    plan.descriptors = [0: input.reading.raw, 1: output.raw]
    plan.startsSession = true
    plan.endsWithCaller = true
    plan.directory = "/"
    return try plan.start()
  }

  private func readAll(_ output: borrowing FileDescriptor) throws(PlatformError) -> SecretBytes {
    var reply: SecretBytes
    do throws(SecretMemoryError) { reply = try SecretBytes(capacity: KeyringMessage.maximumReplyByteCount + 1) } catch {
      throw .secretMemory(error)
    }
    while reply.count < reply.capacity {
      guard isReadable(output.raw) else { throw .timedOut }
      guard try output.read(into: &reply) > 0 else { return reply }
    }
    throw .tooLong(limit: KeyringMessage.maximumReplyByteCount)
  }

  /// Waits for the helper's end, and brings it about at the limit.
  private func finish(_ pid: Int32) {
    let process = clinux_pidfd(pid)
    if process < 0 || !isReadable(process) { kill(pid, SIGKILL) }
    if process >= 0 { close(process) }
    while waitpid(pid, nil, 0) < 0 && errno == EINTR {}
  }

  /// Whether a descriptor becomes readable before the limit.
  private func isReadable(_ descriptor: Int32) -> Bool {
    while true {
      let (seconds, attoseconds) = max(.zero, end - ContinuousClock.now).components
      let result = clinux_wait_readable(descriptor, Int32(seconds * 1000 + attoseconds / 1_000_000_000_000_000))
      if result != -EINTR { return result > 0 }
    }
  }
}
