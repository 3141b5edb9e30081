internal import Glibc
internal import PasscodePlatform

/// A flag that poll(2) can wait for beside other descriptors. Once set, it stays so.
struct WakePipe: ~Copyable, Sendable {
  private let reading: FileDescriptor
  private let writing: FileDescriptor

  init() throws(PlatformError) {
    var ends: [Int32] = [-1, -1]
    guard unsafe pipe(&ends) == 0 else { throw .system(SyscallError("pipe", errno)) }
    reading = FileDescriptor(owning: ends[0])
    writing = FileDescriptor(owning: ends[1])
    for end in ends {
      _ = fcntl(end, F_SETFD, FD_CLOEXEC)
      // A full pipe says all that there is to say.
      _ = fcntl(end, F_SETFL, O_NONBLOCK)
    }
  }

  var raw: Int32 { reading.raw }

  borrowing func signal() {
    let byte: [UInt8] = [0]
    try? writing.writeAll(byte.span)
  }

  var isSignalled: Bool {
    var entry = pollfd(fd: reading.raw, events: Int16(POLLIN), revents: 0)
    return unsafe poll(&entry, 1, 0) > 0
  }
}

/// Waiting for several descriptors at once.
enum Waiting {
  /// The boot-time clock in `limit` from now, in nanoseconds; a limit of over a year counts as one.
  static func deadline(_ limit: Duration) -> UInt64 {
    let (seconds, attoseconds) = limit.components
    guard seconds >= 0 else { return BootClock.now() }
    return BootClock.now() + UInt64(min(seconds, 31_536_000)) * 1_000_000_000 + UInt64(attoseconds / 1_000_000_000)
  }

  /// poll(2) until one of them is ready or the boot-time clock reaches `deadline`, again after a signal.
  ///
  /// Suspended time counts; the kernel has no such wait, so that after a resume the end is noticed up to five seconds late.
  ///
  /// - Returns: false when the time is up. Nothing else ends it: a descriptor that can't be polled is ready.
  static func wait(_ entries: inout [pollfd], until deadline: UInt64? = nil) -> Bool {
    while true {
      var milliseconds: Int32 = -1
      if let deadline {
        let now = BootClock.now()
        guard now < deadline else { return false }
        milliseconds = Int32(min((deadline - now) / 1_000_000 + 1, 5000))
      }
      if unsafe poll(&entries, nfds_t(entries.count), milliseconds) > 0 { return true }
    }
  }
}
