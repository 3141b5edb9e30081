internal import PasscodePlatform
internal import PasscodeWire
internal import SecretMemory

/// One open connection with its buffers, used by one call at a time.
///
/// Secrets: both buffers are locked memory and are wiped after each call.
struct Link: ~Copyable {
  private let connection: UnixConnection
  private var calls: MessageWriter
  private var replies: MessageBuffer

  init(_ connection: consuming UnixConnection) throws(ClientError) {
    let calls: MessageWriter
    do { calls = try MessageWriter() } catch { throw .secretMemory(error) }
    let replies: MessageBuffer
    do { replies = try MessageBuffer() } catch { throw .secretMemory(error) }
    self.connection = connection
    self.calls = calls
    self.replies = replies
  }

  /// Whether the daemon has closed its end.
  var isGone: Bool { connection.isPeerGone() }

  /// A second descriptor of the socket, for a thread that ends the connection from outside.
  func duplicate() throws(ClientError) -> UnixConnection {
    do {
      return UnixConnection(owning: try connection.descriptor.duplicate())
    } catch {
      throw .platform(error)
    }
  }

  /// Sends a call.
  ///
  /// - Parameter write: writes its parameters.
  mutating func send(
    _ method: WireMethod, _ flag: CallFlag?, _ write: (inout MessageWriter) throws(WireError) -> Void
  ) throws(ClientError) {
    calls.beginCall(method)
    do {
      try write(&calls)
      try calls.endCall(flag)
    } catch {
      calls.abandon()
      throw .daemon(error)
    }
    do {
      try calls.drain { (bytes: Span<UInt8>) throws(PlatformError) in try connection.sendAll(bytes, within: Patience.short) }
    } catch .disconnected {
      throw farewell(method)
    } catch .timedOut {
      throw unresponsive
    } catch {
      throw .platform(error)
    }
  }

  /// Waits for the next reply and lends its fields; they are wiped afterwards.
  ///
  /// - Parameters:
  ///   - patience: how long the daemon may send nothing; nil without end.
  ///   - read: is told whether another reply follows.
  /// - Throws: `unresponsive` where it sends nothing.
  mutating func receive<R: ~Copyable>(
    _ method: WireMethod, within patience: Duration?, _ read: (WireFields, _ continues: Bool) throws(ClientError) -> R
  ) throws(ClientError) -> R {
    while try !hasMessage() { try receiveMore(within: patience) }
    defer { replies.dropMessage() }
    let parsed: ParsedReply
    do {
      parsed = try replies.withMutableMessage { (message: inout MutableSpan<UInt8>) throws(CloseReason) in
        try method.spec.parseReply(&message)
      }
    } catch {
      throw .badReply("\(method.fullName): \(error)")
    }
    switch parsed {
    case .reply(let layout): return try read(layout.fields(in: replies.message), layout.continues)
    case .failed(let error): throw .daemon(error)
    case .failedOtherwise(let name): throw .badReply("\(method.fullName): error \(name)")
    }
  }

  /// Whether a whole reply is there already.
  mutating func hasMessage() throws(ClientError) -> Bool {
    do { return try replies.findMessage() } catch { throw .badReply("\(error)") }
  }

  /// Why a connection was closed before a call was through: a daemon that has no room for another one says so first.
  private mutating func farewell(_ method: WireMethod) -> ClientError {
    do throws(ClientError) {
      try receive(method, within: .zero) { (_: WireFields, _) in }
    } catch {
      if case .daemon = error { return error }
    }
    return .disconnected
  }

  private var unresponsive: ClientError { .unresponsive(pid: try? connection.peerCredentials().pid) }

  private mutating func receiveMore(within patience: Duration?) throws(ClientError) {
    do throws(SecretMemoryError) {
      if replies.isFull { try replies.grow() }
    } catch {
      throw .secretMemory(error)
    }
    let count: Int
    do {
      count = unsafe try replies.withFreeSpace { space throws(PlatformError) in
        unsafe try connection.receive(into: space, within: patience)
      }
    } catch .disconnected {
      throw .disconnected
    } catch .timedOut {
      throw unresponsive
    } catch {
      throw .platform(error)
    }
    guard count > 0 else { throw .disconnected }
  }
}
