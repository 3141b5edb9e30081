internal import PasscodeCore
internal import PasscodePlatform

/// Connections for reading, handed out one thread at a time. Opened at their first use.
final class ReaderPool: Sendable {
  private struct State {
    var idle: [Connection] = []
    var opened = 0
  }

  private enum Turn {
    case use(Connection)
    case open
  }

  private let location: DatabaseLocation
  private let limit: Int
  private let state = Monitor(State())

  init(_ location: DatabaseLocation, limit: Int) {
    self.location = location
    self.limit = limit
  }

  /// Runs `body` with a connection that nobody else uses meanwhile.
  ///
  /// - Throws: what opening or `body` throws.
  func withReader<R>(_ body: (Connection) throws(StoreError) -> R) throws(StoreError) -> R {
    let connection = try take()
    defer { state.signal { $0.idle.append(connection) } }
    return try body(connection)
  }

  private func take() throws(StoreError) -> Connection {
    let turn = state.wait { (state: inout State) -> Turn? in
      if let connection = state.idle.popLast() { return .use(connection) }
      if state.opened == limit { return nil }
      state.opened += 1
      return .open
    }
    switch turn {
    case .use(let connection): return connection
    case .open:
      do { return try Connection(location) } catch {
        state.signal { $0.opened -= 1 }
        throw error
      }
    }
  }
}
