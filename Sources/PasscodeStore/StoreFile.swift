internal import Glibc
internal import PasscodeCore
internal import PasscodePlatform
internal import SecretMemory

/// The store's file and the files beside it: `store.db`, its log `store.db-wal`, and `store.db.lock`.
struct StoreFile: Sendable {
  /// The real path of the file, its directory resolved: SQLite then follows no link on it.
  let path: String
  /// The file's name in its directory.
  let name: String
  let directory: String

  /// - Throws: `noStore` where the directory is missing; `storage`, also where a link to it leads nowhere: that is a disk which is
  ///   not there now.
  init(path: String) throws(StoreError) {
    let (parent, name) = PathParts.split(path)
    guard !name.isEmpty, !path.utf8.contains(0) else { throw .noStore }
    var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
    let isResolved = unsafe buffer.withUnsafeMutableBufferPointer { unsafe realpath(parent + "/.", $0.baseAddress!) } != nil
    let failure = errno
    if !isResolved {
      if failure == ENOENT, try Self.isMissing(parent) { throw .noStore }
      throw StoreError(errno: failure)
    }
    directory = String(decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    self.name = name
    self.path = (directory == "/" ? "/" : directory + "/") + name
  }

  /// Whether a directory, or one that it lies in, is not there at all.
  private static func isMissing(_ directory: String) throws(StoreError) -> Bool {
    var place = directory
    while place != "/" && place != "." {
      if let status = try onFiles({ () throws(PlatformError) in try Files.status(of: place, followingLink: false) }) {
        return status.kind != .link
      }
      place = PathParts.split(place).directory
    }
    return true
  }

  /// The lock that the owning process holds. The file stays for good: a lock that is unlinked can be held twice.
  ///
  /// What a creation that was cut off has left is removed: only the owner of the lock creates.
  ///
  /// - Throws: `inUse` where another process has it; `storage`.
  func lock() throws(StoreError) -> FileDescriptor {
    let file = try onFiles { () throws(PlatformError) in try Files.open(path + ".lock", .readWrite, followingLink: false) }
    guard try onFiles({ () throws(PlatformError) in try file.lockSoon() }) else { throw .inUse }
    // What can't be removed now is removed by the next owner.
    for sibling in (try? siblings()) ?? [] where isDraft(sibling) { try? Files.remove(join(sibling)) }
    return file
  }

  private func isDraft(_ sibling: String) -> Bool {
    guard sibling.hasPrefix(name + ".new-") else { return false }
    let rest = sibling.dropFirst(name.count + 5)
    return RecordID(hex: String(rest.prefix(32))) != nil && ["", "-wal"].contains(rest.dropFirst(32))
  }

  // MARK: - Opening

  /// Looks whether a store is there, before its lock is made.
  ///
  /// - Throws: `noStore` only where nothing is there; `storage(.missing)` where only its log is; `storage`.
  func requireFile() throws(StoreError) {
    guard try status() == nil else { return }
    try requireNoLog()
    throw .noStore
  }

  /// Opens the file for reading, as what it has to be. SQLite would take an empty file for a new database, and would bring another
  /// program's database into order.
  ///
  /// - Throws: `noStore` only where nothing is there; `notAStore`; `corrupt(.file)` where it is cut off; `storage(.linked)` where it
  ///   has a second name; `storage`.
  func openDatabase() throws(StoreError) -> FileDescriptor {
    guard let status = try status() else { throw .noStore }
    guard status.kind == .file else { throw .notAStore }
    // Each name would have a log of its own.
    guard status.linkCount == 1 else { throw .storage(.linked) }
    let file = try onFiles { () throws(PlatformError) in try Files.open(path, .read, followingLink: false) }
    let head = try Self.head(of: file)
    let magic = Array("SQLite format 3\0".utf8)
    guard head.starts(with: magic.prefix(head.count)) else { throw .notAStore }
    guard head.count == 100 else { throw .corrupt(.file) }
    // Source: sqlite.org/fileformat2.html §1.3: the application id, big-endian.
    guard head[68..<72].reduce(0, { $0 << 8 | Int64($1) }) == Schema.applicationID else { throw .notAStore }
    // What a log may still complete is not cut off. Source: ibid. §1.3.2: the size of a page.
    let pageByteCount = UInt64(head[16]) << 8 | UInt64(head[17])
    if status.size % max(pageByteCount, 512) != 0, try !hasLog() { throw .corrupt(.file) }
    return file
  }

  /// The first 100 bytes: the database header.
  private static func head(of file: borrowing FileDescriptor) throws(StoreError) -> [UInt8] {
    var space: SecretBytes
    do { space = try SecretBytes(capacity: 100) } catch { throw .secretMemory(error) }
    var count = 1
    while count > 0, space.count < space.capacity {
      count = try onFiles { () throws(PlatformError) in try file.read(into: &space) }
    }
    return space.bytes.indices.map { space.bytes[$0] }
  }

  private func status() throws(StoreError) -> FileStatus? {
    try onFiles { () throws(PlatformError) in try Files.status(of: path, followingLink: false) }
  }

  // MARK: - Making

  /// - Throws: `storeExists` where anything is there; `storage(.missing)` where the log of a store is, which SQLite would take for
  ///   the new one's.
  func requireNothing() throws(StoreError) {
    if try status() != nil { throw .storeExists }
    try requireNoLog()
  }

  private func requireNoLog() throws(StoreError) {
    if try hasLog() { throw .storage(.missing) }
  }

  private func hasLog() throws(StoreError) -> Bool {
    let log = try onFiles { () throws(PlatformError) in try Files.status(of: path + "-wal", followingLink: false) }
    return if let log { log.size > 0 } else { false }
  }

  /// A fresh empty file beside this one, for a store that is being made.
  func makeDraft() throws(StoreError) -> String {
    let draft = "\(path).new-\(RecordID.random())"
    _ = try onFiles { () throws(PlatformError) in try Files.open(draft, .createNew) }
    return draft
  }

  /// Puts the finished draft in its place, durably. Never over another file.
  ///
  /// - Throws: `storeExists`; `storage`.
  func publish(_ draft: String) throws(StoreError) {
    try onFiles { () throws(PlatformError) in
      try Files.open(draft, .readWrite).synchronize()
      try Files.rename(draft, to: path, replacing: false)
      try Files.synchronizeDirectory(directory)
    }
  }

  /// Takes away what is left of a draft; after ``publish(_:)`` that is only its log's files.
  func removeDraft(_ draft: String) {
    // What can't be removed now is removed by the next owner of the lock.
    for suffix in ["", "-wal"] { try? Files.remove(draft + suffix) }
  }

  // MARK: - Taking away

  /// Gives the file another name, durably. Its log has to be empty.
  ///
  /// - Throws: `storeExists` where something of that name is there; `storage`.
  func rename(to target: String) throws(StoreError) {
    try onFiles { () throws(PlatformError) in
      try Files.rename(path, to: target, replacing: false)
      for suffix in ["-wal"] { try Files.remove(path + suffix) }
      try Files.synchronizeDirectory(directory)
    }
  }

  /// Removes the file, durably. Its log has to be empty.
  func unlink() throws(StoreError) {
    try onFiles { () throws(PlatformError) in
      for suffix in ["", "-wal"] { try Files.remove(path + suffix) }
      try Files.synchronizeDirectory(directory)
    }
  }

  /// The path of a file beside this one.
  func join(_ sibling: String) -> String { (directory == "/" ? "/" : directory + "/") + sibling }

  /// The names of all files in the directory.
  ///
  /// - Throws: `storage`.
  func siblings() throws(StoreError) -> [String] {
    try onFiles { () throws(PlatformError) in try Files.names(in: directory, limit: .max) }
  }
}
