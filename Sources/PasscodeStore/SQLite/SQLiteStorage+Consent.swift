internal import PasscodeCore
internal import SecretMemory

/// The log of consent.
extension SQLiteStorage {
  func consentRows() throws(StoreError) -> ConsentRows? {
    try read { (connection) throws(StoreError) in
      guard var rows = try Self.consentLog(connection) else {
        // Entries of no log: its row was taken away.
        guard try connection.integer("SELECT count(*) FROM (SELECT 1 FROM consent_entry LIMIT 1)") == 0 else {
          throw .corrupt(.consent)
        }
        return nil
      }
      let statement = try connection.statement("SELECT sequence, entry FROM consent_entry ORDER BY sequence LIMIT ?1")
      try statement.rows([.integer(Int64(ConsentRows.maximumCount + 1))]) { row throws(StoreError) in
        // A number that is missing is no entry: whoever reads the log finds that out.
        rows.entries.append(row.bytes(1))
      }
      var byteCount = 0
      try connection.statement("SELECT digest, bytes FROM consent_text").rows { row throws(StoreError) in
        guard let digest = Digest(row.blob(0)) else { throw .corrupt(.consent) }
        byteCount += row.blob(1).count
        guard byteCount <= ConsentRows.maximumTextByteCount else { throw .corrupt(.consent) }
        rows.texts[digest] = row.bytes(1)
      }
      guard rows.entries.count <= ConsentRows.maximumCount else { throw .corrupt(.consent) }
      return rows
    }
  }

  func consentEnd() throws(StoreError) -> ConsentLogEnd? {
    try read { (connection) throws(StoreError) in
      guard var end = try Self.consentLog(connection)?.end else { return nil }
      let statement = try connection.statement("SELECT sequence, entry FROM consent_entry ORDER BY sequence DESC LIMIT 1")
      try statement.rows { row throws(StoreError) in
        // A number that no log reaches was written by somebody else: nothing is counted on from it.
        guard row.integer(0) <= ConsentRows.maximumCount else { throw .corrupt(.consent) }
        (end.count, end.last) = (Int(row.integer(0)), row.bytes(1))
      }
      return end
    }
  }

  func consentEntries(after count: Int) throws(StoreError) -> [[UInt8]] {
    try read { (connection) throws(StoreError) in
      var entries: [[UInt8]] = []
      let statement = try connection.statement(
        "SELECT entry FROM consent_entry WHERE sequence > ?1 ORDER BY sequence LIMIT ?2")
      try statement.rows([.integer(Int64(count)), .integer(Int64(ConsentRows.maximumCount + 1))]) { row throws(StoreError) in
        entries.append(row.bytes(0))
      }
      return entries
    }
  }

  func eachConsentRow(_ body: (RawConsentRow) throws(StoreError) -> Void) throws(StoreError) {
    try read { (connection) throws(StoreError) in
      let logs = try connection.statement(
        "SELECT log, deposited, signed, digest, signature, public_key, sealed_seed FROM consent_log")
      try logs.rows { row throws(StoreError) in
        var head = RawConsentHead(
          log: row.bytes(0), counts: (row.integer(1), row.integer(2)), digest: row.bytes(3), signature: row.bytes(4))
        (head.publicKey, head.sealedSeed) = (row.bytes(5), row.bytes(6))
        try body(.log(head))
      }
      let entries = try connection.statement("SELECT sequence, entry FROM consent_entry ORDER BY sequence")
      try entries.rows { row throws(StoreError) in try body(.entry(row.integer(0), row.bytes(1))) }
      let texts = try connection.statement("SELECT digest, bytes FROM consent_text ORDER BY digest")
      try texts.rows { row throws(StoreError) in try body(.text(digest: row.bytes(0), row.bytes(1))) }
    }
  }

  static func removeConsent(on connection: Connection) throws(StoreError) {
    try connection.statement("DELETE FROM consent_entry").run()
    try connection.statement("DELETE FROM consent_text").run()
    try connection.statement("DELETE FROM consent_log").run()
  }

  private static func consentLog(_ connection: Connection) throws(StoreError) -> ConsentRows? {
    var rows: ConsentRows?
    let statement = try connection.statement(
      "SELECT log, deposited, signed, digest, signature, public_key, sealed_seed FROM consent_log")
    try statement.rows { row throws(StoreError) in
      guard let log = Digest(row.blob(0)) else { throw .corrupt(.consent) }
      var found = ConsentRows(log: log)
      found.depositedCount = Int(row.integer(1))
      if let digest = Digest(row.blob(3)) {
        found.signature = ConsentSignatureRow(
          count: Int(row.integer(2)), digest: digest, signature: row.bytes(4), publicKey: row.bytes(5),
          sealedSeed: row.bytes(6))
      }
      rows = found
    }
    return rows
  }

  static func write(
    _ addition: ConsentAddition, _ signature: ConsentSignatureRow?, on connection: Connection
  ) throws(StoreError) {
    try connection.statement(
      "INSERT OR IGNORE INTO consent_log VALUES (1, ?1, 0, 0, x'', x'', x'', x'')"
    ).run([.blob(addition.log.bytes)])
    for (index, entry) in addition.entries.enumerated() {
      try connection.statement("INSERT INTO consent_entry VALUES (?1, ?2)")
        .run([.integer(Int64(addition.firstSequence + index)), .blob(entry)])
    }
    for (digest, bytes) in addition.texts {
      try connection.statement("INSERT OR REPLACE INTO consent_text VALUES (?1, ?2)").run([.blob(digest.bytes), .blob(bytes)])
    }
    guard let signature else { return }
    let statement = try connection.statement(
      "UPDATE consent_log SET signed = ?1, digest = ?2, signature = ?3, public_key = ?4, sealed_seed = ?5")
    try statement.run([
      .integer(Int64(signature.count)), .blob(signature.digest.bytes), .blob(signature.signature),
      .blob(signature.publicKey), .blob(signature.sealedSeed),
    ])
  }
}
