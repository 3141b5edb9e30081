internal import ConsentCore
internal import Glibc
internal import PasscodePlatform

/// The file in which answers wait for a store: private, chained and unsigned.
struct ConsentJournal: Sendable {
  /// The most bytes of texts and pictures, and of entries, in one: what is asked before there is a store is short.
  static let maximumTextByteCount = 16 << 20, maximumEntryByteCount = 8 << 20
  /// The largest file: what the above make at most.
  private static let maximumByteCount = 64 << 20

  let path: String

  /// Beside the store.
  init(besideStore store: String) { path = store + ".consent" }

  /// What waits; nil where nothing does.
  ///
  /// - Throws: `journal` where it can't be read.
  func read() throws(ConsentFault) -> ConsentLog? {
    let bytes: [UInt8]?
    do throws(PlatformError) { bytes = try content() } catch {
      throw .journal(path: path, "the answers from before the store can't be read (\(error))")
    }
    guard let bytes else { return nil }
    guard let archive = ConsentArchive(bytes.span), archive.head == nil else {
      throw .journal(path: path, "the answers from before the store were damaged or changed")
    }
    return archive.log
  }

  /// What is wrong with the log in it.
  func fault(_ fault: ConsentLogFault) -> ConsentFault {
    .journal(path: path, "the answers from before the store were damaged or changed: \(fault)")
  }

  private func content() throws(PlatformError) -> [UInt8]? {
    guard let status = try Files.status(of: path, followingLink: false) else { return nil }
    // Opening a pipe would wait for somebody to write.
    guard status.kind == .file else { throw .file(path: path, SyscallError("open", EINVAL)) }
    return try Files.open(path, .read, followingLink: false).readAll(limit: Self.maximumByteCount)
  }

  /// Puts answers in the place of those that wait; on disk when it returns.
  func write(_ log: ConsentLog) throws(PlatformError) {
    let directory = PathParts.split(path).directory
    if try Files.status(of: directory) == nil { try UserDirectories.prepare(directory) }
    try AtomicFile.write(ConsentArchive(log).json.span, to: path)
  }

  /// Nothing waits any more.
  func remove() throws(PlatformError) { try Files.remove(path) }
}
