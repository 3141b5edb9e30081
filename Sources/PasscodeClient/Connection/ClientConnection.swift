internal import PasscodePlatform
internal import PasscodeWire

/// The connection behind a client: calls of any thread, one after the other, on one socket.
///
/// A connection that the daemon closed while it was idle is made again before the next call. One that breaks within a call is
/// not: nobody knows whether the call was done.
final class ClientConnection: Sendable {
  private struct State: ~Copyable {
    var link: Link?
  }

  private let options: ClientOptions
  private let state: Monitor<State>

  /// Takes over a link that is open.
  init(_ link: consuming Link, options: ClientOptions) {
    self.options = options
    state = Monitor(State(link: consume link))
  }

  /// A link of its own, checked as this one was.
  func another() throws(ClientError) -> Link { try Reaching.link(options) }

  /// A connection of its own, checked as this one was.
  func companion() throws(ClientError) -> ClientConnection { ClientConnection(try another(), options: options) }

  /// Makes one call with one reply.
  ///
  /// - Parameter patience: how long the daemon may be silent; nil as long as the method may take that asks nobody.
  func call<R: ~Copyable>(
    _ method: WireMethod, within patience: Duration? = nil,
    _ write: (inout MessageWriter) throws(WireError) -> Void = { (_: inout MessageWriter) in },
    _ read: (WireFields) throws(ClientError) -> R
  ) throws(ClientError) -> R {
    try withLink { (link: inout Link) throws(ClientError) -> R in
      try link.send(method, nil, write)
      return try link.receive(method, within: patience ?? Patience.waiting(for: method)) {
        (fields: WireFields, _) throws(ClientError) in
        try read(fields)
      }
    }
  }

  /// Makes one call with many replies.
  func callForMany(
    _ method: WireMethod, _ write: (inout MessageWriter) throws(WireError) -> Void,
    _ read: (WireFields) throws(ClientError) -> Void
  ) throws(ClientError) {
    try withLink { (link: inout Link) throws(ClientError) in
      try link.send(method, .more, write)
      var continues = true
      while continues {
        continues = try link.receive(method, within: Patience.waiting(for: method)) {
          (fields: WireFields, continues) throws(ClientError) in
          try read(fields)
          return continues
        }
      }
    }
  }

  private func withLink<R: ~Copyable>(_ body: (inout Link) throws(ClientError) -> R) throws(ClientError) -> R {
    try state.withLock { (state: inout State) throws(ClientError) -> R in
      var link: Link
      switch state.link.take() {
      case .some(let open) where !open.isGone: link = open
      default: link = try Reaching.link(options)
      }
      do throws(ClientError) {
        let result = try body(&link)
        state.link = consume link
        return result
      } catch {
        // After its error reply a connection goes on; after anything else its bytes may be out of step.
        if case .daemon = error { state.link = consume link }
        throw error
      }
    }
  }
}
