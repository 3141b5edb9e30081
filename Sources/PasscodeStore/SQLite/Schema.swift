internal import PasscodeCore

/// The tables of the store file, and how an older file becomes one of today.
///
/// The layout of each column stands in `docs/store-format.md`. Migrations are only ever added; each runs in one transaction.
enum Schema {
  /// "psco" in ASCII, so that file(1) and a person with a hex dump can tell.
  static let applicationID: Int64 = 0x7073_636F
  /// The newest format.
  static let version = 2

  static let tables = [
    "CREATE TABLE attribute(tag BLOB NOT NULL, name BLOB NOT NULL, PRIMARY KEY (tag, name)) STRICT, WITHOUT ROWID",
    consentTables[0], consentTables[1], consentTables[2],
    "CREATE TABLE folder(tag BLOB NOT NULL, name BLOB NOT NULL, PRIMARY KEY (tag, name)) STRICT, WITHOUT ROWID",
    "CREATE TABLE ledger(id INTEGER PRIMARY KEY CHECK (id = 1), body BLOB NOT NULL) STRICT",
    "CREATE TABLE passcode_history(id INTEGER PRIMARY KEY CHECK (id = 1), sealed BLOB NOT NULL) STRICT",
    """
    CREATE TABLE record(tag BLOB NOT NULL PRIMARY KEY, id BLOB NOT NULL, metadata_revision INTEGER NOT NULL, \
    secret_revision INTEGER NOT NULL, folders BLOB NOT NULL, attributes BLOB NOT NULL, metadata_tag BLOB NOT NULL, \
    secret_tag BLOB NOT NULL, metadata BLOB NOT NULL, secret BLOB NOT NULL) STRICT, WITHOUT ROWID
    """,
    "CREATE TABLE slot(id INTEGER PRIMARY KEY, body BLOB NOT NULL) STRICT",
    "CREATE TABLE state(id INTEGER PRIMARY KEY CHECK (id = 1), sealed BLOB NOT NULL) STRICT",
    "CREATE TABLE store(id INTEGER PRIMARY KEY CHECK (id = 1), store BLOB NOT NULL, created INTEGER NOT NULL) STRICT",
    """
    CREATE TABLE version(name BLOB NOT NULL, secret_revision INTEGER NOT NULL, id BLOB NOT NULL, \
    metadata_revision INTEGER NOT NULL, metadata_tag BLOB NOT NULL, secret_tag BLOB NOT NULL, metadata BLOB NOT NULL, \
    secret BLOB NOT NULL, PRIMARY KEY (name, secret_revision)) STRICT, WITHOUT ROWID
    """,
  ]

  /// The log of consent: new in format 2.
  private static let consentTables = [
    "CREATE TABLE consent_entry(sequence INTEGER PRIMARY KEY, entry BLOB NOT NULL) STRICT",
    """
    CREATE TABLE consent_log(id INTEGER PRIMARY KEY CHECK (id = 1), log BLOB NOT NULL, deposited INTEGER NOT NULL, \
    signed INTEGER NOT NULL, digest BLOB NOT NULL, signature BLOB NOT NULL, public_key BLOB NOT NULL, sealed_seed BLOB NOT NULL) STRICT
    """,
    "CREATE TABLE consent_text(digest BLOB NOT NULL PRIMARY KEY, bytes BLOB NOT NULL) STRICT, WITHOUT ROWID",
  ]

  /// One step from a format to the next.
  struct Migration: Sendable {
    var from: Int
    var statements: [String]
  }

  /// The steps from every earlier format, in order. The first format has none before it.
  static let migrations = [Migration(from: 1, statements: consentTables)]

  /// Makes the tables in an empty database.
  static func create(on connection: Connection) throws(StoreError) {
    for table in tables { try connection.execute(table) }
    try connection.execute("PRAGMA application_id = \(applicationID)")
    try connection.execute("PRAGMA user_version = \(version)")
  }

  /// Brings an opened file to today's format, or says what it is instead.
  ///
  /// - Throws: `notAStore`; `formatTooNew`; `corrupt(.schema)` where a table, an index, a view or a trigger is there that is not ours.
  static func prepare(
    _ connection: Connection, to version: Int = version, by migrations: [Migration] = migrations, tables: [String] = tables
  ) throws(StoreError) {
    guard try connection.integer("PRAGMA application_id") == applicationID else { throw .notAStore }
    var found = Int(try connection.integer("PRAGMA user_version"))
    guard found <= version else { throw .formatTooNew(found: found, supported: version) }
    while found < version {
      guard let migration = migrations.first(where: { $0.from == found }) else { throw .corrupt(.schema) }
      try connection.transaction { () throws(StoreError) in
        for statement in migration.statements { try connection.execute(statement) }
        try connection.execute("PRAGMA user_version = \(found + 1)")
      }
      found += 1
    }
    var texts: [String] = []
    try connection.statement("SELECT sql FROM sqlite_schema ORDER BY name").rows { row throws(StoreError) in
      texts.append(row.text(0))
    }
    guard texts == tables else { throw .corrupt(.schema) }
  }
}
