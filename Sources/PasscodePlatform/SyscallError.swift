internal import Glibc

/// A system call that failed: its name and its errno.
public struct SyscallError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The call's name, such as `open`.
  public let call: String
  /// The errno, such as `ENOSPC`.
  public let errno: Int32

  /// A failure of `call` with `errno`.
  public init(_ call: StaticString, _ errno: Int32) {
    self.call = "\(call)"
    self.errno = errno
  }

  /// A thread that the system had no room for.
  public static let noThread = SyscallError("pthread_create", EAGAIN)

  /// The call and the system's words: `open: Permission denied`.
  public var description: String { "\(call): \(Self.text(of: errno))" }

  /// The system's words for an errno, in English under any locale.
  public static func text(of errno: Int32) -> String {
    var buffer = [CChar](repeating: 0, count: 128)
    let count = buffer.count
    let known = unsafe buffer.withUnsafeMutableBufferPointer { unsafe strerror_r(errno, $0.baseAddress!, count) } == 0
    guard known else { return "error \(errno)" }
    return String(decoding: buffer.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
  }
}
