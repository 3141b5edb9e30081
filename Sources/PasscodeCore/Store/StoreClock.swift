/// What the clocks say at one moment.
public struct ClockReading: Equatable, Sendable {
  /// Sixteen random bytes that the kernel draws at each boot.
  public var bootID: [UInt8]
  /// The time namespace, by its inode: another one may show another boot-time clock.
  public var timeNamespace: UInt64
  /// Nanoseconds since boot, suspended time included. Nobody can set it.
  public var sinceBoot: UInt64
  /// Seconds since 1970, as the wall clock has it. Anybody who is root can set it.
  public var wallSeconds: Int64

  /// A reading with these values.
  public init(bootID: [UInt8], timeNamespace: UInt64, sinceBoot: UInt64, wallSeconds: Int64) {
    self.bootID = bootID
    self.timeNamespace = timeNamespace
    self.sinceBoot = sinceBoot
    self.wallSeconds = wallSeconds
  }
}

/// Where the time comes from: injected, so that tests can turn it.
public protocol StoreClock: Sendable {
  /// The clocks now.
  func now() -> ClockReading
}
