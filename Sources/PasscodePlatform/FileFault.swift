/// Why a file that holds a secret can't be trusted.
public enum FileFault: Equatable, Sendable {
  /// It belongs to neither the user nor root.
  case foreignOwner(uid: UInt32)
  /// Group or others can read or write it.
  case openToOthers(mode: UInt32)
  /// It is a directory, a device or a socket.
  case notAFile

  func words(for path: String) -> String {
    switch self {
    case .foreignOwner(let uid): "it belongs to another user (uid \(uid)); it has to be your own"
    case .openToOthers(let mode): "it is open to others (mode \(octal(mode))); run: chmod 600 '\(path)'"
    case .notAFile: "it is not a regular file"
    }
  }
}
