internal import Glibc

/// A point of monotonic time, or none.
///
/// The standard library's clocks belong to Swift concurrency: one use of them brings its runtime and Dispatch into a program.
public struct Deadline: Sendable {
  private let end: UInt64?

  /// `limit` from now; nil is never.
  public init(_ limit: Duration?) { end = limit.map { BootClock.monotonic() + BootClock.nanoseconds($0) } }

  /// What is left, at least zero; nil without end.
  public var remaining: Duration? {
    end.map { end in
      let now = BootClock.monotonic()
      return .nanoseconds(Int64(clamping: end > now ? end - now : 0))
    }
  }

  /// Whether nothing is left.
  public var isOver: Bool { end.map { $0 <= BootClock.monotonic() } ?? false }

  /// Milliseconds of a duration, rounded up, so that a wait never ends early.
  static func milliseconds(_ duration: Duration) -> Int32 {
    let (seconds, attoseconds) = duration.components
    let limit = Int64(Int32.max) / 1000 - 1
    guard seconds < limit else { return Int32.max }
    return Int32(max(0, seconds) * 1000 + max(0, (attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000))
  }

  /// Runs a poll with a time limit in milliseconds, -1 without end, again after a signal.
  ///
  /// - Parameter wait: gives 1 when ready, 0 when the time is up, else a negated errno.
  func poll(_ wait: (Int32) -> Int32) throws(PlatformError) -> Bool {
    while true {
      let left = remaining.map(Self.milliseconds) ?? -1
      let result = wait(left)
      if result > 0 { return true }
      if result == 0 {
        guard left == Int32.max else { return false }
      } else if result != -EINTR {
        throw .system(SyscallError("poll", -result))
      }
    }
  }
}
