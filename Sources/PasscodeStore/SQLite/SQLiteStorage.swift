internal import Glibc
internal import PasscodeCore
internal import PasscodePlatform
internal import SecretMemory

/// The store's rows in one SQLite file.
///
/// One connection writes, under the lock `writer`; a pool reads. The process holds an exclusive lock beside the file for as long
/// as this object lives.
final class SQLiteStorage: CredentialStorage {
  /// What is known of the file under the writer's lock.
  struct Writer: Sendable {
    let connection: Connection
    /// The file as this process left it; nil for a database in memory.
    var identity: FileIdentity?
  }

  let header: StoreHeader
  let readers: ReaderPool
  let writer: Monitor<Writer>
  private let path: String?
  private let lock: FileDescriptor?
  /// From this size on, the log is moved into the file after a commit.
  private static let logLimit = 4 << 20

  /// Opens a store file.
  ///
  /// - Throws: `noStore` only where nothing is there; `inUse`, `notAStore`, `formatTooNew`, `corrupt`, `storage`.
  convenience init(path: String, vfs: String? = nil) throws(StoreError) {
    let file = try StoreFile(path: path)
    try file.requireDatabase()
    let lock = try file.lock()
    let location = DatabaseLocation(name: file.path, vfs: vfs)
    let connection = try Connection(location)
    try Schema.prepare(connection)
    try self.init(location, path: file.path, connection: connection, lock: lock)
  }

  /// Makes a store in memory, for tests of apps.
  convenience init(inMemoryWith header: StoreHeader, _ access: AccessChange) throws(StoreError) {
    let location = DatabaseLocation(name: "file:/passcoded-\(header.id)?vfs=memdb", isInMemory: true)
    let connection = try Connection(location)
    try Self.fill(connection, header, access)
    try self.init(location, path: nil, connection: connection, lock: nil)
  }

  private init(
    _ location: DatabaseLocation, path: String?, connection: Connection, lock: consuming FileDescriptor?
  ) throws(StoreError) {
    self.path = path
    self.lock = lock
    readers = ReaderPool(location, limit: 4)
    header = try Self.readHeader(connection)
    // SQLite makes the log's files on the first read; the file itself is not touched.
    writer = Monitor(Writer(connection: connection, identity: path.flatMap(FileIdentity.init)))
  }

  /// Makes a store file: whole and on the disk, or not there at all.
  ///
  /// - Throws: `storeExists`; `storage`.
  static func create(at path: String, _ header: StoreHeader, _ access: AccessChange, vfs: String? = nil) throws(StoreError) {
    let file = try StoreFile(path: path)
    let draft = try file.makeDraft()
    defer { file.removeDraft(draft) }
    do {
      let connection = try Connection(DatabaseLocation(name: draft, vfs: vfs), creating: true)
      try fill(connection, header, access)
      try connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    }
    try file.publish(draft)
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

  /// Runs `body` as the only writer, after checking that the file is still the one that was opened.
  ///
  /// - Throws: `replaced` where it is not; nothing is written then.
  func write<R>(_ body: (Connection) throws(StoreError) -> R) throws(StoreError) -> R {
    try writer.withLock { (writer: inout Writer) throws(StoreError) -> R in
      if let path, FileIdentity(path: path) != writer.identity { throw .replaced }
      let result = try body(writer.connection)
      if let path, Self.byteCount(ofFile: path + "-wal") > Self.logLimit { try Self.checkpoint(&writer, path, "PASSIVE") }
      return result
    }
  }

  func checkpoint() throws(StoreError) {
    try writer.withLock { (writer: inout Writer) throws(StoreError) in
      guard let path else { return }
      if FileIdentity(path: path) != writer.identity { throw .replaced }
      try Self.checkpoint(&writer, path, "TRUNCATE")
    }
  }

  private static func checkpoint(_ writer: inout Writer, _ path: String, _ mode: String) throws(StoreError) {
    defer { writer.identity = FileIdentity(path: path) }
    try writer.connection.execute("PRAGMA wal_checkpoint(\(mode))")
  }

  private static func byteCount(ofFile path: String) -> Int {
    var status = stat()
    return unsafe stat(path, &status) == 0 ? Int(status.st_size) : 0
  }
}
