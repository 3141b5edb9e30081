internal import Glibc

/// Why a validator that the policy names can't be put to work.
public enum ValidatorFault: Error, Equatable, Sendable {
  /// This version has no validator of the type.
  case validatorUnavailable(type: String)
  /// A list's file can't be opened or read.
  case unreadable(path: String, errno: Int32)
  /// What the path names is no regular file.
  case notRegular(path: String)
  /// A list's file is larger than the limit, in bytes.
  case tooLarge(path: String, limit: Int)
}

extension ValidatorFault: CustomStringConvertible {
  /// The fault as one sentence.
  public var description: String {
    switch self {
    case .validatorUnavailable(let type): "the validator \"\(type)\" is not available in this version"
    case .unreadable(let path, let errno): "\(path): \(unsafe String(cString: strerror(errno)))"
    case .notRegular(let path): "\(path): not a regular file"
    case .tooLarge(let path, let limit): "\(path): larger than \(limit >> 20) MiB"
    }
  }
}
