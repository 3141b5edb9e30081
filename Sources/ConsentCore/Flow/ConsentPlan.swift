/// What a flow needs to know of one form: its steps, without its words.
public struct ConsentPlan: Hashable, Sendable {
  /// What the form shows.
  public enum Content: Hashable, Sendable {
    /// So many pages, at least one.
    case pages(Int)
    /// A document.
    case document(DocumentPlan)
  }

  /// The steps of a document.
  public struct DocumentPlan: Hashable, Sendable {
    /// How many sections have a scene.
    public var sections = 0
    /// Whether *agree* waits for the end of the review.
    public var isGated = false
    /// Whether agreeing is confirmed.
    public var confirmsAgreement = true
    /// Whether a name, or an answer to a field, is asked.
    public var asksName = false
    /// Whether a signature is drawn.
    public var asksImage = false
    /// Whether the sharing choice is asked.
    public var asksSharing = false

    /// A document of a review alone.
    public init() {}
  }

  /// Whether denying it ends the onboarding.
  public var isRequired: Bool
  /// Its steps.
  public var content: Content
  /// Which questions are asked.
  public var confirmations = ConsentConfirmations()

  /// A plan.
  public init(isRequired: Bool, content: Content) {
    self.isRequired = isRequired
    self.content = content
  }

  /// The plan of a form in one language. Of a document's signatures the first is the person's; the others are given by others.
  public init(_ form: ConsentForm, in variant: ConsentVariant) {
    isRequired = form.isRequired
    confirmations = form.confirmations
    switch variant.content {
    case .pages(let pages): content = .pages(pages.count)
    case .document(let document):
      let place = document.signatures.first
      var plan = DocumentPlan()
      plan.sections = document.shownSections.count
      plan.isGated = document.review.requiresScrollToBottom
      plan.confirmsAgreement = document.review.confirmsAgreement
      plan.asksName = place.map { $0.requiresName || !$0.fields.isEmpty } ?? false
      plan.asksImage = place?.requiresImage ?? false
      plan.asksSharing = document.sharing != nil
      content = .document(plan)
    }
  }

  /// Where the form begins.
  var start: ConsentPlace {
    guard case .document(let document) = content else { return .page(0) }
    return document.sections > 0 ? .section(0) : .review(isOpen: !document.isGated)
  }
}

/// Where a person stands within a form.
public enum ConsentPlace: Hashable, Sendable {
  /// On this page, from 0.
  case page(Int)
  /// At this section's scene, from 0.
  case section(Int)
  /// At the review; `isOpen` says whether *agree* is taken.
  case review(isOpen: Bool)
  /// The name is asked.
  case name
  /// The drawn signature is asked.
  case image
  /// The sharing choice is asked.
  case sharing
}

/// What is asked before something is done.
public enum ConsentQuestion: String, Hashable, Sendable, CaseIterable {
  /// Whether the person really agrees, with the review's reason.
  case agree
  /// Whether the person really denies a required form: that ends the onboarding.
  case deny
  /// Whether the person really leaves.
  case cancel
}

/// Which questions are asked. Putting off an optional form never asks any.
public struct ConsentConfirmations: Hashable, Sendable {
  /// Whether a denial is confirmed.
  public var deny = true
  /// Whether a cancel is confirmed.
  public var cancel = true

  /// Both.
  public init() {}

  /// Some.
  public init(deny: Bool, cancel: Bool) {
    self.deny = deny
    self.cancel = cancel
  }
}

/// The answer to one form in a flow.
public enum ConsentChoice: String, Hashable, Sendable, CaseIterable {
  /// Agreed to, with all that was asked.
  case agreed
  /// A required form was denied.
  case denied
  /// An optional form was put off.
  case notNow
}

/// How a flow ends.
public enum ConsentEnd: String, Hashable, Sendable, CaseIterable {
  /// Every form has its answer, and no required one was denied.
  case finished
  /// A required form was denied.
  case denied
  /// The person left.
  case cancelled
}
