internal import PasscodeCore
internal import PasscodeStore
internal import PasscodeWire
internal import SecretMemory

/// What the failed call was about; the store's errors do not repeat it.
struct CallSubject {
  /// The credential's name.
  var name = ""
  /// The name that was to be taken, where it is another one.
  var newName: String?
  /// The version that was asked for, where the credential is known.
  var version: Int64?
  /// Where the device key should be.
  var deviceKeyPath = ""
}

extension WireError {
  /// The one translation of the store's errors to the wire's. Total: a new error of the store has to find its place here.
  init(_ error: StoreError, about subject: CallSubject = CallSubject()) {
    self =
      switch error {
      case .noStore: .noStore
      case .storeExists: .storeExists
      case .locked: .locked
      case .mustChange(let reason): .mustChange(WireMustChangeReason(reason))
      case .lockedOut(let seconds): .lockedOut(retryAfterSeconds: seconds)
      case .busy: .busy
      case .passcodeChanged: .passcodeChanged
      case .notFound: subject.notFound
      case .exists: .exists(name: subject.newName ?? subject.name)
      case .invalidPasscode(let fault): .invalidText(WireTextFault(fault))
      case .invalidName(let fault): .invalidName(WireNameFault(fault))
      case .invalidMetadata(let fault): .invalidMetadata(WireMetadataFault(fault))
      case .tooLarge(let limit): .tooLarge(limit: limit)
      case .corrupt(let part): .corrupt(WireStorePart(part))
      case .damaged(let damage): .damaged(DamageWords.list(damage))
      case .olderThanLastSeen: .olderThanLastSeen
      case .notAStore: .notAStore
      case .formatTooNew(let found, let supported): .unsupportedFormat(found: found, supported: supported)
      case .inUse: .inUse
      case .replaced: .replaced
      case .storage(let fault): WireError(fault)
      case .unlockMethod(let fault): .quickUnlockUnavailable(reason: fault.reason)
      case .deviceKeyMissing: .deviceKeyMissing(path: subject.deviceKeyPath)
      case .outOfMemory(let neededKiB): .outOfMemory(neededMiB: (neededKiB + 1023) / 1024)
      case .secretMemory(let error): WireError(error)
      case .wiped: .wiped
      }
  }

  /// A wrong passcode, with what is left.
  static func wrongPasscode(_ facts: AttemptFacts) -> WireError {
    .wrongPasscode(
      triesRemaining: facts.triesRemaining, retryAfterSeconds: facts.retryAfterSeconds > 0 ? facts.retryAfterSeconds : nil)
  }

  /// An error of secret memory that a call met on its way.
  init(_ error: SecretMemoryError) {
    self =
      switch error {
      case .lockedMemoryExhausted, .allocationFailed: .busy
      case .tooLong(let limit): .tooLarge(limit: limit)
      case .derivationOutOfMemory: .outOfMemory(neededMiB: 0)
      case .invalidText(let fault): .invalidText(WireTextFault(fault))
      case .authenticationFailed, .invalidLength, .invalidEncoding: .internalFault
      }
  }

  /// A policy file that keeps a passcode from being set.
  init(_ fault: FaultyPolicyFile) {
    self = .policyFault(file: fault.path, line: fault.line, column: fault.column, message: fault.message)
  }

  /// A disk that says no.
  private init(_ fault: StorageFault) {
    self =
      switch fault {
      case .full: .storage(.full, message: "no space is left on the disk")
      case .denied: .storage(.denied, message: "no permission to read or write the store's file")
      case .readOnly: .storage(.readOnly, message: "the store's file can't be written")
      case .linked: .storage(.failed, message: StoreFaultWords.linked)
      case .missing: .storage(.failed, message: StoreFaultWords.missing)
      case .inputOutput(let code): .storage(.failed, message: "the disk or the file system failed (SQLite result \(code))")
      }
  }
}

extension CallSubject {
  fileprivate var notFound: WireError {
    version.map { .versionNotFound(name: name, version: Int($0)) } ?? .notFound(name: name)
  }
}
