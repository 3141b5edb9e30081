internal import PasscodeWire

extension CommandError {
  /// The parameters of the daemon's error, under their names on the wire.
  static func facts(_ error: WireError) -> [(key: String, value: Fact)] {
    switch error {
    case .interfaceNotFound(let name): [("interface", .text(name))]
    case .methodNotFound(let name), .methodNotImplemented(let name): [("method", .text(name))]
    case .invalidParameter(let name): [("parameter", .text(name))]
    case .lockedOut(let seconds): [("retryAfterSeconds", .number(seconds))]
    case .mustChange(let reason): [("reason", .text(reason.rawValue))]
    case .consentRequired(let forms): [("forms", .texts(forms))]
    case .wrongPasscode(let tries, let seconds): number("triesRemaining", tries) + number("retryAfterSeconds", seconds)
    case .policyUnmet(let requirements):
      [("requirements", .requirements(requirements.map { Requirement(id: $0.id, text: $0.text) }))]
    case .invalidText(let fault): [("reason", .text(fault.rawValue))]
    case .wrongStep(let step): [("step", .text(step.rawValue))]
    case .policyFault(let file, let line, let column, let message):
      [("file", .text(file))] + number("line", line) + number("column", column) + [("fault", .text(message))]
    case .quickUnlockUnavailable(let reason): [("reason", .text(reason))]
    case .deviceKeyMissing(let path): [("path", .text(path))]
    case .resetNotFound(let id): [("id", .text(id))]
    case .corrupt(let part): [("part", .text(part.rawValue))]
    case .damaged(let damage): [("damage", .texts(damage))]
    case .unsupportedFormat(let found, let supported): [("found", .number(found)), ("supported", .number(supported))]
    case .tooLarge(let limit): [("limit", .number(limit))]
    case .outOfMemory(let needed): [("neededMiB", .number(needed))]
    case .storage(let kind, _): [("kind", .text(kind.rawValue))]
    case .notFound(let name), .exists(let name): [("name", .text(name))]
    case .versionNotFound(let name, let version): [("name", .text(name)), ("version", .number(version))]
    case .invalidName(let fault): [("reason", .text(fault.rawValue))]
    case .invalidMetadata(let fault): [("reason", .text(fault.rawValue))]
    case .noPrompt(let obstacle, _): obstacle.map { [("obstacle", .text($0.rawValue))] } ?? []
    case .unknownForm(let form), .nothingRecorded(let form): [("form", .text(form))]
    case .formChanged(let form, let version): [("form", .text(form)), ("version", .text(version))]
    case .improperAnswer(let form, let reason): [("form", .text(form)), ("reason", .text(reason))]
    case .recordFaulty(let reason): [("reason", .text(reason))]
    case .permissionDenied, .expectedMore, .expectedUpgrade, .noStore, .storeExists, .locked, .noFlow, .recoveryKeyMistyped,
      .recoveryKeyWrong, .noRecoveryKey, .confirmationMismatch, .notAStore, .inUse, .replaced, .wiped, .olderThanLastSeen,
      .busy, .cancelled, .promptTimedOut, .internalFault, .passcodeChanged, .recordSound:
      []
    }
  }

  private static func number(_ key: String, _ value: Int?) -> [(key: String, value: Fact)] {
    value.map { [(key, .number($0))] } ?? []
  }
}
