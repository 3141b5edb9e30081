internal import Glibc

/// Runs `body` on a detached thread of its own.
///
/// - Parameter stackBytes: the stack; 128 KiB serves a connection (SQLite needs 14 KB, Argon2id 12 KB).
/// - Returns: false when the system has no room for a thread; `body` does not run then.
public func startThread(stackBytes: Int = 128 << 10, _ body: @escaping @Sendable () -> Void) -> Bool {
  guard let thread = newThread(stackBytes, body) else { return false }
  pthread_detach(thread)
  return true
}

/// Runs `body` on a thread with a larger stack, and returns when the thread has ended.
///
/// - Returns: nil when the system has no room for a thread; `body` did not run then.
/// - Throws: what `body` throws.
public func onLargeStack<R, E: Error>(bytes: Int = 1 << 20, _ body: () throws(E) -> R) throws(E) -> R? {
  var result: Result<R, E>?
  withoutActuallyEscaping({
    do throws(E) { result = .success(try body()) } catch { result = .failure(error) }
  }) { run in
    // SAFETY: only the thread calls it, and it has ended before this returns.
    nonisolated(unsafe) let run = run
    if let thread = newThread(bytes, { unsafe run() }) { pthread_join(thread, nil) }
  }
  return try result?.get()
}

/// A thread that runs `body`, to be joined or detached; nil when the system has no room for one.
private func newThread(_ stackBytes: Int, _ body: @escaping @Sendable () -> Void) -> pthread_t? {
  var attributes = pthread_attr_t()
  unsafe pthread_attr_init(&attributes)
  defer { unsafe pthread_attr_destroy(&attributes) }
  unsafe pthread_attr_setstacksize(&attributes, max(stackBytes, 64 << 10))
  let box = unsafe Unmanaged.passRetained(ThreadBody(body))
  var thread = pthread_t()
  let result = unsafe pthread_create(
    &thread, &attributes,
    { raw in
      // SAFETY: the one retained reference, passed on by `pthread_create`. It ends here, before the thread does.
      unsafe Unmanaged<ThreadBody>.fromOpaque(raw!).takeRetainedValue().run()
      return nil
    }, box.toOpaque())
  if result == 0 { return thread }
  unsafe box.release()
  return nil
}

private final class ThreadBody: Sendable {
  let run: @Sendable () -> Void
  init(_ run: @escaping @Sendable () -> Void) { self.run = run }
}
