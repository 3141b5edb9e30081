internal import PasscodeCore

extension SQLiteStorage {
  func withRecord(
    _ tag: LookupTag, _ body: (RecordView) throws(StoreError) -> Void
  ) throws(StoreError) -> Bool {
    try orScanning(RowPlace(tag), .record, body) { () throws(StoreError) in try seekRecord(tag, body) }
  }

  /// A row that can't be read is in the way of those beside it: SQLite compares it while it looks for them. They are looked for
  /// among all then.
  private func orScanning(
    _ place: RowPlace, _ table: RowTable, _ body: (RecordView) throws(StoreError) -> Void,
    _ seek: () throws(StoreError) -> Bool
  ) throws(StoreError) -> Bool {
    do { return try seek() } catch {
      guard error == .corrupt(.file) else { throw error }
      return try withRow(at: place, in: table, RowReading(scans: true), body)
    }
  }

  private func seekRecord(
    _ tag: LookupTag, _ body: (RecordView) throws(StoreError) -> Void
  ) throws(StoreError) -> Bool {
    try read { (connection) throws(StoreError) in
      var isFound = false
      let statement = try connection.statement(
        """
        SELECT tag, id, metadata_revision, secret_revision, metadata_tag, secret_tag, metadata, secret, folders, attributes \
        FROM record WHERE tag = ?1
        """)
      try statement.rows(of: tag) { row throws(StoreError) in
        // Among rows in disorder SQLite gives out another one.
        guard row.tag(0) == tag else { throw .corrupt(.file) }
        isFound = true
        try Self.lend(row, .record, body)
      }
      return isFound
    }
  }

  func eachRecord(
    in selection: RecordSelection, after start: LookupTag?, limit: Int, _ body: (RecordView) throws(StoreError) -> Void
  ) throws(StoreError) -> LookupTag? {
    try read { (connection) throws(StoreError) in
      var last: LookupTag?
      var count = 0
      let from = Statement.Value.blob(start?.bytes ?? [])
      let (statement, values) = try Self.walk(selection, connection, from, limit)
      try statement.rows(values) { row throws(StoreError) in
        count += 1
        last = row.tag(0)
        try Self.lend(row, .record, body)
      }
      return count == limit ? last : nil
    }
  }

  func versions(of tag: LookupTag) throws(StoreError) -> [VersionHead] {
    try read { (connection) throws(StoreError) in
      var heads: [VersionHead] = []
      let statement = try connection.statement(
        """
        SELECT id, metadata_revision, secret_revision, metadata_tag, secret_tag FROM version WHERE name = ?1 \
        ORDER BY secret_revision
        """)
      try statement.rows([.blob(tag.bytes)]) { row throws(StoreError) in
        guard let id = RecordID(row.bytes(0)) else { throw .corrupt(.version) }
        heads.append(
          VersionHead(
            tag: tag, id: id, metadata: PartHead(revision: row.integer(1), tag: row.bytes(3)),
            secret: PartHead(revision: row.integer(2), tag: row.bytes(4))))
      }
      return heads
    }
  }

  func withVersion(
    _ revision: Int64, of tag: LookupTag, _ body: (RecordView) throws(StoreError) -> Void
  ) throws(StoreError) -> Bool {
    try orScanning(RowPlace(tag, revision), .version, body) { () throws(StoreError) in try seekVersion(revision, tag, body) }
  }

  private func seekVersion(
    _ revision: Int64, _ tag: LookupTag, _ body: (RecordView) throws(StoreError) -> Void
  ) throws(StoreError) -> Bool {
    try read { (connection) throws(StoreError) in
      var isFound = false
      let statement = try connection.statement(
        """
        SELECT name, id, metadata_revision, secret_revision, metadata_tag, secret_tag, metadata, secret FROM version \
        WHERE name = ?1 AND secret_revision = ?2
        """)
      try statement.rows([.blob(tag.bytes), .integer(revision)]) { row throws(StoreError) in
        guard row.tag(0) == tag, row.integer(3) == revision else { throw .corrupt(.file) }
        isFound = true
        try Self.lend(row, .version, body)
      }
      return isFound
    }
  }

  private static func walk(
    _ selection: RecordSelection, _ connection: Connection, _ from: Statement.Value, _ limit: Int
  ) throws(StoreError) -> (Statement, [Statement.Value]) {
    let limit = Statement.Value.integer(Int64(limit))
    switch selection {
    case .all:
      let statement = try connection.statement(
        """
        SELECT tag, id, metadata_revision, secret_revision, metadata_tag, secret_tag, metadata, NULL, folders, attributes \
        FROM record WHERE tag > ?1 ORDER BY tag LIMIT ?2
        """)
      return (statement, [from, limit])
    case .inFolder(let tag):
      let statement = try connection.statement(
        """
        SELECT r.tag, r.id, r.metadata_revision, r.secret_revision, r.metadata_tag, r.secret_tag, r.metadata, NULL, \
        r.folders, r.attributes FROM folder f CROSS JOIN record r ON r.tag = f.name \
        WHERE f.tag = ?3 AND f.name > ?1 ORDER BY f.name LIMIT ?2
        """)
      return (statement, [from, limit, .blob(tag.bytes)])
    case .withAttribute(let tag):
      let statement = try connection.statement(
        """
        SELECT r.tag, r.id, r.metadata_revision, r.secret_revision, r.metadata_tag, r.secret_tag, r.metadata, NULL, \
        r.folders, r.attributes FROM attribute a CROSS JOIN record r ON r.tag = a.name \
        WHERE a.tag = ?3 AND a.name > ?1 ORDER BY a.name LIMIT ?2
        """)
      return (statement, [from, limit, .blob(tag.bytes)])
    }
  }

  enum RowKind { case record, version }

  /// Lends the row's columns where they lie. A walk leaves the secret out: SQLite then never reads its pages.
  ///
  /// - Parameter known: the row's tag, where it is known; nil: it is read.
  static func lend(
    _ row: Statement, _ kind: RowKind, as known: LookupTag? = nil, _ body: (RecordView) throws(StoreError) -> Void
  ) throws(StoreError) {
    guard let tag = known ?? row.tag(0), let id = RecordID(row.bytes(1)) else {
      throw .corrupt(kind == .record ? .record : .version)
    }
    let identity = RecordView.Identity(tag: tag, id: id, metadataRevision: row.integer(2), secretRevision: row.integer(3))
    let isRecord = kind == .record
    try body(
      RecordView(
        identity, folders: isRecord ? row.blob(8) : Span(), attributes: isRecord ? row.blob(9) : Span(),
        metadataTag: row.blob(4), secretTag: row.blob(5), metadata: row.blob(6), secret: row.blob(7)))
  }
}
