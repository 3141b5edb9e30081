internal import PasscodePlatform
internal import PasscodeWire
internal import SecretMemory

/// The replies to one call after another, in locked memory until they are sent.
///
/// The memory is taken for each reply and given back when it is sent: a call that waits for something holds none.
struct Replies: ~Copyable {
  private var writer: MessageWriter?
  private var place: Places.Place?
  /// The place of a large reply.
  private var largePlace: Places.Place?
  private let places: Places
  private let connection: Connection
  private let table: ConnectionTable
  private let limit: Duration
  private var isOneway = false
  /// False once the client does not take what is sent: nothing more goes out.
  private(set) var isOpen = true
  /// Whether the call may get several replies.
  private(set) var wantsMore = false
  private var spec: MethodSpec?

  init(to connection: Connection, in table: ConnectionTable, within limit: Duration, _ places: Places) {
    self.places = places
    self.table = table
    self.connection = connection
    self.limit = limit
  }

  /// The replies that follow are to this call.
  mutating func begin(_ method: MethodSpec, isOneway: Bool, wantsMore: Bool) {
    spec = method
    self.isOneway = isOneway
    self.wantsMore = wantsMore && !isOneway
  }

  /// Writes the one reply.
  ///
  /// - Throws: what `body` throws.
  mutating func reply(_ body: (inout MessageWriter) throws(WireError) -> Void = { _ in }) throws(WireError) {
    _ = try write { (reply) throws(WireError) in
      try body(&reply)
      return .last
    }
  }

  /// Writes the one reply if `body` says so.
  ///
  /// - Returns: what `body` says; false leaves nothing of what it wrote.
  /// - Throws: what `body` throws.
  mutating func replyIf(_ body: (inout MessageWriter) throws(WireError) -> Bool) throws(WireError) -> Bool {
    try write { (reply) throws(WireError) in try body(&reply) ? .last : .none } == .last
  }

  /// Writes one of several replies, and sends it.
  ///
  /// - Parameter body: says whether it is the last one.
  /// - Returns: false where the client is gone: the call ends.
  /// - Throws: what `body` throws.
  mutating func stream(_ body: (inout MessageWriter) throws(WireError) -> Bool) throws(WireError) -> Bool {
    _ = try write { (reply) throws(WireError) in try body(&reply) ? .last : .continues }
    return send()
  }

  /// Keeps a place among the large messages until the reply has gone out.
  mutating func keep(_ place: consuming Places.Place) { largePlace = consume place }

  /// Writes an error in place of a reply.
  mutating func fail(_ error: WireError, isOneway: Bool) {
    if isOneway { return }
    do throws(WireError) {
      try prepare()
      writer?.fail(error)
    } catch {
      // Not even that fits into what is left of the locked memory.
      BusyReply.send(to: connection.peer)
      isOpen = false
    }
  }

  /// Gives the memory back that was taken for a reply, which is not written yet: the call waits for a person first.
  mutating func giveBack() {
    _ = writer.take()
    place = nil
  }

  /// Whether nobody waits for the rest of the replies any more.
  var isAbandoned: Bool { !isOpen || connection.peer.isPeerGone() }

  /// Sends what is written.
  ///
  /// - Returns: false where the client does not take it.
  mutating func send() -> Bool {
    guard isOpen, var writer = writer.take() else { return isOpen }
    let (connection, limit) = (connection, limit)
    isOpen = writer.drain { bytes in
      var isSlow = false
      do {
        try connection.peer.sendAll(bytes, within: limit) { sent in
          isSlow = true
          return connection.waitsForTaking(sent: sent)
        }
      } catch { return false }
      if isSlow { connection.hasSent() }
      return true
    }
    _ = consume writer
    place = nil
    largePlace = nil
    return isOpen
  }

  /// - Throws: `busy` where there is no locked memory for a reply.
  private mutating func prepare() throws(WireError) {
    if writer != nil { return }
    place = places.take(for: connection)
    if place == nil { throw .busy }
    do throws(SecretMemoryError) {
      writer = try table.relieving { () throws(SecretMemoryError) in
        try MessageWriter()
      } where: {
        $0 == .lockedMemoryExhausted
      }
    } catch { throw .busy }
  }

  /// What becomes of what was written.
  private enum Fate {
    case last
    case continues
    case none
  }

  private mutating func write(_ body: (inout MessageWriter) throws(WireError) -> Fate) throws(WireError) -> Fate {
    guard let spec else { preconditionFailure("a reply needs a call") }
    try prepare()
    guard var writer = writer.take() else { preconditionFailure("a writer was made") }
    writer.begin(spec)
    do throws(WireError) {
      let fate = try body(&writer)
      if fate == .none || isOneway { writer.abandon() } else { try writer.end(continues: fate == .continues) }
      self.writer = consume writer
      return fate
    } catch {
      writer.abandon()
      self.writer = consume writer
      throw error
    }
  }
}
