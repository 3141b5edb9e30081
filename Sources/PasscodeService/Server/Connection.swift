internal import PasscodePlatform
internal import PasscodePrompts
internal import Synchronization

/// One connected client, known to the thread that serves it and to the one that stops the server.
final class Connection: Sendable {
  private enum Phase {
    static let idle: UInt8 = 0
    static let busy: UInt8 = 1
    /// Either of them, once the server stops.
    static let stopping: UInt8 = 2
  }

  let peer: UnixConnection
  /// The client's process, held on to from the start: no later one is taken for it.
  let process: PeerProcess
  private let phase = Atomic<UInt8>(Phase.idle)

  init(_ peer: consuming UnixConnection, of credentials: PeerCredentials) {
    process = PeerProcess(credentials: credentials, process: peer.peerProcess())
    self.peer = peer
  }

  /// A whole message has come in and is going to be answered.
  ///
  /// - Returns: false where it must not be any more.
  func beginCall() -> Bool {
    phase.compareExchange(expected: Phase.idle, desired: Phase.busy, ordering: .acquiringAndReleasing).exchanged
  }

  /// The call has been answered.
  ///
  /// - Returns: false where the connection has to be closed.
  func endCall() -> Bool {
    phase.compareExchange(expected: Phase.busy, desired: Phase.idle, ordering: .acquiringAndReleasing).exchanged
  }

  /// Lets the running call end, if there is one, and closes the connection.
  func stop() {
    if phase.exchange(Phase.stopping, ordering: .acquiringAndReleasing) == Phase.idle { peer.shutdown() }
  }

  /// Closes the connection, whatever is running on it.
  func abort() { peer.shutdown() }
}
