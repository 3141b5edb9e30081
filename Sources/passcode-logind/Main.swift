internal import CLogind
internal import Glibc
internal import PasscodePlatform

/// The process that listens to systemd-logind for `passcoded`: `LoginEvent` has what it says. It alone links libsystemd, and it
/// never holds a secret.
@main
enum Main {
  static func main() {
    let findings = ProcessHardening.apply(.daemon)
    Signals.ignoreBrokenPipes()
    // An orphan of a daemon that was killed ends too, even while it waits for the bus.
    clogind_prepare()
    guard findings.isEmpty else { exit(LoginWatchEnd.exposed.rawValue) }
    exit(watch().rawValue)
  }

  private static func watch() -> LoginWatchEnd {
    var opened: OpaquePointer?
    let result = unsafe clogind_open(&opened)
    guard result >= 0, let login = unsafe opened else { return end(for: result) }
    defer { unsafe clogind_close(login) }
    let output = FileDescriptor(owning: 1)
    do {
      try tell(unsafe clogind_is_delaying(login) == 1 ? .watches : .watchesOnly, output)
      while true {
        let event = unsafe clogind_next(login, 0, LoginEvent.heartbeatMilliseconds)
        switch event {
        case Int32(CLOGIND_SLEEP.rawValue): try tell(.sleeps, output)
        case Int32(CLOGIND_LOCK.rawValue): try tell(.sessionLocked, output)
        case Int32(CLOGIND_END.rawValue): try tell(.lastSessionEnded, output)
        case Int32(CLOGIND_BEGIN.rawValue): try tell(.sessionBegan, output)
        case Int32(CLOGIND_NONE.rawValue): try tell(.noSession, output)
        case Int32(CLOGIND_QUIET.rawValue): try tell(.alive, output)
        case Int32(CLOGIND_INPUT.rawValue):
          var answer: UInt8 = 0
          guard unsafe read(0, &answer, 1) == 1 else { return .orderly }
          unsafe clogind_release(login)
        default: return .lost
        }
      }
    } catch {
      return .orderly
    }
  }

  private static func tell(_ event: LoginEvent, _ output: borrowing FileDescriptor) throws(PlatformError) {
    let bytes = [event.rawValue]
    try output.writeAll(bytes.span)
  }

  private static func end(for result: Int32) -> LoginWatchEnd {
    switch -result {
    case ENXIO: .noLogind
    case ENOENT, ECONNREFUSED, EACCES, EPERM, EINVAL: .noBus
    default: .lost
    }
  }
}
