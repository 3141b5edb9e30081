internal import CLinux
internal import Glibc

/// A helper process with pipes.
///
/// It is killed and waited for when its owner ends.
public struct ChildProcess: ~Copyable, Sendable {
  /// Its pid, until it is waited for.
  public let pid: Int32
  /// What it reads; nil once closed.
  public private(set) var input: FileDescriptor?
  /// What it writes.
  public let output: FileDescriptor
  /// Its messages.
  public let error: FileDescriptor
  private var status: ExitStatus?

  init(
    pid: Int32, input: consuming FileDescriptor, output: consuming FileDescriptor, error: consuming FileDescriptor
  ) {
    self.pid = pid
    self.input = consume input
    self.output = output
    self.error = error
  }

  deinit {
    guard status == nil else { return }
    kill(pid, SIGKILL)
    var ended: Int32 = 0
    while unsafe waitpid(pid, &ended, 0) < 0 && errno == EINTR {}
  }

  /// Closes its input, so that it reads the end.
  public mutating func closeInput() { input = nil }

  /// Asks it to end.
  public func terminate() { if status == nil { kill(pid, SIGTERM) } }

  /// A descriptor that poll(2) finds readable once it has ended.
  ///
  /// - Throws: `system` with the errno of pidfd_open(2).
  public func descriptor() throws(PlatformError) -> FileDescriptor {
    let opened = clinux_pidfd(pid)
    guard opened >= 0 else { throw .system(SyscallError("pidfd_open", -opened)) }
    return FileDescriptor(owning: opened)
  }

  /// Waits for its end.
  ///
  /// - Parameters:
  ///   - limit: nil waits without end.
  ///   - endsGroup: whether what it has started and left in its process group is killed after its end.
  /// - Returns: nil when the time is up.
  /// - Throws: `system` with the errno of pidfd_open(2) or waitpid(2).
  public mutating func wait(
    within limit: Duration? = nil, endingGroup endsGroup: Bool = false
  ) throws(PlatformError) -> ExitStatus? {
    if let status { return status }
    let process = try descriptor()
    guard try Deadline(limit).poll({ clinux_wait_readable(process.raw, $0) }) else { return nil }
    // Nobody has waited for it yet: the number is still its own.
    if endsGroup { kill(-pid, SIGKILL) }
    var ended: Int32 = 0
    guard unsafe waitpid(pid, &ended, 0) == pid else { throw .system(SyscallError("waitpid", errno)) }
    status = ExitStatus(waitStatus: ended)
    return status
  }
}
