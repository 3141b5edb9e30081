internal import PasscodePlatform
internal import PasscodeWire

/// A connection of its own on which the daemon tells each change of state.
final class StateWatch: Sendable {
  private let link: Monitor<Link>
  private let socket: UnixConnection

  init(_ connection: ClientConnection) throws(ClientError) {
    var link = try connection.another()
    try link.send(.monitor, .more) { (_: inout MessageWriter) in }
    socket = try link.duplicate()
    self.link = Monitor(link)
  }

  /// Waits for the next state; the first is the one now.
  ///
  /// - Throws: `disconnected` when the daemon ends, or after ``stop()``.
  func next() throws(ClientError) -> StateChange {
    try link.withLock { (link: inout Link) throws(ClientError) in
      try link.receive(.monitor) { (fields: WireFields, _) throws(ClientError) in try StateChange(fields) }
    }
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
