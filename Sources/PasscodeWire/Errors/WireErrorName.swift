/// The name of every error, in the order of the interfaces that declare them.
public enum WireErrorName: Int, CaseIterable, Sendable {
  /// `org.varlink.service.InterfaceNotFound`
  case interfaceNotFound
  /// `org.varlink.service.MethodNotFound`
  case methodNotFound
  /// `org.varlink.service.MethodNotImplemented`
  case methodNotImplemented
  /// `org.varlink.service.InvalidParameter`
  case invalidParameter
  /// `org.varlink.service.PermissionDenied`
  case permissionDenied
  /// `org.varlink.service.ExpectedMore`
  case expectedMore
  /// `org.varlink.service.ExpectedUpgrade`
  case expectedUpgrade
  /// `org.passcoded.Passcode.NoStore`
  case noStore
  /// `org.passcoded.Passcode.StoreExists`
  case storeExists
  /// `org.passcoded.Passcode.Locked`
  case locked
  /// `org.passcoded.Passcode.LockedOut`
  case lockedOut
  /// `org.passcoded.Passcode.MustChange`
  case mustChange
  /// `org.passcoded.Passcode.ConsentRequired`
  case consentRequired
  /// `org.passcoded.Passcode.WrongPasscode`
  case wrongPasscode
  /// `org.passcoded.Passcode.PolicyUnmet`
  case policyUnmet
  /// `org.passcoded.Passcode.InvalidText`
  case invalidText
  /// `org.passcoded.Passcode.NoFlow`
  case noFlow
  /// `org.passcoded.Passcode.WrongStep`
  case wrongStep
  /// `org.passcoded.Passcode.PasscodeChanged`
  case passcodeChanged
  /// `org.passcoded.Passcode.PolicyFault`
  case policyFault
  /// `org.passcoded.Passcode.QuickUnlockUnavailable`
  case quickUnlockUnavailable
  /// `org.passcoded.Passcode.RecoveryKeyMistyped`
  case recoveryKeyMistyped
  /// `org.passcoded.Passcode.RecoveryKeyWrong`
  case recoveryKeyWrong
  /// `org.passcoded.Passcode.NoRecoveryKey`
  case noRecoveryKey
  /// `org.passcoded.Passcode.DeviceKeyMissing`
  case deviceKeyMissing
  /// `org.passcoded.Passcode.ConfirmationMismatch`
  case confirmationMismatch
  /// `org.passcoded.Passcode.ResetNotFound`
  case resetNotFound
  /// `org.passcoded.Passcode.Corrupt`
  case corrupt
  /// `org.passcoded.Passcode.Damaged`
  case damaged
  /// `org.passcoded.Passcode.NotAStore`
  case notAStore
  /// `org.passcoded.Passcode.UnsupportedFormat`
  case unsupportedFormat
  /// `org.passcoded.Passcode.InUse`
  case inUse
  /// `org.passcoded.Passcode.Replaced`
  case replaced
  /// `org.passcoded.Passcode.Wiped`
  case wiped
  /// `org.passcoded.Passcode.OlderThanLastSeen`
  case olderThanLastSeen
  /// `org.passcoded.Passcode.Busy`
  case busy
  /// `org.passcoded.Passcode.TooLarge`
  case tooLarge
  /// `org.passcoded.Passcode.OutOfMemory`
  case outOfMemory
  /// `org.passcoded.Passcode.Storage`
  case storage
  /// `org.passcoded.Passcode.NoPrompt`
  case noPrompt
  /// `org.passcoded.Passcode.Cancelled`
  case cancelled
  /// `org.passcoded.Passcode.PromptTimedOut`
  case promptTimedOut
  /// `org.passcoded.Passcode.Internal`
  case internalFault
  /// `org.passcoded.Credentials.NotFound`
  case notFound
  /// `org.passcoded.Credentials.VersionNotFound`
  case versionNotFound
  /// `org.passcoded.Credentials.Exists`
  case exists
  /// `org.passcoded.Credentials.InvalidName`
  case invalidName
  /// `org.passcoded.Credentials.InvalidMetadata`
  case invalidMetadata
  /// `org.passcoded.Consent.UnknownForm`
  case unknownForm
  /// `org.passcoded.Consent.FormChanged`
  case formChanged
  /// `org.passcoded.Consent.ImproperAnswer`
  case improperAnswer
  /// `org.passcoded.Consent.NothingRecorded`
  case nothingRecorded
  /// `org.passcoded.Consent.RecordFaulty`
  case recordFaulty
  /// `org.passcoded.Consent.RecordSound`
  case recordSound

  /// The error of this full name, such as `org.passcoded.Passcode.Locked`; nil where it is none of ours.
  public init?(_ fullName: String) {
    guard let name = Self.allCases.first(where: { $0.fullName == fullName }) else { return nil }
    self = name
  }

  /// Its parameters.
  public var spec: ErrorSpec { Self.table[rawValue].spec }

  /// Its name with its interface's.
  public var fullName: String { Self.table[rawValue].fullName }

  /// The exit code of a command that ends with it (sysexits.h, and 1 and 2 as the README says).
  public var exitCode: Int32 {
    switch self {
    case .notFound, .versionNotFound, .resetNotFound, .unknownForm, .nothingRecorded, .recordSound: 1
    case .cancelled: 2
    case .invalidParameter, .confirmationMismatch, .policyUnmet, .invalidText, .recoveryKeyMistyped, .tooLarge, .invalidName,
      .invalidMetadata, .formChanged, .improperAnswer:
      65
    case .internalFault: 70
    case .storeExists, .exists: 73
    case .storage: 74
    case .noStore, .locked, .lockedOut, .mustChange, .inUse, .busy, .outOfMemory, .noPrompt, .promptTimedOut, .passcodeChanged,
      .quickUnlockUnavailable, .noRecoveryKey:
      75
    case .interfaceNotFound, .methodNotFound, .methodNotImplemented, .expectedMore, .expectedUpgrade, .noFlow, .wrongStep: 76
    case .permissionDenied, .wrongPasscode, .recoveryKeyWrong, .consentRequired, .wiped: 77
    case .policyFault, .deviceKeyMissing, .corrupt, .damaged, .notAStore, .unsupportedFormat, .replaced,
      .olderThanLastSeen, .recordFaulty:
      78
    }
  }

  private static let table = InterfaceSpec.served.flatMap { interface in
    interface.errors.map { (spec: $0, fullName: "\(interface.name).\($0.name)") }
  }
}
