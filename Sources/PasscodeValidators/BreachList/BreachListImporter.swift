internal import Glibc
internal import PasscodePlatform

/// Makes the index of a breach list that `breachList` looks up, from what Have I Been Pwned publishes.
///
/// The source is either the text file sorted by hash (`SHA1:count`, a line each, ended by LF or CRLF) or the directory of the
/// 1,048,576 range files (named by the first five digits, with `.txt` behind or without; in each line the other 35 and the
/// count). Rows with count 0 are padding and left out. Memory is bounded: some 2 MiB, whatever the size.
///
/// The index takes 8.1 bytes an entry. It appears under its name whole or not at all, and everybody may read it.
///
/// Source: haveibeenpwned.com/API/v3, "Searching by range"; the downloader PwnedPasswordsDownloader.
public struct BreachListImporter {
  /// How far an import is.
  public struct Progress: Sendable, Equatable {
    /// How many entries there are so far.
    public let entries: Int
    /// How much of the source has been read: bytes of a file, or range files.
    public let completed: UInt64
    /// How much there is to read; 0 where that is not known.
    public let total: UInt64
  }

  static let rangeCount: UInt32 = 1 << 20
  private static let linesBetweenReports = 1 << 18
  private static let rangesBetweenReports: UInt32 = 1 << 10

  private let source: String
  private let ranges: Range<UInt32>
  private let progress: (Progress) -> Bool

  /// An import.
  ///
  /// - Parameters:
  ///   - source: the path of the text file or of the directory; `-` is standard input.
  ///   - progress: told now and then; false stops the import.
  public init(from source: String, progress: @escaping (Progress) -> Bool = { _ in true }) {
    self.init(from: source, ranges: 0..<Self.rangeCount, progress: progress)
  }

  init(from source: String, ranges: Range<UInt32>, progress: @escaping (Progress) -> Bool = { _ in true }) {
    self.source = source
    self.ranges = ranges
    self.progress = progress
  }

  /// Makes the index, in place of what is there.
  ///
  /// - Returns: how many entries it has.
  /// - Throws: `unreadable`; `breachList` with the path at fault and `malformedLine`, `unsortedLine`, `missingRange`, `empty`,
  ///   `sameFile`, `stopped` or `system`. Nothing has changed then.
  /// - Complexity: O(*n*).
  public func run(to destination: String) throws(ValidatorFault) -> Int {
    guard let status = try isStandardInput ? standardInputStatus() : status(of: source) else {
      throw .unreadable(path: source, errno: ENOENT)
    }
    if let old = try self.status(of: destination), old.isSameFile(as: status) {
      throw .breachList(path: destination, .sameFile)
    }
    var sink = SortedHashes(try BreachListWriter(replacing: destination))
    if status.kind == .directory, !isStandardInput {
      try readRanges(into: &sink)
    } else {
      try readText(status.size, into: &sink)
    }
    guard sink.count > 0 else { throw .breachList(path: name, .empty) }
    return try sink.finish()
  }

  private var isStandardInput: Bool { source == "-" }

  /// The list, for messages.
  private var name: String { isStandardInput ? "the list" : source }

  private func standardInputStatus() throws(ValidatorFault) -> FileStatus {
    let input = FileDescriptor(owning: 0)
    let status = Result { () throws(PlatformError) in try input.status() }
    _ = input.take()
    do { return try status.get() } catch { throw .breachList(path: name, .system(error)) }
  }

  private func status(of path: String) throws(ValidatorFault) -> FileStatus? {
    do { return try Files.status(of: path) } catch { throw .breachList(path: path, .system(error)) }
  }

  private func readText(_ byteCount: UInt64, into sink: inout SortedHashes) throws(ValidatorFault) {
    var lines = isStandardInput ? try LineReader(descriptor: 0, named: name) : try LineReader(source)
    while try sink.takeLine(of: &lines, name, prefix: nil) {
      if lines.number % Self.linesBetweenReports == 0 { try report(sink.count, lines.bytesRead, byteCount) }
    }
    try report(sink.count, lines.bytesRead, byteCount)
  }

  private func readRanges(into sink: inout SortedHashes) throws(ValidatorFault) {
    var naming = RangeFileNaming(source)
    for range in ranges {
      let path = try naming.path(of: range)
      var lines = try LineReader(path)
      while try sink.takeLine(of: &lines, path, prefix: range) {}
      // Every range of the real list has hundreds of entries: what has none was not downloaded.
      if lines.number == 0 { throw .breachList(path: path, .empty) }
      let done = range - ranges.lowerBound + 1
      if done % Self.rangesBetweenReports == 0 || range == ranges.last {
        try report(sink.count, UInt64(done), UInt64(ranges.count))
      }
    }
  }

  private func report(_ entries: Int, _ completed: UInt64, _ total: UInt64) throws(ValidatorFault) {
    if !progress(Progress(entries: entries, completed: completed, total: total)) {
      throw .breachList(path: name, .stopped)
    }
  }
}

/// Takes lines in ascending order of their hashes.
private struct SortedHashes: ~Copyable {
  private var writer: BreachListWriter
  private var last: BreachHash?

  init(_ writer: consuming BreachListWriter) { self.writer = writer }

  var count: Int { writer.count }

  /// - Returns: false at the file's end.
  mutating func takeLine(
    of lines: inout LineReader, _ path: String, prefix: UInt32?
  ) throws(ValidatorFault) -> Bool {
    try lines.next { (line, number) throws(ValidatorFault) in
      guard let row = BreachHash.read(line, prefix: prefix) else { throw .breachList(path: path, .malformedLine(number)) }
      if row.isPadding { return }
      if let last, row.hash < last { throw .breachList(path: path, .unsortedLine(number)) }
      last = row.hash
      try writer.add(row.hash.high)
    }
  }

  consuming func finish() throws(ValidatorFault) -> Int { try writer.finish() }
}

/// How the range files of a directory are named.
private struct RangeFileNaming {
  private static let styles = [(isUpper: true, end: ""), (true, ".txt"), (false, ""), (false, ".txt")]
  private let directory: String
  private var style = styles[0]

  init(_ directory: String) { self.directory = directory }

  /// The path of a range's file, named as the one before was, or else in another way.
  ///
  /// - Throws: `missingRange`; `system`.
  mutating func path(of range: UInt32) throws(ValidatorFault) -> String {
    for style in [style] + Self.styles {
      let path = directory + "/" + Self.name(range, style)
      do throws(PlatformError) {
        guard try Files.status(of: path) != nil else { continue }
      } catch { throw .breachList(path: path, .system(error)) }
      self.style = style
      return path
    }
    throw .breachList(path: directory, .missingRange(Self.name(range, style)))
  }

  private static func name(_ range: UInt32, _ style: (isUpper: Bool, end: String)) -> String {
    let digits = String(range, radix: 16, uppercase: style.isUpper)
    return String(repeating: "0", count: 5 - digits.count) + digits + style.end
  }
}
