internal import CSQLite
internal import Glibc
internal import PasscodeCore
internal import SecretMemory

extension StoreError {
  /// Names a failed SQLite call as the store's error.
  ///
  /// - Parameters:
  ///   - code: an extended result code.
  ///   - systemErrno: what the file system said, where it was asked.
  ///
  /// Source: sqlite.org/rescode.html.
  init(sqlite code: Int32, systemErrno: Int32) {
    switch code & 0xFF {
    case SQLITE_FULL: self = .storage(.full)
    // What the file holds is not what was ever written to it.
    case SQLITE_CORRUPT, SQLITE_CONSTRAINT, SQLITE_TOOBIG: self = .corrupt(.file)
    case SQLITE_NOTADB: self = .notAStore
    case SQLITE_BUSY, SQLITE_LOCKED: self = .busy
    case SQLITE_NOMEM: self = .secretMemory(.allocationFailed)
    case SQLITE_READONLY: self = .storage(.readOnly)
    case SQLITE_PERM, SQLITE_AUTH: self = .storage(.denied)
    case SQLITE_IOERR, SQLITE_CANTOPEN:
      switch systemErrno {
      case ENOSPC, EDQUOT: self = .storage(.full)
      case EROFS: self = .storage(.readOnly)
      case EACCES, EPERM: self = .storage(.denied)
      default: self = .storage(.inputOutput(code: code))
      }
    default: self = .storage(.inputOutput(code: code))
    }
  }
}
