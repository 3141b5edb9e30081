internal import Glibc

/// What tells a file from another one, or from itself after somebody else wrote to it.
struct FileIdentity: Equatable, Sendable {
  private let device: UInt
  private let inode: UInt
  private let byteCount: Int
  private let modifiedSeconds: Int
  private let modifiedNanoseconds: Int

  /// Nil where there is no such file, or it can't be looked at.
  init?(path: String) {
    var status = stat()
    guard unsafe stat(path, &status) == 0 else { return nil }
    device = UInt(status.st_dev)
    inode = UInt(status.st_ino)
    byteCount = Int(status.st_size)
    modifiedSeconds = status.st_mtim.tv_sec
    modifiedNanoseconds = status.st_mtim.tv_nsec
  }
}
