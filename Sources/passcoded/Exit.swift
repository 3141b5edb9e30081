internal import Glibc
internal import PasscodePlatform
internal import PasscodeService

/// The ways out of the program.
enum Exit {
  /// Ends with a code, and a message where there is something to say.
  static func with(_ code: Int32, _ message: String?) -> Never {
    if let message { ServiceLog.standardError.note(.refused(message)) }
    exit(code)
  }

  /// Prints what was asked for and ends; 74 where it can't be printed.
  static func printing(_ text: String, code: Int32 = 0) -> Never {
    let output = FileDescriptor(owning: 1)
    do { try output.writeAll(text) } catch { with(74, "\(error)") }
    exit(code)
  }

  /// Prints something on the way; false where nobody reads any more.
  static func tell(_ text: String) -> Bool {
    let output = FileDescriptor(owning: 1)
    let isWritten = (try? output.writeAll(text)) != nil
    _ = output.take()
    return isWritten
  }

  /// The code for a daemon that could not start.
  static func code(for error: PlatformError) -> Int32 {
    switch error {
    case .alreadyServing: 73
    case .unsafeDirectory, .unsafeFile, .foreignPeer: 77
    case .socketPathTooLong, .invalidPath, .notASocket, .noHome: 78
    default: 74
    }
  }
}
