import PasscodeCore
import SecretMemory
import TestSupport
import Testing

@testable import PasscodeStore

@Suite struct SchemaTests {
  private static let note = "CREATE TABLE note(id INTEGER PRIMARY KEY, body BLOB NOT NULL) STRICT"
  private static let tables = (Schema.tables + [note]).sorted { name(of: $0) < name(of: $1) }
  private static let toNext = Schema.Migration(
    from: Schema.version, statements: [note, "INSERT INTO note SELECT id, store FROM store"])

  private static func name(of table: String) -> Substring { table.split(separator: " ")[2].prefix { $0 != "(" } }

  private func prepare(
    _ fixture: StoreFixture, to version: Int, by migrations: [Schema.Migration], tables: [String]
  ) throws {
    let connection = try Connection(DatabaseLocation(name: fixture.path))
    try Schema.prepare(connection, to: version, by: migrations, tables: tables)
  }

  @Test("an older format becomes today's step by step, with everything that it held")
  func migration() throws {
    try withClosedStore { fixture in
      try prepare(fixture, to: Schema.version + 1, by: [Self.toNext], tables: Self.tables)
      #expect(try query(fixture.path, "PRAGMA user_version") == Array("\(Schema.version + 1)".utf8))
      #expect(try query(fixture.path, "SELECT body FROM note") == query(fixture.path, "SELECT store FROM store"))
      // Once more changes nothing; an older program says what is wrong.
      try prepare(fixture, to: Schema.version + 1, by: [Self.toNext], tables: Self.tables)
      #expect(throws: StoreError.formatTooNew(found: Schema.version + 1, supported: Schema.version)) { try fixture.open() }
      let back = Schema.Migration(from: Schema.version + 1, statements: ["DROP TABLE note"])
      try prepare(fixture, to: Schema.version + 2, by: [Self.toNext, back], tables: Schema.tables)
      #expect(try query(fixture.path, "PRAGMA user_version") == Array("\(Schema.version + 2)".utf8))
    }
  }

  @Test("a migration that fails changes nothing, and leaves the store to the program that wrote it")
  func failedMigration() throws {
    try withClosedStore(fill: { _ = try $0.put("a", "1") }) { fixture in
      let broken = Schema.Migration(
        from: Schema.version, statements: Self.toNext.statements + ["INSERT INTO nothing VALUES (1)"])
      #expect(throws: StoreError.self) { try prepare(fixture, to: Schema.version + 1, by: [broken], tables: Self.tables) }
      #expect(throws: StoreError.corrupt(.schema)) {
        try prepare(fixture, to: Schema.version + 2, by: [Self.toNext], tables: Self.tables)
      }
      try tamper(fixture.path, "DROP TABLE note; PRAGMA user_version = \(Schema.version)")
      #expect(try fixture.openUnlocked().value("a") == Array("1".utf8))
    }
  }

  @Test("each migration starts where the one before it ends, and the last one at today's format")
  func chain() {
    #expect(Schema.migrations.map(\.from) == Array(Schema.version - Schema.migrations.count..<Schema.version))
  }
}
