/// A section of a consent document.
public struct ConsentSection: Hashable, Sendable {
  /// What it is about.
  public var type: ConsentSectionType
  /// The heading of its scene, and of its part of the document where there is no ``formalTitle``. Starts as the type's.
  public var title: String?
  /// The heading in the document.
  public var formalTitle: String?
  /// One line for the scene; never in the document.
  public var summary: String?
  /// The text: in the document, and under *learn more*.
  public var content: ConsentText
  /// What *learn more* opens in place of the text. The document never shows it.
  public var learnMoreURL: String?
  /// What is on the button, in place of the type's label.
  public var learnMoreTitle: String?
  /// Whether the section has a scene but no part in the document.
  public var isOmittedFromDocument: Bool

  /// A section with the title of its type.
  public init(type: ConsentSectionType, content: ConsentText = ConsentText(), isOmittedFromDocument: Bool = false) {
    self.type = type
    title = type.defaultTitle
    self.content = content
    self.isOmittedFromDocument = isOmittedFromDocument
  }

  /// Whether it has a scene of its own.
  public var isShown: Bool { type != .onlyInDocument }
  /// Whether it is a part of the document. One that is for the document only and omitted from it appears nowhere.
  public var isInDocument: Bool { !isOmittedFromDocument }
  /// The heading in the document: ``formalTitle``, else ``title``, also where that is nil.
  public var documentTitle: String? { formalTitle ?? title }

  /// What *learn more* opens: the address before the formatted text before the plain one; nil where each is empty.
  public var learnMore: ConsentLearnMore? {
    let label = learnMoreTitle ?? type.defaultLearnMoreTitle
    if let learnMoreURL, !learnMoreURL.isEmpty { return ConsentLearnMore(title: label, target: .url(learnMoreURL)) }
    if let formatted = content.formatted, !formatted.blocks.isEmpty {
      return ConsentLearnMore(title: label, target: .text(ConsentText(formatted: formatted)))
    }
    guard let plain = content.plain, !plain.isEmpty else { return nil }
    return ConsentLearnMore(title: label, target: .text(ConsentText(plain: plain)))
  }
}

/// What a section is about.
public enum ConsentSectionType: String, Hashable, Sendable, CaseIterable {
  /// What all this is.
  case overview
  /// How data comes in.
  case dataGathering
  /// How data and person are protected.
  case privacy
  /// What data is used for.
  case dataUse
  /// How much of the person's time it takes.
  case timeCommitment
  /// Surveys.
  case studySurvey
  /// Tasks.
  case studyTasks
  /// How to leave.
  case withdrawing
  /// Anything else.
  case custom
  /// A part of the document without a scene.
  case onlyInDocument

  /// The English title; nil for the types that have none.
  public var defaultTitle: String? {
    switch self {
    case .overview: "Welcome"
    case .dataGathering: "Data Gathering"
    case .privacy: "Privacy"
    case .dataUse: "Data Use"
    case .timeCommitment: "Time Commitment"
    case .studySurvey: "Study Survey"
    case .studyTasks: "Study Tasks"
    case .withdrawing: "Withdrawing"
    case .custom, .onlyInDocument: nil
    }
  }

  /// The English label of *learn more*.
  public var defaultLearnMoreTitle: String {
    switch self {
    case .overview: "Learn more about the study first"
    case .dataGathering: "Learn more about how data is gathered"
    case .privacy: "Learn more about how your privacy and identity are protected"
    case .dataUse: "Learn more about how data is used"
    case .timeCommitment: "Learn more about the study's impact on your time"
    case .studySurvey: "Learn more about the study survey"
    case .studyTasks: "Learn more about the tasks involved"
    case .withdrawing: "Learn more about withdrawing"
    case .custom, .onlyInDocument: "Learn more"
    }
  }
}
