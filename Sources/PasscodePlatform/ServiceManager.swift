internal import CLinux
internal import Glibc

/// The service manager that started this process, told how the process gets on.
///
/// Source: sd_notify(3), sd_watchdog_enabled(3).
public struct ServiceManager: Sendable {
  /// Something that the manager can be told.
  public enum Notice: Equatable, Sendable {
    /// The service serves, or serves again after ``reloading``.
    case ready
    /// It has begun to read its configuration anew; ``ready`` follows.
    case reloading
    /// It has begun to end.
    case stopping
    /// It is alive.
    case watchdog
    /// What it does now, in a few words without a newline.
    case status(String)
  }

  /// How often the manager waits for ``Notice/watchdog`` before it kills the process; nil where it does not.
  public let watchdogLimit: Duration?
  private let address: String

  /// The manager that the environment names, or nil.
  ///
  /// A watchdog that is meant for another process is none of ours.
  public init?(environment: ProcessEnvironment) {
    guard let address = environment["NOTIFY_SOCKET"] else { return nil }
    self.address = address
    let isOurs = environment["WATCHDOG_PID"].map { Int32($0) == getpid() } ?? true
    let microseconds = environment["WATCHDOG_USEC"].flatMap { UInt64($0) } ?? 0
    watchdogLimit = isOurs && microseconds > 0 ? .microseconds(Int64(clamping: microseconds)) : nil
  }

  /// Tells the manager. Never waits for it.
  ///
  /// - Throws: `system` with `EAGAIN` where the manager does not read at the moment, with the errno of sendto(2); `EINVAL` where the manager's address is none.
  public func tell(_ notices: [Notice]) throws(PlatformError) {
    let text = Array(notices.map(Self.text).joined(separator: "\n").utf8)
    let result = unsafe clinux_notify(address, text, text.count)
    guard result == 0 else { throw .system(SyscallError("sendto", -result)) }
  }

  private static func text(_ notice: Notice) -> String {
    switch notice {
    case .ready: "READY=1"
    case .reloading: "RELOADING=1\nMONOTONIC_USEC=\(BootClock.monotonic() / 1000)"
    case .stopping: "STOPPING=1"
    case .watchdog: "WATCHDOG=1"
    case .status(let words): "STATUS=\(words)"
    }
  }

  /// Removes what a manager put into the environment, so that no child takes the notices or the sockets for its own.
  ///
  /// Call it in main, when the environment has been read and before the first thread.
  public static func forgetVariables() {
    for name in ["NOTIFY_SOCKET", "WATCHDOG_PID", "WATCHDOG_USEC", "LISTEN_PID", "LISTEN_FDS", "LISTEN_FDNAMES"] {
      unsafe unsetenv(name)
    }
  }
}
