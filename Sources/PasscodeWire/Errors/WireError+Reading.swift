internal import StrictJSON

extension WireError {
  /// Reads the parameters of an error; nil where one is missing or not of its type.
  init?(_ name: WireErrorName, _ json: JSONNode?) {
    if let plain = Self.plain(name) {
      self = plain
    } else if let json {
      guard let error = Self.general(name, json) ?? Self.ofStore(name, json) ?? Self.ofConsent(name, json) else { return nil }
      self = error
    } else if name == .wrongPasscode {
      self = .wrongPasscode(triesRemaining: nil, retryAfterSeconds: nil)
    } else if name == .noPrompt {
      self = .noPrompt()
    } else {
      return nil
    }
  }

  /// Those without parameters.
  private static func plain(_ name: WireErrorName) -> WireError? {
    switch name {
    case .permissionDenied: .permissionDenied
    case .expectedMore: .expectedMore
    case .expectedUpgrade: .expectedUpgrade
    case .noStore: .noStore
    case .storeExists: .storeExists
    case .locked: .locked
    case .noFlow: .noFlow
    case .passcodeChanged: .passcodeChanged
    case .recoveryKeyMistyped: .recoveryKeyMistyped
    case .recoveryKeyWrong: .recoveryKeyWrong
    case .noRecoveryKey: .noRecoveryKey
    case .confirmationMismatch: .confirmationMismatch
    case .notAStore: .notAStore
    case .inUse: .inUse
    case .replaced: .replaced
    case .wiped: .wiped
    case .olderThanLastSeen: .olderThanLastSeen
    case .busy: .busy
    case .cancelled: .cancelled
    case .promptTimedOut: .promptTimedOut
    case .internalFault: .internalFault
    case .recordSound: .recordSound
    default: nil
    }
  }

  private static func general(_ name: WireErrorName, _ json: JSONNode) -> WireError? {
    switch name {
    case .interfaceNotFound: json.string(.interface).map { .interfaceNotFound($0) }
    case .methodNotFound: json.string(.method).map { .methodNotFound($0) }
    case .methodNotImplemented: json.string(.method).map { .methodNotImplemented($0) }
    case .invalidParameter: json.string(.parameter).map { .invalidParameter($0) }
    case .lockedOut: json.integer(.retryAfterSeconds).map { .lockedOut(retryAfterSeconds: $0) }
    case .mustChange: json.word(.reason).map { .mustChange($0) }
    case .consentRequired: json.strings(.forms).map { .consentRequired(forms: $0) }
    case .wrongPasscode:
      .wrongPasscode(triesRemaining: json.integer(.triesRemaining), retryAfterSeconds: json.integer(.retryAfterSeconds))
    case .policyUnmet: json.messages(.requirements).map { .policyUnmet($0) }
    case .invalidText: json.word(.reason).map { .invalidText($0) }
    case .wrongStep: json.word(.step).map { .wrongStep($0) }
    case .policyFault: policyFault(json)
    case .quickUnlockUnavailable: json.string(.reason).map { .quickUnlockUnavailable(reason: $0) }
    case .deviceKeyMissing: json.string(.path).map { .deviceKeyMissing(path: $0) }
    case .resetNotFound: json.string(.id).map { .resetNotFound(id: $0) }
    case .noPrompt: .noPrompt(json.word(.obstacle), reason: json.string(.reason))
    default: nil
    }
  }

  private static func policyFault(_ json: JSONNode) -> WireError? {
    guard let file = json.string(.file), let message = json.string(.message) else { return nil }
    return .policyFault(file: file, line: json.integer(.line), column: json.integer(.column), message: message)
  }

  private static func ofStore(_ name: WireErrorName, _ json: JSONNode) -> WireError? {
    switch name {
    case .corrupt: json.word(.part).map { .corrupt($0) }
    case .damaged: json.strings(.damage).map { .damaged($0) }
    case .unsupportedFormat: unsupportedFormat(json)
    case .tooLarge: json.integer(.limit).map { .tooLarge(limit: $0) }
    case .outOfMemory: json.integer(.neededMiB).map { .outOfMemory(neededMiB: $0) }
    case .storage: storage(json)
    case .notFound: json.string(.name).map { .notFound(name: $0) }
    case .versionNotFound: versionNotFound(json)
    case .exists: json.string(.name).map { .exists(name: $0) }
    case .invalidName: json.word(.reason).map { .invalidName($0) }
    case .invalidMetadata: json.word(.reason).map { .invalidMetadata($0) }
    default: nil
    }
  }

  private static func ofConsent(_ name: WireErrorName, _ json: JSONNode) -> WireError? {
    guard let form = json.string(.form) else {
      return name == .recordFaulty ? json.string(.reason).map { .recordFaulty(reason: $0) } : nil
    }
    return switch name {
    case .unknownForm: .unknownForm(form)
    case .nothingRecorded: .nothingRecorded(form: form)
    case .formChanged: json.string(.version).map { .formChanged(form: form, version: $0) }
    case .improperAnswer: json.string(.reason).map { .improperAnswer(form: form, reason: $0) }
    default: nil
    }
  }

  private static func unsupportedFormat(_ json: JSONNode) -> WireError? {
    guard let found = json.integer(.found), let supported = json.integer(.supported) else { return nil }
    return .unsupportedFormat(found: found, supported: supported)
  }

  private static func storage(_ json: JSONNode) -> WireError? {
    guard let kind = json.word(.kind, as: WireStorageKind.self), let message = json.string(.message) else { return nil }
    return .storage(kind, message: message)
  }

  private static func versionNotFound(_ json: JSONNode) -> WireError? {
    guard let name = json.string(.name), let version = json.integer(.version) else { return nil }
    return .versionNotFound(name: name, version: version)
  }
}
