internal import Glibc

/// Runs `body` on a detached thread of its own.
///
/// - Parameter stackBytes: the stack; 128 KiB serves a connection (SQLite needs 14 KB, Argon2id 12 KB).
/// - Returns: false when the system has no room for a thread; `body` does not run then.
public func startThread(stackBytes: Int = 128 << 10, _ body: @escaping @Sendable () -> Void) -> Bool {
  var attributes = pthread_attr_t()
  unsafe pthread_attr_init(&attributes)
  defer { unsafe pthread_attr_destroy(&attributes) }
  unsafe pthread_attr_setstacksize(&attributes, max(stackBytes, 64 << 10))
  unsafe pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
  let box = unsafe Unmanaged.passRetained(ThreadBody(body))
  var thread = pthread_t()
  let result = unsafe pthread_create(
    &thread, &attributes,
    { raw in
      // SAFETY: the one retained reference, passed on by `pthread_create`.
      unsafe Unmanaged<ThreadBody>.fromOpaque(raw!).takeRetainedValue().run()
      return nil
    }, box.toOpaque())
  if result != 0 { unsafe box.release() }
  return result == 0
}

private final class ThreadBody: Sendable {
  let run: @Sendable () -> Void
  init(_ run: @escaping @Sendable () -> Void) { self.run = run }
}
