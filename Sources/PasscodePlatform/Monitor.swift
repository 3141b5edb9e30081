public import Glibc

/// State behind a mutex, with a condition to wait on: what `Synchronization.Mutex` lacks.
///
/// `body` runs with the lock held: it must be short, must not wait on anything else and must not enter the monitor again.
///
/// What others call is inlinable: a generic call that is not specialised looks up metadata each time, which takes longer than the
/// lock itself.
@safe
public final class Monitor<State: ~Copyable>: @unchecked Sendable {
  // SAFETY: `state` is touched only between lock and unlock of `mutex`; both pointers live from init to deinit.
  @usableFromInline let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  @usableFromInline let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
  @usableFromInline var state: State

  /// A monitor over `state`.
  public init(_ state: consuming sending State) {
    self.state = state
    unsafe pthread_mutex_init(mutex, nil)
    // A wait of some seconds must not change with the wall clock.
    var attributes = pthread_condattr_t()
    unsafe pthread_condattr_init(&attributes)
    unsafe pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
    unsafe pthread_cond_init(condition, &attributes)
    unsafe pthread_condattr_destroy(&attributes)
  }

  deinit {
    unsafe pthread_cond_destroy(condition)
    unsafe pthread_mutex_destroy(mutex)
    unsafe condition.deallocate()
    unsafe mutex.deallocate()
  }

  /// Looks at or changes the state, waking nobody.
  @inlinable
  public func withLock<R: ~Copyable, E: Error>(_ body: (inout State) throws(E) -> R) throws(E) -> R {
    unsafe pthread_mutex_lock(mutex)
    defer { unsafe pthread_mutex_unlock(mutex) }
    return try body(&state)
  }

  /// Changes the state and wakes one who waits.
  @inlinable
  public func signal<R: ~Copyable, E: Error>(_ body: (inout State) throws(E) -> R) throws(E) -> R {
    defer { unsafe pthread_cond_signal(condition) }
    return try withLock(body)
  }

  /// Changes the state and wakes all who wait.
  @inlinable
  public func broadcast<R: ~Copyable, E: Error>(_ body: (inout State) throws(E) -> R) throws(E) -> R {
    defer { unsafe pthread_cond_broadcast(condition) }
    return try withLock(body)
  }

  /// Waits until `body` gives a value.
  ///
  /// It is asked at once and after each wake-up.
  @inlinable
  public func wait<R: ~Copyable, E: Error>(for body: (inout State) throws(E) -> R?) throws(E) -> R {
    unsafe pthread_mutex_lock(mutex)
    defer { unsafe pthread_mutex_unlock(mutex) }
    while true {
      if let result = try body(&state) { return result }
      unsafe pthread_cond_wait(condition, mutex)
    }
  }

  /// Waits at most `limit` until `body` gives a value.
  ///
  /// - Returns: nil when the time is up. Time in which the machine was suspended does not count.
  @inlinable
  public func wait<R: ~Copyable, E: Error>(
    within limit: Duration, for body: (inout State) throws(E) -> R?
  ) throws(E) -> R? {
    // Mostly there is nothing to wait for.
    if let result = try withLock(body) { return result }
    return try waitOn(within: limit, for: body)
  }

  @usableFromInline
  func waitOn<R: ~Copyable, E: Error>(
    within limit: Duration, for body: (inout State) throws(E) -> R?
  ) throws(E) -> R? {
    let end = BootClock.monotonic() + BootClock.nanoseconds(limit)
    return try wait(for: body) { BootClock.monotonic() >= end ? nil : end }
  }

  /// Waits until `body` gives a value or the boot-time clock reaches `deadline`.
  ///
  /// Suspended time counts. The kernel has no condition on that clock: after a resume the end is noticed up to five seconds
  /// late, so whoever decides by time compares ``BootClock/now()`` as well.
  ///
  /// - Returns: nil when the time is up.
  public func wait<R: ~Copyable, E: Error>(
    until deadline: UInt64, for body: (inout State) throws(E) -> R?
  ) throws(E) -> R? {
    let slice: UInt64 = 5_000_000_000
    return try wait(for: body) {
      let now = BootClock.now()
      return now >= deadline ? nil : BootClock.monotonic() + min(deadline - now, slice)
    }
  }

  /// - Parameter nextWake: the monotonic time to look again at, or nil when the time is up.
  private func wait<R: ~Copyable, E: Error>(
    for body: (inout State) throws(E) -> R?, nextWake: () -> UInt64?
  ) throws(E) -> R? {
    unsafe pthread_mutex_lock(mutex)
    defer { unsafe pthread_mutex_unlock(mutex) }
    while true {
      if let result = try body(&state) { return result }
      guard let wake = nextWake() else { return nil }
      var time = timespec(tv_sec: Int(wake / 1_000_000_000), tv_nsec: Int(wake % 1_000_000_000))
      unsafe pthread_cond_timedwait(condition, mutex, &time)
    }
  }
}
