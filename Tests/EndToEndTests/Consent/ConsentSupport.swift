import PasscodePlatform
import StrictJSON
import TestSupport
import Testing

extension Sandbox {
  /// Writes a form into the user's folder.
  func write(form json: String, as name: String = "terms") throws {
    if try Files.status(of: directory.file("config/passcoded/consent")) == nil {
      try directory.makeDirectory("config/passcoded/consent")
    }
    try directory.write("config/passcoded/consent/\(name).json", json.utf8)
  }

  /// The version and the digest that an answer names.
  func answered(_ form: String = "terms", locale: String? = nil) throws -> [String] {
    let more = locale.map { ["--locale", $0] } ?? []
    let result = try run(["consent", "show", form, "--json"] + more)
    guard let version = jsonString("version", in: result.outputText), let digest = jsonString("sha256", in: result.outputText)
    else { throw TestFailure("no form: \(result.errorText)") }
    return ["--version", version, "--sha256", digest]
  }

  /// The state of a form, as `list` tells it.
  func consentState(_ form: String = "terms") throws -> String? {
    let text = try expect(0, "consent", "list", "--json").outputText
    return try jsonObjects("forms", in: text).first { $0["form"]?.string == form }.flatMap { $0["state"] }?.string
  }

  /// What the record says happened, in order.
  func events() throws -> [String] {
    try jsonObjects("records", in: try expect(0, "consent", "history", "--json").outputText).compactMap { $0["event"]?.string }
  }
}

extension PseudoTerminal {
  /// Types once the screen is there: what is typed before is thrown away.
  func type(_ keys: String, after shown: String) throws {
    try expect(shown)
    try expect("[q] ")
    try send(keys)
  }
}

extension JSONNode.Value {
  var string: String? { if case .string(let text) = self { text } else { nil } }
  var isTrue: Bool { if case .bool(true) = self { true } else { false } }
}

/// The objects of an array within a JSON document.
func jsonObjects(_ key: String, in text: String) throws -> [[String: JSONNode.Value]] {
  guard case .array(let nodes)? = try jsonMembers(text)[key] else { throw TestFailure("no \(key) in \(text)") }
  return nodes.map { node in
    guard case .object(let members) = node.value else { return [:] }
    return Dictionary(members.map { ($0.key, $0.node.value) }) { first, _ in first }
  }
}

enum Forms {
  /// Required terms of two pages, in two languages.
  static func terms(version: String = "1.0", more: String = "") -> String {
    """
    {"id": "terms", "version": "\(version)", "kind": "terms", "required": true, "defaultLocale": "en", "locales": {
      "en": {"title": "Terms of use", \(more) "pages": [
        {"title": "Page one", "body": "Be kind.", "learnMore": {"title": "Why kind?", "text": "Because it costs nothing."}},
        {"title": "Page two", "bodyMarkdown": "Be **very** kind, see [the rules](https://example.org/rules)."}]},
      "de": {"title": "Nutzungsbedingungen", "labels": {"agree": "Zustimmen"}, "pages": [
        {"title": "Seite eins", "body": "Sei nett."}, {"title": "Seite zwei", "body": "Sei sehr nett."}]}}}
    """
  }

  /// An optional form of one page.
  static func news(body: String = "News by mail.") -> String {
    """
    {"id": "news", "version": "1.0", "kind": "terms", "required": false, "order": 5, "defaultLocale": "en",
     "locales": {"en": {"title": "News", "pages": [{"body": "\(body)"}]}}}
    """
  }

  /// A document: one scene, a review that has to be read to its end, a name, a drawn signature, a field and a sharing choice.
  static func study(image: Bool = true) -> String {
    let lines = (1...80).map { "Sentence \($0).\\n\\n" }.joined()
    return """
      {"id": "study", "version": "1.0", "kind": "consent", "required": true, "defaultLocale": "en",
       "processing": {"privacyNotice": "https://example.org/privacy",
         "purposes": [{"description": "Support", "personalData": ["name"]}],
         "controllers": [{"name": "Example", "address": "1 Road", "contact": "privacy@example.org"}],
         "storageLocations": ["here"], "retention": "one year", "jurisdiction": "DE"},
       "locales": {"en": {"title": "Study", "document": {"title": "Consent to take part",
         "sections": [{"type": "overview", "summary": "A study", "content": "\(lines)The very end."}],
         "signaturePageTitle": "Signatures",
         "signatures": [
           {"id": "me", "role": "Participant", "names": "both", "requiresImage": \(image),
            "fields": [{"id": "mail", "label": "E-mail", "required": true}]},
           {"id": "witness", "role": "Witness", "names": "both", "requiresImage": false}],
         "review": {"requiresScrollToBottom": true, "reason": "You take part in the study."},
         "sharing": {"shortName": "the lab", "longName": "the lab and its partners", "learnMore": "Partners get counts."}}}}}
      """
  }

  /// A PNG of one pixel.
  static let png: [UInt8] = [
    0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 0x0D, 0x49, 0x48, 0x44, 0x52, 0, 0, 0, 1, 0, 0, 0, 1, 8, 6, 0, 0,
    0,
    0x1F, 0x15, 0xC4, 0x89, 0, 0, 0, 0x0D, 0x49, 0x44, 0x41, 0x54, 0x78, 0x9C, 0x63, 0x60, 0x60, 0x60, 0xF8, 0x0F, 0, 1, 4, 1,
    0, 0x5F, 0xE5, 0xC3, 0x4B, 0, 0, 0, 0, 0x49, 0x45, 0x4E, 0x44, 0xAE, 0x42, 0x60, 0x82,
  ]
}
