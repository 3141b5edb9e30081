internal import Glibc
internal import PasscodePlatform

/// The lines of a file, one after the other, in a buffer of fixed size.
struct LineReader: ~Copyable {
  /// The longest line that can be one of the list's, in bytes.
  static let longestLine = 128
  private static let bufferByteCount = 1 << 18

  private let file: FileDescriptor
  private let path: String
  private var buffer = [UInt8](repeating: 0, count: bufferByteCount)
  private var start = 0
  private var end = 0
  private var isAtEnd = false
  /// The number of the line that was read last, from 1 on.
  private(set) var number = 0
  /// How many bytes of the file have been read.
  private(set) var bytesRead: UInt64 = 0

  /// Opens a file, and waits where it is a pipe that nobody writes to yet.
  ///
  /// - Throws: `unreadable`.
  init(_ path: String) throws(ValidatorFault) {
    try self.init(opened: unsafe open(path, O_RDONLY | O_CLOEXEC), path)
  }

  /// Reads what is open already, from where it stands. The descriptor stays open.
  ///
  /// - Parameter name: for messages.
  /// - Throws: `unreadable`.
  init(descriptor: Int32, named name: String) throws(ValidatorFault) {
    try self.init(opened: fcntl(descriptor, F_DUPFD_CLOEXEC, 3), name)
  }

  private init(opened raw: Int32, _ path: String) throws(ValidatorFault) {
    guard raw >= 0 else { throw .unreadable(path: path, errno: errno) }
    posix_fadvise(raw, 0, 0, POSIX_FADV_SEQUENTIAL)
    file = FileDescriptor(owning: raw)
    self.path = path
  }

  /// Reads the next line and lends it to `body`, without its line feed and a carriage return before that, with its number.
  ///
  /// - Returns: false at the end of the file.
  /// - Throws: `malformedLine` for one that is too long; `unreadable`; what `body` throws.
  mutating func next(_ body: (Span<UInt8>, Int) throws(ValidatorFault) -> Void) throws(ValidatorFault) -> Bool {
    var searched = start
    while true {
      while searched < end, buffer[searched] != UInt8(ascii: "\n") { searched += 1 }
      if searched < end || isAtEnd { break }
      guard end - start <= Self.longestLine else { throw .breachList(path: path, .malformedLine(number + 1)) }
      searched = try fill()
    }
    if start == end { return false }
    number += 1
    let range = start..<searched
    start = min(searched + 1, end)
    var line = buffer.span.extracting(range)
    if line.count > 0, line[line.count - 1] == UInt8(ascii: "\r") { line = line.extracting(droppingLast: 1) }
    try body(line, number)
    return true
  }

  /// Moves what is left to the front and reads more.
  ///
  /// - Returns: where the new bytes begin.
  private mutating func fill() throws(ValidatorFault) -> Int {
    let left = end - start
    for index in 0..<left { buffer[index] = buffer[start + index] }
    start = 0
    end = left
    let raw = file.raw
    let got = unsafe buffer.withUnsafeMutableBytes { space in
      // SAFETY: `left` is below the buffer's count.
      var got = 0
      repeat { got = unsafe read(raw, space.baseAddress! + left, space.count - left) } while got < 0 && errno == EINTR
      return got
    }
    if got < 0 { throw .unreadable(path: path, errno: errno) }
    if got == 0 { isAtEnd = true }
    end += got
    bytesRead += UInt64(got)
    return left
  }
}
