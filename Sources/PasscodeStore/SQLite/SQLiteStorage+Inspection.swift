internal import PasscodeCore

/// Reads for a look at each row of a file that may be damaged: what can be read is, whatever lies beside it.
extension SQLiteStorage {
  func eachPlace(
    in table: RowTable, from start: RowPlace?, backwards: Bool, _ body: (RowPlace) -> Bool
  ) throws(StoreError) {
    try read { (connection) throws(StoreError) in
      let (statement, values) = try Self.places(table, connection, start, backwards)
      defer { statement.reset() }
      try statement.bind(values)
      while try statement.step() {
        guard let tag = LookupTag(statement.blob(0)) else { continue }
        if !body(RowPlace(tag, table == .record ? 0 : statement.integer(1))) { return }
      }
    }
  }

  /// The only parameters of a whole walk are none: a start would be compared with the rows, and those may have lost their order.
  private static func places(
    _ table: RowTable, _ connection: Connection, _ start: RowPlace?, _ backwards: Bool
  ) throws(StoreError) -> (Statement, [Statement.Value]) {
    let tag = Statement.Value.blob(start?.tag.bytes ?? [])
    let revision = Statement.Value.integer(start?.revision ?? 0)
    switch (table, start == nil, backwards) {
    case (.record, true, false): return (try connection.statement("SELECT tag FROM record ORDER BY tag"), [])
    case (.record, true, true): return (try connection.statement("SELECT tag FROM record ORDER BY tag DESC"), [])
    case (.record, false, false):
      return (try connection.statement("SELECT tag FROM record WHERE tag >= ?1 ORDER BY tag"), [tag])
    case (.record, false, true):
      return (try connection.statement("SELECT tag FROM record WHERE tag <= ?1 ORDER BY tag DESC"), [tag])
    case (.version, true, false):
      return (try connection.statement("SELECT name, secret_revision FROM version ORDER BY name, secret_revision"), [])
    case (.version, true, true):
      let sql: StaticString = "SELECT name, secret_revision FROM version ORDER BY name DESC, secret_revision DESC"
      return (try connection.statement(sql), [])
    case (.version, false, false):
      let sql: StaticString = """
        SELECT name, secret_revision FROM version WHERE (name, secret_revision) >= (?1, ?2) ORDER BY name, secret_revision
        """
      return (try connection.statement(sql), [tag, revision])
    case (.version, false, true):
      let sql: StaticString = """
        SELECT name, secret_revision FROM version WHERE (name, secret_revision) <= (?1, ?2) \
        ORDER BY name DESC, secret_revision DESC
        """
      return (try connection.statement(sql), [tag, revision])
    }
  }

  func withRow(
    at place: RowPlace, in table: RowTable, _ reading: RowReading, _ body: (RecordView) throws(StoreError) -> Void
  ) throws(StoreError) -> Bool {
    try read { (connection) throws(StoreError) in
      let values = [Statement.Value.blob(place.tag.bytes)] + (table == .record ? [] : [.integer(place.revision)])
      var isFound = false
      var failure: StoreError?
      // From behind, too: what can't be read may lie before it.
      for sql in Self.rowStatements(table, reading) where !isFound {
        do throws(StoreError) {
          try connection.statement(sql).rows(values) { row throws(StoreError) in
            // Among rows in disorder SQLite gives out another one: it takes for equal what it finds between smaller and larger.
            guard LookupTag(row.blob(0)) == place.tag, table == .record || row.integer(3) == place.revision else { return }
            isFound = true
            try Self.lend(row, table == .record ? .record : .version, as: place.tag, body)
          }
        } catch {
          guard !isFound, error.isOfDamage else { throw error }
          failure = error
        }
      }
      if !isFound, let failure { throw failure }
      return isFound
    }
  }

  /// `cast` keeps SQLite from seeking: it reads all rows, in whatever order they lie, and of whatever type a tag has become.
  private static func rowStatements(_ table: RowTable, _ reading: RowReading) -> [StaticString] {
    switch (table, reading.leavesSecretOut, reading.scans) {
    case (.record, false, false): [recordSeek]
    case (.record, false, true): [recordScan, recordScanBack]
    case (.record, true, false): [recordSeekBare]
    case (.record, true, true): [recordScanBare, recordScanBareBack]
    case (.version, false, false): [versionSeek]
    case (.version, false, true): [versionScan, versionScanBack]
    case (.version, true, false): [versionSeekBare]
    case (.version, true, true): [versionScanBare, versionScanBareBack]
    }
  }

  func hasLookup(_ tag: LookupTag, _ kind: LookupKind, of name: LookupTag) throws(StoreError) -> Bool {
    try read { (connection) throws(StoreError) in
      var isThere = false
      let statement =
        switch kind {
        case .folder: try connection.statement("SELECT tag, name FROM folder WHERE tag = ?1 AND name = ?2")
        case .attribute: try connection.statement("SELECT tag, name FROM attribute WHERE tag = ?1 AND name = ?2")
        }
      try statement.rows([.blob(tag.bytes), .blob(name.bytes)]) { row in
        isThere = isThere || LookupTag(row.blob(0)) == tag && LookupTag(row.blob(1)) == name
      }
      return isThere
    }
  }
}

/// How one row is asked for: by its place, from the first row on, from the last one down; bare without its secret.
extension SQLiteStorage {
  private static let recordSeek: StaticString = """
    SELECT tag, id, metadata_revision, secret_revision, metadata_tag, secret_tag, metadata, secret, folders, attributes \
    FROM record WHERE tag = ?1 LIMIT 1
    """
  private static let recordScan: StaticString = """
    SELECT tag, id, metadata_revision, secret_revision, metadata_tag, secret_tag, metadata, secret, folders, attributes \
    FROM record WHERE cast(tag AS BLOB) = ?1 ORDER BY tag LIMIT 1
    """
  private static let recordScanBack: StaticString = """
    SELECT tag, id, metadata_revision, secret_revision, metadata_tag, secret_tag, metadata, secret, folders, attributes \
    FROM record WHERE cast(tag AS BLOB) = ?1 ORDER BY tag DESC LIMIT 1
    """
  private static let recordSeekBare: StaticString = """
    SELECT tag, id, metadata_revision, secret_revision, metadata_tag, secret_tag, metadata, NULL, folders, attributes \
    FROM record WHERE tag = ?1 LIMIT 1
    """
  private static let recordScanBare: StaticString = """
    SELECT tag, id, metadata_revision, secret_revision, metadata_tag, secret_tag, metadata, NULL, folders, attributes \
    FROM record WHERE cast(tag AS BLOB) = ?1 ORDER BY tag LIMIT 1
    """
  private static let recordScanBareBack: StaticString = """
    SELECT tag, id, metadata_revision, secret_revision, metadata_tag, secret_tag, metadata, NULL, folders, attributes \
    FROM record WHERE cast(tag AS BLOB) = ?1 ORDER BY tag DESC LIMIT 1
    """
  private static let versionSeek: StaticString = """
    SELECT name, id, metadata_revision, secret_revision, metadata_tag, secret_tag, metadata, secret \
    FROM version WHERE name = ?1 AND secret_revision = ?2 LIMIT 1
    """
  private static let versionScan: StaticString = """
    SELECT name, id, metadata_revision, secret_revision, metadata_tag, secret_tag, metadata, secret \
    FROM version WHERE cast(name AS BLOB) = ?1 AND +secret_revision = ?2 ORDER BY name, secret_revision LIMIT 1
    """
  private static let versionScanBack: StaticString = """
    SELECT name, id, metadata_revision, secret_revision, metadata_tag, secret_tag, metadata, secret \
    FROM version WHERE cast(name AS BLOB) = ?1 AND +secret_revision = ?2 ORDER BY name DESC, secret_revision DESC LIMIT 1
    """
  private static let versionSeekBare: StaticString = """
    SELECT name, id, metadata_revision, secret_revision, metadata_tag, secret_tag, metadata, NULL \
    FROM version WHERE name = ?1 AND secret_revision = ?2 LIMIT 1
    """
  private static let versionScanBare: StaticString = """
    SELECT name, id, metadata_revision, secret_revision, metadata_tag, secret_tag, metadata, NULL \
    FROM version WHERE cast(name AS BLOB) = ?1 AND +secret_revision = ?2 ORDER BY name, secret_revision LIMIT 1
    """
  private static let versionScanBareBack: StaticString = """
    SELECT name, id, metadata_revision, secret_revision, metadata_tag, secret_tag, metadata, NULL \
    FROM version WHERE cast(name AS BLOB) = ?1 AND +secret_revision = ?2 ORDER BY name DESC, secret_revision DESC LIMIT 1
    """
}
