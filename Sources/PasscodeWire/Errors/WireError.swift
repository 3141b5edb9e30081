/// An error reply. Payloads are facts, never a secret, and never a text that was entered as one.
///
/// The IDL files say when each is sent; ``name`` has the exit code.
public enum WireError: Error, Equatable, Sendable {
  /// No such interface.
  case interfaceNotFound(String)
  /// No such method: its full name.
  case methodNotFound(String)
  /// Not served in this way: its full name.
  case methodNotImplemented(String)
  /// A parameter is unknown, missing or of the wrong type.
  case invalidParameter(String)
  /// Not permitted.
  case permissionDenied
  /// Call it with `more`.
  case expectedMore
  /// Call it with `upgrade`.
  case expectedUpgrade
  /// There is no store.
  case noStore
  /// There is a store already.
  case storeExists
  /// The store is locked.
  case locked
  /// Passcode tries are refused for a while.
  case lockedOut(retryAfterSeconds: Int)
  /// The passcode was right but has to be changed.
  case mustChange(WireMustChangeReason)
  /// Consent forms, by their ids, have to be answered first.
  case consentRequired(forms: [String])
  /// Not the passcode; nil tries is no limit, nil seconds no wait.
  case wrongPasscode(triesRemaining: Int?, retryAfterSeconds: Int?)
  /// The passcode does not meet the policy.
  case policyUnmet([WireRequirement])
  /// A text can't be a passcode.
  case invalidText(WireTextFault)
  /// No flow is running on this connection.
  case noFlow
  /// The flow is at another step.
  case wrongStep(WireFlowStep)
  /// The passcode was changed while a flow was under way, which has ended.
  case passcodeChanged
  /// A policy file is faulty.
  case policyFault(file: String, line: Int?, column: Int?, message: String)
  /// Quick unlock can't be used.
  case quickUnlockUnavailable(reason: String)
  /// What was typed is no recovery key.
  case recoveryKeyMistyped
  /// Not the recovery key of this store.
  case recoveryKeyWrong
  /// The store has no recovery key.
  case noRecoveryKey
  /// The key outside of the store is not there.
  case deviceKeyMissing(path: String)
  /// The id given to Reset is not the store's.
  case confirmationMismatch
  /// No store of this id has been set aside.
  case resetNotFound(id: String)
  /// The store is damaged.
  case corrupt(WireStorePart)
  /// The store can be read, but not written: what is not as it was sealed, each in words.
  case damaged([String])
  /// The file is something else.
  case notAStore
  /// The store is of a newer format.
  case unsupportedFormat(found: Int, supported: Int)
  /// Another process has the store open.
  case inUse
  /// Another file has taken the store's place.
  case replaced
  /// The store has erased itself.
  case wiped
  /// The store is older than the one last seen.
  case olderThanLastSeen
  /// Try again.
  case busy
  /// Over a limit, in bytes.
  case tooLarge(limit: Int)
  /// The memory for the derivation is not there.
  case outOfMemory(neededMiB: Int)
  /// The disk or the file system failed.
  case storage(WireStorageKind, message: String)
  /// Nobody can be asked for a passcode.
  ///
  /// The obstacle is nil where nobody was to be asked; the reason is for a person.
  case noPrompt(WirePromptObstacle? = nil, reason: String? = nil)
  /// The user cancelled.
  case cancelled
  /// Nobody answered a prompt in time.
  case promptTimedOut
  /// A fault of the daemon.
  case internalFault
  /// No credential of this name.
  case notFound(name: String)
  /// No such version of the credential.
  case versionNotFound(name: String, version: Int)
  /// The name is taken.
  case exists(name: String)
  /// Not a name.
  case invalidName(WireNameFault)
  /// Not an attribute or a type.
  case invalidMetadata(WireMetadataFault)
  /// No consent form of this id is in force.
  case unknownForm(String)
  /// An answer is to another version or text than the one in force.
  case formChanged(form: String, version: String)
  /// An answer is not what the form asks for.
  case improperAnswer(form: String, reason: String)
  /// There is nothing of the kind in the record of consent.
  case nothingRecorded(form: String)
  /// The record of consent was changed, or a part of it is missing.
  case recordFaulty(reason: String)
  /// Nothing is wrong with the record of consent.
  case recordSound

  /// Its name, with the exit code.
  public var name: WireErrorName {
    switch self {
    case .interfaceNotFound: .interfaceNotFound
    case .methodNotFound: .methodNotFound
    case .methodNotImplemented: .methodNotImplemented
    case .invalidParameter: .invalidParameter
    case .permissionDenied: .permissionDenied
    case .expectedMore: .expectedMore
    case .expectedUpgrade: .expectedUpgrade
    case .noStore: .noStore
    case .storeExists: .storeExists
    case .locked: .locked
    case .lockedOut: .lockedOut
    case .mustChange: .mustChange
    case .consentRequired: .consentRequired
    case .wrongPasscode: .wrongPasscode
    case .policyUnmet: .policyUnmet
    case .invalidText: .invalidText
    case .noFlow: .noFlow
    case .wrongStep: .wrongStep
    case .passcodeChanged: .passcodeChanged
    case .policyFault: .policyFault
    case .quickUnlockUnavailable: .quickUnlockUnavailable
    case .recoveryKeyMistyped: .recoveryKeyMistyped
    case .recoveryKeyWrong: .recoveryKeyWrong
    case .noRecoveryKey: .noRecoveryKey
    case .deviceKeyMissing: .deviceKeyMissing
    case .confirmationMismatch: .confirmationMismatch
    case .resetNotFound: .resetNotFound
    case .corrupt: .corrupt
    case .damaged: .damaged
    case .notAStore: .notAStore
    case .unsupportedFormat: .unsupportedFormat
    case .inUse: .inUse
    case .replaced: .replaced
    case .wiped: .wiped
    case .olderThanLastSeen: .olderThanLastSeen
    case .busy: .busy
    case .tooLarge: .tooLarge
    case .outOfMemory: .outOfMemory
    case .storage: .storage
    case .noPrompt: .noPrompt
    case .cancelled: .cancelled
    case .promptTimedOut: .promptTimedOut
    case .internalFault: .internalFault
    case .notFound: .notFound
    case .versionNotFound: .versionNotFound
    case .exists: .exists
    case .invalidName: .invalidName
    case .invalidMetadata: .invalidMetadata
    case .unknownForm: .unknownForm
    case .formChanged: .formChanged
    case .improperAnswer: .improperAnswer
    case .nothingRecorded: .nothingRecorded
    case .recordFaulty: .recordFaulty
    case .recordSound: .recordSound
    }
  }
}
