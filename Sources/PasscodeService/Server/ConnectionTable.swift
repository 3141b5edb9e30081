internal import PasscodePlatform

/// The connections that are being served: how many there are, and a hold on each for the one who stops the server.
final class ConnectionTable: Sendable {
  private struct State {
    var connections: [ObjectIdentifier: Connection] = [:]
    var isStopping = false
  }

  private let state = Monitor(State())
  private let limit: Int

  init(limit: Int) { self.limit = limit }

  var count: Int { state.withLock { $0.connections.count } }

  /// Notes a connection.
  ///
  /// - Returns: false where there are as many as there may be, and where the server stops.
  func add(_ connection: Connection) -> Bool {
    state.withLock { state in
      if state.isStopping || state.connections.count >= limit { return false }
      state.connections[ObjectIdentifier(connection)] = connection
      return true
    }
  }

  /// The connection is not served any more.
  func remove(_ connection: Connection) {
    state.broadcast { $0.connections[ObjectIdentifier(connection)] = nil }
  }

  /// Waits until a connection ends, or for `limit`.
  func waitForRoom(within limit: Duration) {
    let before = count
    let _: Void? = state.wait(within: limit) { $0.connections.count < before || $0.isStopping ? () : nil }
  }

  /// Ends all connections: those that are idle at once, the others when their call is answered, or after `limit`.
  ///
  /// Returns when all have ended, or a second after the limit.
  func stop(within limit: Duration) {
    let all = state.broadcast { state in
      state.isStopping = true
      return Array(state.connections.values)
    }
    for connection in all { connection.stop() }
    if isEmpty(within: limit) { return }
    for connection in state.withLock({ Array($0.connections.values) }) { connection.abort() }
    _ = isEmpty(within: .seconds(1))
  }

  private func isEmpty(within limit: Duration) -> Bool {
    let isEmpty: Void? = state.wait(within: limit) { $0.connections.isEmpty ? () : nil }
    return isEmpty != nil
  }
}
