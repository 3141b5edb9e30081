internal import PasscodeCore

/// The passcode side of the file: slots, ledger, state, history.
extension SQLiteStorage {
  func slotRows() throws(StoreError) -> [[UInt8]] {
    try read { (connection) throws(StoreError) in
      var rows: [[UInt8]] = []
      try connection.statement("SELECT body FROM slot ORDER BY id LIMIT 17").rows { row throws(StoreError) in
        rows.append(row.bytes(0))
      }
      return rows
    }
  }

  func ledgerRow() throws(StoreError) -> [UInt8] { try row("SELECT body FROM ledger") ?? [] }

  func stateRow() throws(StoreError) -> [UInt8] {
    guard let row = try row("SELECT sealed FROM state") else { throw .corrupt(.state) }
    return row
  }

  func historyRow() throws(StoreError) -> [UInt8]? { try row("SELECT sealed FROM passcode_history") }

  func apply(_ change: AccessChange) throws(StoreError) {
    // What is replaced must not be found in the log either: secure_delete wipes it from the pages.
    try write(erases: change.erases) { (connection) throws(StoreError) in
      try connection.transaction { () throws(StoreError) in try Self.write(change, on: connection) }
    }
  }

  /// Takes every way in away; what is left is noise.
  func destroySlots() throws(StoreError) {
    var change = AccessChange()
    change.removesSlots = true
    try apply(change)
  }

  func destroy() throws(StoreError) {
    try destroySlots()
    // Nothing opens the store from here on.
    do { try checkpoint() } catch { if error == .replaced { return } }
    try? file?.unlink()
  }

  func writeLedger(_ row: [UInt8]) throws(StoreError) {
    var change = AccessChange()
    change.ledger = row
    try write(usesReserve: true) { (connection) throws(StoreError) in try Self.write(change, on: connection) }
  }

  static func write(_ change: AccessChange, on connection: Connection) throws(StoreError) {
    if change.removesSlots { try connection.statement("DELETE FROM slot").run() }
    for id in change.removedSlots { try connection.statement("DELETE FROM slot WHERE id = ?1").run([.integer(Int64(id))]) }
    for (id, body) in change.slots {
      try connection.statement("INSERT OR REPLACE INTO slot(id, body) VALUES (?1, ?2)").run([.integer(Int64(id)), .blob(body)])
    }
    // None of these is an update: a row that somebody took away comes back, and a charge is never lost.
    if let row = change.ledger {
      try connection.statement("INSERT OR REPLACE INTO ledger(id, body) VALUES (1, ?1)").run([.blob(row)])
    }
    if let row = change.state {
      try connection.statement("INSERT OR REPLACE INTO state(id, sealed) VALUES (1, ?1)").run([.blob(row)])
    }
    if let row = change.history {
      try connection.statement("INSERT OR REPLACE INTO passcode_history(id, sealed) VALUES (1, ?1)").run([.blob(row)])
    }
    if change.removesConsent { try removeConsent(on: connection) }
    if let (addition, signature) = change.consent { try write(addition, signature, on: connection) }
    if let count = change.depositedCount {
      try connection.statement("UPDATE consent_log SET deposited = ?1").run([.integer(Int64(count))])
    }
  }

  private func row(_ sql: StaticString) throws(StoreError) -> [UInt8]? {
    try read { (connection) throws(StoreError) in
      var result: [UInt8]?
      try connection.statement(sql).rows { row throws(StoreError) in result = row.bytes(0) }
      return result
    }
  }
}
