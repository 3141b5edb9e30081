internal import StrictJSON

extension ConsentReader {
  mutating func document(_ node: JSONNode, _ locale: LanguageTag) -> ConsentDocument? {
    guard let members = object(node, .document) else { return nil }
    var document = ConsentDocument(title: string(members["title"]))
    document.sections = elements(members["sections"], limit: 500).compactMap { section($0, locale) }
    document.override = formatted(members, "override", node)
    document.signaturePageTitle = string(members["signaturePageTitle"])
    document.signaturePageContent = string(members["signaturePageContent"], isLine: false)
    document.signatures = elements(members["signatures"], limit: 16).compactMap { signature($0) }
    if let review = members["review"] { document.review = self.review(review) }
    document.sharing = members["sharing"].flatMap { sharing($0) }
    if let sections = members["sections"], !document.sections.isEmpty, document.shownSections.isEmpty {
      refuse(sections.range, "no section has a scene")
    }
    return document
  }

  private mutating func section(_ node: JSONNode, _ locale: LanguageTag) -> ConsentSection? {
    guard let members = object(node, .section) else { return nil }
    guard let type = choice(members["type"], ConsentSectionType.self) else { return nil }
    var section = ConsentSection(
      type: type, content: text(members, "content", node) ?? ConsentText(),
      isOmittedFromDocument: bool(members["omitFromDocument"], default: false))
    if let title = string(members["title"]) {
      section.title = title
    } else if type.defaultTitle != nil, locale.language != "en" {
      refuse(node.range, "a section needs its \"title\" in \(locale): there is a default one in English only")
    }
    section.formalTitle = string(members["formalTitle"])
    section.summary = string(members["summary"])
    section.learnMoreURL = url(members["learnMoreURL"])
    section.learnMoreTitle = string(members["learnMoreTitle"])
    if type == .onlyInDocument, section.isOmittedFromDocument {
      refuse(node.range, "a section that is only in the document and omitted from it appears nowhere")
    }
    return section
  }

  private mutating func signature(_ node: JSONNode) -> ConsentSignature? {
    guard let members = object(node, .signature) else { return nil }
    guard let id = string(members["id"], limit: 64), let role = string(members["role"], limit: 256) else { return nil }
    var signature = ConsentSignature(
      id: id, role: role, names: choice(members["names"], ConsentNames.self) ?? .both,
      requiresImage: bool(members["requiresImage"], default: false))
    signature.datePattern = value(members["dateFormat"], "a date such as \"yyyy-MM-dd\"") { DatePattern($0) }
    signature.fields = elements(members["fields"], limit: 16).compactMap { field($0) }
    if Set(signature.fields.map(\.id)).count != signature.fields.count, let fields = members["fields"] {
      refuse(fields.range, "two fields have the same id")
    }
    return signature
  }

  private mutating func field(_ node: JSONNode) -> ConsentSignerField? {
    guard let members = object(node, .field) else { return nil }
    guard let id = string(members["id"], limit: 64), let label = string(members["label"], limit: 256) else { return nil }
    return ConsentSignerField(id: id, label: label, isRequired: bool(members["required"], default: true))
  }

  private mutating func review(_ node: JSONNode) -> ConsentReview {
    let members = object(node, .review) ?? [:]
    return ConsentReview(
      requiresScrollToBottom: bool(members["requiresScrollToBottom"], default: false), reason: string(members["reason"]),
      confirmsAgreement: bool(members["confirm"], default: true))
  }

  private mutating func sharing(_ node: JSONNode) -> ConsentSharing? {
    guard let members = object(node, .sharing) else { return nil }
    let learnMore = text(members, "learnMore", node)
    if learnMore == nil { refuse(node.range, "sharing needs \"learnMore\" or one of its formatted sides") }
    guard let short = string(members["shortName"]), let long = string(members["longName"]), let learnMore else { return nil }
    let sharing = ConsentSharing(shortName: short, longName: long, learnMore: learnMore)
    if sharing == nil { refuse(node.range, "the texts of sharing must not be empty") }
    return sharing
  }
}
