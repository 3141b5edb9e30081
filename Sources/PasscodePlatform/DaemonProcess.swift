internal import Glibc

/// A daemon that this process started and that outlives it.
public struct DaemonProcess: Sendable {
  /// Its pid.
  public let pid: Int32

  /// How it ended, or nil while it runs.
  ///
  /// An end is reported once.
  public func exitStatus() -> ExitStatus? {
    var status: Int32 = 0
    let ended = unsafe waitpid(pid, &status, WNOHANG)
    return ended == pid ? ExitStatus(waitStatus: status) : nil
  }
}
