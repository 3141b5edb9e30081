internal import PasscodePlatform

/// The clocks that locking goes by, so that a test can turn them.
public struct ServiceClock: Sendable {
  /// Nanoseconds since boot, suspended time included.
  public let sinceBoot: @Sendable () -> UInt64
  /// Seconds since 1970.
  public let wallSeconds: @Sendable () -> Int64
  /// How many nanoseconds the machine has slept since boot, at least and at most.
  public let slept: @Sendable () -> ClosedRange<UInt64>

  /// Clocks that are read by these functions.
  public init(
    sinceBoot: @escaping @Sendable () -> UInt64, wallSeconds: @escaping @Sendable () -> Int64,
    slept: @escaping @Sendable () -> ClosedRange<UInt64>
  ) {
    self.sinceBoot = sinceBoot
    self.wallSeconds = wallSeconds
    self.slept = slept
  }

  /// The system's clocks.
  public static let system = ServiceClock(
    sinceBoot: BootClock.now, wallSeconds: BootClock.wallSeconds, slept: BootClock.slept)
}
