/// Something a person is asked to agree to: terms, or a consent, in one version and several languages.
///
/// Invariants: `variants` is not empty, sorted by tag, holds ``defaultLocale``, and each variant asks for the same: pages or
/// a document, with the same signatures and the same sharing choice.
public struct ConsentForm: Hashable, Sendable {
  /// Its name, the same in every version.
  public let id: ConsentFormID
  /// Its version.
  public let version: ConsentVersion
  /// What agreeing to it is.
  public let kind: ConsentKind
  /// Whether denying it ends the onboarding. An optional one can be put off.
  public let isRequired: Bool
  /// Its place among the forms: lower ones come first.
  public let order: Int
  /// For how many days an answer holds; nil is without end.
  public let validDays: Int?
  /// Whose it is.
  public let origin: ConsentOrigin
  /// What is done with whose data: always there for a consent.
  public let processing: ConsentProcessing?
  /// Which questions are asked before it is denied, and before the person leaves it.
  public let confirmations: ConsentConfirmations
  /// The language of those who read none of the others.
  public let defaultLocale: LanguageTag
  /// The texts, one for each language.
  public let variants: [ConsentVariant]

  /// A form.
  ///
  /// - Throws: `noVariants`, `doubledLocale`, `noDefaultVariant`, `variantsDiffer`, `emptyContent`, `doubledSignature`, or
  ///   `noProcessing` for a consent that does not say what it is about.
  public init(
    id: ConsentFormID, version: ConsentVersion, terms: ConsentTerms, defaultLocale: LanguageTag, variants: [ConsentVariant]
  ) throws(ConsentModelFault) {
    self.id = id
    self.version = version
    kind = terms.kind
    isRequired = terms.isRequired
    order = terms.order
    validDays = terms.validDays
    origin = terms.origin
    processing = terms.processing
    confirmations = terms.confirmations
    self.defaultLocale = defaultLocale
    self.variants = variants.sorted { $0.locale < $1.locale }
    try check()
  }

  /// The variant for a person who reads these languages, best first; the default one where there is none of them.
  public func variant(for preferred: [LanguageTag]) -> ConsentVariant {
    let tag = LanguageTag.choose(from: variants.map(\.locale), for: preferred) ?? defaultLocale
    return variant(in: tag) ?? variants[0]
  }

  /// The variant in exactly this language.
  public func variant(in locale: LanguageTag) -> ConsentVariant? { variants.first { $0.locale == locale } }

  private func check() throws(ConsentModelFault) {
    guard let first = variants.first else { throw .noVariants }
    if Set(variants.map(\.locale)).count != variants.count { throw .doubledLocale }
    if variant(in: defaultLocale) == nil { throw .noDefaultVariant }
    if kind == .consent, processing == nil { throw .noProcessing }
    for variant in variants {
      try variant.content.check()
      if variant.content.shape != first.content.shape { throw .variantsDiffer(variant.locale) }
    }
  }
}

/// What holds for a form in every language.
public struct ConsentTerms: Hashable, Sendable {
  /// What agreeing to it is.
  public var kind: ConsentKind
  /// Whether denying it ends the onboarding.
  public var isRequired: Bool
  /// Its place among the forms.
  public var order = 0
  /// For how many days an answer holds; nil is without end.
  public var validDays: Int?
  /// Whose it is.
  public var origin = ConsentOrigin.administrator
  /// What is done with whose data.
  public var processing: ConsentProcessing?
  /// Which questions are asked.
  public var confirmations = ConsentConfirmations()

  /// The terms of a form without end, order or processing.
  public init(kind: ConsentKind, isRequired: Bool) {
    self.kind = kind
    self.isRequired = isRequired
  }
}

/// What agreeing to a form is. The two are kept apart: a contract's acceptance is no consent to the use of data.
///
/// Source: GDPR article 7(2).
public enum ConsentKind: String, Hashable, Sendable, CaseIterable {
  /// Terms that are accepted, as a contract is.
  case terms
  /// A consent to what is done with a person's data.
  case consent
}

/// Whose a form is.
public enum ConsentOrigin: String, Hashable, Sendable {
  /// The administrator's.
  case administrator
  /// The user's own: it can gate the creation of a store and nothing else.
  case user
}

/// A form in one language.
public struct ConsentVariant: Hashable, Sendable {
  /// The language.
  public let locale: LanguageTag
  /// The form's name for people.
  public let title: String
  /// What changed since the major version before, for those who agreed to that.
  public let changes: ConsentText?
  /// What is shown.
  public let content: ConsentContent
  /// The words on buttons and captions, where they differ from the English ones.
  public let labels: ConsentLabels

  /// A variant.
  public init(
    locale: LanguageTag, title: String, changes: ConsentText? = nil, content: ConsentContent,
    labels: ConsentLabels = ConsentLabels()
  ) {
    self.locale = locale
    self.title = title
    self.changes = changes
    self.content = content
    self.labels = labels
  }
}

/// What a form shows.
public enum ConsentContent: Hashable, Sendable {
  /// Pages, one after the other.
  case pages([ConsentPage])
  /// A document: sections, then the review, then what has to be signed.
  case document(ConsentDocument)

  /// What it asks for, without the words: the same in every language.
  struct Shape: Hashable {
    var isDocument = false
    var signatures: [ConsentSignature.Demand] = []
    var asksSharing = false
  }

  var shape: Shape {
    guard case .document(let document) = self else { return Shape() }
    return Shape(isDocument: true, signatures: document.signatures.map(\.demand), asksSharing: document.sharing != nil)
  }

  func check() throws(ConsentModelFault) {
    switch self {
    case .pages(let pages): if pages.isEmpty { throw .emptyContent }
    case .document(let document):
      if document.sections.isEmpty, document.override == nil { throw .emptyContent }
      if Set(document.signatures.map(\.id)).count != document.signatures.count { throw .doubledSignature }
    }
  }
}

/// One page of a form.
public struct ConsentPage: Hashable, Sendable {
  /// Its heading.
  public let title: String?
  /// Its text.
  public let body: ConsentText
  /// Where to read on.
  public let learnMore: ConsentLearnMore?

  /// A page.
  public init(title: String?, body: ConsentText, learnMore: ConsentLearnMore? = nil) {
    self.title = title
    self.body = body
    self.learnMore = learnMore
  }
}

/// The action under a page: a label, and what it opens.
public struct ConsentLearnMore: Hashable, Sendable {
  /// What it opens.
  public enum Target: Hashable, Sendable {
    /// A page on the web.
    case url(String)
    /// A text that is shown at once.
    case text(ConsentText)
  }

  /// What is on the button.
  public let title: String
  /// What it opens.
  public let target: Target

  /// An action.
  public init(title: String, target: Target) {
    self.title = title
    self.target = target
  }
}
