internal import PasscodePlatform
internal import PasscodeWire
internal import Synchronization

/// A connection of its own on which the daemon tells each change of state.
final class StateWatch: Sendable {
  private let link: Monitor<Link>
  private let socket: UnixConnection
  private let hasHeard = Atomic(false)

  init(_ connection: ClientConnection) throws(ClientError) {
    var link = try connection.another()
    try link.send(.monitor, .more) { (_: inout MessageWriter) in }
    socket = try link.duplicate()
    self.link = Monitor(link)
  }

  /// Waits for the next state; the first is the one now.
  ///
  /// - Throws: `unresponsive` where not even the first one comes; `disconnected` when the daemon ends, or after ``stop()``.
  func next() throws(ClientError) -> StateChange {
    // After the first state there is nothing to hear until it changes.
    let patience = hasHeard.load(ordering: .relaxed) ? nil : Patience.waiting(for: .monitor)
    let change = try link.withLock { (link: inout Link) throws(ClientError) in
      try link.receive(.monitor, within: patience) { (fields: WireFields, _) throws(ClientError) in try StateChange(fields) }
    }
    hasHeard.store(true, ordering: .relaxed)
    return change
  }

  /// Waits for input, so that ``next()`` will not.
  ///
  /// - Returns: false when the time is up.
  func waitForNext(within limit: Duration?) throws(ClientError) -> Bool {
    // One recv may have brought several.
    if try link.withLock({ (link: inout Link) throws(ClientError) in try link.hasMessage() }) { return true }
    do { return try socket.waitForInput(within: limit) } catch { throw .platform(error) }
  }

  /// Ends the waiting of another thread.
  func stop() { socket.shutdown() }
}
