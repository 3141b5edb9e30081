internal import CLinux
internal import Glibc

/// Calls on files by path.
///
/// Every descriptor is closed on exec; every failure names the path.
public enum Files {
  /// How a file is opened.
  public enum Access: Sendable {
    /// For reading; it has to exist.
    case read
    /// For reading, without a wait for the other end of a pipe; it has to exist.
    case readAtOnce
    /// For reading and writing, made with mode 0600 where it is missing.
    case readWrite
    /// For writing at the end, made with mode 0600 where it is missing.
    case append
    /// For writing; it is made with mode 0600 and must not exist.
    case createNew
    /// A directory, for fsync and fstat.
    case directory

    var flags: Int32 {
      switch self {
      case .read: O_RDONLY | O_NOCTTY
      case .readAtOnce: O_RDONLY | O_NOCTTY | O_NONBLOCK
      case .readWrite: O_RDWR | O_CREAT | O_NOCTTY
      case .append: O_WRONLY | O_CREAT | O_APPEND | O_NOCTTY
      case .createNew: O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_NOCTTY
      case .directory: O_RDONLY | O_DIRECTORY
      }
    }
  }

  /// Opens a file.
  ///
  /// - Parameter followingLink: false refuses a symbolic link as the last part with `ELOOP`.
  /// - Throws: `file` with open(2)'s errno; `invalidPath`.
  public static func open(
    _ path: String, _ access: Access, followingLink: Bool = true
  ) throws(PlatformError) -> FileDescriptor {
    let flags = access.flags | (followingLink ? 0 : O_NOFOLLOW)
    return FileDescriptor(owning: try call("open", path) { unsafe clinux_open(path, flags, 0o600) })
  }

  /// What stands at a path, or nil where nothing does.
  ///
  /// - Parameter followingLink: false looks at a symbolic link itself.
  /// - Throws: `file` with stat(2)'s errno, but for `ENOENT` and `ENOTDIR`; `invalidPath`.
  public static func status(of path: String, followingLink: Bool = true) throws(PlatformError) -> FileStatus? {
    var status = clinux_status()
    do {
      _ = try call("stat", path) { unsafe clinux_stat(path, followingLink ? 1 : 0, &status) }
    } catch .file(_, let error) where error.errno == ENOENT || error.errno == ENOTDIR {
      return nil
    }
    return FileStatus(status)
  }

  /// Makes a directory of mode 0700, whatever the umask allows beyond.
  ///
  /// - Throws: `file` with mkdir(2)'s errno, such as `EEXIST`; `invalidPath`.
  public static func makeDirectory(_ path: String) throws(PlatformError) {
    _ = try call("mkdir", path) { unsafe mkdir(path, 0o700) == 0 ? 0 : -errno }
  }

  /// Removes a file, not a directory.
  ///
  /// A missing one is no error.
  ///
  /// - Throws: `file` with unlink(2)'s errno; `invalidPath`.
  public static func remove(_ path: String) throws(PlatformError) {
    do {
      _ = try call("unlink", path) { unsafe unlink(path) == 0 ? 0 : -errno }
    } catch .file(_, let error) where error.errno == ENOENT {
      return
    }
  }

  /// Renames in one step, over an existing file where `replacing`.
  ///
  /// - Throws: `file` with rename(2)'s errno, `EEXIST` where not replacing; `invalidPath`.
  public static func rename(_ path: String, to target: String, replacing: Bool = true) throws(PlatformError) {
    guard isValid(target) else { throw .invalidPath }
    _ = try call("rename", path) {
      if replacing { return unsafe Glibc.rename(path, target) == 0 ? 0 : -errno }
      return unsafe clinux_rename_no_replace(path, target)
    }
  }

  /// Returns when the directory's entries are on the disk.
  ///
  /// - Throws: `file` with open(2)'s errno, `system` with fsync(2)'s.
  public static func synchronizeDirectory(_ path: String) throws(PlatformError) {
    try open(path, .directory).synchronize()
  }

  /// Where a symbolic link points.
  ///
  /// - Throws: `file` with readlink(2)'s errno; `invalidPath`.
  public static func linkTarget(of path: String) throws(PlatformError) -> String {
    var target = [UInt8](repeating: 0, count: Int(PATH_MAX))
    let count = try call("readlink", path) {
      let count = unsafe target.withUnsafeMutableBytes { space in
        unsafe readlink(path, space.baseAddress!.assumingMemoryBound(to: CChar.self), space.count)
      }
      return count < 0 ? -errno : Int32(count)
    }
    return String(decoding: target[..<Int(count)], as: UTF8.self)
  }

  /// A file's content, for what is no secret.
  ///
  /// - Throws: `file` with open(2)'s errno; `tooLong` beyond `limit` bytes; `system` with read(2)'s errno; `invalidPath`.
  public static func read(_ path: String, limit: Int) throws(PlatformError) -> [UInt8] {
    try open(path, .read).readAll(limit: limit)
  }

  /// The content of a regular file, as ``read(_:limit:)`` gives it: what is a pipe or a device is not waited for.
  ///
  /// - Throws: as ``read(_:limit:)``; `file` with `EINVAL` for what is no regular file.
  public static func readRegular(_ path: String, limit: Int) throws(PlatformError) -> [UInt8] {
    let file = try open(path, .readAtOnce)
    guard try file.status().kind == .file else { throw .file(path: path, SyscallError("read", EINVAL)) }
    return try file.readAll(limit: limit)
  }

  /// The names in a directory, in byte order, without `.` and `..`.
  ///
  /// - Parameter limit: no more names than that are read.
  /// - Throws: `file` with opendir(3)'s errno; `invalidPath`.
  public static func names(in directory: String, limit: Int) throws(PlatformError) -> [String] {
    guard isValid(directory) else { throw .invalidPath }
    guard let listing = unsafe opendir(directory) else { throw .file(path: directory, SyscallError("opendir", errno)) }
    defer { unsafe closedir(listing) }
    var names: [String] = []
    while names.count < limit, let entry = unsafe readdir(listing) {
      // SAFETY: the entry's name ends with a NUL within the entry, which is there until the next call.
      let name = unsafe withUnsafePointer(to: entry.pointee.d_name) { name in
        unsafe name.withMemoryRebound(to: CChar.self, capacity: 256) { unsafe String(cString: $0) }
      }
      if name != ".", name != ".." { names.append(name) }
    }
    return names.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
  }

  static func isValid(_ path: String) -> Bool { !path.isEmpty && !path.utf8.contains(0) }

  /// Runs a call that gives a value or a negated errno.
  private static func call(
    _ name: StaticString, _ path: String, _ body: () -> Int32
  ) throws(PlatformError) -> Int32 {
    // A NUL would silently cut the path.
    guard isValid(path) else { throw .invalidPath }
    let result = body()
    guard result >= 0 else { throw .file(path: path, SyscallError(name, -result)) }
    return result
  }
}
