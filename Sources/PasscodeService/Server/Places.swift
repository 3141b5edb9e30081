internal import PasscodePlatform

/// Counts who holds something that there is little of, such as memory for large messages, so that a few clients can't use it up: who
/// holds a place and does not use it loses it to one who waits.
final class Places: Sendable {
  private struct State {
    var held = 0
    var waiting = 0
  }

  private let state = Monitor(State())
  private let limit: Int
  private let need: Connection.Need
  private let table: ConnectionTable

  /// - Parameters:
  ///   - need: what a place is of.
  ///   - table: the connections that may hold one.
  init(limit: Int, of need: Connection.Need, in table: ConnectionTable) {
    self.limit = limit
    self.need = need
    self.table = table
  }

  /// Takes a place for a connection, waiting for one at most this long.
  ///
  /// - Returns: nil where all are taken; the place is given back when its owner ends.
  func take(for connection: Connection, within wait: Duration = .seconds(5)) -> Place? {
    guard state.withLock(takeNow) != nil || waitForOne(within: wait) else { return nil }
    return Place(of: self, for: connection)
  }

  private func waitForOne(within wait: Duration) -> Bool {
    let deadline = Deadline(wait)
    state.withLock { $0.waiting += 1 }
    defer { state.withLock { $0.waiting -= 1 } }
    while !deadline.isOver {
      let slice = min(.milliseconds(100), deadline.remaining ?? wait)
      if state.wait(within: slice, for: takeNow) != nil { return true }
      table.relieve(need)
    }
    return false
  }

  private func takeNow(_ state: inout State) -> Void? {
    guard state.held < limit else { return nil }
    state.held += 1
    return ()
  }

  struct Place: ~Copyable {
    private let places: Places
    private let connection: Connection
    private let start = BootClock.monotonic()

    fileprivate init(of places: Places, for connection: Connection) {
      self.places = places
      self.connection = connection
      if places.need == .largeMessage { connection.holdsLargePlace(1) }
    }

    /// Whether it has been held for long, and somebody waits for one.
    var isOverdue: Bool {
      BootClock.monotonic() - start > 2 * Connection.grace && places.state.withLock { $0.waiting > 0 }
    }

    deinit {
      if places.need == .largeMessage { connection.holdsLargePlace(-1) }
      places.state.signal { $0.held -= 1 }
    }
  }
}
