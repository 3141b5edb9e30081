internal import ConsentCore
internal import PasscodeWire
internal import SecretMemory

extension WireConsentState {
  init(_ state: ConsentState) {
    self =
      switch state {
      case .neverAsked: .neverAsked
      case .requested: .requested
      case .deferred: .deferred
      case .refused: .refused
      case .given: .given
      case .renewed: .renewed
      case .superseded: .superseded
      case .expired: .expired
      case .withdrawn: .withdrawn
      }
  }
}

extension WireConsentEvent {
  init(_ event: ConsentEvent) {
    self =
      switch event {
      case .requested: .requested
      case .deferred: .deferred
      case .refused: .refused
      case .given: .given
      case .renewed: .renewed
      case .signed: .signed
      case .superseded: .superseded
      case .expired: .expired
      case .withdrawn: .withdrawn
      case .restarted: .restarted
      }
  }
}

extension WireConsentMeans {
  init(_ means: ConsentMeans) {
    self =
      switch means {
      case .terminal: .terminal
      case .pinentry: .pinentry
      case .command: .command
      case .client: .client
      case .app: .app
      }
  }
}

extension ConsentMeans {
  init(_ means: WireConsentMeans) {
    self =
      switch means {
      case .terminal: .terminal
      case .pinentry: .pinentry
      case .command: .command
      case .client: .client
      case .app: .app
      }
  }
}

extension WireRecording {
  init(_ recording: ConsentRecording) {
    self =
      switch recording {
      case .beforeStore: .beforeStore
      case .whileLocked: .whileLocked
      case .signed: .signed
      }
  }
}

extension WireConsentRecord {
  init(_ entry: ConsentEntry, isSigned: Bool) {
    let fact = entry.fact
    self.init(
      WireConsentEvent(fact.event),
      of: Subject(
        form: fact.form.description, version: fact.version.description, locale: fact.locale.description, sha256: fact.text.hex),
      Occasion(
        at: Int(fact.at.seconds), zone: fact.at.zone, means: WireConsentMeans(fact.means), account: fact.person.account),
      at: Place(
        sequence: entry.sequence, id: entry.digest.hex, recording: WireRecording(entry.recording), isSigned: isSigned))
  }
}

extension WireError {
  /// Why an entry was not recorded, as the wire has it.
  init(_ refused: ConsentRefused) {
    switch refused {
    case .fault(.store(let error)), .store(let error): self.init(error)
    case .fault(let fault): self = .recordFaulty(reason: "\(fault)")
    case .nothingRecorded(let form): self = .nothingRecorded(form: form)
    case .unknownForm(let form): self = .unknownForm(form)
    case .formChanged(let form, let version): self = .formChanged(form: form, version: version)
    case .improper(let form, let reason): self = .improperAnswer(form: form, reason: reason)
    case .log(.full): self = .recordFaulty(reason: "the record is full")
    case .log(.entryTooLong): self = .tooLarge(limit: ConsentEntry.maximumByteCount)
    case .log(.attachmentTooLong): self = .tooLarge(limit: ConsentLog.maximumAttachmentByteCount)
    case .log(.attachmentMissing): self = .internalFault
    case .sound: self = .recordSound
    case .journal(let error): self = .storage(.failed, message: "\(error)")
    }
  }
}
