extension WireError {
  /// Writes the parameters of the error. What has none writes nothing.
  func write(into reply: inout MessageWriter) {
    switch self {
    case .interfaceNotFound(let name): reply.string(.interface, name)
    case .methodNotFound(let name), .methodNotImplemented(let name): reply.string(.method, name)
    case .invalidParameter(let name): reply.string(.parameter, name)
    case .lockedOut(let seconds): reply.integer(.retryAfterSeconds, seconds)
    case .mustChange(let reason): reply.word(.reason, reason)
    case .consentRequired(let forms): reply.strings(.forms, forms)
    case .wrongPasscode(let tries, let seconds):
      reply.integer(.triesRemaining, tries)
      reply.integer(.retryAfterSeconds, seconds)
    case .policyUnmet(let requirements): reply.messages(.requirements, requirements)
    case .invalidText(let reason): reply.word(.reason, reason)
    case .wrongStep(let step): reply.word(.step, step)
    case .policyFault(let file, let line, let column, let message):
      reply.string(.file, file)
      reply.integer(.line, line)
      reply.integer(.column, column)
      reply.string(.message, message)
    case .quickUnlockUnavailable(let reason): reply.string(.reason, reason)
    case .deviceKeyMissing(let path): reply.string(.path, path)
    case .resetNotFound(let id): reply.string(.id, id)
    case .noPrompt(let obstacle, let reason):
      reply.word(.obstacle, obstacle)
      reply.string(.reason, reason)
    case .permissionDenied, .expectedMore, .expectedUpgrade, .noStore, .storeExists, .locked, .noFlow, .recoveryKeyMistyped,
      .recoveryKeyWrong, .noRecoveryKey, .confirmationMismatch, .notAStore, .inUse, .replaced, .wiped, .olderThanLastSeen,
      .busy, .cancelled, .promptTimedOut, .internalFault, .passcodeChanged, .recordSound:
      break
    case .corrupt, .damaged, .unsupportedFormat, .tooLarge, .outOfMemory, .storage, .notFound, .versionNotFound, .exists,
      .invalidName, .invalidMetadata:
      writeOfStore(into: &reply)
    case .unknownForm, .nothingRecorded, .formChanged, .improperAnswer, .recordFaulty: writeOfConsent(into: &reply)
    }
  }

  private func writeOfStore(into reply: inout MessageWriter) {
    switch self {
    case .corrupt(let part): reply.word(.part, part)
    case .damaged(let damage): reply.strings(.damage, damage)
    case .unsupportedFormat(let found, let supported):
      reply.integer(.found, found)
      reply.integer(.supported, supported)
    case .tooLarge(let limit): reply.integer(.limit, limit)
    case .outOfMemory(let neededMiB): reply.integer(.neededMiB, neededMiB)
    case .storage(let kind, let message):
      reply.word(.kind, kind)
      reply.string(.message, message)
    case .notFound(let name), .exists(let name): reply.string(.name, name)
    case .versionNotFound(let name, let version):
      reply.string(.name, name)
      reply.integer(.version, version)
    case .invalidName(let reason): reply.word(.reason, reason)
    case .invalidMetadata(let reason): reply.word(.reason, reason)
    default: preconditionFailure("no error of the store")
    }
  }

  private func writeOfConsent(into reply: inout MessageWriter) {
    switch self {
    case .unknownForm(let form), .nothingRecorded(let form): reply.string(.form, form)
    case .formChanged(let form, let version):
      reply.string(.form, form)
      reply.string(.version, version)
    case .improperAnswer(let form, let reason):
      reply.string(.form, form)
      reply.string(.reason, reason)
    case .recordFaulty(let reason): reply.string(.reason, reason)
    default: preconditionFailure("no error of consent")
    }
  }
}
