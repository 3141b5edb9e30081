internal import PasscodePlatform
internal import PasscodePrompts
internal import Synchronization

/// One connected client, known to the thread that serves it and to those who end it: the one who stops the server, the one who
/// locks the store, and whoever needs what it holds without using it.
final class Connection: Sendable {
  /// Whom the connection waits for.
  fileprivate enum Phase {
    /// For the client: nothing of a message has come in.
    case idle
    /// For the client: a part of a message has.
    case receiving
    /// For nobody: a call is being answered.
    case calling
    /// For the client: a reply, or a part of it, is not taken.
    case sending
  }

  fileprivate struct State {
    var phase = Phase.idle
    var hasFlow = false
    var hasCalled = false
    /// No further call is answered.
    var isEnding = false
    /// It was closed in favour of others.
    var hasGivenWay = false
    /// A call is being answered that can bring open credentials into memory, or its reply has not gone out.
    var opensStore = false
    var isReserved = false
    var largePlaces = 0
    /// Since when it waits for the client, in monotonic nanoseconds.
    var since = BootClock.monotonic()
    /// How much of the message had gone over it by then, and how many bytes have since.
    var offset = 0
    var moved = 0
  }

  /// How long a client that others wait for may take nothing and send nothing; every MiB that it does gives it a second more.
  static let grace: UInt64 = 1_000_000_000

  let peer: UnixConnection
  /// The client's process, held on to from the start: no later one is taken for it.
  let process: PeerProcess
  private let state = Mutex(State())

  init(_ peer: consuming UnixConnection, of credentials: PeerCredentials) {
    process = PeerProcess(credentials: credentials, process: peer.peerProcess())
    self.peer = peer
  }

  // MARK: - What the serving thread tells

  /// A part of a message has come in, and the rest is waited for.
  ///
  /// - Parameter received: how much of it is there.
  /// - Returns: false where it must not be waited for.
  func waitsForRest(received: Int) -> Bool {
    state.withLock { state in
      if state.phase != .receiving { state.wait(.receiving, offset: received) }
      state.moved = received - state.offset
      return !state.isEnding
    }
  }

  /// The daemon itself is waited for: nothing of that is the client's delay.
  func waitsForUs() { state.withLock { $0.phase = .calling } }

  /// A whole message has come in and is going to be answered.
  ///
  /// - Returns: false where it must not be any more.
  func beginCall() -> Bool {
    state.withLock { state in
      guard !state.isEnding else { return false }
      state.phase = .calling
      state.hasCalled = true
      return true
    }
  }

  /// The call that is being answered can bring open credentials into memory: until its reply has gone out they are there.
  ///
  /// - Parameter opensStore: false while it waits for a person, and has brought none.
  func opensStore(_ opensStore: Bool = true) { state.withLock { $0.opensStore = opensStore } }

  /// The client does not take a reply as fast as it is sent.
  ///
  /// - Parameter sent: how much of it has gone out.
  /// - Returns: false where the rest must not.
  func waitsForTaking(sent: Int) -> Bool {
    state.withLock { state in
      if state.phase != .sending { state.wait(.sending, offset: sent) }
      state.moved = sent - state.offset
      return !state.hasGivenWay
    }
  }

  /// The reply has gone out.
  func hasSent() { state.withLock { $0.phase = .calling } }

  /// The call has been answered.
  ///
  /// - Parameter hasFlow: whether a flow waits for its next step.
  /// - Returns: false where the connection has to be closed.
  func endCall(hasFlow: Bool) -> Bool {
    let now = BootClock.monotonic()
    return state.withLock { state in
      state.phase = .idle
      state.since = now
      state.opensStore = false
      state.hasFlow = hasFlow
      return !state.isEnding
    }
  }

  /// One place more or less among the large messages.
  func holdsLargePlace(_ change: Int) { state.withLock { $0.largePlaces += change } }

  /// Whether it was closed in favour of others.
  var hasGivenWay: Bool { state.withLock { $0.hasGivenWay } }

  /// Whether it was taken in beyond the limit: such a one is answered what is quick and keeps nothing.
  var isReserved: Bool {
    get { state.withLock { $0.isReserved } }
    set { state.withLock { $0.isReserved = newValue } }
  }

  // MARK: - What others look at

  /// What is short, which a connection may hold while it waits for its client.
  enum Need {
    /// A place among the large messages.
    case largeMessage
    /// A place among the replies.
    case reply
    /// Locked memory.
    case memory
  }

  /// For how long it has kept others from what they need without using it, in nanoseconds; nil where it does not.
  func delay(of need: Need, at now: UInt64) -> UInt64? {
    state.withLock { state -> UInt64? in
      let holds =
        switch need {
        case .largeMessage: state.largePlaces > 0
        case .reply: state.phase == .sending
        case .memory: true
        }
      return holds ? state.delay(at: now) : nil
    }
  }

  /// How well it can be spared where there is no place for another one: the lower, the better; nil for not at all.
  func thrift(at now: UInt64) -> Thrift? {
    state.withLock { state -> Thrift? in
      guard !state.isEnding else { return nil }
      switch state.phase {
      case .calling: return nil
      case .idle where state.hasFlow: return nil
      case .idle: return Thrift(isUsed: state.hasCalled && !state.isReserved, since: state.since)
      case .receiving, .sending:
        guard state.isReserved || state.delay(at: now) != nil else { return nil }
        return Thrift(isUsed: false, since: state.since)
      }
    }
  }

  /// A connection that was never used goes before one that was, then the one that has been waiting the longest.
  struct Thrift: Comparable {
    let isUsed: Bool
    let since: UInt64

    static func < (a: Thrift, b: Thrift) -> Bool { a.isUsed == b.isUsed ? a.since < b.since : b.isUsed }
  }

  /// Whether open credentials, or a part of a message with what is in it, may be in memory on its account.
  var holdsContent: Bool { state.withLock { $0.opensStore || $0.phase == .receiving } }

  // MARK: - Ending it

  /// Closes it, if it is the client that it waits for. What it holds is wiped when its thread has ended.
  ///
  /// - Returns: false where a call is being answered.
  func giveWay() -> Bool {
    let phase = state.withLock { state -> Phase in
      guard state.phase != .calling else { return .calling }
      state.isEnding = true
      state.hasGivenWay = true
      return state.phase
    }
    // A client that is just sending reads why; one that is not reading can't be told.
    if phase == .idle || phase == .receiving { BusyReply.send(to: peer) }
    if phase != .calling { peer.shutdown() }
    return phase != .calling
  }

  /// Lets the running call end, if there is one, and closes the connection.
  func stop() {
    let isIdle = state.withLock { state in
      state.isEnding = true
      return state.phase == .idle || state.phase == .receiving
    }
    if isIdle { peer.shutdown() }
  }

  /// Closes the connection, whatever is running on it.
  func abort() { peer.shutdown() }
}

extension Connection.State {
  fileprivate mutating func wait(_ phase: Connection.Phase, offset: Int) {
    self.phase = phase
    since = BootClock.monotonic()
    self.offset = offset
  }

  /// How long the client has been waited for beyond what it may be, in nanoseconds; nil where it has not.
  fileprivate func delay(at now: UInt64) -> UInt64? {
    guard phase == .receiving || phase == .sending else { return nil }
    let end = since + Connection.grace + UInt64(max(0, moved)) * 1000
    return now > end ? now - end : nil
  }
}
