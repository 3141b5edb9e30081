import ConsentCore
import SecretMemory
import TestSupport
import Testing

let person = ConsentPerson(uid: 1000, account: "ada")!

func instant(_ seconds: Int64) -> ZonedInstant { ZonedInstant(seconds: seconds)! }

/// A log that grows.
struct TestLog {
  var log: ConsentLog
  var recording = ConsentRecording.signed

  init(_ byte: UInt8 = 7) { log = ConsentLog(id: SHA256.digest([byte].span)) }

  mutating func add(
    _ event: ConsentEvent, _ form: ConsentForm, at seconds: Int64 = 0, expires: Int64? = nil
  ) throws {
    let variant = form.variants[0]
    var fact = ConsentFact(event, of: form.subject(in: variant), person: person, at: instant(seconds), means: .terminal)
    fact.expiresAt = expires
    let attachments = [Array(form.text(of: variant).text.utf8), form.details(of: variant)]
    _ = try log.append(fact, attachments: attachments, recording: recording)
  }

  /// The log, verified with the key that signs it.
  func verified() throws -> VerifiedConsentLog {
    let key = try Ed25519.SecretKey.random()
    return try log.verify(.head(ConsentHead(log.tip, signedBy: key), key: key.publicKey))
  }

  func standing(_ form: ConsentForm, now: Int64 = 0, rules: ConsentAskingRules = ConsentAskingRules()) throws -> ConsentStanding
  {
    ConsentStanding(form.facts, in: try verified(), now: now, rules: rules)
  }
}

/// A log with a signed document, a withdrawal and some plain answers.
func sampleLog(beforeStore: Bool = false) throws -> ConsentLog {
  var test = TestLog()
  test.recording = beforeStore ? .beforeStore : .signed
  for (index, event) in [ConsentEvent.requested, .given, .deferred, .refused, .withdrawn].enumerated() {
    try test.add(event, pagesForm("form\(index % 3)", body: "Text \(index)"), at: Int64(index))
  }
  var signature = ConsentSignature(id: "p", role: "Participant")
  (signature.givenName, signature.familyName, signature.signedAt) = ("Ada", "Lovelace", instant(9))
  signature.image = try ConsentImage(png: PNG.plain(shade: 5))
  let document = ConsentDocument(title: "Study", sections: [ConsentSection(type: .overview)], signatures: [signature])
  let form = documentForm(document)
  let item = agenda([form]).items[0]
  let answer = ConsentAnswer(item: item, choice: .agreed, document: document, sharing: .widely)
  let occasion = ConsentOccasion(person: person, at: instant(9), means: .app, recording: test.recording)
  _ = try test.log.append(answer, occasion)
  return test.log
}
