internal import CSQLite
internal import PasscodeCore

/// A prepared statement of one connection. Used by one thread at a time, as its connection is.
@safe
final class Statement {
  // SAFETY: owned by this object from prepare to finalize.
  private let handle: OpaquePointer

  init(_ sql: String, on database: OpaquePointer) throws(StoreError) {
    var statement: OpaquePointer?
    let code = unsafe sqlite3_prepare_v3(database, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &statement, nil)
    guard code == SQLITE_OK, let statement = unsafe statement else {
      throw unsafe StoreError(sqlite: code, systemErrno: sqlite3_system_errno(database))
    }
    unsafe handle = unsafe statement
  }

  deinit { unsafe sqlite3_finalize(handle) }

  /// A bound value. Blobs are ciphertext, tags and public rows.
  enum Value {
    case integer(Int64)
    case blob([UInt8])
  }

  /// Binds `values` to the parameters, in order.
  func bind(_ values: [Value]) throws(StoreError) {
    for (index, value) in values.enumerated() {
      let at = Int32(index + 1)
      switch value {
      case .integer(let integer): try check(unsafe sqlite3_bind_int64(handle, at, integer))
      case .blob(let bytes):
        let code = unsafe bytes.withUnsafeBytes { unsafe csqlite_bind_blob(handle, at, $0.baseAddress, UInt64($0.count)) }
        try check(code)
      }
    }
  }

  /// Goes to the next row.
  ///
  /// - Returns: false at the end.
  func step() throws(StoreError) -> Bool {
    let code = unsafe sqlite3_step(handle)
    switch code {
    case SQLITE_ROW: return true
    case SQLITE_DONE: return false
    default: throw failure(code)
    }
  }

  /// Makes the statement ready for its next use.
  func reset() {
    unsafe sqlite3_reset(handle)
    unsafe sqlite3_clear_bindings(handle)
  }

  /// Runs to the end; rows are not looked at.
  func run(_ values: [Value] = []) throws(StoreError) {
    defer { reset() }
    try bind(values)
    while try step() {}
  }

  /// Runs `body` for each row.
  func rows(_ values: [Value] = [], _ body: (Statement) throws(StoreError) -> Void) throws(StoreError) {
    defer { reset() }
    try bind(values)
    while try step() { try body(self) }
  }

  /// Runs `body` for each row, with a tag as the only parameter, which is neither copied nor allocated.
  func rows(of tag: LookupTag, _ body: (Statement) throws(StoreError) -> Void) throws(StoreError) {
    try tag.withBytes { (bytes) throws(StoreError) in
      defer { reset() }
      // SAFETY: the tag's bytes outlive the binding, which `reset` ends.
      try check(unsafe bytes.withUnsafeBytes { unsafe csqlite_lend_blob(handle, 1, $0.baseAddress, UInt64($0.count)) })
      while try step() { try body(self) }
    }
  }

  /// An integer of the current row.
  func integer(_ column: Int32) -> Int64 { unsafe sqlite3_column_int64(handle, column) }

  /// A blob of the current row, where it lies. Valid until the next step, which the borrow of the statement can't see.
  @_lifetime(borrow self)
  func blob(_ column: Int32) -> Span<UInt8> {
    guard let start = unsafe sqlite3_column_blob(handle, column) else { return Span() }
    let count = Int(unsafe sqlite3_column_bytes(handle, column))
    // SAFETY: SQLite keeps the blob until the next step, reset or type conversion of this statement.
    let span = unsafe Span(_unsafeStart: start.assumingMemoryBound(to: UInt8.self), count: count)
    return unsafe _overrideLifetime(span, borrowing: self)
  }

  /// A tag of the current row; nil for what is none. A text of the same bytes is none: it would lie at another place in the order of rows.
  func tag(_ column: Int32) -> LookupTag? {
    unsafe sqlite3_column_type(handle, column) == SQLITE_BLOB ? LookupTag(blob(column)) : nil
  }

  /// A blob of the current row, copied.
  func bytes(_ column: Int32) -> [UInt8] {
    let span = blob(column)
    return span.indices.map { span[$0] }
  }

  /// A text of the current row.
  func text(_ column: Int32) -> String {
    guard let text = unsafe sqlite3_column_text(handle, column) else { return "" }
    return unsafe String(cString: text)
  }

  private func check(_ code: Int32) throws(StoreError) {
    if code != SQLITE_OK { throw failure(code) }
  }

  private func failure(_ code: Int32) -> StoreError {
    unsafe StoreError(sqlite: code, systemErrno: sqlite3_system_errno(sqlite3_db_handle(handle)))
  }
}
