/// Who is at the other end of a Unix socket, as the kernel recorded it at connect or listen.
public struct PeerCredentials: Equatable, Sendable {
  /// The user.
  public let uid: UInt32
  /// The group.
  public let gid: UInt32
  /// The process; it may have ended since, and its number may have been given to another.
  public let pid: Int32

  /// These credentials.
  public init(uid: UInt32, gid: UInt32, pid: Int32) {
    self.uid = uid
    self.gid = gid
    self.pid = pid
  }
}
