internal import Glibc

/// The rules for the directory that a socket lives in: whoever can write in it, or in one above it, could put a socket of
/// their own in our place and be handed a passcode.
public enum SocketDirectory {
  /// Refuses the directory unless it is ours, 0700 and no link, and every directory above it belongs to root or us and can't
  /// be written by others; a sticky one, such as /tmp, may be.
  ///
  /// - Throws: `unsafeDirectory`; `file` with `ENOENT` where it is missing.
  /// - Complexity: O(depth of the path).
  public static func require(_ path: String) throws(PlatformError) {
    try requireParents(of: path)
    guard let status = try Files.status(of: path, followingLink: false) else {
      throw .file(path: path, SyscallError("stat", ENOENT))
    }
    if let fault = fault(in: status) { throw .unsafeDirectory(path: path, fault) }
  }

  /// Makes the directory and the missing ones above it, mode 0700, then requires what ``require(_:)`` does.
  ///
  /// - Throws: as ``require(_:)``; `file` with mkdir(2)'s errno, such as `EROFS`.
  public static func prepare(_ path: String) throws(PlatformError) {
    try UserDirectories.makeMissing(path)
    try require(path)
  }

  static func fault(in status: FileStatus) -> DirectoryFault? {
    switch status.kind {
    case .link: return .isLink
    case .directory: break
    default: return .notADirectory
    }
    if status.owner != geteuid() { return .foreignOwner(uid: status.owner) }
    return status.mode & 0o077 == 0 && status.mode & 0o700 == 0o700 ? nil : .openToOthers(mode: status.mode)
  }

  /// Walks down from the root.
  ///
  /// Links on the way have to belong to root or us, and are followed part by part, so that every directory that could
  /// redirect the path is looked at.
  private static func requireParents(of path: String) throws(PlatformError) {
    var pending = parts(PathParts.split(path).directory)
    var current = "/"
    var links = 0
    try requireParent("/")
    while let part = pending.popLast() {
      if part == ".." {
        current = PathParts.split(current).directory
        continue
      }
      let next = UserDirectories.join(current, part)
      if try requireParent(next) == .link {
        links += 1
        guard links <= 40 else { throw .unsafeDirectory(path: path, .tooManyLinks) }
        let target = try Files.linkTarget(of: next)
        if target.hasPrefix("/") { current = "/" }
        pending.append(contentsOf: parts(target))
      } else {
        current = next
      }
    }
  }

  /// The parts of a path, the first one last.
  private static func parts(_ path: String) -> [String] {
    path.split(separator: "/").map(String.init).filter { $0 != "." }.reversed()
  }

  @discardableResult
  private static func requireParent(_ path: String) throws(PlatformError) -> FileStatus.Kind {
    guard let status = try Files.status(of: path, followingLink: false) else {
      throw .file(path: path, SyscallError("stat", ENOENT))
    }
    guard status.owner == 0 || status.owner == geteuid() else {
      throw .unsafeDirectory(path: path, .foreignOwner(uid: status.owner))
    }
    if status.kind == .link { return .link }
    guard status.kind == .directory else { throw .unsafeDirectory(path: path, .notADirectory) }
    let isSticky = status.mode & UInt32(S_ISVTX) != 0
    guard status.mode & 0o022 == 0 || isSticky else {
      throw .unsafeDirectory(path: path, .writableByOthers(mode: status.mode))
    }
    return .directory
  }
}
