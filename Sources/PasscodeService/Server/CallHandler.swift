internal import PasscodeWire

/// Answers the calls of one connection. Made for it, used on its thread only, and gone with it.
protocol CallHandler: AnyObject {
  /// How long the connection may be silent; nil for as long as it likes.
  var idleLimit: Duration? { get }

  /// Answers one call.
  ///
  /// - Parameters:
  ///   - call: which method, and how it was called.
  ///   - fields: its parameters, in the connection's buffer.
  /// - Throws: the error to reply, in place of a reply that has not been ended.
  func answer(_ call: CallLayout, _ fields: WireFields, _ replies: inout Replies) throws(WireError)
}
