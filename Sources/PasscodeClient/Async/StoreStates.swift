internal import PasscodePlatform

/// The states of the store: the one now, and each one that follows.
///
/// Every loop over it has a connection of its own. A slow loop misses states in between but never the latest. It ends with
/// `disconnected` when the daemon ends, and quietly when its task is cancelled.
public struct StoreStates: AsyncSequence, Sendable {
  let connection: ClientConnection

  /// A loop over the states.
  public struct Iterator: AsyncIteratorProtocol {
    fileprivate var results: AsyncStream<Result<StateChange, ClientError>>.Iterator

    /// The next state.
    ///
    /// - Throws: `disconnected`, and what connecting throws.
    public mutating func next(isolation actor: isolated (any Actor)?) async throws(ClientError) -> StateChange? {
      try await results.next(isolation: actor)?.get()
    }

    /// The next state, see ``next(isolation:)``.
    public mutating func next() async throws(ClientError) -> StateChange? { try await next(isolation: nil) }
  }

  /// Starts a loop.
  public func makeAsyncIterator() -> Iterator {
    let (results, continuation) = AsyncStream.makeStream(
      of: Result<StateChange, ClientError>.self, bufferingPolicy: .bufferingNewest(1))
    let connection = connection
    let isStarted = startThread { Self.run(connection, continuation) }
    if !isStarted {
      continuation.yield(.failure(.platform(.system(.noThread))))
      continuation.finish()
    }
    return Iterator(results: results.makeAsyncIterator())
  }

  private static func run(
    _ connection: ClientConnection, _ continuation: AsyncStream<Result<StateChange, ClientError>>.Continuation
  ) {
    do throws(ClientError) {
      let watch = try StateWatch(connection)
      continuation.onTermination = { _ in watch.stop() }
      while true {
        if case .terminated = continuation.yield(.success(try watch.next())) { return }
      }
    } catch {
      continuation.yield(.failure(error))
      continuation.finish()
    }
  }
}

extension PasscodeClient {
  /// The states of the store, from now on.
  public var states: StoreStates { StoreStates(connection: connection) }
}
