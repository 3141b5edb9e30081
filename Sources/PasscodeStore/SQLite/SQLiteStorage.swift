internal import PasscodeCore
internal import PasscodePlatform

/// The store's rows in one SQLite file.
///
/// One connection writes, under the lock `writer`; a pool reads. The process holds an exclusive lock beside the file for as long
/// as this object lives.
final class SQLiteStorage: CredentialStorage {
  private struct Writer: Sendable {
    let connection: Connection
    /// Pages in the log that have not been moved into the file.
    var pagesInLog = 0
    /// Whether something may be in the log, or in the file behind it, that must not stay there. A killed process may have left it.
    var owesErasure = true
  }

  let header: StoreHeader
  /// The file; nil for a store in memory.
  let file: StoreFile?
  private let readers: ReaderPool
  private let writer: Monitor<Writer>
  private let watch: FileWatch?
  private let lock: FileDescriptor?
  /// From this size on, in pages of 4 KiB, the log is moved into the file after a commit.
  private static let logLimit = 1024

  /// Opens a store file.
  ///
  /// - Throws: `noStore` only where nothing is there; `inUse`, `notAStore`, `formatTooNew`, `corrupt`, `storage`. Nothing is changed
  ///   then.
  convenience init(path: String, vfs: String? = nil) throws(StoreError) {
    let file = try StoreFile(path: path)
    try file.requireFile()
    try self.init(file, lock: try file.lock(), vfs: vfs)
  }

  /// Makes a store file and opens it: whole and on the disk, or not there at all.
  ///
  /// - Parameter lock: of `file`, where nothing may be.
  /// - Throws: `storeExists`; `storage`.
  convenience init(
    making file: StoreFile, lock: consuming FileDescriptor, _ header: StoreHeader, _ access: AccessChange, vfs: String?
  ) throws(StoreError) {
    try Self.publish(file, header, access, vfs)
    try self.init(file, lock: lock, vfs: vfs)
  }

  /// Makes a store in memory, for tests of apps.
  convenience init(inMemoryWith header: StoreHeader, _ access: AccessChange) throws(StoreError) {
    let location = DatabaseLocation(name: "file:/passcoded-\(header.id)?vfs=memdb", isInMemory: true)
    let connection = try Connection(location)
    try Self.fill(connection, header, access)
    try self.init(location, connection)
  }

  private convenience init(_ file: StoreFile, lock: consuming FileDescriptor, vfs: String?) throws(StoreError) {
    let database = try file.openDatabase()
    let location = DatabaseLocation(name: file.path, vfs: vfs)
    let connection = try Connection(location)
    do throws(StoreError) { try Schema.prepare(connection) } catch {
      // A program without our lock has it open.
      throw error == .busy ? .inUse : error
    }
    try connection.keepLog()
    // SQLite has made the log by now.
    try self.init(location, connection, file: file, watch: try FileWatch(database, at: file.path), lock: lock)
  }

  private init(
    _ location: DatabaseLocation, _ connection: Connection, file: StoreFile? = nil, watch: FileWatch? = nil,
    lock: consuming FileDescriptor? = nil
  ) throws(StoreError) {
    header = try Self.readHeader(connection)
    self.file = file
    self.watch = watch
    self.lock = lock
    readers = ReaderPool(location, limit: 4)
    writer = Monitor(Writer(connection: connection))
    reserve()
  }

  private static func publish(
    _ file: StoreFile, _ header: StoreHeader, _ access: AccessChange, _ vfs: String?
  ) throws(StoreError) {
    let draft = try file.makeDraft()
    defer { file.removeDraft(draft) }
    try fill(DatabaseLocation(name: draft, vfs: vfs), header, access)
    try file.publish(draft)
  }

  private static func fill(
    _ location: DatabaseLocation, _ header: StoreHeader, _ access: AccessChange
  ) throws(StoreError) {
    let connection = try Connection(location)
    try connection.keepLog()
    try fill(connection, header, access)
    guard try connection.checkpoint(.truncate) else { throw .busy }
  }

  private static func fill(_ connection: Connection, _ header: StoreHeader, _ access: AccessChange) throws(StoreError) {
    try connection.transaction { () throws(StoreError) in
      try Schema.create(on: connection)
      try connection.statement("INSERT INTO store(id, store, created) VALUES (1, ?1, ?2)")
        .run([.blob(header.id.bytes), .integer(header.created)])
      try write(access, on: connection)
    }
  }

  private static func readHeader(_ connection: Connection) throws(StoreError) -> StoreHeader {
    var header: StoreHeader?
    try connection.statement("SELECT store, created FROM store").rows { row throws(StoreError) in
      guard let id = StoreID(row.bytes(0)) else { throw .corrupt(.header) }
      header = StoreHeader(id: id, created: row.integer(1))
    }
    guard let header else { throw .corrupt(.header) }
    return header
  }

  // MARK: - Reading and writing

  /// Runs `body` with a connection for reading, after checking that the file is still the one that was opened.
  ///
  /// - Throws: `replaced`; what `body` throws.
  func read<R>(_ body: (Connection) throws(StoreError) -> R) throws(StoreError) -> R {
    try readers.withReader { (connection) throws(StoreError) -> R in
      // Looked at after the connection was opened: it can't be one to another file. Where something has changed, a checkpoint may
      // be at work: the writer's lock waits for it.
      if let watch {
        if try watch.look() != .unchanged {
          // A checkpoint may wait for what this connection holds.
          connection.endReading()
          try writer.withLock { (writer: inout Writer) throws(StoreError) in try check(writer) }
        }
        try connection.holdReading()
      }
      return try body(connection)
    }
  }

  /// Runs `body` as the only writer. When this returns, what `body` committed is on the disk, in the file that was opened.
  ///
  /// - Parameters:
  ///   - erases: whether nothing of what `body` took away may stay in the log.
  ///   - usesReserve: whether, on a full disk, `body` gets the room that is kept for it.
  /// - Throws: `replaced`, for good, where the file is another one; what `body` throws. Nothing is changed then.
  func write<R>(
    erases: Bool = false, usesReserve: Bool = false, _ body: (Connection) throws(StoreError) -> R
  ) throws(StoreError) -> R {
    try writer.withLock { (writer: inout Writer) throws(StoreError) -> R in
      try check(writer, isWriting: true)
      let result = try makingRoom(&writer, usesReserve: usesReserve) { (connection) throws(StoreError) in try body(connection) }
      readers.renew()
      // The change stands from here on: a log that can't be emptied now is emptied after the next one.
      writer.pagesInLog += writer.connection.takeWrittenPages()
      writer.owesErasure = writer.owesErasure || erases
      if watch != nil {
        if writer.owesErasure {
          try? checkpoint(&writer, .truncate)
        } else if writer.pagesInLog >= Self.logLimit {
          try? checkpoint(&writer, .passive)
        }
      }
      try settle(writer)
      return result
    }
  }

  /// Where the disk is full, what the log takes of it may do: it is emptied, and `body` tries once more.
  private func makingRoom<R>(
    _ writer: inout Writer, usesReserve: Bool, _ body: (Connection) throws(StoreError) -> R
  ) throws(StoreError) -> R {
    do { return try body(writer.connection) } catch {
      guard error == .storage(.full), watch != nil else { throw error }
      let isEmptied = (try? checkpoint(&writer, .truncate)) != nil
      if usesReserve { releaseReserve() } else if !isEmptied { throw error }
      return try body(writer.connection)
    }
  }

  /// - Throws: `replaced`; `busy` where somebody else's reading keeps the log from being emptied; `storage`.
  func checkpoint() throws(StoreError) {
    try writer.withLock { (writer: inout Writer) throws(StoreError) in
      guard watch != nil else { return }
      try check(writer)
      try checkpoint(&writer, .truncate)
      try settle(writer)
      if writer.owesErasure { throw .busy }
    }
  }

  private func checkpoint(_ writer: inout Writer, _ kind: Connection.Checkpoint) throws(StoreError) {
    readers.renew()
    defer { watch?.adoptFile() }
    writer.owesErasure = writer.owesErasure || kind == .truncate
    guard try writer.connection.checkpoint(kind) else { return }
    writer.pagesInLog = 0
    if kind == .truncate {
      writer.owesErasure = false
      reserve()
    }
  }

  /// Keeps some room on the disk that only tries use: they are charged, and the store opens, also where the disk is full.
  private func reserve() {
    // A file system that can't do it only loses that.
    try? lock?.reserve(byteCount: 64 << 10)
  }

  private func releaseReserve() {
    try? lock?.releaseReserve()
  }

  // MARK: - The file, replaced

  /// - Throws: `replaced` where the file is not the one that was opened, or was written by somebody else.
  ///
  /// - Parameter isWriting: whether the log has to be in its place, too: what is written to one that was taken away is lost with
  ///   this process.
  private func check(_ writer: Writer, isWriting: Bool = false) throws(StoreError) {
    guard let watch else { return }
    var finding = try watch.look()
    if finding == .unchanged, isWriting, try watch.isLogGone() { finding = .moved }
    if finding == .unchanged { return }
    if watch.setReplaced() {
      // The log must not be applied to what is there now. What can't be done is left to whoever put the file there.
      switch finding {
      case .overwritten: try? watch.setLogAside()
      // The log's changes belong to the file that has gone, and it is still open.
      default: _ = try? writer.connection.checkpoint(.truncate)
      }
    }
    throw .replaced
  }

  /// Looks once more after a change: it is not acknowledged where the file went away meanwhile. Where the file can't be looked at
  /// the change stands all the same.
  private func settle(_ writer: Writer) throws(StoreError) {
    watch?.adoptLog()
    do { try check(writer, isWriting: true) } catch { if error == .replaced { throw error } }
  }

  /// A second holder of the process's lock, for what is done with the file once this object is gone.
  func keepLock() throws(StoreError) -> FileDescriptor {
    switch lock {
    case .some(let lock): return try onFiles { () throws(PlatformError) in try lock.duplicate() }
    case .none: throw .noStore
    }
  }
}
