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

  /// How often the thread looks whether the machine has slept.
  private static let glance: UInt64 = 5_000_000_000

  private let state = Monitor(State())
  private let clock: ServiceClock

  init(clock: ServiceClock) { self.clock = clock }

  /// The store is open from now on.
  func opened() {
    let now = clock.sinceBoot()
    let slept = clock.slept().upperBound
    state.broadcast { $0.timer = LockTimer(limits: $0.limits, openedAt: now, slept: slept) }
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

  /// Why the store has to be locked before anything else is done; nil where it has not.
  var dueCause: LockCause? {
    guard let timer = state.withLock({ $0.timer }) else { return nil }
    if let deadline = timer.deadline, clock.sinceBoot() >= deadline { return .timedOut }
    return timer.hasEnded(bySleep: clock.slept().lowerBound) ? .slept : nil
  }

  /// When the store locks if nobody uses it, in seconds since 1970; nil for never, and where it is not open.
  var locksAt: Int64? {
    guard let deadline = state.withLock({ $0.timer?.deadline }) else { return nil }
    let now = clock.sinceBoot()
    return clock.wallSeconds() + (deadline <= now ? 0 : Int64((deadline - now) / 1_000_000_000))
  }

  /// Starts the thread, which ends with ``stop()``.
  ///
  /// - Parameter lock: locks the store; called when its time is up, or some seconds after the machine woke up.
  /// - Returns: false where the system has no room for a thread.
  func start(_ lock: @escaping @Sendable (LockCause) -> Void) -> Bool {
    startThread { [self] in
      while case .wait(let deadline) = state.wait(for: Self.nextTurn) {
        let next = min(realTime(of: deadline), BootClock.now() + Self.glance)
        let isChanged: Void? = state.wait(until: next) { Self.isSooner($0, than: deadline) ? () : nil }
        if isChanged == nil, let cause = dueCause { lock(cause) }
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
    state.isStopped ? .end : state.timer.map { .wait(until: $0.deadline ?? .max) }
  }

  private static func isSooner(_ state: State, than deadline: UInt64) -> Bool {
    guard !state.isStopped, let timer = state.timer else { return true }
    return timer.deadline ?? .max < deadline
  }

  /// The same moment on the clock that a thread can wait by.
  private func realTime(of deadline: UInt64) -> UInt64 {
    let now = clock.sinceBoot()
    let (time, isTooLate) = BootClock.now().addingReportingOverflow(deadline > now ? deadline - now : 0)
    return isTooLate ? .max : time
  }
}
