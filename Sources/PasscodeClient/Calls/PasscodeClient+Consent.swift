public import PasscodeWire
public import SecretMemory

/// Consent forms, and the record of the answers. No call needs an open store.
extension PasscodeClient {
  /// All forms in force, and how the user stands to each.
  ///
  /// - Parameter languages: what the user reads, best first, such as `de-CH`.
  public func consentForms(languages: [String] = []) throws(ClientError) -> ConsentForms {
    try connection.call(.listForms) { (call: inout MessageWriter) in
      if !languages.isEmpty { call.strings(.languages, languages) }
    } _: { (fields: WireFields) throws(ClientError) in
      guard let forms = fields.messages(.forms, of: WireConsentForm.self),
        let faults = fields.messages(.formFaults, of: WireFormFault.self)
      else { throw .badReply("forms") }
      return ConsentForms(forms: forms, formFaults: faults, recordFault: fields.stringIfPresent(.recordFault))
    }
  }

  /// A form, a text, a receipt, a document, or the record, as UTF-8.
  ///
  /// - Throws: `daemon` with `unknownForm`, `nothingRecorded`, `recordFaulty`; `tooLarge` beyond 64 MiB.
  public func readConsent(_ request: ConsentReading) throws(ClientError) -> [UInt8] {
    var bytes: [UInt8] = []
    try connection.callForMany(.read) { (call: inout MessageWriter) in
      call.word(.what, request.piece)
      call.string(.form, request.form)
      call.string(.locale, request.locale)
      if !request.languages.isEmpty { call.strings(.languages, request.languages) }
      call.integer(.sequence, request.sequence)
    } _: { (fields: WireFields) throws(ClientError) in
      let part = fields.bytes(.part)
      guard bytes.count + part.count <= ConsentReading.byteLimit else { throw .tooLarge(limit: ConsentReading.byteLimit) }
      for index in part.indices { bytes.append(part[index]) }
    }
    return bytes
  }

  /// Records answers, all of them or none. Returns when they are on disk.
  ///
  /// - Returns: an entry for each.
  /// - Throws: `daemon` with `unknownForm`, `formChanged`, `improperAnswer`, `recordFaulty`.
  @discardableResult
  public func answer(
    _ answers: [WireConsentAnswer], _ occasion: AnswerOccasion
  ) throws(ClientError) -> [WireConsentRecord] {
    try connection.call(.answer) { (call: inout MessageWriter) in
      call.messages(.answers, answers)
      occasion.write(into: &call)
    } _: { (fields: WireFields) throws(ClientError) in
      guard let records = fields.messages(.records, of: WireConsentRecord.self) else { throw .badReply("records") }
      return records
    }
  }

  /// Records one more signature on the document that was agreed to last.
  ///
  /// - Throws: `daemon` with `unknownForm`, `nothingRecorded`, `improperAnswer`, `recordFaulty`.
  @discardableResult
  public func sign(
    _ form: String, _ signature: WireSignature, _ occasion: AnswerOccasion
  ) throws(ClientError) -> WireConsentRecord {
    try connection.call(.sign) { (call: inout MessageWriter) in
      call.string(.form, form)
      call.message(.signature, signature)
      occasion.write(into: &call)
    } _: { (fields: WireFields) throws(ClientError) in
      try Self.record(fields)
    }
  }

  /// Takes back what was agreed to. What the form gates closes at once.
  ///
  /// - Throws: `daemon` with `nothingRecorded`, `recordFaulty`.
  @discardableResult
  public func withdrawConsent(
    _ form: String, _ occasion: AnswerOccasion
  ) throws(ClientError) -> WireConsentRecord {
    try connection.call(.withdraw) { (call: inout MessageWriter) in
      call.string(.form, form)
      occasion.write(into: &call)
    } _: { (fields: WireFields) throws(ClientError) in
      try Self.record(fields)
    }
  }

  /// The record, oldest entry first.
  ///
  /// - Parameter form: nil for all forms.
  /// - Throws: `daemon` with `recordFaulty`.
  public func consentHistory(of form: String? = nil) throws(ClientError) -> [WireConsentRecord] {
    var records: [WireConsentRecord] = []
    try connection.callForMany(.records) { (call: inout MessageWriter) in
      call.string(.form, form)
    } _: { (fields: WireFields) throws(ClientError) in
      guard let page = fields.messages(.records, of: WireConsentRecord.self) else { throw .badReply("records") }
      records += page
    }
    return records
  }

  /// Checks the whole record.
  public func verifyConsent() throws(ClientError) -> ConsentVerification {
    try connection.call(.verifyRecord) { (fields: WireFields) in
      ConsentVerification(
        count: fields.integer(.count), signedCount: fields.integer(.signedCount),
        keyFingerprint: fields.stringIfPresent(.keyFingerprint), isComplete: fields.bool(.isComplete),
        clockSetBackAt: fields.integerIfPresent(.clockSetBackAt),
        fault: fields.stringIfPresent(.recordFault))
    }
  }

  /// Sets a record aside in which nothing counts any more, and begins a new one, in which nobody has agreed to anything. The store
  /// may be locked, and stays so.
  ///
  /// - Throws: `daemon` with `recordSound`, and as `verify(_:)`.
  @discardableResult
  public func restartConsentRecord(
    _ passcode: borrowing SecretBytes, _ occasion: AnswerOccasion
  ) throws(ClientError) -> ConsentRestart {
    let bytes = passcode.bytes
    return try connection.call(
      .restart,
      { (call: inout MessageWriter) throws(WireError) in
        try call.passcode(.passcode, bytes)
        occasion.write(into: &call)
      }
    ) { (fields: WireFields) throws(ClientError) in
      ConsentRestart(
        record: try Self.record(fields), fault: fields.string(.reason), path: fields.string(.path),
        sha256: fields.string(.sha256))
    }
  }

  private static func record(_ fields: WireFields) throws(ClientError) -> WireConsentRecord {
    guard let record = fields.message(.record, as: WireConsentRecord.self) else { throw .badReply("record") }
    return record
  }
}
