internal import PasscodePlatform

/// Why a command gave no verdict.
enum CommandFault: Error, Equatable {
  /// A part of its path can't be trusted.
  case untrusted(path: String, PathFault)
  /// The system could not run it.
  case system(PlatformError)
  /// Its time was up, in seconds.
  case timedOut(Int)
  /// It wrote more than the limit, in bytes.
  case tooMuchOutput(Int)
  /// It ended with a code other than 0.
  case exited(Int32)
  /// A signal ended it.
  case signalled(Int32)
  /// What it wrote is no verdict.
  case noVerdict
}

extension CommandFault: CustomStringConvertible {
  var description: String {
    switch self {
    case .untrusted(let path, let fault): "\(path) \(fault)"
    case .system(.file(_, let error)): "\(error)"
    case .system(let error): "\(error)"
    case .timedOut(let seconds): "it took longer than \(seconds) s"
    case .tooMuchOutput(let limit): "it wrote more than \(limit >> 10) KiB"
    case .exited(let code): "it ended with exit code \(code)"
    case .signalled(let signal): "signal \(signal) ended it"
    case .noVerdict: "it wrote no verdict"
    }
  }
}

/// Why a part of a program's path can't be trusted.
enum PathFault: Error, Equatable {
  case notAbsolute
  case missing
  case symbolicLink
  case notADirectory
  case notAProgram
  case foreignOwner(uid: UInt32)
  case writableByOthers(mode: UInt32)
  case setID
}

extension PathFault: CustomStringConvertible {
  var description: String {
    switch self {
    case .notAbsolute: "is not an absolute path without . and .."
    case .missing: "is missing"
    case .symbolicLink: "is a symbolic link; the policy has to name the real path"
    case .notADirectory: "is not a directory"
    case .notAProgram: "is not an executable file"
    case .foreignOwner(let uid): "belongs to uid \(uid), not to root"
    case .writableByOthers(let mode): "can be written to by others than root (mode \(String(mode, radix: 8)))"
    case .setID: "runs as another user or group (mode has a set-id bit)"
    }
  }
}
