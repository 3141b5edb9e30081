internal import Glibc

/// Paths as text.
public enum PathParts {
  /// The directory (never empty) and the last part.
  public static func split(_ path: String) -> (directory: String, name: String) {
    guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return (".", path) }
    let name = String(path[path.utf8.index(after: slash)...])
    return (slash == path.utf8.startIndex ? "/" : String(path[..<slash]), name)
  }

  /// The path with the working directory before it, where it is relative.
  ///
  /// - Throws: `system` with getcwd(2)'s errno.
  public static func absolute(_ path: String) throws(PlatformError) -> String {
    if path.utf8.first == UInt8(ascii: "/") { return path }
    var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
    let isKnown = unsafe buffer.withUnsafeMutableBufferPointer { unsafe getcwd($0.baseAddress!, $0.count) } != nil
    guard isKnown else { throw .system(SyscallError("getcwd", errno)) }
    let directory = String(decoding: buffer.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    return (directory == "/" ? "" : directory) + "/" + path
  }
}
