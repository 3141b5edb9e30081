internal import Glibc

/// Why a validator that the policy names can't be put to work.
public enum ValidatorFault: Error, Equatable, Sendable {
  /// A list's file can't be opened or read.
  case unreadable(path: String, errno: Int32)
  /// What the path names is no regular file.
  case notRegular(path: String)
  /// A list's file is larger than the limit, in bytes.
  case tooLarge(path: String, limit: Int)
  /// A breach list can't be made or used.
  case breachList(path: String, BreachListFault)
}

extension ValidatorFault: CustomStringConvertible {
  /// The fault as one sentence.
  public var description: String {
    switch self {
    case .unreadable(let path, let errno): "\(path): \(unsafe String(cString: strerror(errno)))"
    case .notRegular(let path): "\(path): not a regular file"
    case .tooLarge(let path, let limit): "\(path): larger than \(limit >> 20) MiB"
    case .breachList(_, .system(let error)): "\(error)"
    case .breachList(let path, let fault): "\(path): \(fault)"
    }
  }
}
