import ConsentCore
import ConsentMarkup
import Glibc
import SecretMemory

/// A folder of forms: here one form, and its text beside it.
struct Forms: ConsentFileReading {
  let files = [
    "terms.json": """
    {"id": "terms", "version": "1.0", "kind": "terms", "required": true, "defaultLocale": "en", "locales": {"en": {
      "title": "Terms of the example", "document": {
        "sections": [{"type": "overview", "contentFile": "terms.en.md"}],
        "signatures": [{"id": "user", "role": "User"}], "review": {"reason": "You accept the terms."}}}}}
    """,
    "terms.en.md": "Be **kind**. See [the rules](https://example.org/rules).",
  ]

  func contents(of name: String) throws(ConsentFileObstacle) -> [UInt8] {
    guard let text = files[name] else { throw .absent }
    return Array(text.utf8)
  }
}

/// The app's side of the flow: it keeps the log, and is told how each form was answered.
final class App: ConsentFlowDelegate {
  var log = ConsentLog(id: Digest(SecureRandom.bytes(32).span)!)

  func record(_ answers: [ConsentAnswer], end: ConsentEnd) -> Bool {
    var copy = log
    for answer in answers { guard (try? copy.append(answer, occasion)) != nil else { return false } }
    log = copy  // all or none
    return true
  }
  func didReceiveResponse(_ acceptances: [ConsentAcceptance]) { print("answered:", acceptances.map(\.isAccepted)) }
  func didCancel(_ acceptances: [ConsentAcceptance]) { print("left:", acceptances.map(\.isAccepted)) }

  var occasion: ConsentOccasion {
    ConsentOccasion(person: ConsentPerson(uid: getuid(), account: "ada")!, at: now, means: .app)
  }
  var now: ZonedInstant { ZonedInstant(seconds: Int64(time(nil)))! }
}

@main
enum ConsentExample {
  static func main() throws {
    let form = try ConsentFormFile.parse("terms.json", from: Forms(), origin: .administrator, markup: CMarkupReader())
    let forms = try ConsentFormSet(administrator: [form], user: [])
    let app = App()
    // Signs where the log ends. An app keeps it where nobody else reads it: in a credential store.
    let key = try Ed25519.SecretKey.random()
    func verified() throws -> VerifiedConsentLog {
      try app.log.verify(.head(ConsentHead(app.log.tip, signedBy: key), key: key.publicKey))
    }
    func isOpen() throws -> Bool {
      ConsentGate([form.facts], log: .success(try verified()), now: app.now.seconds) == .open
    }

    let agenda = ConsentAgenda(
      forms, log: try verified(), languages: [LanguageTag("en")!], now: app.now.seconds, rules: ConsentAskingRules())
    let flow = ConsentFlow(agenda, delegate: app)
    print("open before:", try isOpen(), "- step:", flow.step)
    try flow.next()  // from the section's scene to the review
    try flow.agree()
    try flow.answer(true)  // "You accept the terms."
    var signature = GivenSignature(id: "user", signedAt: app.now)
    (signature.givenName, signature.familyName) = ("Ada", "Lovelace")
    try flow.name(signature)
    print("open after:", try isOpen())

    print(form.text(of: form.variants[0]).text)  // what was agreed to, word for word
    _ = try app.log.withdraw(form.id, from: try verified(), app.occasion)
    print("open after the withdrawal:", try isOpen())
    let anchor = ConsentAnchor.head(ConsentHead(app.log.tip, signedBy: key), key: key.publicKey)
    if let receipt = try ConsentReceipt(of: 2, in: app.log, anchor: anchor) {
      print(String(decoding: receipt.json, as: UTF8.self))
    }
  }
}
