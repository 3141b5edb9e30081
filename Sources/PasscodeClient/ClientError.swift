public import PasscodePlatform
public import PasscodeWire
public import SecretMemory

/// Why a call did not do what it was asked for. Payloads are facts, never a secret.
public enum ClientError: Error, Equatable, Sendable {
  /// The daemon answered with an error.
  case daemon(WireError)
  /// No daemon answers at this socket, and none was started.
  case noDaemon(socket: String, NoDaemonReason)
  /// The daemon at this socket serves another store than the one that is asked for.
  case otherStore(socket: String, wanted: String, served: String)
  /// The operating system refused something on the way to the daemon.
  case platform(PlatformError)
  /// The daemon closed the connection in the middle of a call: whether it was done is not known.
  case disconnected
  /// The daemon does not answer, though its process is there: for longer than the call can take. Whether it was done is not known.
  ///
  /// The process is nil where it is not known.
  case unresponsive(pid: Int32?)
  /// What the daemon sent is not what its interfaces promise.
  case badReply(String)
  /// Locked memory could not take a secret.
  case secretMemory(SecretMemoryError)
  /// The secret is larger than can be sent, in bytes.
  case tooLarge(limit: Int)
}

/// Why there is no daemon.
public enum NoDaemonReason: Equatable, Sendable {
  /// Starting one was switched off.
  case autostartOff
  /// The socket was named, the store was not: a daemon started there would serve a store that nobody asked for.
  case explicitSocket
  /// systemd is to listen at the socket, and does not.
  case systemdOwnsSocket
  /// The program is not where it belongs: beside the running one, or in `../libexec`.
  case notInstalled
  /// What stands in the daemon's place is the running program itself.
  case isThisProgram(path: String)
  /// It was started and ended; its log says why.
  case ended(log: String)
  /// It was started and did not answer in time; its log may say why.
  case silent(log: String)
}
