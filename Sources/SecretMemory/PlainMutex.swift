internal import Glibc

/// State behind the C library's plain mutex.
///
/// `Synchronization.Mutex` on Linux is a priority-inheriting futex, which hands itself to the thread that has waited longest: once
/// a few dozen threads meet at it, each entry costs two context switches, and they never get apart again. This one lets in
/// whoever comes first.
@safe
final class PlainMutex<State: ~Copyable>: @unchecked Sendable {
  // SAFETY: `state` is touched only between lock and unlock of `mutex`, which lives from init to deinit.
  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private var state: State

  init(_ state: consuming sending State) {
    self.state = state
    unsafe pthread_mutex_init(mutex, nil)
  }

  deinit {
    unsafe pthread_mutex_destroy(mutex)
    unsafe mutex.deallocate()
  }

  /// Runs `body` as the only one. It must be short and must not enter again.
  func withLock<R: ~Copyable, E: Error>(_ body: (inout State) throws(E) -> R) throws(E) -> R {
    unsafe pthread_mutex_lock(mutex)
    defer { unsafe pthread_mutex_unlock(mutex) }
    return try body(&state)
  }
}
