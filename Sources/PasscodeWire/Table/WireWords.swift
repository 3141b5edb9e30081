/// The one state of the store.
public enum WireState: String, CaseIterable, Sendable {
  /// There is none.
  case absent
  /// It needs a way in.
  case locked
  /// The passcode was right but has to be changed.
  case mustChange
  /// Credentials can be read and written.
  case unlocked
}

/// What a flow is for.
public enum WireFlow: String, CaseIterable, Sendable {
  /// A new passcode, and with it the store.
  case create
  /// The current passcode, then a new one.
  case change
  /// A new passcode, by the recovery key.
  case recover
}

/// Where a flow stands.
public enum WireFlowStep: String, CaseIterable, Sendable {
  /// The current passcode is due.
  case current
  /// A new passcode is due.
  case enter
  /// The new passcode is due again.
  case confirm
  /// The answer about quick unlock is due.
  case quickUnlock
  /// Done; the flow is gone.
  case finished
  /// Ended with nothing kept; the flow is gone.
  case cancelled
}

/// Whose a policy file is.
public enum WirePolicyRole: String, CaseIterable, Sendable {
  /// A floor.
  case administrator
  /// Can only tighten.
  case user
}

/// What has become of a policy file.
public enum WirePolicyFileState: String, CaseIterable, Sendable {
  /// There is none.
  case absent
  /// It is in force.
  case inForce
  /// It is faulty: an earlier good version, or the default, is in force.
  case faulty
}

/// Why a passcode has to be changed.
public enum WireMustChangeReason: String, CaseIterable, Sendable {
  /// Its time is over.
  case expired
  /// It is below today's policy.
  case belowPolicy
}

/// Why a text can't be a passcode.
public enum WireTextFault: String, CaseIterable, Sendable {
  /// Nothing.
  case empty
  /// Not UTF-8.
  case notUTF8
  /// Has a U+0000.
  case containsNUL
  /// Has a code point without a meaning.
  case unassignedCodePoint
  /// More than 1,024 bytes.
  case tooLong
}

/// A part of the store.
public enum WireStorePart: String, CaseIterable, Sendable {
  /// The file as such.
  case file
  /// The tables.
  case schema
  /// What the store says about itself.
  case header
  /// A way in.
  case slot
  /// The count of wrong tries.
  case ledger
  /// What all records add up to.
  case state
  /// A credential.
  case record
  /// An earlier value.
  case version
  /// What credentials are found by, in a folder or by an attribute.
  case lookup
  /// The earlier passcodes.
  case history
  /// The record of consent.
  case consent
}

/// What is wrong with a value.
public enum WireHarm: String, CaseIterable, Sendable {
  /// Nothing of it can be opened.
  case unreadable
  /// Its secret can't be opened.
  case secretUnreadable
  /// Whole, but under another name than its own.
  case misplaced
  /// A copy of a credential under another name than its own.
  case stray
  /// Whole, but an earlier value that was put back.
  case replayed
  /// Whole, but not found by its folders or attributes.
  case unlisted
}

/// Why nobody could be asked.
public enum WirePromptObstacle: String, CaseIterable, Sendable {
  /// No display and no terminal.
  case nowhere
  /// No display, and a terminal that can't be used.
  case terminal
  /// A pinentry for terminals only, and just a display.
  case needsTerminal
  /// No pinentry.
  case noProgram
  /// A pinentry that could not be started, or could not ask.
  case failed
  /// A pinentry that ended, or said what none says, in the middle.
  case crashed
  /// The daemon ends.
  case stopping
}

/// How the disk or the file system failed.
public enum WireStorageKind: String, CaseIterable, Sendable {
  /// No space left.
  case full
  /// No permission.
  case denied
  /// Nothing can be written there.
  case readOnly
  /// Anything else.
  case failed
}

/// Why a text can't be a name.
public enum WireNameFault: String, CaseIterable, Sendable {
  /// Nothing.
  case empty
  /// More than 1,024 bytes.
  case tooLong
  /// Not UTF-8.
  case notUTF8
  /// Nothing between two slashes, or at an end.
  case emptyPart
  /// A part `.` or `..`.
  case dotPart
  /// A control character.
  case controlCharacter
}

/// Why an attribute or a type can't be taken.
public enum WireMetadataFault: String, CaseIterable, Sendable {
  /// Nothing to look for.
  case noPairs
  /// A key of nothing.
  case emptyKey
  /// A key of more than 255 bytes.
  case keyTooLong
  /// A value of more than 4,096 bytes.
  case valueTooLong
  /// More than 64.
  case tooManyAttributes
  /// A type of more than 255 bytes.
  case typeTooLong
  /// Not UTF-8.
  case notUTF8
  /// A control character.
  case controlCharacter
}
