internal import PasscodePlatform
internal import PasscodeWire
internal import SecretMemory

/// What a client is told that can't be served now: the answer to the call that it is making.
enum BusyReply {
  private static let bytes = Array("{\"error\":\"\(WireErrorName.busy.fullName)\"}\0".utf8)

  /// Sends it, if it goes out at once.
  static func send(to peer: borrowing UnixConnection) { try? peer.sendAll(bytes.span, within: .zero) }

  /// Drops the rest of the message that the client is sending, at most `limit` long: closed in the middle of it, the connection
  /// would break under the client, which would never come to read the reply.
  ///
  /// Secrets: what comes in is wiped at once.
  static func dropMessage(of peer: borrowing UnixConnection, within limit: Duration) {
    guard var dropped = try? SecretBytes(capacity: LockedMemory.slotByteCount) else { return }
    let deadline = Deadline(limit)
    var count = 0
    while count < WireLimits.maximumMessageByteCount {
      guard let received = try? peer.receive(into: &dropped, within: deadline.remaining), received > 0 else { return }
      if dropped.bytes[dropped.count - 1] == 0 { return }
      count += received
      dropped.removeAll()
    }
  }
}
