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
    at place: RowPlace, in table: RowTable, leavesSecretOut: Bool, _ body: (RecordView) throws(StoreError) -> Void
  ) throws(StoreError) -> Bool {
    try read { (connection) throws(StoreError) in
      var isFound = false
      for scansAll in [false, true] where !isFound {
        let statement = try Self.row(table, connection, leavesSecretOut, scansAll)
        let revision: [Statement.Value] = table == .record ? [] : [.integer(place.revision)]
        try statement.rows([.blob(place.tag.bytes)] + revision) { row throws(StoreError) in
          isFound = true
          try Self.lend(row, table == .record ? .record : .version, body)
        }
      }
      return isFound
    }
  }

  /// `+tag` keeps SQLite from seeking: it reads all rows, in whatever order they lie.
  private static func row(
    _ table: RowTable, _ connection: Connection, _ leavesSecretOut: Bool, _ scansAll: Bool
  ) throws(StoreError) -> Statement {
    switch (table, leavesSecretOut, scansAll) {
    case (.record, false, false):
      return try connection.statement(
        """
        SELECT tag, id, metadata_revision, secret_revision, metadata_tag, secret_tag, metadata, secret, folders, attributes \
        FROM record WHERE tag = ?1 LIMIT 1
        """)
    case (.record, false, true):
      return try connection.statement(
        """
        SELECT tag, id, metadata_revision, secret_revision, metadata_tag, secret_tag, metadata, secret, folders, attributes \
        FROM record WHERE +tag = ?1 LIMIT 1
        """)
    case (.record, true, false):
      return try connection.statement(
        """
        SELECT tag, id, metadata_revision, secret_revision, metadata_tag, secret_tag, metadata, NULL, folders, attributes \
        FROM record WHERE tag = ?1 LIMIT 1
        """)
    case (.record, true, true):
      return try connection.statement(
        """
        SELECT tag, id, metadata_revision, secret_revision, metadata_tag, secret_tag, metadata, NULL, folders, attributes \
        FROM record WHERE +tag = ?1 LIMIT 1
        """)
    case (.version, false, false):
      return try connection.statement(
        """
        SELECT name, id, metadata_revision, secret_revision, metadata_tag, secret_tag, metadata, secret FROM version \
        WHERE name = ?1 AND secret_revision = ?2 LIMIT 1
        """)
    case (.version, false, true):
      return try connection.statement(
        """
        SELECT name, id, metadata_revision, secret_revision, metadata_tag, secret_tag, metadata, secret FROM version \
        WHERE +name = ?1 AND +secret_revision = ?2 LIMIT 1
        """)
    case (.version, true, false):
      return try connection.statement(
        """
        SELECT name, id, metadata_revision, secret_revision, metadata_tag, secret_tag, metadata, NULL FROM version \
        WHERE name = ?1 AND secret_revision = ?2 LIMIT 1
        """)
    case (.version, true, true):
      return try connection.statement(
        """
        SELECT name, id, metadata_revision, secret_revision, metadata_tag, secret_tag, metadata, NULL FROM version \
        WHERE +name = ?1 AND +secret_revision = ?2 LIMIT 1
        """)
    }
  }

  func hasLookup(_ tag: LookupTag, _ kind: LookupKind, of name: LookupTag) throws(StoreError) -> Bool {
    try read { (connection) throws(StoreError) in
      var isThere = false
      let statement =
        switch kind {
        case .folder: try connection.statement("SELECT 1 FROM folder WHERE tag = ?1 AND name = ?2")
        case .attribute: try connection.statement("SELECT 1 FROM attribute WHERE tag = ?1 AND name = ?2")
        }
      try statement.rows([.blob(tag.bytes), .blob(name.bytes)]) { _ in isThere = true }
      return isThere
    }
  }
}
