internal import PasscodeCore
internal import PasscodePlatform

/// Notices that another file has taken the place of the open one, or that somebody else has written to it.
///
/// Within the tick of the file system's clock, and while the store itself writes, it can't tell: a hostile process is not kept
/// out, a backup that is put back is noticed.
final class FileWatch: Sendable {
  /// What stands at the path.
  enum Finding {
    case unchanged
    /// Nothing, or another file.
    case moved
    /// The same file, written by somebody else.
    case overwritten
  }

  private struct Known {
    var file: FileIdentity
    var log: FileIdentity?
    var isReplaced = false
  }

  private let path: String
  // Open for as long as it is watched, so that its number does not go to another file.
  private let file: FileDescriptor
  private let known: Monitor<Known>

  /// - Parameter file: the open file at `path`.
  init(_ file: consuming FileDescriptor, at path: String) throws(StoreError) {
    known = Monitor(Known(file: try FileIdentity.of(file), log: try FileIdentity.of(path: path + "-wal")))
    self.file = file
    self.path = path
  }

  /// Takes the file as it is now for the store's own work: after a checkpoint. Only the writer calls this.
  func adoptFile() {
    guard let file = try? FileIdentity.of(file) else { return }
    known.withLock { $0.file = file }
  }

  /// Takes the log as it is now for the store's own work, if it is the one that was there before. Only the writer calls this.
  func adoptLog() {
    guard let log = (try? FileIdentity.of(path: path + "-wal")) ?? nil else { return }
    known.withLock { known in
      if known.log.map(log.isSameFile) ?? true { known.log = log }
    }
  }

  /// What stands at the path now. Once it was another file it stays so: what was there meanwhile is not known.
  ///
  /// - Throws: `storage` where it can't be looked at.
  func look() throws(StoreError) -> Finding {
    let found = try FileIdentity.of(path: path)
    return known.withLock { known in
      if found == known.file, !known.isReplaced { return .unchanged }
      guard let found, found.isSameFile(as: known.file) else { return .moved }
      return .overwritten
    }
  }

  /// Whether the log is no longer in its place: what is written to it then is in no file.
  ///
  /// - Throws: `storage` where it can't be looked at.
  func isLogGone() throws(StoreError) -> Bool {
    guard let log = known.withLock({ $0.log }) else { return false }
    guard let found = try FileIdentity.of(path: path + "-wal") else { return true }
    return !found.isSameFile(as: log)
  }

  /// From now on the file counts as replaced.
  ///
  /// - Returns: true the first time.
  func setReplaced() -> Bool {
    known.withLock { known in
      defer { known.isReplaced = true }
      return !known.isReplaced
    }
  }

  /// Gives the log another name, if it is as the store left it: it belongs to what the file was before, and SQLite would apply it
  /// to what it is now.
  func setLogAside() throws(StoreError) {
    let log = known.withLock { $0.log }
    guard let log, try FileIdentity.of(path: path + "-wal") == log else { return }
    let target = "\(path).replaced-\(RecordID.random())-wal"
    try onFiles { () throws(PlatformError) in try Files.rename(path + "-wal", to: target, replacing: false) }
  }
}
