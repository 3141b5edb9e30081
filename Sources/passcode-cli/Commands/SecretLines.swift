internal import Glibc
internal import PasscodePlatform
internal import SecretMemory
internal import StrictJSON

/// A text of secrets, line by line, in locked memory; it can be read a second time.
///
/// What can be sought in is read again; what comes through a pipe is kept whole.
///
/// Secrets: wiped when this ends.
struct SecretLines: ~Copyable {
  /// The longest line, and the longest text through a pipe, in bytes: as the longest message to the daemon.
  static let limit = 2 << 20

  private let descriptor: FileDescriptor
  private let name: String
  /// Where the text begins; nil for a pipe.
  private let origin: off_t?
  private var buffer: SecretBytes
  private var start = 0
  private var number = 0
  private var isAtEnd = false

  init(_ source: InputSource) throws(CommandError) {
    let opened = try Self.open(source)
    let position = lseek(opened.raw, 0, SEEK_CUR)
    let space = try Self.space(64 << 10)
    name = source.name
    origin = position < 0 ? nil : position
    descriptor = opened
    buffer = space
  }

  private static func open(_ source: InputSource) throws(CommandError) -> FileDescriptor {
    if let raw = source.descriptor { return FileDescriptor(owning: dup(raw)) }
    do {
      return try Files.open(source.argument, .read)
    } catch .file(let path, let error) where error.errno == ENOENT || error.errno == ENOTDIR {
      throw CommandError(66, "NoInput", "there is no file \(path.shownSafely)")
    } catch {
      throw CommandError(error)
    }
  }

  private static func space(_ count: Int) throws(CommandError) -> SecretBytes {
    do { return try SecretBytes(capacity: count) } catch { throw CommandError(PlatformError.secretMemory(error)) }
  }

  /// Goes back to the first line.
  mutating func rewind() throws(CommandError) {
    start = 0
    number = 0
    guard let origin else { return }
    guard lseek(descriptor.raw, origin, SEEK_SET) == origin else {
      throw CommandError(PlatformError.system(SyscallError("lseek", errno)))
    }
    buffer.removeAll()
    isAtEnd = false
  }

  /// Lends the next line to `body`, without its newline, and its number from 1.
  ///
  /// - Returns: false at the end.
  mutating func next(_ body: (Span<UInt8>, Int) throws(CommandError) -> Void) throws(CommandError) -> Bool {
    var scanned = start
    while true {
      let count = buffer.count
      while scanned < count, buffer.bytes[scanned] != UInt8(ascii: "\n") { scanned += 1 }
      if scanned < count || isAtEnd { break }
      let moved = try fill()
      scanned -= moved
    }
    if start == buffer.count { return false }
    number += 1
    let line = start..<scanned
    start = min(scanned + 1, buffer.count)
    try body(buffer.bytes.extracting(line), number)
    return true
  }

  /// Reads on.
  ///
  /// - Returns: by how much what is there has moved to the front.
  private mutating func fill() throws(CommandError) -> Int {
    var moved = 0
    if origin != nil, start > 0 {
      moved = start
      buffer.removeFirst(start)
      start = 0
    }
    if buffer.count == buffer.capacity { try grow() }
    do { isAtEnd = try descriptor.read(into: &buffer) == 0 } catch { throw CommandError(error) }
    return moved
  }

  private mutating func grow() throws(CommandError) {
    guard buffer.capacity < Self.limit else {
      guard origin == nil else { throw ImportCommand.fault(name, number + 1, 1, "the line is longer than 2 MiB") }
      throw CommandError(65, "TooLarge", "through a pipe at most 2 MiB can be imported; name the file itself")
    }
    do throws(SecretMemoryError) {
      var larger = try SecretBytes(capacity: min(Self.limit, buffer.capacity * 4))
      try larger.append(contentsOf: buffer.bytes)
      buffer = larger
    } catch { throw CommandError(PlatformError.secretMemory(error)) }
  }
}
