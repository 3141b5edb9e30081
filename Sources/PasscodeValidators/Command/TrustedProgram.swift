internal import PasscodePlatform

/// A program that only root can have put where it is, or put something else there.
public enum TrustedProgram {
  /// What keeps a program from being run as it lies there now, in words; nil where nothing does.
  public static func obstacle(to path: String) -> String? {
    do throws(CommandFault) {
      try check(path)
      return nil
    } catch { return "\(error)" }
  }

  /// Checks a path from the root on: each part belongs to root, nobody else can write to it, and none is a link.
  ///
  /// Once a directory is known to be root's alone, nobody else can change what a name in it means. So what has been checked is
  /// still there when the path is executed, unless root has changed it in between.
  ///
  /// - Throws: `untrusted` with the first part that is not so; `system` with stat(2)'s errno.
  static func check(_ path: String) throws(CommandFault) {
    let parts = path.split(separator: "/", omittingEmptySubsequences: false)
    let isPlain = parts.count > 1 && parts[0].isEmpty && parts.dropFirst().allSatisfy { !["", ".", ".."].contains($0) }
    guard isPlain else { throw .untrusted(path: path, .notAbsolute) }
    for count in 1..<parts.count {
      let directory = count == 1 ? "/" : parts[..<count].joined(separator: "/")
      try check(directory) { status in status.kind == .directory ? nil : .notADirectory }
    }
    try check(path) { status in
      if status.kind != .file || status.mode & 0o111 == 0 { return .notAProgram }
      // It could be somebody whom the daemon's user can't kill when the time is up.
      return status.mode & 0o6000 == 0 ? nil : .setID
    }
  }

  private static func check(_ part: String, _ fault: (FileStatus) -> PathFault?) throws(CommandFault) {
    let found: FileStatus?
    do { found = try Files.status(of: part, followingLink: false) } catch { throw .system(error) }
    guard let found else { throw .untrusted(path: part, .missing) }
    if found.kind == .link { throw .untrusted(path: part, .symbolicLink) }
    if found.owner != 0 { throw .untrusted(path: part, .foreignOwner(uid: found.owner)) }
    if found.mode & 0o022 != 0 { throw .untrusted(path: part, .writableByOthers(mode: found.mode)) }
    if let fault = fault(found) { throw .untrusted(path: part, fault) }
  }
}
