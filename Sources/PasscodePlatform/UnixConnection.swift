internal import CLinux
internal import Glibc
public import SecretMemory

/// One end of a connected Unix stream socket.
public struct UnixConnection: ~Copyable, Sendable {
  /// The socket.
  public let descriptor: FileDescriptor

  /// Takes over a connected socket.
  public init(owning descriptor: consuming FileDescriptor) { self.descriptor = descriptor }

  /// Connects to a daemon of this very user.
  ///
  /// The directory is checked before, the peer's uid after the connect; so no byte ever reaches a socket of another user.
  ///
  /// - Parameter limit: how long a full backlog is waited for.
  /// - Throws: `unsafeDirectory`; `foreignPeer`; `file` with `ENOENT` (no socket, no directory) or `ECONNREFUSED` (nobody
  ///   serves it), see ``isNobodyServing(_:)``; `timedOut`.
  public static func connect(to path: SocketPath, within limit: Duration = .seconds(5)) throws(PlatformError) -> UnixConnection
  {
    try SocketDirectory.require(path.directory)
    let connection = UnixConnection(owning: try newSocket())
    let socket = path.path
    let milliseconds = max(1, Deadline.milliseconds(limit))
    let result = unsafe clinux_connect(connection.descriptor.raw, socket, milliseconds)
    if result == -EAGAIN || result == -ETIMEDOUT { throw .timedOut }
    guard result == 0 else { throw .file(path: socket, SyscallError("connect", -result)) }
    let peer = try connection.peerCredentials()
    guard peer.uid == geteuid() else { throw .foreignPeer(uid: peer.uid) }
    return connection
  }

  /// Whether a failed connect means that no daemon is there (and one may be started).
  public static func isNobodyServing(_ error: PlatformError) -> Bool {
    guard case .file(_, let error) = error else { return false }
    return error.errno == ENOENT || error.errno == ECONNREFUSED
  }

  static func newSocket() throws(PlatformError) -> FileDescriptor {
    let result = clinux_socket()
    guard result >= 0 else { throw .system(SyscallError("socket", -result)) }
    return FileDescriptor(owning: result)
  }

  /// Who is at the other end.
  ///
  /// - Throws: `system` with getsockopt(2)'s errno.
  public borrowing func peerCredentials() throws(PlatformError) -> PeerCredentials {
    var uid: UInt32 = 0
    var gid: UInt32 = 0
    var pid: Int32 = 0
    let result = unsafe clinux_peer_credentials(descriptor.raw, &uid, &gid, &pid)
    guard result == 0 else { throw .system(SyscallError("getsockopt", -result)) }
    return PeerCredentials(uid: uid, gid: gid, pid: pid)
  }

  /// A descriptor of the peer's process itself, which no later process can take over; nil on a kernel without (before 6.5).
  public borrowing func peerProcess() -> FileDescriptor? {
    let result = clinux_peer_pidfd(descriptor.raw)
    return result < 0 ? nil : FileDescriptor(owning: result)
  }

  /// Receives once into the free space of `message`; 0 is the orderly end.
  ///
  /// - Parameter limit: how long to wait for the first byte; nil waits without end.
  /// - Precondition: `message` has free space.
  /// - Throws: `timedOut`; `attachedDescriptors`; `disconnected`; `system` with recvmsg(2)'s errno.
  public borrowing func receive(
    into message: inout SecretBytes, within limit: Duration? = nil
  ) throws(PlatformError) -> Int {
    precondition(message.count < message.capacity, "no room to receive into")
    return unsafe try message.withFreeSpace { space throws(PlatformError) in unsafe try receive(into: space, within: limit) }
  }

  /// Receives once into `space`, such as the free part of a message buffer in locked memory; 0 is the orderly end.
  ///
  /// - Parameter limit: how long to wait for the first byte; nil waits without end.
  /// - Precondition: `space` is not empty.
  /// - Throws: `timedOut`; `attachedDescriptors`; `disconnected`; `system` with recvmsg(2)'s errno. What came in with
  ///   descriptors lies in `space` then: the caller wipes it.
  public borrowing func receive(
    into space: UnsafeMutableRawBufferPointer, within limit: Duration? = nil
  ) throws(PlatformError) -> Int {
    if let limit, try !waitForInput(within: limit) { throw .timedOut }
    var attached: Int32 = 0
    let result = unsafe clinux_receive(descriptor.raw, space.baseAddress!, space.count, 1, &attached)
    if result == -Int(ECONNRESET) { throw .disconnected }
    guard result >= 0 else { throw .system(SyscallError("recvmsg", Int32(-result))) }
    guard attached == 0 else { throw .attachedDescriptors }
    return result
  }

  /// Waits until bytes, or the end, can be received.
  ///
  /// - Parameter limit: nil waits without end.
  /// - Returns: false when the time is up.
  /// - Throws: `system` with poll(2)'s errno.
  public borrowing func waitForInput(within limit: Duration?) throws(PlatformError) -> Bool {
    try Deadline(limit).poll { clinux_wait_readable(descriptor.raw, $0) }
  }

  /// Whether the peer has closed its end.
  ///
  /// Bytes that it sent before may still be there to receive.
  public borrowing func isPeerGone() -> Bool { clinux_is_peer_gone(descriptor.raw) == 1 }

  /// Sends everything, never raising SIGPIPE.
  ///
  /// - Parameters:
  ///   - limit: for the whole of it, so that a peer that reads a byte at a time can't hold the caller; nil waits without end.
  ///   - goesOn: asked each time that the peer has to be waited for, and told how much was sent; false gives up.
  /// - Throws: `timedOut` (a part is sent then: close the connection); `disconnected`, also where it was given up; `system` with
  ///   send(2)'s errno.
  public borrowing func sendAll(
    _ bytes: Span<UInt8>, within limit: Duration? = nil, _ goesOn: (_ sent: Int) -> Bool = { _ in true }
  ) throws(PlatformError) {
    var deadline: Deadline?
    var done = 0
    while done < bytes.count {
      let start = done
      // SAFETY: `start` < the span's count.
      let sent = unsafe bytes.withUnsafeBytes { source in
        unsafe clinux_send(descriptor.raw, source.baseAddress! + start, source.count - start)
      }
      switch sent {
      case 0...: done += sent
      case -Int(EAGAIN):
        // The first time it would wait is soon enough to look at the clock: sending itself does not wait.
        let end = deadline ?? Deadline(limit)
        deadline = end
        guard goesOn(done) else { throw .disconnected }
        guard try end.poll({ clinux_wait_writable(descriptor.raw, $0) }) else { throw .timedOut }
      case -Int(EPIPE), -Int(ECONNRESET): throw .disconnected
      default: throw .system(SyscallError("send", Int32(-sent)))
      }
    }
  }

  /// Ends both directions: a thread that waits in ``receive(into:within:)`` returns.
  public borrowing func shutdown() { _ = Glibc.shutdown(descriptor.raw, Int32(SHUT_RDWR)) }
}
