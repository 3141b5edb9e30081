internal import Glibc

/// Signals as values that a thread waits for, in place of handlers.
public enum Signals {
  /// Asks to end.
  public static let terminate = SIGTERM
  /// Ctrl-C.
  public static let interrupt = SIGINT
  /// Asks to read the configuration again.
  public static let hangUp = SIGHUP
  /// Asks to lock.
  public static let user1 = SIGUSR1

  /// Keeps signals from being delivered to this thread and those it starts.
  ///
  /// Call it in main before the first thread.
  public static func block(_ numbers: [Int32]) {
    var set = makeSet(numbers)
    unsafe pthread_sigmask(SIG_BLOCK, &set, nil)
  }

  /// Waits for one of the blocked signals.
  ///
  /// - Returns: its number.
  /// - Precondition: all of them are blocked in every thread.
  public static func wait(for numbers: [Int32]) -> Int32 {
    var set = makeSet(numbers)
    var number: Int32 = 0
    while unsafe sigwait(&set, &number) != 0 {}
    return number
  }

  /// A write to a closed pipe fails with EPIPE and does not end the process.
  public static func ignoreBrokenPipes() { signal(SIGPIPE, SIG_IGN) }

  static func makeSet(_ numbers: [Int32]) -> sigset_t {
    var set = sigset_t()
    unsafe sigemptyset(&set)
    for number in numbers { unsafe sigaddset(&set, number) }
    return set
  }
}
