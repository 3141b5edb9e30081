internal import Glibc
internal import PasscodeCore
internal import PasscodePlatform

/// What tells a file from another one, or from itself after somebody else wrote to it.
struct FileIdentity: Equatable, Sendable {
  private let device: UInt
  private let inode: UInt
  private let byteCount: Int
  private let modifiedSeconds: Int
  private let modifiedNanoseconds: Int

  private init(_ status: stat) {
    device = UInt(status.st_dev)
    inode = UInt(status.st_ino)
    byteCount = Int(status.st_size)
    modifiedSeconds = status.st_mtim.tv_sec
    modifiedNanoseconds = status.st_mtim.tv_nsec
  }

  /// Of the file at a path, no link followed.
  ///
  /// - Returns: nil where nothing is there.
  /// - Throws: `storage` where it can't be looked at: that says nothing about the file.
  static func of(path: String) throws(StoreError) -> FileIdentity? {
    var status = stat()
    // Lent: passed as it is, the text would be copied at each look.
    if unsafe path.withCString({ unsafe lstat($0, &status) }) == 0 { return FileIdentity(status) }
    if errno == ENOENT { return nil }
    throw StoreError(errno: errno)
  }

  /// Of an open file.
  static func of(_ file: borrowing FileDescriptor) throws(StoreError) -> FileIdentity {
    var status = stat()
    guard unsafe fstat(file.raw, &status) == 0 else { throw StoreError(errno: errno) }
    return FileIdentity(status)
  }

  /// Whether it is the same file, whatever was written to it.
  func isSameFile(as other: FileIdentity) -> Bool { device == other.device && inode == other.inode }
}
