public import SecretMemory

/// What can go wrong at the operating system's edge.
///
/// Payloads are facts, never secrets or input bytes.
public enum PlatformError: Error, Equatable, Sendable {
  /// A system call failed.
  case system(SyscallError)
  /// A system call on a named file failed.
  case file(path: String, SyscallError)
  /// Locked memory could not take the secret.
  case secretMemory(SecretMemoryError)
  /// A path is empty or holds NUL.
  case invalidPath
  /// A socket's path is longer than the system's limit, in bytes.
  case socketPathTooLong(path: String, limit: Int)
  /// A directory can't be trusted.
  case unsafeDirectory(path: String, DirectoryFault)
  /// A file with a secret can't be trusted.
  case unsafeFile(path: String, FileFault)
  /// Something that is no regular file stands where one is to be written: it is left alone.
  case notAFile(path: String, FileStatus.Kind)
  /// Something that is no socket stands where the socket belongs.
  case notASocket(path: String)
  /// Another daemon serves this socket.
  case alreadyServing(path: String)
  /// The other end of the socket is a process of another user.
  case foreignPeer(uid: UInt32)
  /// The peer attached descriptors to its bytes; they were dropped.
  case attachedDescriptors
  /// The time limit passed.
  case timedOut
  /// The other end is gone.
  case disconnected
  /// The input is longer than the limit, in bytes. Nothing of it was taken.
  case tooLong(limit: Int)
  /// The input holds a NUL byte.
  case containsNUL
  /// The user cancelled at a prompt.
  case cancelled
  /// There is no terminal to ask on.
  case noTerminal
  /// No account entry for this user, and no HOME.
  case noHome
}

extension PlatformError {
  /// What the system said, where it was asked.
  public var errno: Int32? {
    switch self {
    case .system(let error), .file(_, let error): error.errno
    default: nil
    }
  }
}

extension PlatformError: CustomStringConvertible {
  /// What happened and, where there is one, the way out.
  public var description: String {
    switch self {
    case .system(let error): "\(error)"
    case .file(let path, let error): "\(path): \(error)"
    case .secretMemory(.lockedMemoryExhausted): "no locked memory is left; try again"
    case .secretMemory(let error): "secret memory: \(error)"
    case .invalidPath: "a path is empty or holds a NUL byte"
    case .socketPathTooLong(let path, let limit):
      "socket path is \(path.utf8.count) bytes long, the limit is \(limit): \(path); "
        + "name a shorter one with --socket or $PASSCODED_SOCKET"
    case .unsafeDirectory(let path, let fault): "refusing directory \(path): \(fault.words(for: path))"
    case .unsafeFile(let path, let fault): "refusing file \(path): \(fault.words(for: path))"
    case .notAFile(let path, .link): "\(path) is a symbolic link, which is not replaced: name the file itself"
    case .notAFile(let path, let kind): "\(path) is \(kind.words), which is not replaced by a file"
    case .notASocket(let path): "\(path) exists and is not a socket"
    case .alreadyServing(let path): "another daemon serves \(path)"
    case .foreignPeer(let uid): "the other end of the socket belongs to another user (uid \(uid))"
    case .attachedDescriptors: "the peer attached file descriptors to its message"
    case .timedOut: "timed out"
    case .disconnected: "the other end closed the connection"
    case .tooLong(let limit): "the input is longer than \(limit) bytes"
    case .containsNUL: "the input holds a NUL byte"
    case .cancelled: "cancelled"
    case .noTerminal: "no terminal to ask on"
    case .noHome: "no home directory: HOME is not set and the account database has no entry for this user"
    }
  }
}
