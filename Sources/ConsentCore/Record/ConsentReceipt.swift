public import SecretMemory
internal import StrictJSON

/// The receipt of one entry: what was answered, to what, by whom, when and how, and what proves it.
///
/// It names the receipt that it takes the place of, so that giving, renewing and withdrawing read as one line. It carries the
/// key's fingerprint: a receipt that was deposited elsewhere stands against a log that was written anew.
///
/// Source: ISO/IEC TS 27560:2023, sections header, processing, party and event, by way of the Data Privacy Vocabulary's guide.
public struct ConsentReceipt: Hashable, Sendable {
  /// The entry.
  public let entry: ConsentEntry
  /// What the form's details say, as JSON.
  let details: [UInt8]
  /// The receipt before this one of the same form.
  public let supersedes: Digest?
  /// The head that the log had, and the key that signed it; nil before there is a store.
  public let head: ConsentHead?
  /// The key that signed the head.
  public let key: Ed25519.PublicKey?

  /// The receipt of an entry.
  ///
  /// - Parameters:
  ///   - sequence: the entry's place, from 1.
  ///   - log: the log, which is verified first.
  ///   - anchor: how its end is known.
  /// - Throws: the log's fault; nil is never a receipt of a faulty log.
  /// - Returns: nil where there is no such entry.
  public init?(of sequence: Int, in log: ConsentLog, anchor: ConsentAnchor) throws(ConsentLogFault) {
    self.init(of: sequence, in: log, verified: try log.verify(anchor), anchor: anchor)
  }

  /// The receipt of an entry of a log that was verified.
  ///
  /// - Parameters:
  ///   - verified: what ``ConsentLog/verify(_:)`` gave for this log and anchor.
  /// - Returns: nil where there is no such entry.
  public init?(of sequence: Int, in log: ConsentLog, verified: VerifiedConsentLog, anchor: ConsentAnchor) {
    guard verified.entries.indices.contains(sequence - 1) else { return nil }
    let entry = verified.entries[sequence - 1]
    self.entry = entry
    details = log.attachments[entry.fact.details] ?? []
    supersedes = verified.entry(of: entry.fact.form, before: sequence)?.digest
    switch anchor {
    case .head(let head, let key): (self.head, self.key) = (head, key)
    case .journal, .unsigned: (head, key) = (nil, nil)
    }
  }

  /// Names the receipt: the entry's digest.
  public var id: Digest { entry.digest }

  /// The receipt as JSON for people and programs.
  public var json: [UInt8] {
    let fact = entry.fact
    var json = JSONWriter(ByteSink(), pretty: true)
    json.beginObject()
    json.write("schemaVersion", "ISO/IEC TS 27560:2023")
    json.write("receiptId", id.hex)
    if let supersedes { json.write("supersedes", supersedes.hex) }
    json.key("record")
    json.beginObject()
    json.write("schemaVersion", "ISO/IEC TS 27560:2023")
    json.write("recordId", "\(entry.sequence)")
    json.write("piiPrincipalId", "\(fact.person.uid) \(fact.person.account)")
    json.key("form")
    writeForm(&json)
    json.key("event")
    writeEvent(&json)
    json.endObject()
    json.key("evidence")
    writeEvidence(&json)
    json.endObject()
    return json.finish().bytes
  }

  private func writeForm(_ json: inout JSONWriter<ByteSink>) {
    json.beginObject()
    json.write("id", entry.fact.form.description)
    json.write("version", entry.fact.version.description)
    json.write("language", entry.fact.locale.description)
    json.write("kind", entry.fact.kind.rawValue)
    json.write("textSHA256", entry.fact.text.hex)
    json.key("details")
    // Checked by its digest, and written by `details(of:)`; anything else is not put among the receipt's own keys.
    if (try? JSONDocument.parse(details.span)) != nil {
      json.value { $0.append(contentsOf: details.span) }
    } else {
      json.null()
    }
    json.endObject()
  }

  private func writeEvent(_ json: inout JSONWriter<ByteSink>) {
    let fact = entry.fact
    json.beginObject()
    json.write("type", type)
    json.write("state", fact.event.rawValue)
    json.write("time", fact.at.utc)
    json.write("zone", fact.at.zone)
    if fact.event == .restarted {
      json.write("validUntil", "not at all")
    } else if let expiresAt = fact.expiresAt, let end = ZonedInstant(seconds: expiresAt) {
      json.write("validUntil", end.utc)
    } else {
      json.write("validUntil", fact.event == .withdrawn || fact.event == .refused ? "not at all" : "withdrawal")
    }
    json.write("entityId", "\(fact.person.uid) \(fact.person.account)")
    json.write("means", fact.means.rawValue)
    if let sharing = fact.sharing { json.write("sharing", sharing.rawValue) }
    if !fact.signatures.isEmpty {
      json.key("signatures")
      json.beginArray()
      for signature in fact.signatures { write(signature, &json) }
      json.endArray()
    }
    json.endObject()
  }

  private var type: String {
    if entry.fact.event == .restarted { return "restart of the record" }
    return entry.fact.kind == .consent ? "explicit" : "acceptance of terms"
  }

  private func write(_ signature: RecordedSignature, _ json: inout JSONWriter<ByteSink>) {
    json.beginObject()
    json.write("role", signature.role)
    if let givenName = signature.givenName { json.write("givenName", givenName) }
    if let familyName = signature.familyName { json.write("familyName", familyName) }
    if let at = signature.signedAt { json.write("time", at.utc) }
    if let image = signature.image { json.write("imageSHA256", image.hex) }
    for field in signature.fields { json.writeField(field) }
    json.endObject()
  }

  private func writeEvidence(_ json: inout JSONWriter<ByteSink>) {
    json.beginObject()
    json.write("recorded", entry.recording.rawValue)
    json.write("entry", String(decoding: entry.encoded, as: UTF8.self))
    json.write("entrySHA256", id.hex)
    json.write("log", head?.tip.log.hex ?? "")
    if let paper = entry.fact.paper { json.write("paperSHA256", paper.hex) }
    if let head, let key {
      json.key("head")
      json.beginObject()
      json.write("count", head.tip.count)
      json.write("digest", head.tip.digest.hex)
      json.write("signature", Base64Text.encode(head.signature))
      json.write("publicKey", Base64Text.encode(key.bytes))
      json.write("keyFingerprint", key.fingerprint.hex)
      json.endObject()
    }
    json.endObject()
  }
}

extension JSONWriter where Sink == ByteSink {
  /// A signer's answer, under a key that no answer of a form can take from another.
  fileprivate mutating func writeField(_ field: RecordedField) {
    key("field." + field.id)
    string(field.value)
  }
}
