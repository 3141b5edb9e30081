internal import PasscodePlatform
internal import SecretMemory

/// Runs a blocking call on a thread of its own, so that neither a user interface nor the pool of the concurrency runtime waits
/// for a socket or a key derivation.
func onThread<R: ~Copyable & Sendable>(
  _ body: @escaping @Sendable () throws(ClientError) -> R
) async throws(ClientError) -> R {
  let handover: Handover<R> = await withCheckedContinuation { continuation in
    let isStarted = startThread { continuation.resume(returning: Handover(body)) }
    if !isStarted { continuation.resume(returning: Handover { () throws(ClientError) in throw .platform(.system(.noThread)) }) }
  }
  return try handover.take()
}

/// What a call ended with, on its way between two threads: a continuation can't carry what has one owner.
private final class Handover<R: ~Copyable & Sendable>: Sendable {
  private let result: Monitor<Result<R, ClientError>?>

  init(_ body: () throws(ClientError) -> R) {
    do {
      result = Monitor(.success(try body()))
    } catch {
      result = Monitor(.failure(error))
    }
  }

  func take() throws(ClientError) -> R {
    let taken: Result<R, ClientError>? = result.withLock { $0.take() }
    switch consume taken {
    case .some(let result): return try result.get()
    case .none: preconditionFailure("taken already")
    }
  }
}

/// A copy of a secret for the thread that makes the call; wiped with it.
final class SecretBox: Sendable {
  let secret: SecretBytes

  init(_ source: borrowing SecretBytes) throws(ClientError) {
    do { secret = try source.copy() } catch { throw .secretMemory(error) }
  }
}
