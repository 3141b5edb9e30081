/// A document to be read, reviewed and signed.
public struct ConsentDocument: Hashable, Sendable {
  /// Its title, in the review and on paper.
  public var title: String?
  /// Its sections; their order is that of the scenes and of the document.
  public var sections: [ConsentSection]
  /// What stands in the document in place of its title and its sections. The signature page follows all the same.
  public var override: RichText?
  /// The heading of the signature page.
  public var signaturePageTitle: String?
  /// The text of the signature page.
  public var signaturePageContent: String?
  /// Who signs, in this order.
  public var signatures: [ConsentSignature]
  /// How it is reviewed.
  public var review: ConsentReview
  /// The choice with whom data is shared.
  public var sharing: ConsentSharing?

  /// A document.
  public init(
    title: String? = nil, sections: [ConsentSection] = [], override: RichText? = nil,
    signatures: [ConsentSignature] = [], review: ConsentReview = ConsentReview()
  ) {
    self.title = title
    self.sections = sections
    self.override = override
    self.signatures = signatures
    self.review = review
  }

  /// The sections that have a scene.
  public var shownSections: [ConsentSection] { sections.filter(\.isShown) }
  /// The sections that are a part of the document.
  public var documentSections: [ConsentSection] { sections.filter(\.isInDocument) }

  /// The document with a signature in the place of the one with its id.
  ///
  /// - Throws: `unknownSignature` where there is none: a signature is never dropped in silence.
  public func signed(with signature: ConsentSignature) throws(ConsentModelFault) -> ConsentDocument {
    guard let index = signatures.firstIndex(where: { $0.id == signature.id }) else { throw .unknownSignature }
    var copy = self
    copy.signatures[index] = signature
    return copy
  }
}

/// How a document is reviewed.
public struct ConsentReview: Hashable, Sendable {
  /// Whether *agree* is taken only after the end was reached. Reaching it never agrees to anything.
  public var requiresScrollToBottom = false
  /// What the person agrees to, in the question that confirms it.
  public var reason: String?
  /// Whether agreeing has to be confirmed.
  public var confirmsAgreement = true

  /// A review with a confirmation and without a gate.
  public init() {}

  /// A review.
  public init(requiresScrollToBottom: Bool, reason: String?, confirmsAgreement: Bool = true) {
    self.requiresScrollToBottom = requiresScrollToBottom
    self.reason = reason
    self.confirmsAgreement = confirmsAgreement
  }
}

/// Whether *agree* is taken yet. It opens once and never closes again.
///
/// Source: EDPB Guidelines 05/2020 §86: scrolling is no consent.
public struct ScrollGate: Hashable, Sendable {
  /// Whether *agree* is taken.
  public private(set) var isOpen: Bool

  /// Open from the start where the review does not ask for more, or the whole text fits.
  public init(_ review: ConsentReview, fitsWhole: Bool) { isOpen = !review.requiresScrollToBottom || fitsWhole }

  /// The person saw the text up to here.
  ///
  /// - Parameters:
  ///   - line: the last line that was shown, from 1.
  ///   - count: how many lines there are.
  public mutating func saw(line: Int, of count: Int) { if line >= count { isOpen = true } }
}

/// With whom data is shared: one of two answers, and one has to be given.
public struct ConsentSharing: Hashable, Sendable {
  /// Who asks, in a few words: `Example`.
  public let shortName: String
  /// Who asks, in full: `Example University and its partners`.
  public let longName: String
  /// What *learn more* shows.
  public let learnMore: ConsentText

  /// Nil where any of the three is empty: a choice between unnamed parties is none.
  public init?(shortName: String, longName: String, learnMore: ConsentText) {
    if shortName.isEmpty || longName.isEmpty || learnMore.isEmpty { return nil }
    self.shortName = shortName
    self.longName = longName
    self.learnMore = learnMore
  }
}

/// The answer to a ``ConsentSharing``.
public enum SharingAnswer: String, Hashable, Sendable, CaseIterable {
  /// With those who ask, and with qualified others anywhere.
  case widely
  /// With those who ask, and nobody else.
  case narrowly
}
