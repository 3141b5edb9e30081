internal import CSQLite
internal import PasscodeCore

/// Where a database lies and how it is reached.
struct DatabaseLocation: Sendable {
  /// A path, or a URI for a database in memory.
  var name: String
  var isInMemory = false
  /// Another SQLite VFS, for the tests that inject faults; nil for ``Connection/exclusiveVFS``.
  var vfs: String?
}

/// One SQLite connection, set up as if the file came from an enemy.
///
/// Used by one thread at a time (SQLite's multi-thread mode, sqlite.org/threadsafe.html): whoever holds it has taken it from a pool
/// or holds the writer's lock.
@safe
final class Connection: @unchecked Sendable {
  // SAFETY: see above; `statements` too is touched only by the one who holds the connection.
  private let database: OpaquePointer
  private var statements: [UInt: Statement] = [:]
  /// No row is larger, in bytes: nothing larger is ever allocated for one.
  private static let rowLimit: Int32 = 2 << 20

  /// How far a checkpoint goes. Source: sqlite.org/c3ref/wal_checkpoint_v2.html.
  enum Checkpoint {
    /// As far as it gets without waiting for anybody.
    case passive
    /// Everything; the log is empty then.
    case truncate
  }

  /// Locks the file for this process, by whatever name another one opens it, and keeps the log's index in memory of its own: a
  /// mapped `-shm` file would end the process with SIGBUS where the disk is full or somebody cuts that file off.
  /// Source: sqlite.org/vfs.html §2.1.
  static let exclusiveVFS = "unix-excl"

  // Counting each allocation takes a lock. Where an app has used SQLite before, it is as the app has it.
  private static let isPrepared = csqlite_disable_memory_statistics() == SQLITE_OK

  init(_ location: DatabaseLocation) throws(StoreError) {
    _ = Self.isPrepared
    var flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_NOFOLLOW | SQLITE_OPEN_EXRESCODE
    if location.isInMemory { flags |= SQLITE_OPEN_URI | SQLITE_OPEN_CREATE }
    var handle: OpaquePointer?
    let code: Int32
    if location.isInMemory {
      code = unsafe sqlite3_open_v2(location.name, &handle, flags, nil)
    } else {
      code = unsafe sqlite3_open_v2(location.name, &handle, flags, location.vfs ?? Self.exclusiveVFS)
    }
    guard code == SQLITE_OK, let handle = unsafe handle else {
      let error = unsafe StoreError(sqlite: code, systemErrno: handle.map { unsafe sqlite3_system_errno($0) } ?? 0)
      unsafe sqlite3_close_v2(handle)
      throw error
    }
    unsafe database = unsafe handle
    try configure()
  }

  deinit {
    statements.removeAll()
    unsafe sqlite3_close_v2(database)
  }

  /// The settings and their reasons: sqlite.org/security.html ("Untrusted SQLite Database Files"), sqlite.org/pragma.html.
  private func configure() throws(StoreError) {
    unsafe sqlite3_busy_timeout(database, 5000)
    unsafe sqlite3_limit(database, SQLITE_LIMIT_LENGTH, Self.rowLimit)
    // At the end nothing is moved from the log into a file that may be another one by then.
    for option in [SQLITE_DBCONFIG_DEFENSIVE, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE] {
      unsafe csqlite_set_option(database, option, 1)
    }
    for option in [SQLITE_DBCONFIG_TRUSTED_SCHEMA, SQLITE_DBCONFIG_ENABLE_TRIGGER, SQLITE_DBCONFIG_ENABLE_VIEW] {
      unsafe csqlite_set_option(database, option, 0)
    }
    try execute("PRAGMA cell_size_check = ON")
    try execute("PRAGMA mmap_size = 0")
    try execute("PRAGMA temp_store = MEMORY")
    try execute("PRAGMA secure_delete = ON")
    try execute("PRAGMA cache_size = -1024")
    try execute("PRAGMA synchronous = FULL")
    // Checkpoints are the store's own: it has to know when the file changes.
    try execute("PRAGMA wal_autocheckpoint = 0")
  }

  /// Has the file keep a log (WAL). The file remembers it.
  func keepLog() throws(StoreError) {
    let statement = unsafe try Statement("PRAGMA journal_mode = WAL", on: database)
    guard try statement.step(), statement.text(0) == "wal" else { throw .storage(.inputOutput(code: SQLITE_IOERR)) }
  }

  /// Moves the log into the file.
  ///
  /// - Returns: whether all of it has been moved; with `truncate`, whether the log is empty.
  func checkpoint(_ kind: Checkpoint) throws(StoreError) -> Bool {
    var (inLog, moved): (Int32, Int32) = (0, 0)
    let mode = kind == .passive ? SQLITE_CHECKPOINT_PASSIVE : SQLITE_CHECKPOINT_TRUNCATE
    let code = unsafe sqlite3_wal_checkpoint_v2(database, nil, mode, &inLog, &moved)
    if code & 0xFF == SQLITE_BUSY { return false }
    guard code == SQLITE_OK else { throw unsafe StoreError(sqlite: code, systemErrno: sqlite3_system_errno(database)) }
    return inLog == moved
  }

  /// How many pages were written since this was asked last.
  func takeWrittenPages() -> Int {
    var (pages, highest): (Int32, Int32) = (0, 0)
    unsafe sqlite3_db_status(database, SQLITE_DBSTATUS_CACHE_WRITE, &pages, &highest, 1)
    return Int(pages)
  }

  /// Runs one statement once.
  func execute(_ sql: String) throws(StoreError) { try unsafe Statement(sql, on: database).run() }

  /// The one integer that a query gives.
  func integer(_ sql: String) throws(StoreError) -> Int64 {
    let statement = unsafe try Statement(sql, on: database)
    guard try statement.step() else { return 0 }
    return statement.integer(0)
  }

  /// The prepared statement of a literal, prepared at its first use.
  func statement(_ sql: StaticString) throws(StoreError) -> Statement {
    let key = unsafe UInt(bitPattern: sql.utf8Start)
    if let statement = statements[key] { return statement }
    let statement = unsafe try Statement("\(sql)", on: database)
    statements[key] = statement
    return statement
  }

  /// How many rows the last statement changed.
  var changes: Int { Int(unsafe sqlite3_changes64(database)) }

  // MARK: - Reading

  /// From the next read on, all reads see the file as it is then, until ``endReading()``. Beginning and ending a read costs more
  /// than a read itself.
  func holdReading() throws(StoreError) {
    if !isInTransaction { try statement("BEGIN").run() }
  }

  /// Lets go of what ``holdReading()`` keeps: the log can be emptied, and later reads see later changes.
  func endReading() {
    // A transaction that has only read has nothing that could fail.
    if isInTransaction { try? statement("COMMIT").run() }
  }

  // MARK: - Writing

  /// Whether a transaction is open.
  private var isInTransaction: Bool { unsafe sqlite3_get_autocommit(database) == 0 }

  /// Runs `body` in a write transaction that is durable when this returns; on any error nothing has changed.
  func transaction<R>(_ body: () throws(StoreError) -> R) throws(StoreError) -> R {
    try statement("BEGIN IMMEDIATE").run()
    do {
      let result = try body()
      try statement("COMMIT").run()
      return result
    } catch {
      // Some failures have rolled back already (sqlite.org/lang_transaction.html). A rollback does not fail: it drops pages.
      if isInTransaction { try? statement("ROLLBACK").run() }
      throw error
    }
  }
}
