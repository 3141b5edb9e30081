internal import PasscodeWire
internal import StrictJSON

extension CommandError {
  /// What the daemon's answer means to a person: what happened; what to do next.
  init(_ error: WireError) {
    self.init(
      exitCode: error.name.exitCode, name: error.name.fullName, message: Self.message(error), details: Self.details(error),
      facts: Self.facts(error))
  }

  /// The policy's refusal, one requirement a line; what is damaged, likewise.
  private static func details(_ error: WireError) -> [String] {
    switch error {
    case .policyUnmet(let requirements): requirements.map { "  - \($0.text)" }
    case .damaged(let damage): damage.map { "  - \($0.shownSafely)" }
    default: []
    }
  }

  private static func message(_ error: WireError) -> String {
    switch error {
    case .interfaceNotFound, .methodNotFound, .methodNotImplemented, .expectedMore, .expectedUpgrade, .invalidParameter:
      "the daemon does not know this call, so it is of another release; run: passcode daemon restart"
    case .noFlow, .wrongStep: "the daemon is at another step than this command; try again"
    case .passcodeChanged: "the passcode was changed meanwhile; start again"
    case .permissionDenied: "the daemon refuses this call to this user"
    case .internalFault: "the daemon met a fault of its own; passcode daemon log tells more"
    case .busy: "too much is going on; try again in a moment"
    case .noPrompt(_, let reason): reason.map { "nobody could be asked: \($0)" } ?? Self.nobodyToAsk.message
    case .promptTimedOut: "nobody answered the prompt in time; try again"
    case .cancelled: "cancelled; nothing was changed"
    case .noStore, .storeExists, .locked, .lockedOut, .mustChange, .consentRequired, .wrongPasscode, .policyUnmet,
      .invalidText, .policyFault, .quickUnlockUnavailable, .recoveryKeyMistyped, .recoveryKeyWrong, .noRecoveryKey,
      .deviceKeyMissing, .outOfMemory:
      passcodeMessage(error)
    case .confirmationMismatch, .resetNotFound, .corrupt, .damaged, .notAStore, .unsupportedFormat, .inUse, .replaced, .wiped,
      .olderThanLastSeen, .storage:
      storeMessage(error)
    case .notFound, .versionNotFound, .exists, .invalidName, .invalidMetadata, .tooLarge: credentialMessage(error)
    case .unknownForm, .formChanged, .improperAnswer, .nothingRecorded, .recordFaulty, .recordSound: consentMessage(error)
    }
  }

  private static func passcodeMessage(_ error: WireError) -> String {
    switch error {
    case .noStore: "there is no store yet; run: passcode create"
    case .storeExists: "there is a store already; passcode status shows it, passcode change sets a new passcode"
    case .locked: "the store is locked; run: passcode unlock"
    case .lockedOut(let seconds): "too many wrong passcodes; try again in \(Words.wait(seconds: seconds))"
    case .mustChange(.expired): "the passcode has expired; run: passcode change"
    case .mustChange(.belowPolicy): "the passcode is below today's policy; run: passcode change"
    case .consentRequired(let forms): "consent is missing (\(forms.joined(separator: ", "))); run: passcode consent review"
    case .wrongPasscode(let tries, let seconds): wrongPasscode(tries, seconds)
    case .policyUnmet: "the passcode does not meet the policy:"
    case .invalidText(let fault): "\(words(fault)); choose another passcode"
    case .policyFault(let file, let line, let column, let message):
      "\(file)\(line.map { ":\($0)" } ?? "")\(column.map { ":\($0)" } ?? ""): \(message); mend the file and try again"
    case .quickUnlockUnavailable(let reason): "quick unlock is not available (\(reason)); use your passcode"
    case .recoveryKeyMistyped:
      "this is no recovery key: a character is wrong, missing or too much; read it again from the paper"
    case .recoveryKeyWrong: "this is not the recovery key of this store, or an earlier one; look for the latest"
    case .noRecoveryKey: "the store has no recovery key; passcode reset is the way out of a forgotten passcode"
    case .deviceKeyMissing(let path): "the device key \(path) is missing, and the passcode alone opens nothing; put it back"
    case .outOfMemory(let needed):
      "deriving the key takes \(needed) MiB of memory, which is not there; close something and try again"
    default: "\(error.name.fullName)"
    }
  }

  private static func storeMessage(_ error: WireError) -> String {
    switch error {
    case .confirmationMismatch: "that is not this store's id; passcode status shows it"
    case .resetNotFound(let id): "no store '\(id.shownSafely)' has been set aside; passcode reset --list shows them"
    case .corrupt(let part): "the store is damaged (\(part.rawValue)) and was left as it is; bring back a backup of its file"
    case .damaged:
      "the store is damaged; what is intact can be read, nothing was written; passcode doctor --store tells what is hurt:"
    case .notAStore:
      "the file in the store's place is something else and was left as it is; move it away, or name another with --store"
    case .unsupportedFormat(let found, let supported):
      "the store is of format \(found), this release knows up to \(supported); install a newer passcoded"
    case .inUse: "another process has the store open; stop it, or name its socket with --socket"
    case .replaced: "another file has taken the store's place; it was left as it is; run: passcode daemon restart"
    case .wiped: "the store has erased itself after too many wrong passcodes; run: passcode create"
    case .olderThanLastSeen:
      "the store is older than the one last seen here: a backup or another machine's copy took its place; put the newer file "
        + "back, or, to go on from this one, say --accept-older to passcode unlock, or to passcode recover"
    case .storage(.full, let message): "the disk is full, nothing was changed (\(message)); make room and try again"
    case .storage(_, let message): "the disk or file system failed, nothing was changed: \(message)"
    default: "\(error.name.fullName)"
    }
  }

  private static func credentialMessage(_ error: WireError) -> String {
    switch error {
    case .notFound(let name): "there is no credential '\(name.shownSafely)'; passcode list shows what there is"
    case .versionNotFound(let name, let version):
      "'\(name.shownSafely)' has no version \(version); passcode history shows its versions"
    case .exists(let name): "'\(name.shownSafely)' exists already"
    case .invalidName(let fault): "\(words(fault)); a name is a path such as work/aws/prod"
    case .invalidMetadata(let fault): "\(words(fault))"
    case .tooLarge(let limit): "the secret is larger than \(limit) bytes; nothing was stored"
    default: "\(error.name.fullName)"
    }
  }

  private static func consentMessage(_ error: WireError) -> String {
    switch error {
    case .unknownForm(let form): "there is no consent form '\(form.shownSafely)'; passcode consent list shows what there is"
    case .formChanged(let form, let version):
      "this is not the text of '\(form.shownSafely)' in force, which is version \(version.shownSafely); read it again: passcode consent show \(form.shownSafely)"
    case .improperAnswer(_, let reason): "\(reason.shownSafely); nothing was recorded"
    case .nothingRecorded(let form):
      "no such answer to '\(form.shownSafely)' is recorded; passcode consent history shows what is"
    case .recordFaulty(let reason): "the record of consent was tampered with (\(reason.shownSafely)), so nothing in it counts"
    case .recordSound: "nothing is wrong with the record of consent, so it stays; passcode consent verify checks it"
    default: "\(error.name.fullName)"
    }
  }

  private static func wrongPasscode(_ tries: Int?, _ seconds: Int?) -> String {
    let left = tries.map { "; \(Words.count($0, "try is left", "tries are left"))" } ?? ""
    return "wrong passcode\(left)" + (seconds.map { "; wait \(Words.wait(seconds: $0)) before the next" } ?? "")
  }

  static func words(_ fault: WireTextFault) -> String {
    switch fault {
    case .empty: "the passcode is empty"
    case .notUTF8: "the passcode is not valid UTF-8 text"
    case .containsNUL: "the passcode holds a NUL byte"
    case .unassignedCodePoint: "the passcode has a character of no meaning in the Unicode version in use"
    case .tooLong: "the passcode is longer than 1,024 bytes"
    }
  }

  private static func words(_ fault: WireNameFault) -> String {
    switch fault {
    case .empty: "the name is empty"
    case .tooLong: "the name is longer than 1,024 bytes"
    case .notUTF8: "the name is not valid UTF-8 text"
    case .emptyPart: "the name has an empty part"
    case .dotPart: "the name has a part '.' or '..'"
    case .controlCharacter: "the name has a control character"
    }
  }

  private static func words(_ fault: WireMetadataFault) -> String {
    switch fault {
    case .noPairs: "there is no attribute to look for; give at least one K=V"
    case .emptyKey: "an attribute has no name; write K=V"
    case .keyTooLong: "an attribute's name is longer than 255 bytes"
    case .valueTooLong: "an attribute's value is longer than 4,096 bytes"
    case .tooManyAttributes: "a credential has at most 64 attributes"
    case .typeTooLong: "the type is longer than 255 bytes"
    case .notUTF8: "an attribute or the type is not valid UTF-8 text"
    case .controlCharacter: "an attribute or the type has a control character"
    }
  }
}
