public import PasscodeWire
public import SecretMemory

/// The calls about consent, on a thread of their own.
extension PasscodeClient {
  /// All forms in force, see the blocking twin.
  public func consentForms(languages: [String] = []) async throws(ClientError) -> ConsentForms {
    try await onThread { () throws(ClientError) in try self.consentForms(languages: languages) }
  }

  /// A form, a text, a receipt, a document, or the record, see the blocking twin.
  public func readConsent(_ request: ConsentReading) async throws(ClientError) -> [UInt8] {
    try await onThread { () throws(ClientError) in try self.readConsent(request) }
  }

  /// Records answers, see the blocking twin.
  @discardableResult
  public func answer(
    _ answers: [WireConsentAnswer], _ occasion: AnswerOccasion
  ) async throws(ClientError) -> [WireConsentRecord] {
    try await onThread { () throws(ClientError) in try self.answer(answers, occasion) }
  }

  /// Records one more signature, see the blocking twin.
  @discardableResult
  public func sign(
    _ form: String, _ signature: WireSignature, _ occasion: AnswerOccasion
  ) async throws(ClientError) -> WireConsentRecord {
    try await onThread { () throws(ClientError) in try self.sign(form, signature, occasion) }
  }

  /// Takes back what was agreed to, see the blocking twin.
  @discardableResult
  public func withdrawConsent(
    _ form: String, _ occasion: AnswerOccasion
  ) async throws(ClientError) -> WireConsentRecord {
    try await onThread { () throws(ClientError) in try self.withdrawConsent(form, occasion) }
  }

  /// The record, see the blocking twin.
  public func consentHistory(of form: String? = nil) async throws(ClientError) -> [WireConsentRecord] {
    try await onThread { () throws(ClientError) in try self.consentHistory(of: form) }
  }

  /// Checks the whole record, see the blocking twin.
  public func verifyConsent() async throws(ClientError) -> ConsentVerification {
    try await onThread { () throws(ClientError) in try self.verifyConsent() }
  }
  /// Sets a faulty record aside and begins a new one, see the blocking twin.
  @discardableResult
  public func restartConsentRecord(
    _ passcode: borrowing SecretBytes, _ occasion: AnswerOccasion
  ) async throws(ClientError) -> ConsentRestart {
    let box = try SecretBox(passcode)
    return try await onThread { () throws(ClientError) in try self.restartConsentRecord(box.secret, occasion) }
  }
}
