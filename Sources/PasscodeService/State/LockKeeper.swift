internal import PasscodePlatform

/// Locks the store when its time is up: a thread that waits for the deadline, and a check before each request.
///
/// The thread alone would come up to five seconds late after a suspend; the check alone would leave the keys in memory until
/// somebody asks.
final class LockKeeper: Sendable {
  private struct State {
    var limits = LockTimer.Limits()
    var timer: LockTimer?
    var isStopped = false
  }

  private let state = Monitor(State())
  private let clock: ServiceClock

  init(clock: ServiceClock) { self.clock = clock }

  /// The store is open from now on.
  func opened() {
    let now = clock.sinceBoot()
    state.broadcast { $0.timer = LockTimer(limits: $0.limits, openedAt: now) }
  }

  /// The store is used: the idle time begins anew. Wakes nobody: the thread looks again at the old deadline.
  func used() {
    let now = clock.sinceBoot()
    state.withLock { $0.timer?.use(at: now) }
  }

  /// The store is locked.
  func closed() { state.broadcast { $0.timer = nil } }

  /// Other limits are in force from now on, for an open store too.
  func update(_ limits: LockTimer.Limits) {
    state.broadcast {
      $0.limits = limits
      $0.timer?.limits = limits
    }
  }

  /// True where the store has to be locked before anything else is done.
  var isOverdue: Bool {
    guard let deadline = state.withLock({ $0.timer?.deadline }) else { return false }
    return clock.sinceBoot() >= deadline
  }

  /// When the store locks if nobody uses it, in seconds since 1970; nil for never, and where it is not open.
  var locksAt: Int64? {
    guard let deadline = state.withLock({ $0.timer?.deadline }) else { return nil }
    let now = clock.sinceBoot()
    return clock.wallSeconds() + (deadline <= now ? 0 : Int64((deadline - now) / 1_000_000_000))
  }

  /// Starts the thread, which ends with ``stop()``.
  ///
  /// - Parameter lock: locks the store; called when its time is up.
  /// - Returns: false where the system has no room for a thread.
  func start(_ lock: @escaping @Sendable () -> Void) -> Bool {
    startThread { [self] in
      while case .wait(let deadline) = state.wait(for: Self.nextTurn) {
        let isChanged: Void? = state.wait(until: realTime(of: deadline)) { Self.isSooner($0, than: deadline) ? () : nil }
        if isChanged == nil, isOverdue { lock() }
      }
    }
  }

  func stop() { state.broadcast { $0.isStopped = true } }

  /// What the thread does next.
  private enum Turn {
    case wait(until: UInt64)
    case end
  }

  private static func nextTurn(_ state: inout State) -> Turn? {
    state.isStopped ? .end : state.timer?.deadline.map { .wait(until: $0) }
  }

  private static func isSooner(_ state: State, than deadline: UInt64) -> Bool {
    guard !state.isStopped, let now = state.timer?.deadline else { return true }
    return now < deadline
  }

  /// The same moment on the clock that a thread can wait by.
  private func realTime(of deadline: UInt64) -> UInt64 {
    let now = clock.sinceBoot()
    return BootClock.now() + (deadline > now ? deadline - now : 0)
  }
}
