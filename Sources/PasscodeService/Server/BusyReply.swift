internal import PasscodePlatform
internal import PasscodeWire

/// What a client is told that can't be served now: the answer to the call that it is about to make.
enum BusyReply {
  private static let bytes = Array("{\"error\":\"\(WireErrorName.busy.fullName)\"}\0".utf8)

  /// Sends it, if it goes out at once.
  static func send(to peer: borrowing UnixConnection) { try? peer.sendAll(bytes.span, within: .zero) }
}
