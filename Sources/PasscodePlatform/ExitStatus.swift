internal import CLinux

/// How a process ended.
public enum ExitStatus: Equatable, Sendable {
  /// It ended by itself with this code.
  case exited(Int32)
  /// A signal ended it.
  case signalled(Int32)

  package init(waitStatus: Int32) {
    self =
      clinux_exited(waitStatus) != 0
      ? .exited(clinux_exit_code(waitStatus)) : .signalled(clinux_termination_signal(waitStatus))
  }
}
