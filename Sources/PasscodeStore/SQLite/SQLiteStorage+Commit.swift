internal import PasscodeCore

extension SQLiteStorage {
  func commit(_ changes: [StorageChange], state: ([Bool]) -> [UInt8]) throws(StoreError) -> [Bool] {
    try write(erases: changes.contains(where: \.erases)) { (connection) throws(StoreError) in
      try connection.transaction { () throws(StoreError) in
        var taken: [Bool] = []
        for change in changes { taken.append(try Self.apply(change, on: connection)) }
        if taken.contains(true) {
          try connection.statement("INSERT OR REPLACE INTO state(id, sealed) VALUES (1, ?1)").run([.blob(state(taken))])
        }
        return taken
      }
    }
  }

  /// Applies one change within the transaction.
  ///
  /// - Returns: false where a step did not find what it expects; the change is undone then.
  private static func apply(_ change: StorageChange, on connection: Connection) throws(StoreError) -> Bool {
    try connection.statement("SAVEPOINT change").run()
    for step in change.steps where try !apply(step, on: connection) {
      try connection.statement("ROLLBACK TO change").run()
      try connection.statement("RELEASE change").run()
      return false
    }
    try connection.statement("RELEASE change").run()
    return true
  }

  private static func apply(_ step: StorageChange.Step, on connection: Connection) throws(StoreError) -> Bool {
    switch step {
    case .expectAbsent(let tag):
      var isThere = false
      try connection.statement("SELECT 1 FROM record WHERE tag = ?1").rows([.blob(tag.bytes)]) { _ throws(StoreError) in
        isThere = true
      }
      return !isThere
    case .insert(let head, let metadata, let secret):
      try connection.statement("INSERT INTO record VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)")
        .run(values(of: head) + [.blob(metadata), .blob(secret)])
      try addLookups(head, on: connection)
      return true
    case .rewrite(let old, let new, let metadata):
      return try rewrite(old, as: new, metadata, on: connection)
    case .keep(let head):
      try connection.statement(
        """
        INSERT INTO version SELECT tag, secret_revision, id, metadata_revision, metadata_tag, secret_tag, metadata, secret \
        FROM record WHERE tag = ?1 AND id = ?2 AND metadata_revision = ?3 AND secret_revision = ?4
        """
      ).run(key(of: head))
      return connection.changes == 1
    case .remove(let head):
      try removeLookups(head, on: connection)
      try connection.statement(
        "DELETE FROM record WHERE tag = ?1 AND id = ?2 AND metadata_revision = ?3 AND secret_revision = ?4"
      ).run(key(of: head))
      return connection.changes == 1
    case .moveVersion(let head, let tag):
      try connection.statement("UPDATE version SET name = ?4 WHERE name = ?1 AND secret_revision = ?2 AND id = ?3")
        .run(key(of: head) + [.blob(tag.bytes)])
      return connection.changes == 1
    case .removeVersion(let head):
      try connection.statement("DELETE FROM version WHERE name = ?1 AND secret_revision = ?2 AND id = ?3").run(key(of: head))
      return connection.changes == 1
    }
  }

  private static func rewrite(
    _ old: RecordHead, as new: RecordHead, _ metadata: [UInt8], on connection: Connection
  ) throws(StoreError) -> Bool {
    try removeLookups(old, on: connection)
    try connection.statement(
      """
      UPDATE record SET tag = ?5, metadata_revision = ?6, folders = ?7, attributes = ?8, metadata_tag = ?9, metadata = ?10 \
      WHERE tag = ?1 AND id = ?2 AND metadata_revision = ?3 AND secret_revision = ?4
      """
    ).run(
      key(of: old) + [
        .blob(new.tag.bytes), .integer(new.metadata.revision), .blob(join(new.folders)), .blob(join(new.attributes)),
        .blob(new.metadata.tag), .blob(metadata),
      ])
    let isTaken = connection.changes == 1
    try addLookups(new, on: connection)
    return isTaken
  }

  private static func addLookups(_ head: RecordHead, on connection: Connection) throws(StoreError) {
    for tag in head.folders {
      try connection.statement("INSERT INTO folder(tag, name) VALUES (?1, ?2)").run([.blob(tag.bytes), .blob(head.tag.bytes)])
    }
    for tag in head.attributes {
      try connection.statement("INSERT INTO attribute(tag, name) VALUES (?1, ?2)").run([
        .blob(tag.bytes), .blob(head.tag.bytes),
      ])
    }
  }

  private static func removeLookups(_ head: RecordHead, on connection: Connection) throws(StoreError) {
    for tag in head.folders {
      try connection.statement("DELETE FROM folder WHERE tag = ?1 AND name = ?2").run([.blob(tag.bytes), .blob(head.tag.bytes)])
    }
    for tag in head.attributes {
      try connection.statement("DELETE FROM attribute WHERE tag = ?1 AND name = ?2")
        .run([.blob(tag.bytes), .blob(head.tag.bytes)])
    }
  }

  private static func key(of head: RecordHead) -> [Statement.Value] {
    [
      .blob(head.tag.bytes), .blob(head.id.bytes), .integer(head.metadata.revision), .integer(head.secret.revision),
    ]
  }

  private static func key(of head: VersionHead) -> [Statement.Value] {
    [.blob(head.tag.bytes), .integer(head.secret.revision), .blob(head.id.bytes)]
  }

  private static func values(of head: RecordHead) -> [Statement.Value] {
    key(of: head) + [
      .blob(join(head.folders)), .blob(join(head.attributes)), .blob(head.metadata.tag), .blob(head.secret.tag),
    ]
  }

  private static func join(_ tags: [LookupTag]) -> [UInt8] { tags.flatMap(\.bytes) }
}
