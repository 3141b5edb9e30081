internal import Glibc

/// An open file descriptor with one owner, closed when the owner ends.
@safe
public struct FileDescriptor: ~Copyable, Sendable {
  /// The number, for a call of the moment.
  ///
  /// It is valid as long as this value lives.
  public let raw: Int32

  /// Takes over a descriptor that nobody else closes.
  public init(owning raw: Int32) {
    precondition(raw >= 0, "not an open descriptor")
    self.raw = raw
  }

  deinit { close(raw) }

  /// Gives up the descriptor without closing it.
  public consuming func take() -> Int32 {
    let number = raw
    discard self
    return number
  }

  /// A second descriptor of the same open file.
  ///
  /// - Throws: `system` when the process has too many.
  public borrowing func duplicate() throws(PlatformError) -> FileDescriptor {
    let copy = fcntl(raw, F_DUPFD_CLOEXEC, 3)
    guard copy >= 0 else { throw .system(SyscallError("fcntl", errno)) }
    return FileDescriptor(owning: copy)
  }
}
