/// The objects that a form's file is made of, with the keys of each. `docs/consent-form.schema.json` names the same.
package enum ConsentFileObject: String, CaseIterable, Sendable {
  case form, confirmations, processing, purpose, controller, language, labels, page, learnMore, document, section, signature
  case field, review, sharing

  /// What a fault calls it.
  var words: String {
    switch self {
    case .form: "the form"
    case .purpose, .controller, .language, .page, .document, .section, .signature, .field: "a \(rawValue)"
    case .confirmations, .processing, .labels, .learnMore, .review, .sharing: rawValue
    }
  }

  /// The keys without which it can't be read.
  package var needed: [String] {
    switch self {
    case .form: ["id", "version", "kind", "required", "defaultLocale", "locales"]
    case .processing: ["privacyNotice", "purposes", "controllers", "storageLocations", "retention", "jurisdiction"]
    case .purpose: ["description", "personalData"]
    case .controller: ["name", "address", "contact"]
    case .language, .learnMore: ["title"]
    case .section: ["type"]
    case .signature: ["id", "role"]
    case .field: ["id", "label"]
    case .sharing: ["shortName", "longName"]
    case .confirmations, .labels, .page, .document, .review: []
    }
  }

  /// The keys that it may have beside them.
  package var optional: [String] {
    switch self {
    case .form: ["$schema", "order", "validDays", "processing", "confirmations"]
    case .confirmations: ["deny", "cancel"]
    case .processing: ["recipients", "withdrawalMethod"]
    case .purpose: ["lawfulBasis"]
    case .controller: []
    case .language: ["pages", "document", "labels"] + Self.textKeys("changes")
    case .labels: ConsentLabel.allCases.map(\.rawValue)
    case .page: ["title", "learnMore"] + Self.textKeys("body")
    case .learnMore: ["url"] + Self.textKeys("text")
    case .document:
      ["title", "sections", "signaturePageTitle", "signaturePageContent", "signatures", "review", "sharing"]
        + Self.formattedKeys("override")
    case .section:
      ["title", "formalTitle", "summary", "learnMoreURL", "learnMoreTitle", "omitFromDocument"] + Self.textKeys("content")
    case .signature: ["names", "requiresImage", "dateFormat", "fields"]
    case .field: ["required"]
    case .review: ["requiresScrollToBottom", "reason", "confirm"]
    case .sharing: Self.textKeys("learnMore")
    }
  }

  /// The keys that a text can stand under: `body`, `bodyMarkdown`, `bodyHTML`, `bodyFile`, `bodyBlocks`.
  static func textKeys(_ name: String) -> [String] { [name] + formattedKeys(name) }

  /// Those of its formatted side.
  static func formattedKeys(_ name: String) -> [String] { ["Markdown", "HTML", "File", "Blocks"].map { name + $0 } }
}
