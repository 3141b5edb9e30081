internal import PasscodePlatform
internal import SecretMemory

/// Writes an index from entries in ascending order, in bounded memory: the starts, and some blocks at a time.
struct BreachListWriter: ~Copyable {
  private typealias Layout = BreachListLayout
  private static let blocksAtOnce = 256

  private let file: AtomicFile
  private let path: String
  /// Blocks that are not written yet.
  private var pending: [UInt8] = []
  private var blocksWritten = 0
  private var entriesInBlock = 0
  private var last: UInt64?
  /// How many entries there are so far.
  private(set) var count = 0
  /// For each value of the first sixteen bits how many entries have it.
  private var sizes = [Int](repeating: 0, count: Layout.startCount - 1)

  init(replacing path: String) throws(ValidatorFault) {
    do { file = try Self.begun(path) } catch { throw .breachList(path: path, .system(error)) }
    self.path = path
    pending.reserveCapacity(Self.blocksAtOnce * Layout.blockByteCount)
  }

  /// A file with room for the head.
  private static func begun(_ path: String) throws(PlatformError) -> AtomicFile {
    let file = try AtomicFile(replacing: path)
    try file.write([UInt8](repeating: 0, count: Layout.headByteCount).span)
    return file
  }

  /// Adds an entry; one equal to the last counts once.
  ///
  /// - Precondition: not below the last.
  mutating func add(_ entry: UInt64) throws(ValidatorFault) {
    if let last {
      precondition(entry >= last)
      if entry == last { return }
    }
    last = entry
    append(entry)
    sizes[Int(entry >> 48)] += 1
    count += 1
    if entriesInBlock == Layout.entriesPerBlock { try endBlock() }
  }

  /// Puts the index into place, readable by everybody.
  ///
  /// - Returns: the count.
  /// - Precondition: there is an entry.
  consuming func finish() throws(ValidatorFault) -> Int {
    let total = count
    precondition(total > 0)
    if entriesInBlock > 0 {
      while entriesInBlock < Layout.entriesPerBlock { append(.max) }
      try endBlock()
    }
    try flush()
    let head = head()
    do {
      try file.overwrite(head.span, at: 0)
      try file.allowReading()
      try file.commit()
    } catch { throw .breachList(path: path, .system(error)) }
    return total
  }

  private mutating func append(_ entry: UInt64) {
    for index in 0..<8 { pending.append(UInt8(truncatingIfNeeded: entry >> (8 * UInt64(index)))) }
    entriesInBlock += 1
  }

  private mutating func endBlock() throws(ValidatorFault) {
    let number = blocksWritten + pending.count / Layout.blockByteCount
    append(
      Layout.check(
        ofEntries: pending.span.extracting(last: Layout.entriesPerBlock * Layout.entryByteCount), inBlock: number))
    entriesInBlock = 0
    if pending.count == Self.blocksAtOnce * Layout.blockByteCount { try flush() }
  }

  private mutating func flush() throws(ValidatorFault) {
    do { try file.write(pending.span) } catch { throw .breachList(path: path, .system(error)) }
    blocksWritten += pending.count / Layout.blockByteCount
    pending.removeAll(keepingCapacity: true)
  }

  private borrowing func head() -> [UInt8] {
    var head = [UInt8](repeating: 0, count: Layout.headByteCount)
    for (index, byte) in Layout.magic.enumerated() { head[index] = byte }
    head.put(UInt64(Layout.version) | UInt64(Layout.entryByteCount) << 32, at: 8)
    head.put(UInt64(count), at: 16)
    var start = 0
    for index in 0..<Layout.startCount {
      head.put(UInt64(start), at: Layout.fixedByteCount + 8 * index)
      if index < sizes.count { start += sizes[index] }
    }
    let covered = Layout.headByteCount - Layout.checksumByteCount
    let checksum = BLAKE2b.unkeyed(head.span.extracting(first: covered)).bytes
    for (index, byte) in checksum.enumerated() { head[covered + index] = byte }
    return head
  }
}
