public import SecretMemory

/// A part of the store that can be hurt.
public enum StorePart: String, Sendable {
  case file, schema, header, slot, ledger, state, record, version, lookup, history, consent
}

/// What the disk or the file system said no to.
public enum StorageFault: Equatable, Sendable {
  /// No space or quota left.
  case full
  /// Read-only file system or file.
  case readOnly
  /// Not permitted.
  case denied
  /// The file of a store that was open, or whose log is there, is not in its place.
  case missing
  /// The file has a second name (a hard link): what is written would change both.
  case linked
  /// Anything else: the SQLite result code.
  case inputOutput(code: Int32)
}

/// What can go wrong with a store. A wrong passcode and an unmet policy are results, not errors.
public enum StoreError: Error, Equatable, Sendable {
  /// There is no store at this path.
  case noStore
  /// There is one already.
  case storeExists
  /// It is locked; nothing is said about what it holds.
  case locked
  /// The passcode was right but must be changed first.
  case mustChange(MustChangeReason)
  /// Passcode tries are refused for this long.
  case lockedOut(retryAfterSeconds: Int)
  /// Too many derivations are waiting.
  case busy
  /// The passcode was changed since it was proved: the proof counts no more.
  case passcodeChanged
  /// No credential, or no such version, of this name.
  case notFound
  /// A credential of this name is there already.
  case exists
  /// Not a text that a passcode can be made of; no try was charged.
  case invalidPasscode(PasscodeFault)
  /// Not a name.
  case invalidName(NameFault)
  /// Not an attribute or a type.
  case invalidMetadata(MetadataFault)
  /// A secret, or what is to be sent with it, is over the limit in bytes.
  case tooLarge(limit: Int)
  /// Damaged or tampered with: this part.
  case corrupt(StorePart)
  /// It can be read, each value that is intact, but rows are not as they were sealed: nothing is written.
  case damaged(StoreDamage)
  /// It is older than what was last seen in its place, or of another line: a copy was put there. It is opened with an explicit word.
  case olderThanLastSeen
  /// The file is something else.
  case notAStore
  /// Written by a newer version.
  case formatTooNew(found: Int, supported: Int)
  /// Another process has it open.
  case inUse
  /// Another file has taken its place since it was opened.
  case replaced
  /// The disk said no. The old content is there.
  case storage(StorageFault)
  /// A way in beside the passcode can't be used, and why. The passcode can.
  case unlockMethod(UnlockMethodFault)
  /// The slot wants the device key, and it is missing or another one.
  case deviceKeyMissing
  /// The machine can't give the memory that the derivation needs.
  case outOfMemory(neededKiB: Int)
  /// Locked memory is used up.
  case secretMemory(SecretMemoryError)
  /// The wipe that the policy asked for has happened.
  case wiped
}

/// Why a text can't be a passcode at all.
public enum PasscodeFault: Equatable, Sendable {
  /// More than this many bytes as given.
  case tooLong(limit: Int)
  /// Not UTF-8, NUL in it, or a code point that has no fixed normal form.
  case text(TextFault)
}

extension StoreError {
  /// A sealed part that could not be opened: damaged, unless only the memory for it was missing.
  public init(opening part: StorePart, _ error: SecretMemoryError) {
    switch error {
    case .authenticationFailed, .invalidLength, .tooLong: self = .corrupt(part)
    default: self = .secretMemory(error)
    }
  }
}
