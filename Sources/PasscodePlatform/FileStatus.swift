internal import CLinux
internal import Glibc

/// What a file is and whose, as stat(2) says.
public struct FileStatus: Equatable, Sendable {
  /// The kinds of file that this product tells apart.
  public enum Kind: Sendable {
    /// A regular file.
    case file
    /// A directory.
    case directory
    /// A symbolic link.
    case link
    /// A socket.
    case socket
    /// A pipe, with or without a name.
    case pipe
    /// A device.
    case other

    /// It in words, with its article.
    var words: String {
      switch self {
      case .file: "a file"
      case .directory: "a directory"
      case .link: "a symbolic link"
      case .socket: "a socket"
      case .pipe: "a pipe"
      case .other: "a device"
      }
    }
  }

  /// What it is.
  public let kind: Kind
  /// Permission bits, set-id bits and the sticky bit.
  public let mode: UInt32
  /// The owner's uid.
  public let owner: UInt32
  /// The size in bytes.
  public let size: UInt64
  /// The file system it is on; with ``inode`` it identifies the file.
  public let device: UInt64
  /// Its number on the file system.
  public let inode: UInt64
  /// How many names it has.
  public let linkCount: UInt64
  /// When its content or its attributes last changed (ctime), in nanoseconds since 1970.
  public let changed: UInt64

  init(_ status: clinux_status) {
    kind =
      switch status.mode & UInt32(S_IFMT) {
      case UInt32(S_IFREG): .file
      case UInt32(S_IFDIR): .directory
      case UInt32(S_IFLNK): .link
      case UInt32(S_IFSOCK): .socket
      case UInt32(S_IFIFO): .pipe
      default: .other
      }
    mode = status.mode & 0o7777
    owner = status.owner
    size = status.size
    device = status.device
    inode = status.inode
    linkCount = status.links
    changed = status.changed
  }

  /// Whether both are the same file.
  public func isSameFile(as other: FileStatus) -> Bool { device == other.device && inode == other.inode }
}
