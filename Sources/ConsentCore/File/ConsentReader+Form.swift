internal import StrictJSON

extension ConsentReader {
  /// The top of the file.
  mutating func form(_ root: JSONNode, origin: ConsentOrigin) -> ConsentForm? {
    guard let members = object(root, .form) else { return nil }
    let id = value(members["id"], "1 to 64 of a-z, 0-9, \".\", \"-\", \"_\"") { ConsentFormID($0) }
    if id == .record, let node = members["id"] { refuse(node.range, "the record itself has this id") }
    let version = value(members["version"], "a version such as \"1.0\"") { ConsentVersion($0) }
    let locale = value(members["defaultLocale"], "a language such as \"en\" or \"pt-BR\"") { LanguageTag($0) }
    let kind = choice(members["kind"], ConsentKind.self)
    var terms = ConsentTerms(kind: kind ?? .terms, isRequired: bool(members["required"], default: true))
    terms.order = integer(members["order"], 0...9999) ?? 0
    terms.validDays = integer(members["validDays"], 1...36500)
    terms.origin = origin
    terms.confirmations = members["confirmations"].map { confirmations($0) } ?? ConsentConfirmations()
    terms.processing = members["processing"].flatMap { processing($0) }
    if let id, terms.processing?.withdrawalMethod == ConsentProcessing.withdrawalCommand {
      terms.processing?.withdrawalMethod += " \(id)"
    }
    _ = members["$schema"].flatMap { string($0) }
    let variants = members["locales"].map { self.variants($0) } ?? []
    guard let id, let version, let locale, faults.isEmpty else { return nil }
    do throws(ConsentModelFault) {
      let form = try ConsentForm(id: id, version: version, terms: terms, defaultLocale: locale, variants: variants)
      if let fault = form.sizeFault { refuse((members["locales"] ?? root).range, fault) }
      return form
    } catch {
      let (key, words) = error.inFile
      refuse((members[key] ?? root).range, words)
      return nil
    }
  }

  private mutating func confirmations(_ node: JSONNode) -> ConsentConfirmations {
    let members = object(node, .confirmations) ?? [:]
    return ConsentConfirmations(
      deny: bool(members["deny"], default: true), cancel: bool(members["cancel"], default: true))
  }

  private mutating func processing(_ node: JSONNode) -> ConsentProcessing? {
    guard let members = object(node, .processing) else { return nil }
    let purposes = elements(members["purposes"], limit: 64).compactMap { purpose($0) }
    let controllers = elements(members["controllers"], limit: 16).compactMap { party($0) }
    var processing = ConsentProcessing(
      privacyNotice: string(members["privacyNotice"]) ?? "", purposes: purposes, controllers: controllers,
      retention: string(members["retention"]) ?? "", jurisdiction: string(members["jurisdiction"]) ?? "")
    processing.storageLocations = strings(members["storageLocations"])
    processing.recipients = strings(members["recipients"])
    if let method = string(members["withdrawalMethod"]) { processing.withdrawalMethod = method }
    for key in ["purposes", "controllers", "storageLocations"] {
      if let list = members[key], case .array(let found) = list.value, found.isEmpty {
        refuse(list.range, "expected at least one entry")
      }
    }
    return processing
  }

  private mutating func purpose(_ node: JSONNode) -> ConsentPurposeFacts? {
    guard let members = object(node, .purpose) else { return nil }
    return ConsentPurposeFacts(
      description: string(members["description"]) ?? "", personalData: strings(members["personalData"]),
      lawfulBasis: string(members["lawfulBasis"]))
  }

  private mutating func party(_ node: JSONNode) -> ConsentParty? {
    guard let members = object(node, .controller) else { return nil }
    return ConsentParty(
      name: string(members["name"]) ?? "", address: string(members["address"]) ?? "",
      contact: string(members["contact"]) ?? "")
  }

  private mutating func variants(_ node: JSONNode) -> [ConsentVariant] {
    guard case .object(let members) = node.value else { return expected("an object", node) ?? [] }
    if members.count > 64 { refuse(node.range, "expected at most 64 languages, found \(members.count)") }
    return members.prefix(64).compactMap { member in
      guard let locale = LanguageTag(member.key) else {
        refuse(member.keyRange, "expected a language such as \"en\" or \"pt-BR\", found \(quoted(member.key))")
        return nil
      }
      return variant(member.node, locale)
    }
  }

  private mutating func variant(_ node: JSONNode, _ locale: LanguageTag) -> ConsentVariant? {
    guard let members = object(node, .language) else { return nil }
    let content: ConsentContent?
    switch (members["pages"], members["document"]) {
    case (let pages?, nil): content = .pages(elements(pages, limit: 100).compactMap { page($0) })
    case (nil, let document?): content = self.document(document, locale).map { .document($0) }
    case (nil, nil), (_?, _?):
      refuse(node.range, "a language has either \"pages\" or a \"document\"")
      content = nil
    }
    let title = string(members["title"]) ?? ""
    let changes = text(members, "changes", node)
    let labels = members["labels"].map { self.labels($0) } ?? ConsentLabels()
    return content.map { ConsentVariant(locale: locale, title: title, changes: changes, content: $0, labels: labels) }
  }

  private mutating func labels(_ node: JSONNode) -> ConsentLabels {
    var labels = ConsentLabels()
    for (key, node) in object(node, .labels) ?? [:] {
      if let label = ConsentLabel(rawValue: key), let words = string(node, limit: 256) { labels[label] = words }
    }
    return labels
  }

  private mutating func page(_ node: JSONNode) -> ConsentPage? {
    guard let members = object(node, .page) else { return nil }
    guard let body = text(members, "body", node) else {
      refuse(node.range, "a page needs \"body\" or one of its formatted sides")
      return nil
    }
    return ConsentPage(
      title: string(members["title"]), body: body, learnMore: members["learnMore"].flatMap { learnMore($0) })
  }

  private mutating func learnMore(_ node: JSONNode) -> ConsentLearnMore? {
    guard let members = object(node, .learnMore) else { return nil }
    let title = string(members["title"]) ?? ""
    switch (members["url"], text(members, "text", node)) {
    case (let address?, nil): return url(address).map { ConsentLearnMore(title: title, target: .url($0)) }
    case (nil, let text?): return ConsentLearnMore(title: title, target: .text(text))
    default:
      refuse(node.range, "learnMore has either a \"url\" or a text")
      return nil
    }
  }
}

extension ConsentModelFault {
  /// The key of a form's file that it is about, and the fault in words that name the keys to look at.
  fileprivate var inFile: (key: String, words: String) {
    switch self {
    case .noProcessing: ("processing", #"a consent needs "processing", which says what is done with whose data"#)
    case .noDefaultVariant: ("defaultLocale", #""defaultLocale" is a language that "locales" does not have"#)
    case .noVariants: ("locales", #""locales" needs at least one language"#)
    case .doubledLocale: ("locales", #""locales" has a language twice"#)
    case .emptyContent: ("locales", #"a form needs an entry in "pages", or a document with "sections" or an override"#)
    case .doubledSignature: ("locales", #"two "signatures" of a document have the same "id""#)
    case .variantsDiffer(let tag):
      (
        "locales",
        #"the text in \#(tag) asks for something else than the others do: each has "pages", or each a "document" with the same "#
          + #"ids, names, images and fields in "signatures", and with or without "sharing""#
      )
    default: ("locales", description)
    }
  }
}
