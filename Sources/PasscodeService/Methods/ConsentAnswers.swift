internal import ConsentCore
internal import PasscodeCore
internal import PasscodePlatform
internal import PasscodeWire
internal import SecretMemory

/// The methods that add to the record of consent.
extension Session {
  func answerForms(_ fields: WireFields, _ replies: inout Replies) throws(WireError) {
    guard let answers = fields.messages(.answers, of: WireConsentAnswer.self), !answers.isEmpty else {
      throw .invalidParameter(WireField.answers.text)
    }
    let occasion = try occasion(fields)
    let entries = try record { (log, verified, recording) throws(ConsentRefused) in
      var entries: [ConsentEntry] = []
      for answer in answers {
        let answer = try ConsentAnswer(answer, service.consent, verified, occasion.at)
        do throws(ConsentLogError) {
          entries.append(try log.append(answer, occasion.with(recording)))
        } catch { throw .log(error) }
      }
      return entries
    }
    try replies.reply { $0.messages(.records, entries) }
  }

  func signDocument(_ fields: WireFields, _ replies: inout Replies) throws(WireError) {
    guard let signature = fields.message(.signature, as: WireSignature.self) else {
      throw .invalidParameter(WireField.signature.text)
    }
    let form = try form(fields.string(.form))
    let occasion = try occasion(fields)
    let id = form.id.description
    let entries = try record { (log, verified, recording) throws(ConsentRefused) in
      let given = try GivenSignature(signature, of: id, at: occasion.at)
      do throws(ConsentSigningError) {
        return [try log.sign(given, on: form, from: verified, occasion.with(recording))]
      } catch {
        switch error {
        case .nothingToSign: throw .nothingRecorded(id)
        case .formChanged: throw .formChanged(form: id, version: form.version.description)
        case .improper(let fault): throw .improper(form: id, "\(fault)")
        case .log(let error): throw .log(error)
        }
      }
    }
    try replies.reply { $0.message(.record, entries.first) }
  }

  func withdrawConsent(_ fields: WireFields, _ replies: inout Replies) throws(WireError) {
    let id = fields.string(.form)
    let occasion = try occasion(fields)
    let entries = try record { (log, verified, recording) throws(ConsentRefused) in
      guard let form = ConsentFormID(id) else { throw .nothingRecorded(id) }
      do throws(ConsentLogError) {
        if let entry = try log.withdraw(form, from: verified, occasion.with(recording)) { return [entry] }
      } catch { throw .log(error) }
      throw .nothingRecorded(id)
    }
    try replies.reply { $0.message(.record, entries.first) }
  }

  func restartRecord(_ fields: WireFields, _ replies: inout Replies) throws(WireError) {
    let occasion = try occasion(fields)
    let passcode = try enteredPasscode(fields)
    let outcome: ConsentRestartOutcome
    do throws(ConsentRefused) { outcome = try service.consent.records.restart(passcode, occasion) } catch {
      if case .store(let fault) = error { throw service.translate(fault) }
      throw WireError(error)
    }
    switch outcome {
    case .wrong(let facts): throw .wrongPasscode(facts)
    case .done(let restart):
      service.log.note(.recordRestarted(restart.path))
      service.settleConsent()
      service.consentChanged()
      try replies.reply { reply in
        reply.message(.record, WireConsentRecord(restart.entry, isSigned: true))
        reply.string(.reason, restart.fault)
        reply.string(.path, restart.path)
        reply.string(.sha256, restart.sha256.hex)
      }
    }
  }

  /// Records entries; what they close is closed when this returns.
  private func record(
    _ body: (inout ConsentLog, VerifiedConsentLog, ConsentRecording) throws(ConsentRefused) -> [ConsentEntry]
  ) throws(WireError) -> [WireConsentRecord] {
    var entries: [WireConsentRecord] = []
    do throws(ConsentRefused) {
      try service.consent.records.add { (log, verified, recording) throws(ConsentRefused) in
        entries = try body(&log, verified, recording).map { WireConsentRecord($0, isSigned: recording == .signed) }
      }
    } catch {
      if case .store(let fault) = error { throw service.translate(fault) }
      throw WireError(error)
    }
    service.consentChanged()
    return entries
  }

  /// Who answers, when and how.
  private func occasion(_ fields: WireFields) throws(WireError) -> ConsentOccasion {
    let account = service.configuration.account
    let name = account.userName.isEmpty ? "\(account.uid)" : account.userName
    let zone = fields.stringIfPresent(.zone) ?? "UTC"
    guard zone.utf8.count <= 64, zone.utf8.allSatisfy({ 0x21...0x7E ~= $0 }) else {
      throw .invalidParameter(WireField.zone.text)
    }
    guard
      let at = ZonedInstant(seconds: service.consent.now, offset: fields.integerIfPresent(.utcOffset) ?? 0, zone: zone)
    else { throw .invalidParameter(WireField.utcOffset.text) }
    guard
      let person = ConsentPerson(uid: account.uid, account: name) ?? ConsentPerson(uid: account.uid, account: "\(account.uid)")
    else { throw .internalFault }
    let means = fields.isPresent(.means) ? fields.word(.means, as: WireConsentMeans.self) : .client
    return ConsentOccasion(person: person, at: at, means: ConsentMeans(means))
  }
}

extension ConsentOccasion {
  fileprivate func with(_ recording: ConsentRecording) -> ConsentOccasion {
    var copy = self
    copy.recording = recording
    return copy
  }
}

extension ConsentAnswer {
  /// An answer out of a call, which has to be to the exact text in force and what the form asks for.
  fileprivate init(
    _ answer: WireConsentAnswer, _ consent: Consent, _ log: VerifiedConsentLog, _ at: ZonedInstant
  ) throws(ConsentRefused) {
    let inForce = consent.forms.current
    guard let form = ConsentFormID(answer.form).flatMap({ inForce.set[$0] }), let facts = inForce.facts[form.id] else {
      throw .unknownForm(answer.form)
    }
    guard answer.version == form.version.description,
      let locale = facts.digests.first(where: { $0.value.hex == answer.sha256 })?.key,
      let variant = form.variant(in: locale)
    else { throw .formChanged(form: answer.form, version: form.version.description) }
    let standing = ConsentStanding(facts, in: log, now: consent.now, rules: consent.rules)
    let item = ConsentAgendaItem(form: form, variant: variant, standing: standing)
    guard answer.choice == .agreed else {
      try self.init(item, declining: answer)
      return
    }
    let sharing = answer.sharing.map { $0 == .widely ? SharingAnswer.widely : .narrowly }
    guard case .document(let document) = variant.content else {
      if answer.signature != nil || sharing != nil {
        throw .improper(form: answer.form, "the form has nothing to sign and nothing to choose")
      }
      self.init(item: item, choice: .agreed)
      return
    }
    if (document.sharing != nil) != (sharing != nil) {
      throw .improper(
        form: answer.form, sharing == nil ? "the form asks with whom data is shared" : "the form has no such choice")
    }
    self.init(item: item, choice: .agreed, document: try document.signed(answer, at), sharing: sharing)
  }

  private init(_ item: ConsentAgendaItem, declining answer: WireConsentAnswer) throws(ConsentRefused) {
    if answer.signature != nil || answer.sharing != nil {
      throw .improper(form: answer.form, "only what is agreed to is signed")
    }
    switch answer.choice {
    case .denied:
      guard item.form.isRequired else { throw .improper(form: answer.form, "an optional form is put off, not denied") }
      self.init(item: item, choice: .denied)
    case .notNow:
      if item.form.isRequired { throw .improper(form: answer.form, "a required form is denied, not put off") }
      self.init(item: item, choice: .notNow)
    case .requested, .agreed: self.init(item: item, choice: nil)
    }
  }
}

extension ConsentDocument {
  /// The document with the user's signature, where the first of its signatures asks for anything or one was given.
  fileprivate func signed(_ answer: WireConsentAnswer, _ at: ZonedInstant) throws(ConsentRefused) -> ConsentDocument {
    guard let place = signatures.first else {
      if answer.signature != nil { throw .improper(form: answer.form, "\(ConsentModelFault.unknownSignature)") }
      return self
    }
    let given = try answer.signature.map { signature throws(ConsentRefused) in
      try GivenSignature(signature, of: answer.form, at: at)
    }
    do throws(ConsentModelFault) {
      let signature = try place.signed(with: given ?? GivenSignature(id: place.id, signedAt: at))
      return given == nil ? self : try signed(with: signature)
    } catch { throw .improper(form: answer.form, "\(error)") }
  }
}

extension GivenSignature {
  fileprivate init(_ signature: WireSignature, of form: String, at: ZonedInstant) throws(ConsentRefused) {
    self.init(id: signature.id, signedAt: at)
    givenName = signature.givenName
    familyName = signature.familyName
    nameOrder = signature.nameOrder.map { $0 == .givenFirst ? .givenFirst : .familyFirst }
    fields = signature.fields
    guard let image = signature.image else { return }
    do throws(ConsentModelFault) { self.image = try ConsentImage(base64: image) } catch {
      throw .improper(form: form, "\(error)")
    }
  }
}
