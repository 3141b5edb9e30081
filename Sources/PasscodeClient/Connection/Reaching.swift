internal import PasscodePlatform
internal import PasscodeWire

/// The way to the daemon: where it is, whether it is ours, whether it serves the right store.
enum Reaching {
  /// A link to the daemon that the options mean, which is started where none answers and that is allowed.
  static func greetedLink(_ options: ClientOptions) throws(ClientError) -> GreetedLink {
    // A daemon that was just about to end leaves a connection that nobody answers; to ask for the status again is harmless.
    do { return try greet(options) } catch { guard error == .disconnected else { throw error } }
    return try greet(options)
  }

  private static func greet(_ options: ClientOptions) throws(ClientError) -> GreetedLink {
    let places = try Places(options)
    var link = try Link(try connection(places, options))
    try link.send(.status, nil) { (_: inout MessageWriter) in }
    let status = try link.receive(.status, within: Patience.quick) { (fields: WireFields, _) throws(ClientError) in
      guard let status = WireStatus(fields) else { throw .badReply("Status") }
      return status
    }
    let mismatch = places.mismatch(of: status)
    if let mismatch, !options.acceptsOtherStore { throw mismatch }
    return GreetedLink(link: link, status: status, mismatch: mismatch)
  }

  /// A link to the daemon that the options mean.
  static func link(_ options: ClientOptions) throws(ClientError) -> Link {
    let greeted = try greetedLink(options)
    return greeted.link
  }

  private static func connection(_ places: Places, _ options: ClientOptions) throws(ClientError) -> UnixConnection {
    do {
      return try UnixConnection.connect(to: places.socket)
    } catch .timedOut {
      // Its socket is there, and so many wait at it that no further one can.
      throw .unresponsive(pid: nil)
    } catch {
      guard UnixConnection.isNobodyServing(error) else { throw .platform(error) }
    }
    return try Autostart(places: places, options: options).connection()
  }
}

/// A link whose daemon has said what it serves.
struct GreetedLink: ~Copyable {
  let link: Link
  /// What the daemon said about itself and the store.
  let status: WireStatus
  /// Whether it serves another store than the one that was asked for.
  let mismatch: ClientError?
}
