public import SecretMemory

/// The exact text of a form in one language: what a person was told, and what a record keeps.
public struct ConsentFormText: Hashable, Sendable {
  /// The text, in UTF-8, with a line feed at the end of each line. It holds everything that can be shown: each page and
  /// section with what *learn more* opens, the signatures asked for, the sharing choice and the words on the buttons.
  public let text: String
  /// SHA-256 of the text: `sha256sum` of it gives the same.
  public let digest: Digest

  /// A text and its digest.
  public init(_ text: String) {
    self.text = text
    digest = SHA256.digest(Array(text.utf8).span)
  }
}

extension ConsentForm {
  /// The exact text of a variant. The same form always gives the same text.
  public func text(of variant: ConsentVariant) -> ConsentFormText {
    var renderer = LineRenderer(width: nil, isRightToLeft: variant.locale.isRightToLeft, isCanonical: true)
    renderer.set(everything(in: variant).blocks)
    return ConsentFormText(renderer.lines.map { $0.text + "\n" }.joined())
  }

  /// All that the exact text of a variant says, to be set in lines.
  public func everything(in variant: ConsentVariant) -> RichText {
    let necessity = isRequired ? "required" : "optional"
    var blocks: [RichBlock] = [
      .heading(level: 1, [.plain(variant.title)]),
      .paragraph([.text("\(id) \(version), \(kind.rawValue), \(necessity), \(variant.locale)")]),
    ]
    if let validDays { blocks.append(.paragraph([.text("valid for \(validDays) days")])) }
    blocks += processingText(in: variant).blocks
    switch variant.content {
    case .pages(let pages): blocks += pages.flatMap(Self.blocks(of:))
    case .document(let document): blocks += Self.blocks(of: document, variant.labels)
    }
    let buttons: [ConsentLabel] = [.agree, isRequired ? .deny : .notNow, .cancel]
    let labels = buttons.map { "[\(variant.labels[$0])]" }
    blocks.append(.paragraph([.plain(labels.joined(separator: " "))]))
    return RichText(blocks)
  }

  /// What is done with whose data, with a name for each fact; empty where the form does not say.
  ///
  /// - Parameter level: the heading's.
  public func processingText(in variant: ConsentVariant, level: Int = 2) -> RichText {
    guard let processing else { return RichText() }
    let labels = variant.labels
    var facts: [(ConsentLabel, String)] = processing.controllers.map {
      (.controller, "\($0.name), \($0.address), \($0.contact)")
    }
    for purpose in processing.purposes {
      facts.append((.purpose, purpose.description))
      facts.append((.personalData, purpose.personalData.joined(separator: ", ")))
      if let basis = purpose.lawfulBasis { facts.append((.lawfulBasis, basis)) }
    }
    facts.append((.storageLocation, processing.storageLocations.joined(separator: ", ")))
    facts += [(.retention, processing.retention), (.jurisdiction, processing.jurisdiction)]
    facts += processing.recipients.map { (.recipient, $0) }
    facts += [(.privacyNotice, processing.privacyNotice), (.withdrawal, processing.withdrawalMethod)]
    let items: [[RichBlock]] = facts.map { label, text in
      [.paragraph([.strong([.plain("\(labels[label]):")]), .text(" "), .isolated(PlainText.cleaned(text))])]
    }
    return RichText([.heading(level: level, [.plain(labels[.processing])]), .list(RichList(items: items))])
  }

  /// The digest of each language's text.
  public var digests: [LanguageTag: Digest] {
    Dictionary(uniqueKeysWithValues: variants.map { ($0.locale, text(of: $0).digest) })
  }

  private static func blocks(of page: ConsentPage) -> [RichBlock] {
    let heading = page.title.map { [RichBlock.heading(level: 2, [.plain($0)])] } ?? []
    return heading + page.body.rich.blocks + blocks(of: page.learnMore)
  }

  private static func blocks(of learnMore: ConsentLearnMore?) -> [RichBlock] {
    guard let learnMore else { return [] }
    switch learnMore.target {
    case .url(let url): return [.paragraph([.link(url: url, [.plain(learnMore.title)])])]
    case .text(let text): return [.paragraph([.plain(learnMore.title)]), .quote(text.rich.blocks)]
    }
  }

  private static func blocks(of document: ConsentDocument, _ labels: ConsentLabels) -> [RichBlock] {
    var blocks: [RichBlock] = document.shownSections.flatMap { section -> [RichBlock] in
      let title = section.title.map { [RichBlock.heading(level: 2, [.plain($0)])] } ?? []
      let summary = section.summary.map { [RichBlock.paragraph([.plain($0)])] } ?? []
      return title + summary + Self.blocks(of: section.learnMore)
    }
    blocks += DocumentFormatter().text(of: document, mode: .review, labels: labels).blocks
    blocks += DocumentFormatter().text(of: document, mode: .print, labels: labels).blocks.drop { $0 != .pageBreak }
    if let reason = document.review.reason { blocks.append(.paragraph([.plain(reason)])) }
    if let sharing = document.sharing {
      blocks.append(.heading(level: 2, [.plain(labels[.sharing])]))
      blocks.append(.list(RichList(items: [sharing.shortName, sharing.longName].map { [.paragraph([.plain($0)])] })))
      blocks += sharing.learnMore.rich.blocks
    }
    return blocks
  }
}
