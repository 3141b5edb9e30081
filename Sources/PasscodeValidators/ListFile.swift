internal import Glibc
internal import SecretMemory
internal import Synchronization

/// A list of refused passwords from a text file: one a line, UTF-8, without the difference of upper and lower case.
///
/// What stays in memory is a sorted array of 64-bit hashes, 8 bytes an entry. Of a list of a million entries, one candidate
/// in 10¹³ is refused for having another entry's hash. Lines that no passcode can equal are left out: empty ones, those over
/// 1,024 bytes, those that are no UTF-8.
struct ListFile: Sendable {
  /// The largest file, in bytes.
  static let maximumByteCount = 64 << 20

  private let hashes: [UInt64]

  /// How many entries count.
  var count: Int { hashes.count }

  /// Reads a file's bytes.
  ///
  /// - Complexity: O(*n* log *n*).
  init(_ text: Span<UInt8>) {
    var hashes: [UInt64] = []
    var start = 0
    while start < text.count {
      var end = start
      while end < text.count, text[end] != UInt8(ascii: "\n") { end += 1 }
      var line = text.extracting(start..<end)
      if line.count > 0, line[line.count - 1] == UInt8(ascii: "\r") { line = line.extracting(droppingLast: 1) }
      if line.count > 0, let hash = Self.hash(ofLine: line) { hashes.append(hash) }
      start = end + 1
    }
    hashes.sort()
    self.hashes = hashes
  }

  /// Whether a folded text is an entry, as a whole. O(log `count`).
  func contains(_ text: Span<UInt8>) -> Bool {
    let wanted = Self.hash(text)
    var low = 0
    var high = hashes.count
    while low < high {
      let middle = (low + high) / 2
      if hashes[middle] < wanted { low = middle + 1 } else { high = middle }
    }
    return low < hashes.count && hashes[low] == wanted
  }

  private static func hash(ofLine line: Span<UInt8>) -> UInt64? {
    guard let normal = try? PasscodeText.normalize(line), let folded = try? FoldedText(normal.bytes) else { return nil }
    return hash(folded.bytes)
  }

  /// FNV-1a: kept in registers, so that nothing of a candidate is left behind.
  private static func hash(_ text: Span<UInt8>) -> UInt64 {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for index in text.indices { hash = (hash ^ UInt64(text[index])) &* 0x100_0000_01B3 }
    return hash
  }
}

// MARK: - Reading

extension ListFile {
  /// A file as it was when it was read.
  private struct Snapshot {
    let path: String
    let identity: [Int]
    let list: ListFile
  }

  /// The few lists read last: policies are put to work again at each flow, files seldom change.
  private static let recent = Mutex<[Snapshot]>([])
  private static let recentLimit = 4

  /// The list in a file, read again only where the file has changed.
  ///
  /// - Throws: `unreadable`, `notRegular`, `tooLarge`.
  static func read(_ path: String) throws(ValidatorFault) -> ListFile {
    // O_NONBLOCK: a pipe in the file's place must not hold up the daemon.
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { throw .unreadable(path: path, errno: errno) }
    defer { close(descriptor) }
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0 else { throw .unreadable(path: path, errno: errno) }
    guard status.st_mode & S_IFMT == S_IFREG else { throw .notRegular(path: path) }
    guard status.st_size <= maximumByteCount else { throw .tooLarge(path: path, limit: maximumByteCount) }
    let identity = [
      Int(status.st_dev), Int(status.st_ino), status.st_size, status.st_mtim.tv_sec, status.st_mtim.tv_nsec,
    ]
    if let known = recent.withLock({ $0.first { $0.path == path && $0.identity == identity } }) { return known.list }
    let bytes = try read(descriptor, count: status.st_size, path)
    let list = ListFile(bytes.span)
    recent.withLock { recent in
      recent.removeAll { $0.path == path }
      if recent.count == recentLimit { recent.removeFirst() }
      recent.append(Snapshot(path: path, identity: identity, list: list))
    }
    return list
  }

  /// Reads up to `count` bytes; a file that is being cut or is growing gives what it had.
  private static func read(_ descriptor: Int32, count: Int, _ path: String) throws(ValidatorFault) -> [UInt8] {
    var failure: Int32 = 0
    let bytes = unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
      while filled < count {
        // SAFETY: the range is the buffer's unfilled rest.
        let got = unsafe Glibc.read(descriptor, buffer.baseAddress! + filled, count - filled)
        if got < 0, errno == EINTR { continue }
        if got < 0 { failure = errno }
        if got <= 0 { break }
        filled += got
      }
    }
    if failure != 0 { throw .unreadable(path: path, errno: failure) }
    return bytes
  }
}
