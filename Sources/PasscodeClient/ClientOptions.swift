/// How a client finds the daemon.
public struct ClientOptions: Sendable {
  /// The daemon's socket; nil is `$PASSCODED_SOCKET`, else the user's own.
  public var socket: String?
  /// The store's file; nil is `$PASSCODED_STORE`, else the user's own.
  ///
  /// A daemon that serves another store is refused: the same call never reads another store than it wrote. Only where the
  /// socket is named and the store is not, the client takes whatever is served there.
  public var store: String?
  /// Whether a daemon that serves another store is taken all the same: for what concerns the daemon and not the store.
  /// ``PasscodeClient/storeMismatch`` tells then.
  public var acceptsOtherStore = false
  /// Whether the daemon is started where none answers.
  public var autostarts = true
  /// The absolute path of `passcoded`; nil is beside the running program, else in `../libexec`.
  public var daemonPath: String?

  /// The user's own daemon and store.
  public init() {}
}
