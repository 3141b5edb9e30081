internal import PasscodePlatform

/// The connections that are being served: how many there are, and a hold on each for those who end them.
///
/// No client keeps another one out: where places, memory or the table itself are used up, connections that wait for their client give
/// way to those that want to be served.
final class ConnectionTable: Sendable {
  private struct State {
    var connections: [ObjectIdentifier: Connection] = [:]
    /// Those that were closed in favour of others, until their threads have ended.
    var leaving: [ObjectIdentifier: Connection] = [:]
    var isStopping = false

    var isEmpty: Bool { connections.isEmpty && leaving.isEmpty }
  }

  private let state = Monitor(State())
  private let limit: Int
  /// How many may come in beyond the limit, to be answered what is quick.
  private let reserve: Int
  /// How many may be leaving at a time.
  private static let leavingLimit = 64

  init(limit: Int, reserve: Int) {
    self.limit = limit
    self.reserve = reserve
  }

  var count: Int { state.withLock { $0.connections.count } }

  // MARK: - Coming and going

  /// Notes a connection. Where there are as many as there may be, one that is idle gives way; where none is, it comes into the reserve.
  ///
  /// - Returns: false where that is used up too, and where the server stops.
  func add(_ connection: Connection) -> Bool {
    let _: Void? = state.wait(within: .seconds(1)) { $0.leaving.count < Self.leavingLimit ? () : nil }
    return state.withLock { state in
      if state.isStopping { return false }
      if state.connections.count >= limit { Self.spare(&state) }
      guard state.connections.count < limit + reserve else { return false }
      connection.isReserved = state.connections.count >= limit
      state.connections[ObjectIdentifier(connection)] = connection
      return true
    }
  }

  /// Takes a connection out of the reserve, for a call that may keep something.
  ///
  /// - Returns: false where there is no room for it.
  func admit(_ connection: Connection) -> Bool {
    if !connection.isReserved { return true }
    return state.withLock { state in
      if state.connections.count > limit { Self.spare(&state) }
      guard state.connections.count <= limit else { return false }
      connection.isReserved = false
      return true
    }
  }

  /// The connection is not served any more.
  func remove(_ connection: Connection) {
    state.broadcast { state in
      state.connections[ObjectIdentifier(connection)] = nil
      state.leaving[ObjectIdentifier(connection)] = nil
    }
  }

  /// Has a connection that is idle give way, and waits until one has ended, or for `limit`.
  func makeRoom(within limit: Duration) {
    let before = state.withLock { state in
      Self.spare(&state)
      return state.connections.count + state.leaving.count
    }
    let _: Void? = state.wait(within: limit) {
      $0.connections.count + $0.leaving.count < before || $0.isStopping ? () : nil
    }
  }

  // MARK: - Giving way

  /// Closes connections that keep others from what they need, without using it: the one that has done so the longest; of those that
  /// hold memory some more, since each holds little.
  ///
  /// - Returns: whether there was one.
  @discardableResult
  func relieve(_ need: Connection.Need) -> Bool {
    let now = BootClock.monotonic()
    return state.withLock { state in
      let delays = state.connections.values.compactMap { connection in
        connection.delay(of: need, at: now).map { (connection, $0) }
      }
      let worst = delays.sorted { $0.1 > $1.1 }.prefix(need == .memory ? 64 : 1)
      return worst.map { Self.close($0.0, &state) }.contains(true)
    }
  }

  /// Makes something that takes locked memory, if need be at the cost of connections that hold it without using it.
  ///
  /// - Parameter isShort: whether an error means that there is none left.
  /// - Throws: what `make` throws, after five seconds where memory is short.
  func relieving<R: ~Copyable, E: Error>(
    _ make: () throws(E) -> R, where isShort: (E) -> Bool
  ) throws(E) -> R {
    let deadline = Deadline(.seconds(5))
    while true {
      do throws(E) { return try make() } catch {
        if !isShort(error) || deadline.isOver { throw error }
      }
      let before = state.withLock { $0.leaving.count + $0.connections.count }
      relieve(.memory)
      let _: Void? = state.wait(within: .milliseconds(100)) {
        $0.connections.count + $0.leaving.count < before ? () : nil
      }
    }
  }

  private static func spare(_ state: inout State) {
    let now = BootClock.monotonic()
    // One that has begun a call meanwhile is no loss: the next one is tried.
    for _ in 0..<8 {
      let spared = state.connections.values.compactMap { connection in connection.thrift(at: now).map { (connection, $0) } }
        .min { $0.1 < $1.1 }
      guard let spared else { return }
      if close(spared.0, &state) { return }
    }
  }

  private static func close(_ connection: Connection, _ state: inout State) -> Bool {
    guard connection.giveWay() else { return false }
    state.connections[ObjectIdentifier(connection)] = nil
    state.leaving[ObjectIdentifier(connection)] = connection
    return true
  }

  // MARK: - Locking and stopping

  /// Returns when nothing is left of open credentials, nor of half a message, that came in or was to go out before the store was
  /// locked. Who is slow to take it, or to send the rest, is closed.
  ///
  /// - Parameter limit: the most that this takes.
  func clear(within limit: Duration) {
    var pending = state.withLock { Array(($0.connections.merging($0.leaving) { $1 }).values) }.filter(\.holdsContent)
    if pending.isEmpty { return }
    let (deadline, grace) = (Deadline(limit), Deadline(.milliseconds(100)))
    while !pending.isEmpty, !deadline.isOver {
      let _: Void? = state.wait(within: .milliseconds(2)) { state in
        pending.contains { Self.holdsContent($0, state) } ? nil : ()
      }
      state.withLock { state in
        pending = pending.filter { Self.holdsContent($0, state) }
        guard grace.isOver else { return }
        for connection in pending where state.leaving[ObjectIdentifier(connection)] == nil {
          _ = Self.close(connection, &state)
        }
      }
    }
  }

  private static func holdsContent(_ connection: Connection, _ state: State) -> Bool {
    let id = ObjectIdentifier(connection)
    if state.leaving[id] != nil { return true }
    return state.connections[id] != nil && connection.holdsContent
  }

  /// Ends all connections: those that are idle at once, the others when their call is answered, or after `limit`; a client that
  /// does not take its answer is not waited for that long.
  ///
  /// Returns when all have ended, or a second after the limit.
  func stop(within limit: Duration) {
    let all = state.broadcast { state in
      state.isStopping = true
      return Array(state.connections.values)
    }
    for connection in all { connection.stop() }
    let deadline = Deadline(limit)
    while !deadline.isOver {
      if isEmpty(within: min(.milliseconds(100), deadline.remaining ?? limit)) { return }
      let now = BootClock.monotonic()
      for connection in state.withLock({ Array($0.connections.values) }) where connection.delay(of: .memory, at: now) != nil {
        connection.abort()
      }
    }
    for connection in state.withLock({ Array($0.connections.values) }) { connection.abort() }
    _ = isEmpty(within: .seconds(1))
  }

  private func isEmpty(within limit: Duration) -> Bool {
    let isEmpty: Void? = state.wait(within: limit) { $0.isEmpty ? () : nil }
    return isEmpty != nil
  }
}
