internal import ConsentCore
internal import PasscodeCore
internal import PasscodePlatform
internal import PasscodeWire
internal import SecretMemory

/// The methods that tell of consent. None needs an open store.
extension Session {
  func answerConsent(_ method: WireMethod, _ fields: WireFields, _ replies: inout Replies) throws(WireError) {
    service.readPolicy()
    // Texts are nested more deeply than the stack of a connection's thread is made for.
    let isDone: Void? = try onLargeStack { () throws(WireError) in
      try answerConsentHere(method, fields, &replies)
    }
    if isDone == nil { throw .busy }
  }

  private func answerConsentHere(
    _ method: WireMethod, _ fields: WireFields, _ replies: inout Replies
  ) throws(WireError) {
    switch method {
    case .listForms: try listForms(fields, &replies)
    case .read: try readConsent(fields, &replies)
    case .answer: try answerForms(fields, &replies)
    case .sign: try signDocument(fields, &replies)
    case .withdraw: try withdrawConsent(fields, &replies)
    case .restart: try restartRecord(fields, &replies)
    case .records: try consentHistory(fields, &replies)
    default: try verifyRecord(&replies)
    }
  }

  private func listForms(_ fields: WireFields, _ replies: inout Replies) throws(WireError) {
    let list = ConsentFormList(service.consent, languages: languages(fields))
    let faults = service.consent.forms.current.faults + list.gateFaults
    let fault = list.recordFault
    try replies.reply { reply in
      reply.messages(.forms, list.forms)
      reply.messages(.formFaults, faults)
      reply.string(.recordFault, fault)
    }
  }

  /// What the caller reads, best first. What is no language tag is passed over.
  func languages(_ fields: WireFields) -> [LanguageTag] {
    fields.strings(.languages).prefix(32).compactMap { LanguageTag($0) }
  }

  private func consentHistory(_ fields: WireFields, _ replies: inout Replies) throws(WireError) {
    let log = try verifiedRecord().log
    let form = fields.stringIfPresent(.form)
    let entries = log.entries.filter { form == nil || $0.fact.form.description == form }
    let records = entries.map { WireConsentRecord($0, isSigned: $0.sequence <= log.signedCount) }
    guard replies.wantsMore else {
      guard records.count <= WireLimits.maximumUnpagedCount else { throw .expectedMore }
      return try replies.reply { $0.messages(.records, records) }
    }
    var rest = records[...]
    repeat {
      let page = Array(rest.prefix(64))
      rest = rest.dropFirst(64)
      let isLast = rest.isEmpty
      let isTaken = try replies.stream { reply in
        reply.messages(.records, page)
        return isLast
      }
      if !isTaken { return }
    } while !rest.isEmpty
  }

  private func verifyRecord(_ replies: inout Replies) throws(WireError) {
    let reading = service.consent.records.read(fully: true)
    var fault: ConsentFault?
    var (signedCount, setBackAt) = (0, Int?.none)
    switch reading.checked {
    case .success(let log): (signedCount, setBackAt) = (log.signedCount, log.clockSetBack.first)
    case .failure(let found):
      fault = found
      // It may have been good when it was looked at last.
      service.consentChanged()
    }
    try replies.reply { reply in
      reply.integer(.count, reading.log.entries.count)
      reply.integer(.signedCount, signedCount)
      reply.string(.keyFingerprint, reading.key?.fingerprint.hex)
      reply.bool(.isComplete, reading.isComplete)
      reply.integer(.clockSetBackAt, setBackAt)
      reply.string(.recordFault, fault?.description)
    }
  }

  /// The record as it is now, where it counts.
  func verifiedRecord() throws(WireError) -> (reading: ConsentRecords.Reading, log: VerifiedConsentLog) {
    let reading = service.consent.records.read()
    do throws(ConsentFault) { return (reading, try reading.verified()) } catch {
      throw WireError(ConsentRefused.fault(error))
    }
  }

  /// A form that is in force.
  func form(_ id: String) throws(WireError) -> ConsentForm {
    guard let form = ConsentFormID(id).flatMap({ service.consent.forms.current.set[$0] }) else { throw .unknownForm(id) }
    return form
  }
}

/// All forms in force, and how the user stands to each.
struct ConsentFormList {
  private(set) var forms: [WireConsentForm] = []
  private(set) var recordFault: String?
  /// Gates of the policy that no form can open.
  private(set) var gateFaults: [WireFormFault] = []

  init(_ consent: Consent, languages: [LanguageTag]) {
    let inForce = consent.forms.current
    let gates = Dictionary(ConsentDecision.gates(consent.gates, inForce).map { ($0.form, $0.gates) }) { $0 + $1 }
    var log: VerifiedConsentLog?
    if !inForce.set.forms.isEmpty {
      do throws(ConsentFault) { log = try consent.records.read().verified() } catch { recordFault = "\(error)" }
    }
    for gate in ConsentDecision.unopenable(consent.gates, inForce) {
      let words = "the gate of \"\(gate.form)\" stays closed: the administrator has no form of this id"
      gateFaults.append(WireFormFault(path: "policy.json", line: nil, column: nil, message: words))
    }
    for form in inForce.set.forms {
      guard let facts = inForce.facts[form.id] else { continue }
      var told = WireConsentForm(form, facts, in: form.variant(for: languages))
      told.gates = gates[told.id] ?? []
      told.tell(log, facts, now: consent.now, rules: consent.rules)
      forms.append(told)
    }
  }
}

extension WireConsentForm {
  fileprivate init(_ form: ConsentForm, _ facts: ConsentFormFacts, in variant: ConsentVariant) {
    self.init(
      id: form.id.description, version: form.version.description, kind: form.kind == .terms ? .terms : .consent,
      isRequired: form.isRequired, origin: form.origin == .administrator ? .administrator : .user)
    locale = variant.locale.description
    title = variant.title
    sha256 = (facts.digests[variant.locale] ?? form.text(of: variant).digest).hex
  }

  /// Tells how the user stands to it. Without a record that counts, nobody was ever asked.
  fileprivate mutating func tell(
    _ log: VerifiedConsentLog?, _ facts: ConsentFormFacts, now: Int64, rules: ConsentAskingRules
  ) {
    guard let log else {
      isAsked = true
      return
    }
    let standing = ConsentStanding(facts, in: log, now: now, rules: rules)
    state = WireConsentState(standing.state)
    isAsked = standing.isAsked
    agreedBefore = standing.agreedBefore?.description
    guard let answer = log.answer(to: facts.id)?.fact else { return }
    answeredVersion = answer.version.description
    answeredAt = Int(answer.at.seconds)
    if state.isGiven { expiresAt = answer.expiresAt.map { Int($0) } }
  }
}
