/// The log of an autostarted daemon: one file and one before it, each bounded.
public enum DaemonLog {
  /// Opens the log for adding.
  ///
  /// One that has reached `limit` bytes becomes `PATH.1`, over an older one.
  ///
  /// - Throws: `file` with the errno of open(2) or rename(2); `unsafeDirectory`.
  public static func open(at path: String, limit: UInt64 = 1 << 20) throws(PlatformError) -> FileDescriptor {
    try UserDirectories.prepare(PathParts.split(path).directory)
    if let status = try Files.status(of: path, followingLink: false), status.size >= limit {
      try Files.rename(path, to: path + ".1")
    }
    return try Files.open(path, .append, followingLink: false)
  }
}
