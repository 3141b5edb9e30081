internal import Glibc
internal import PasscodePlatform
internal import SecretMemory
internal import Synchronization

/// An index of a breach list, see ``BreachListLayout``.
///
/// The lengths in the head are checked before the file is mapped, and its checksum before it is used. Each look-up proves its
/// answer: the blocks around the place are checked, and the place has to lie between their entries. So a damaged index is a
/// fault and never an answer.
final class BreachListIndex: Sendable {
  private typealias Layout = BreachListLayout

  /// How many entries it has.
  let count: Int
  private let file: MappedFile

  /// Opens an index from an open file of a known size.
  ///
  /// - Throws: `notAnIndex`, `unknownVersion`, `wrongSize`, `damaged`, `empty`; `system` with pread(2)'s or mmap(2)'s errno.
  /// - Complexity: O(1): half a megabyte is read.
  init(_ descriptor: consuming FileDescriptor, byteCount: Int) throws(BreachListFault) {
    count = try Self.checkedCount(descriptor, byteCount)
    do { file = try MappedFile(descriptor, byteCount: byteCount) } catch { throw .system(error) }
    guard Self.isHeadIntact(file) else { throw .damaged }
  }

  private static func isHeadIntact(_ file: borrowing MappedFile) -> Bool {
    let head = file.bytes.extracting(first: Layout.headByteCount)
    let checksum = Digest(head.extracting(last: Layout.checksumByteCount))
    return checksum == BLAKE2b.unkeyed(head.extracting(droppingLast: Layout.checksumByteCount))
  }

  /// The count, once every length is known to be right.
  private static func checkedCount(
    _ descriptor: borrowing FileDescriptor, _ byteCount: Int
  ) throws(BreachListFault) -> Int {
    var fixed = [UInt8](repeating: 0, count: Layout.fixedByteCount)
    let raw = descriptor.raw
    // SAFETY: the call writes at most the buffer's count.
    let got = unsafe fixed.withUnsafeMutableBytes { unsafe pread(raw, $0.baseAddress, $0.count, 0) }
    if got < 0 { throw .system(.system(SyscallError("pread", errno))) }
    guard got == fixed.count, fixed.starts(with: Layout.magic) else { throw .notAnIndex }
    let version = fixed.span.shortNumber(at: 8)
    guard version == Layout.version else { throw .unknownVersion(version) }
    let count = fixed.span.number(at: 16)
    guard fixed.span.shortNumber(at: 12) == UInt32(Layout.entryByteCount), count <= Layout.maximumCount else { throw .damaged }
    guard count > 0 else { throw .empty }
    let expected = Layout.fileByteCount(Int(count))
    guard byteCount == expected else { throw .wrongSize(expected: expected, actual: byteCount) }
    return Int(count)
  }

  /// Whether an entry is in the list.
  ///
  /// - Throws: `wrongSize` where the file has been cut since it was opened; `damaged`.
  /// - Complexity: O(log *n*), and two blocks checked.
  func contains(_ entry: UInt64) throws(BreachListFault) -> Bool {
    let size = file.currentByteCount
    guard size == file.byteCount else { throw .wrongSize(expected: file.byteCount, actual: size) }
    return try Self.find(entry, in: file, count)
  }

  private static func find(_ wanted: UInt64, in file: borrowing MappedFile, _ count: Int) throws(BreachListFault) -> Bool {
    let bytes = file.bytes
    let place = try place(of: wanted, in: bytes, count)
    let isAfterLast = place == 0 || isIntact(bytes, blockOf: place - 1) && entry(place - 1, in: bytes) < wanted
    guard isAfterLast else { throw .damaged }
    guard place < count else { return false }
    let isBeforeNext = isIntact(bytes, blockOf: place) && entry(place, in: bytes) >= wanted
    guard isBeforeNext else { throw .damaged }
    return entry(place, in: bytes) == wanted
  }

  /// How many entries are below `wanted`, as far as what is not checked yet says.
  private static func place(of wanted: UInt64, in bytes: Span<UInt8>, _ count: Int) throws(BreachListFault) -> Int {
    let start = Layout.fixedByteCount + Int(wanted >> 48) * 8
    let first = bytes.number(at: start)
    let last = bytes.number(at: start + 8)
    guard first <= last, last <= UInt64(count) else { throw .damaged }
    var low = Int(first)
    var high = Int(last)
    while low < high {
      let middle = (low + high) / 2
      if entry(middle, in: bytes) < wanted { low = middle + 1 } else { high = middle }
    }
    return low
  }

  private static func block(of index: Int) -> Int {
    Layout.headByteCount + index / Layout.entriesPerBlock * Layout.blockByteCount
  }

  private static func entry(_ index: Int, in bytes: Span<UInt8>) -> UInt64 {
    bytes.number(at: block(of: index) + index % Layout.entriesPerBlock * Layout.entryByteCount)
  }

  private static func isIntact(_ bytes: Span<UInt8>, blockOf index: Int) -> Bool {
    let start = block(of: index)
    let end = start + Layout.entriesPerBlock * Layout.entryByteCount
    return bytes.number(at: end)
      == Layout.check(ofEntries: bytes.extracting(start..<end), inBlock: index / Layout.entriesPerBlock)
  }
}

// MARK: - Opening

extension BreachListIndex {
  /// An index as its file was when it was opened.
  private struct Snapshot {
    let path: String
    let identity: [Int]
    let index: BreachListIndex
  }

  /// The few indexes opened last: policies are put to work again at each flow, files seldom change.
  private static let recent = Mutex<[Snapshot]>([])
  private static let recentLimit = 4

  /// The index in a file, opened again only where the file has changed.
  ///
  /// - Throws: `unreadable`, `notRegular`; `breachList` as ``init(_:byteCount:)``.
  static func open(_ path: String) throws(ValidatorFault) -> BreachListIndex {
    // O_NONBLOCK: a pipe in the file's place must not hold up the daemon.
    let raw = unsafe Glibc.open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard raw >= 0 else { throw .unreadable(path: path, errno: errno) }
    let descriptor = FileDescriptor(owning: raw)
    var status = stat()
    guard unsafe fstat(raw, &status) == 0 else { throw .unreadable(path: path, errno: errno) }
    guard status.st_mode & S_IFMT == S_IFREG else { throw .notRegular(path: path) }
    let identity = [
      Int(status.st_dev), Int(status.st_ino), status.st_size, status.st_mtim.tv_sec, status.st_mtim.tv_nsec,
    ]
    if let known = recent.withLock({ $0.first { $0.path == path && $0.identity == identity } }) { return known.index }
    let index: BreachListIndex
    do throws(BreachListFault) {
      index = try BreachListIndex(descriptor, byteCount: status.st_size)
    } catch { throw .breachList(path: path, error) }
    recent.withLock { recent in
      recent.removeAll { $0.path == path }
      if recent.count == recentLimit { recent.removeFirst() }
      recent.append(Snapshot(path: path, identity: identity, index: index))
    }
    return index
  }
}
