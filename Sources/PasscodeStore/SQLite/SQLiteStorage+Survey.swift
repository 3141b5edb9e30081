internal import PasscodeCore

extension SQLiteStorage {
  func survey(_ survey: inout StoreSurvey) throws(StoreError) {
    try read { (connection) throws(StoreError) in
      // One view of all tables, whoever commits meanwhile.
      try connection.holdReading()
      defer { if file == nil { connection.endReading() } }
      try Self.eachHead(
        """
        SELECT tag, id, metadata_revision, secret_revision, metadata_tag, secret_tag, folders, attributes FROM record
        """, connection, .record
      ) { survey.take(record: $0) }
      try Self.eachHead(
        """
        SELECT name, id, metadata_revision, secret_revision, metadata_tag, secret_tag, NULL, NULL FROM version
        """, connection, .version
      ) { survey.take(version: $0) }
      try Self.eachLookup("SELECT tag, name FROM folder", connection) { survey.take(lookup: $0, .folder, of: $1) }
      try Self.eachLookup("SELECT tag, name FROM attribute", connection) { survey.take(lookup: $0, .attribute, of: $1) }
    }
  }

  private static func eachHead(
    _ sql: StaticString, _ connection: Connection, _ part: StorePart, _ body: (RecordView) -> Void
  ) throws(StoreError) {
    try connection.statement(sql).rows { row throws(StoreError) in
      guard let tag = row.tag(0), let id = RecordID(row.bytes(1)) else { throw .corrupt(part) }
      let identity = RecordView.Identity(tag: tag, id: id, metadataRevision: row.integer(2), secretRevision: row.integer(3))
      body(
        RecordView(
          identity, folders: row.blob(6), attributes: row.blob(7), metadataTag: row.blob(4), secretTag: row.blob(5),
          metadata: Span(), secret: Span()))
    }
  }

  private static func eachLookup(
    _ sql: StaticString, _ connection: Connection, _ body: (LookupTag, LookupTag) -> Void
  ) throws(StoreError) {
    try connection.statement(sql).rows { row throws(StoreError) in
      guard let tag = row.tag(0), let name = row.tag(1) else { throw .corrupt(.lookup) }
      body(tag, name)
    }
  }
}
