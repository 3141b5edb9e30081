internal import PasscodeCore
internal import PasscodePlatform

/// Connections for reading, handed out one thread at a time. Opened at their first use.
///
/// An idle connection holds its read transaction: beginning one takes more time than a read. A held one also keeps the log from
/// being emptied, so whoever commits calls ``renew()``: idle connections let go at once, and one that is in use does when it comes
/// back. What was committed before a read began is therefore always seen by it.
final class ReaderPool: Sendable {
  private struct State {
    var idle: [Connection] = []
    var opened = 0
    /// Counts the commits.
    var generation = 0
  }

  private enum Turn {
    case use(Connection, generation: Int)
    case open(generation: Int)
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
    let (connection, generation) = try take()
    defer {
      state.signal { (state: inout State) in
        if state.generation != generation { connection.endReading() }
        state.idle.append(connection)
      }
    }
    return try body(connection)
  }

  /// Has every read that begins from now on see what was committed before.
  func renew() {
    state.withLock { (state: inout State) in
      state.generation += 1
      for connection in state.idle { connection.endReading() }
    }
  }

  private func take() throws(StoreError) -> (Connection, generation: Int) {
    let turn = state.wait { (state: inout State) -> Turn? in
      if let connection = state.idle.popLast() { return .use(connection, generation: state.generation) }
      if state.opened == limit { return nil }
      state.opened += 1
      return .open(generation: state.generation)
    }
    switch turn {
    case .use(let connection, let generation): return (connection, generation)
    case .open(let generation):
      do { return (try Connection(location), generation) } catch {
        state.signal { $0.opened -= 1 }
        throw error
      }
    }
  }
}
