internal import CLinux
internal import Glibc
internal import PasscodePlatform

/// The socket that a service manager listens on for notices.
public final class NoticeSocket: Sendable {
  private let descriptor: FileDescriptor

  /// One at an absolute path, or with an abstract name after `@`.
  public init(_ name: String) throws {
    let result = unsafe clinux_bind_notify(name)
    guard result >= 0 else { throw TestFailure("no socket \(name): \(SyscallError.text(of: -result))") }
    descriptor = FileDescriptor(owning: result)
  }

  /// Waits for the next notice.
  public func next() -> String { String(decoding: readChunk(descriptor.raw), as: UTF8.self) }

  /// Waits for a notice that holds `words`, and drops those before it.
  public func wait(for words: String) {
    while !next().split(separator: "\n").contains(Substring(words)) {}
  }
}
