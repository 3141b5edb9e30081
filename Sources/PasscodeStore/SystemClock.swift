public import PasscodeCore
internal import PasscodePlatform

/// The machine's clocks.
public struct SystemClock: StoreClock {
  private let bootID: [UInt8]
  private let timeNamespace: UInt64

  /// Reads boot id and time namespace once: neither changes while a process runs. Where /proc is missing both are 0, and a wait
  /// then starts anew with each start of the machine's clock.
  public init() {
    bootID = (try? BootClock.bootID()) ?? [UInt8](repeating: 0, count: 16)
    timeNamespace = (try? BootClock.timeNamespace()) ?? 0
  }

  /// The clocks now.
  public func now() -> ClockReading {
    ClockReading(
      bootID: bootID, timeNamespace: timeNamespace, sinceBoot: BootClock.now(), wallSeconds: BootClock.wallSeconds())
  }
}
