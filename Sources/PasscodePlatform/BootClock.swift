internal import Glibc

/// The clocks of lock-outs and timeouts.
///
/// Boot time counts suspended time and can't be set; it means something only together with the boot id and the time
/// namespace it was read under.
public enum BootClock {
  /// Nanoseconds since boot, suspended time included.
  ///
  /// Source: clock_gettime(2), `CLOCK_BOOTTIME`.
  public static func now() -> UInt64 { read(CLOCK_BOOTTIME) }

  /// Nanoseconds that the machine was suspended since boot, at least and at most: what boot time counts and monotonic time does not.
  /// The two bounds differ by as long as the readings took.
  public static func slept() -> ClosedRange<UInt64> {
    let before = monotonic()
    let sinceBoot = now()
    let after = monotonic()
    return (sinceBoot > after ? sinceBoot - after : 0)...(sinceBoot > before ? sinceBoot - before : 0)
  }

  /// Seconds of the wall clock since 1970, which anybody may set.
  public static func wallSeconds() -> Int64 { Int64(read(CLOCK_REALTIME) / 1_000_000_000) }

  /// The 16 bytes that name this boot.
  ///
  /// - Throws: `file` where /proc is missing; `system` with `EINVAL` where it holds something else.
  ///
  /// Source: random(4), `/proc/sys/kernel/random/boot_id`.
  public static func bootID() throws(PlatformError) -> [UInt8] {
    let text = try Files.read("/proc/sys/kernel/random/boot_id", limit: 64)
    guard let bytes = parseUUID(text) else { throw .system(SyscallError("boot_id", EINVAL)) }
    return bytes
  }

  /// The number of this process's time namespace, in which the boot-time clock may be shifted; 0 on a kernel without.
  ///
  /// - Throws: `file` with stat(2)'s errno.
  ///
  /// Source: time_namespaces(7).
  public static func timeNamespace() throws(PlatformError) -> UInt64 {
    try Files.status(of: "/proc/self/ns/time")?.inode ?? 0
  }

  /// Nanoseconds that only pass while the machine is awake.
  ///
  /// Source: clock_gettime(2), `CLOCK_MONOTONIC`.
  package static func monotonic() -> UInt64 { read(CLOCK_MONOTONIC) }

  static func nanoseconds(_ duration: Duration) -> UInt64 {
    let (seconds, attoseconds) = duration.components
    // A century is without end, and far from overflow.
    guard seconds < 3_155_760_000 else { return 3_155_760_000_000_000_000 }
    return seconds < 0 ? 0 : UInt64(seconds) * 1_000_000_000 + UInt64(max(0, attoseconds) / 1_000_000_000)
  }

  static func parseUUID(_ text: [UInt8]) -> [UInt8]? {
    let digits = text.filter { $0 != UInt8(ascii: "-") && $0 != UInt8(ascii: "\n") }
    guard digits.count == 32 else { return nil }
    var bytes: [UInt8] = []
    for index in stride(from: 0, to: 32, by: 2) {
      guard let byte = UInt8(String(decoding: digits[index..<index + 2], as: UTF8.self), radix: 16) else { return nil }
      bytes.append(byte)
    }
    return bytes
  }

  private static func read(_ clock: clockid_t) -> UInt64 {
    var time = timespec()
    let result = unsafe clock_gettime(clock, &time)
    precondition(result == 0, "the kernel has no such clock")
    return UInt64(max(0, time.tv_sec)) * 1_000_000_000 + UInt64(time.tv_nsec)
  }
}
