internal import ConsentCore
internal import PasscodeCore
internal import PasscodeWire
internal import SecretMemory

/// `Read`: what is too long for one reply, part by part.
extension Session {
  /// How much of it goes into one reply, in bytes. A JSON string of it may be six times as long.
  private static var partByteCount: Int { 128 << 10 }

  func readConsent(_ fields: WireFields, _ replies: inout Replies) throws(WireError) {
    let bytes = try piece(fields)
    var start = 0
    repeat {
      var end = min(bytes.count, start + Self.partByteCount)
      // Not within a character.
      while end < bytes.count, bytes[end] & 0xC0 == 0x80 { end -= 1 }
      let part = bytes[start..<end]
      start = end
      let isTaken = try replies.stream { reply in
        reply.string(.part, part.span)
        return end == bytes.count
      }
      if !isTaken { return }
    } while start < bytes.count
  }

  private func piece(_ fields: WireFields) throws(WireError) -> [UInt8] {
    let id = fields.stringIfPresent(.form)
    switch fields.word(.what, as: WireConsentPiece.self) {
    case .form: return try form(required(id)).flattened
    case .text:
      let form = try form(required(id))
      return Array(form.text(of: try variant(of: form, fields)).text.utf8)
    case .receipt: return try receipt(id, fields).json
    case .receiptPaper: return try receipt(id, fields).paper.json
    case .document: return try document(required(id))
    case .record:
      let reading = service.consent.records.read(fully: true)
      if case .failure(.store(let error)) = reading.checked { throw WireError(error) }
      return ConsentArchive(reading.log, head: reading.head, key: reading.key).json
    }
  }

  private func required(_ form: String?) throws(WireError) -> String {
    guard let form else { throw .invalidParameter(WireField.form.text) }
    return form
  }

  private func variant(of form: ConsentForm, _ fields: WireFields) throws(WireError) -> ConsentVariant {
    guard let locale = fields.stringIfPresent(.locale) else { return form.variant(for: languages(fields)) }
    guard let variant = LanguageTag(locale).flatMap({ form.variant(in: $0) }) else {
      throw .invalidParameter(WireField.locale.text)
    }
    return variant
  }

  private func receipt(_ form: String?, _ fields: WireFields) throws(WireError) -> ConsentReceipt {
    let (reading, log) = try verifiedRecord()
    let sequence = fields.integerIfPresent(.sequence)
    let entry = log.entries.last { entry in
      (form == nil || entry.fact.form.description == form) && (sequence == nil || entry.sequence == sequence)
    }
    let receipt = entry.flatMap {
      ConsentReceipt(of: $0.sequence, in: reading.log, verified: log, anchor: reading.anchor)
    }
    guard let receipt else { throw .nothingRecorded(form: form ?? "") }
    return receipt
  }

  /// The paper of the latest signature.
  private func document(_ form: String) throws(WireError) -> [UInt8] {
    let (reading, log) = try verifiedRecord()
    let papers = log.entries.filter { $0.fact.form.description == form }.compactMap(\.fact.paper)
    guard let paper = papers.last.flatMap({ reading.log.attachments[$0] }) else { throw .nothingRecorded(form: form) }
    return paper
  }
}
