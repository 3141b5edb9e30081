/// When an open store locks by itself. Times are nanoseconds of the boot-time clock: what the machine slept counts.
struct LockTimer: Equatable, Sendable {
  /// How long a store stays open; 0 is without end.
  struct Limits: Equatable, Sendable {
    /// Since it was last used.
    var idleSeconds = 0
    /// In all.
    var totalSeconds = 0
    /// Whether a sleep of the machine ends it.
    var endsWithSleep = false
  }

  var limits: Limits
  let openedAt: UInt64
  private(set) var lastUse: UInt64
  /// How long the machine had slept when the store was opened, at most.
  private let sleptBefore: UInt64

  init(limits: Limits, openedAt: UInt64, slept: UInt64 = 0) {
    self.limits = limits
    sleptBefore = slept
    self.openedAt = openedAt
    lastUse = openedAt
  }

  /// Begins the idle time anew.
  mutating func use(at now: UInt64) { lastUse = max(lastUse, now) }

  /// Whether the machine has slept since in a way that ends it.
  ///
  /// - Parameter slept: how long it has slept since boot, at least.
  func hasEnded(bySleep slept: UInt64) -> Bool { limits.endsWithSleep && slept > sleptBefore }

  /// The time from which on it is locked; nil for never.
  var deadline: UInt64? {
    let idle = Self.end(lastUse, limits.idleSeconds)
    let total = Self.end(openedAt, limits.totalSeconds)
    guard let idle, let total else { return idle ?? total }
    return min(idle, total)
  }

  private static func end(_ start: UInt64, _ seconds: Int) -> UInt64? {
    guard seconds > 0 else { return nil }
    let (span, isTooLong) = UInt64(seconds).multipliedReportingOverflow(by: 1_000_000_000)
    let (end, isTooLate) = start.addingReportingOverflow(span)
    return isTooLong || isTooLate ? nil : end
  }
}
