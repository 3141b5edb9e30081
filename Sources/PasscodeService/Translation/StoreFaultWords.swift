internal import PasscodeCore

/// Why a store can't be used, for a person who looks at the status.
enum StoreFaultWords {
  static let missing = """
    the file is gone from its place; put it back, or, to begin anew, run passcode daemon stop and move away what is left of it \
    (the same name and -wal)
    """
  static let linked = "the file has a second name (a hard link), and writing would change both; put a copy in its place"

  static func text(_ error: StoreError) -> String {
    switch error {
    case .corrupt(let part): "the file is damaged (\(part.rawValue)); put a backup in its place"
    case .notAStore: "the file is no store; move it away, or name another with --store"
    case .formatTooNew(let found, let supported): "the file is of format \(found), and this version knows \(supported) at most"
    case .inUse: "another process has the file open"
    case .replaced: "another file has taken its place"
    case .storage(.full): "no space is left on the disk"
    case .storage(.readOnly): "the file can't be written"
    case .storage(.denied): "no permission to read and write the file"
    case .storage(.missing): missing
    case .storage(.linked): linked
    case .storage(.inputOutput(let code)): "the disk or the file system failed (SQLite result \(code))"
    case .secretMemory: "no locked memory is left at the moment"
    case .wiped: "it has erased itself after too many wrong passcodes"
    case .noStore, .storeExists, .locked, .mustChange, .lockedOut, .busy, .notFound, .exists, .invalidPasscode, .invalidName,
      .invalidMetadata, .tooLarge, .passcodeChanged, .damaged, .olderThanLastSeen, .deviceKeyMissing, .outOfMemory,
      .unlockMethod:
      "it could not be opened"
    }
  }
}
