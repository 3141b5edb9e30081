/// The words on buttons and captions that a form can replace, for its language or for its tone.
public enum ConsentLabel: String, Hashable, Sendable, CaseIterable {
  /// On the button that agrees.
  case agree
  /// On the one that denies a required form.
  case deny
  /// On the one that puts off an optional form.
  case notNow
  /// On the one that leaves.
  case cancel
  /// On the one that leads on.
  case next
  /// On the one that leads back.
  case back
  /// The heading of the review.
  case review
  /// What the review asks for.
  case reviewInstruction
  /// The caption under a signature.
  case signature
  /// The caption under a printed name.
  case printedName
  /// The caption under a date.
  case date
  /// The heading of the sharing choice.
  case sharing
  /// What is asked before a denial ends the onboarding.
  case denyQuestion
  /// What is asked before a cancel ends it.
  case cancelQuestion
  /// Under each page on paper; `{page}` and `{pages}` stand for numbers.
  case pageNumber
  /// On the button that leaves after all, and on the one that does not.
  case leave, stay
  /// The heading of what is done with whose data, and the names of its facts.
  case processing, controller, purpose, personalData, lawfulBasis, privacyNotice, storageLocation, retention, jurisdiction
  /// More of them.
  case recipient, withdrawal

  /// The English words.
  public var english: String {
    switch self {
    case .agree: "Agree"
    case .deny: "Deny"
    case .notNow: "Not now"
    case .cancel: "Cancel"
    case .next: "Next"
    case .back: "Back"
    case .review: "Review"
    case .reviewInstruction: "Read the form below, and agree if you want to go on."
    case .signature: "Signature"
    case .printedName: "Printed name"
    case .date: "Date"
    case .sharing: "Sharing options"
    case .denyQuestion: "Without consent you can't go on. Deny all the same?"
    case .cancelQuestion: "Do you want to leave? The answers given so far are kept."
    case .pageNumber: "Page {page} of {pages}"
    case .leave: "Leave"
    case .stay: "Stay"
    case .processing: "What is done with your data"
    case .controller: "Who decides"
    case .purpose: "What for"
    case .personalData: "Which data"
    case .lawfulBasis: "On what ground"
    case .privacyNotice: "Privacy notice"
    case .storageLocation: "Where it is kept"
    case .retention: "For how long"
    case .jurisdiction: "Whose law holds"
    case .recipient: "Who else gets it"
    case .withdrawal: "How to take it back"
    }
  }
}

/// The words of one variant.
public struct ConsentLabels: Hashable, Sendable {
  private var replaced: [ConsentLabel: String]

  /// The English words, but for these.
  public init(_ replaced: [ConsentLabel: String] = [:]) { self.replaced = replaced }

  /// The words that are not the English ones by default, in the order of the labels.
  var changed: [(ConsentLabel, String)] { ConsentLabel.allCases.compactMap { label in replaced[label].map { (label, $0) } } }

  /// The words of a label.
  public subscript(_ label: ConsentLabel) -> String {
    get { replaced[label] ?? label.english }
    set { replaced[label] = newValue }
  }
}
