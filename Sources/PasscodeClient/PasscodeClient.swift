public import PasscodeWire

/// The user's daemon, from an app's or a command's side: blocking calls, each one round trip.
///
/// Calls of several threads go one after the other over one connection, which is made again when the daemon has gone and
/// come back. Every method has an `async` twin of the same name that leaves the calling thread alone.
///
/// Secrets go in and come out as `SecretBytes` only.
public final class PasscodeClient: Sendable {
  let connection: ClientConnection
  /// The folder that all names are in, with its slash; empty where there is none.
  let scope: String
  /// What the daemon said about the store and itself when this client connected.
  public let greeting: WireStatus
  /// `otherStore` where the daemon serves another store and ``ClientOptions/acceptsOtherStore`` lets that pass; else nil.
  public let storeMismatch: ClientError?

  init(_ connection: ClientConnection, scope: String, greeting: WireStatus, storeMismatch: ClientError?) {
    self.connection = connection
    self.scope = scope
    self.greeting = greeting
    self.storeMismatch = storeMismatch
  }

  /// Connects to the user's daemon, which is started where none answers and the options allow it.
  ///
  /// The socket's directory and the daemon's uid are checked before a byte is sent.
  ///
  /// - Throws: `noDaemon` with the reason; `otherStore` where the daemon serves another store; `platform` where the socket
  ///   can't be trusted or reached; `disconnected`; `badReply`; `secretMemory`.
  public static func connect(_ options: ClientOptions = ClientOptions()) throws(ClientError) -> PasscodeClient {
    let greeted = try Reaching.greetedLink(options)
    let (status, mismatch) = (greeted.status, greeted.mismatch)
    return PasscodeClient(
      ClientConnection(greeted.link, options: options), scope: "", greeting: status, storeMismatch: mismatch)
  }

  /// The same daemon, with all names in a folder of their own: an app's credentials stay apart from all others.
  ///
  /// - Parameter folder: such as `org.example.app`; within a scope, a folder in its folder.
  /// - Throws: `daemon(.invalidName)` where it can't be a folder's name.
  public func scoped(_ folder: String) throws(ClientError) -> PasscodeClient {
    if let fault = NameFault.of(folder) { throw .daemon(.invalidName(fault)) }
    return PasscodeClient(
      connection, scope: scope + folder + "/", greeting: greeting, storeMismatch: storeMismatch)
  }

  /// One sentence where the daemon is of another release than this library; nil where both are of the same.
  public var releaseDifference: String? {
    guard greeting.version != Release.version else { return nil }
    return "this is release \(Release.version), the daemon is \(greeting.version)"
  }
}

/// What a folder's name must not be, as the daemon checks names.
enum NameFault {
  static func of(_ name: String) -> WireNameFault? {
    if name.isEmpty { return .empty }
    if name.utf8.count > 1024 { return .tooLong }
    if name.unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) { return .controlCharacter }
    let parts = name.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    if parts.contains(where: \.isEmpty) { return .emptyPart }
    return parts.contains { $0.elementsEqual(".".utf8) || $0.elementsEqual("..".utf8) } ? .dotPart : nil
  }
}
