internal import PasscodePlatform
internal import PasscodeWire
internal import SecretMemory

/// Serves one connection on its own thread, from the first byte to the last.
struct ConnectionServer {
  let connection: Connection
  let catalog: WireCatalog
  let limits: ServiceLimits
  let table: ConnectionTable
  let largeMessages: Places
  let replies: Places
  let note: @Sendable (ServiceEvent) -> Void
  /// True where buffers go back to the pool while nothing comes in.
  let returnsBuffers: @Sendable () -> Bool

  /// Why a connection ends.
  private enum End: Error {
    /// The client has closed it, or the server stops.
    case orderly
    /// The client broke a rule.
    case rule(String)
    /// There is no memory to read into.
    case busy
  }

  /// Serves until the connection ends.
  func run(_ handler: any CallHandler) {
    do throws(End) {
      while true { try serveBurst(handler) }
    } catch {
      switch error {
      case _ where connection.hasGivenWay: note(.connectionClosed("it kept others waiting, or was idle"))
      case .orderly: return
      case .rule(let rule): note(.connectionClosed(rule))
      case .busy:
        BusyReply.send(to: connection.peer)
        guard connection.waitsForRest(received: 0) else { return }
        BusyReply.dropMessage(of: connection.peer, within: limits.dropping)
      }
    }
  }

  /// Serves what comes in until nothing does any more and the buffers are better given back.
  private func serveBurst(_ handler: any CallHandler) throws(End) {
    if returnsBuffers() { try waitForInput(handler.idleLimit) }
    guard var buffer = relieving(MessageBuffer.init) else { throw .busy }
    var replies = Replies(to: connection, in: table, within: limits.sending, replies)
    var place: Places.Place?
    repeat {
      try receive(into: &buffer, &place, handler.idleLimit)
      guard connection.beginCall() else { throw .orderly }
      try answer(&buffer, handler, &replies)
      // Before the reply goes out: whoever has it can rely on that the daemon has no passcode of the call any more.
      buffer.dropMessage()
      if buffer.isEmpty || !buffer.isLarge { place = nil }
      guard replies.send() else { throw .orderly }
      guard connection.endCall(hasFlow: handler.idleLimit != nil) else { throw .orderly }
      // Large messages sent ahead, one behind the other, do not keep a place for ever.
      if Self.isOverdue(place) { throw .busy }
    } while !buffer.isEmpty || !returnsBuffers()
  }

  private func waitForInput(_ limit: Duration?) throws(End) {
    do {
      guard try connection.peer.waitForInput(within: limit) else { throw End.rule("silent for too long") }
    } catch let end as End { throw end } catch { throw .orderly }
  }

  // MARK: - Receiving

  /// Returns when the buffer holds a whole message.
  private func receive(
    into buffer: inout MessageBuffer, _ place: inout Places.Place?, _ idleLimit: Duration?
  ) throws(End) {
    if try found(in: &buffer) { return }
    var deadline = buffer.isEmpty ? nil : Deadline(limits.receiving)
    while true {
      if buffer.isFull { try enlarge(&buffer, &place) }
      if !buffer.isEmpty, !connection.waitsForRest(received: buffer.byteCount) { throw .orderly }
      try receiveOnce(into: &buffer, within: deadline.map(\.remaining) ?? idleLimit)
      if try found(in: &buffer) { return }
      deadline = deadline ?? Deadline(limits.receiving)
    }
  }

  private func enlarge(_ buffer: inout MessageBuffer, _ place: inout Places.Place?) throws(End) {
    connection.waitsForUs()
    if place == nil { place = largeMessages.take(for: connection) }
    guard place != nil else { throw .busy }
    do throws(SecretMemoryError) {
      try table.relieving { () throws(SecretMemoryError) in
        try buffer.grow()
      } where: {
        $0 == .lockedMemoryExhausted
      }
    } catch { throw .busy }
  }

  private func relieving<R: ~Copyable>(_ make: () throws(SecretMemoryError) -> R) -> R? {
    try? table.relieving(make) { $0 == .lockedMemoryExhausted }
  }

  private static func isOverdue(_ place: borrowing Places.Place?) -> Bool {
    switch place {
    case .some(let place): place.isOverdue
    case .none: false
    }
  }

  private func found(in buffer: inout MessageBuffer) throws(End) -> Bool {
    do { return try buffer.findMessage() } catch { throw .rule("\(error)") }
  }

  private func receiveOnce(into buffer: inout MessageBuffer, within limit: Duration?) throws(End) {
    let isFirst = buffer.isEmpty
    let count: Int
    do throws(PlatformError) {
      count = unsafe try buffer.withFreeSpace { space throws(PlatformError) in
        unsafe try connection.peer.receive(into: space, within: limit)
      }
    } catch {
      switch error {
      case .disconnected: throw .orderly
      case .timedOut: throw .rule(isFirst ? "silent for too long" : "a message took too long to come in")
      default: throw .rule("\(error)")
      }
    }
    guard count > 0 else { throw isFirst ? .orderly : .rule("half a message") }
  }

  // MARK: - Answering

  /// Writes the reply, or sends all but the last one.
  private func answer(
    _ buffer: inout MessageBuffer, _ handler: any CallHandler, _ replies: inout Replies
  ) throws(End) {
    switch try parse(&buffer) {
    case .refused(let error, let isOneway): replies.fail(error, isOneway: isOneway)
    case .call(let layout):
      let spec = catalog.methods[layout.methodIndex]
      replies.begin(spec, isOneway: layout.isOneway, wantsMore: layout.wantsMore)
      let fields = layout.fields(in: buffer.message, of: catalog)
      do throws(WireError) { try handler.answer(layout, fields, &replies) } catch {
        replies.fail(error, isOneway: layout.isOneway)
      }
    }
  }

  private func parse(_ buffer: inout MessageBuffer) throws(End) -> ParsedCall {
    do {
      return try buffer.withMutableMessage { (message: inout MutableSpan<UInt8>) throws(CloseReason) in
        try catalog.parse(&message)
      }
    } catch { throw .rule("\(error)") }
  }
}
