/// Why a directory can't be trusted.
public enum DirectoryFault: Equatable, Sendable {
  /// It belongs to another user.
  case foreignOwner(uid: UInt32)
  /// Others can read, search or write in it; it has to be 0700.
  case openToOthers(mode: UInt32)
  /// A directory above could be changed by others.
  case writableByOthers(mode: UInt32)
  /// It is a symbolic link.
  case isLink
  /// It is something else than a directory.
  case notADirectory
  /// Too many symbolic links on the way to it.
  case tooManyLinks

  func words(for path: String) -> String {
    switch self {
    case .foreignOwner(let uid): "it belongs to another user (uid \(uid))"
    case .openToOthers(let mode): "it is open to others (mode \(octal(mode))); run: chmod 700 '\(path)'"
    case .writableByOthers(let mode): "others can write in it (mode \(octal(mode))); run: chmod go-w '\(path)'"
    case .isLink: "it is a symbolic link"
    case .notADirectory: "it is not a directory"
    case .tooManyLinks: "too many symbolic links lead to it"
    }
  }
}

/// A file mode as people write it.
func octal(_ mode: UInt32) -> String {
  let digits = String(mode & 0o7777, radix: 8)
  return String(repeating: "0", count: max(0, 4 - digits.count)) + digits
}
