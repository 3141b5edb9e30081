/// What an app is told. Acceptance is told for each form, in both.
public protocol ConsentFlowDelegate: AnyObject {
  /// The answers are to be recorded, all or none, before anything is open.
  ///
  /// - Returns: whether they are recorded.
  func record(_ answers: [ConsentAnswer], end: ConsentEnd) -> Bool
  /// Every form has its answer, or a required one was denied.
  func didReceiveResponse(_ acceptances: [ConsentAcceptance])
  /// The person left.
  func didCancel(_ acceptances: [ConsentAcceptance])
}

/// How one form was answered; nil is not at all.
public struct ConsentAcceptance: Hashable, Sendable {
  /// The form.
  public let form: ConsentFormID
  /// The answer.
  public let choice: ConsentChoice?

  /// Whether it was agreed to.
  public var isAccepted: Bool { choice == .agreed }
}

/// One answer, with all that a record keeps of it.
public struct ConsentAnswer: Hashable, Sendable {
  /// The form in the language in which it was shown.
  public let item: ConsentAgendaItem
  /// The answer; nil where it was shown and not answered.
  public let choice: ConsentChoice?
  /// The document, signed.
  public let document: ConsentDocument?
  /// The sharing choice.
  public let sharing: SharingAnswer?

  /// An answer, also one that was given without a dialogue.
  public init(
    item: ConsentAgendaItem, choice: ConsentChoice?, document: ConsentDocument? = nil, sharing: SharingAnswer? = nil
  ) {
    self.item = item
    self.choice = choice
    self.document = document
    self.sharing = sharing
  }

  /// What an entry says happened.
  public var event: ConsentEvent {
    switch choice {
    case nil: .requested
    case .denied: .refused
    case .notNow: .deferred
    case .agreed: item.isUpdate || item.standing.state == .expired ? .renewed : .given
    }
  }
}

/// What a front end shows.
public enum ConsentStep: Hashable, Sendable {
  /// The form at this place of the agenda, at this place of the form.
  case showing(Int, ConsentPlace)
  /// A question over it.
  case asking(Int, ConsentQuestion)
  /// Over.
  case ended(ConsentEnd)
  /// Over; the answers could not be recorded, so nothing was agreed to.
  case failed
}

/// Asks the forms of an agenda, one after the other.
///
/// Nothing is recorded before the end: a flow that is denied leaves the denial alone behind, a cancelled one the answers that
/// were given, and one that breaks off nothing.
public final class ConsentFlow {
  /// What is asked.
  public let items: [ConsentAgendaItem]
  private let machine: ConsentMachine
  private var state: ConsentMachine.State
  private weak var delegate: (any ConsentFlowDelegate)?
  private var answers: [ConsentAnswer] = []
  private var signature: GivenSignature?
  private var sharing: SharingAnswer?

  /// A flow over an agenda.
  public init(
    _ agenda: ConsentAgenda, delegate: any ConsentFlowDelegate, confirmations: ConsentConfirmations = ConsentConfirmations()
  ) {
    items = agenda.items
    self.delegate = delegate
    machine = ConsentMachine(
      items.map { ConsentPlan($0.form, in: $0.variant) }, confirmations: confirmations)
    state = machine.start
  }

  /// What is to be shown.
  public var step: ConsentStep {
    switch state.phase {
    case .showing(let place): .showing(state.form, place)
    case .asking(let question, _): .asking(state.form, question)
    case .ended(let end), .recording(let end): .ended(end)
    case .failed: .failed
    }
  }

  /// How each form was answered so far.
  public var acceptances: [ConsentAcceptance] {
    items.enumerated().map { index, item in
      ConsentAcceptance(form: item.form.id, choice: index < state.choices.count ? state.choices[index] : nil)
    }
  }

  /// To the next page or scene.
  public func next() throws(ConsentRefusal) { try take(.next) }
  /// To the one before.
  public func back() throws(ConsentRefusal) { try take(.back) }
  /// The end of the review was reached.
  public func sawEnd() throws(ConsentRefusal) { try take(.sawEnd) }
  /// *Agree.*
  public func agree() throws(ConsentRefusal) { try take(.agree) }
  /// *Deny*, or *not now*.
  public func decline() throws(ConsentRefusal) { try take(.decline) }
  /// Leave.
  public func cancel() throws(ConsentRefusal) { try take(.cancel) }
  /// Answers the question.
  public func answer(_ yes: Bool) throws(ConsentRefusal) { try take(.answer(yes)) }

  /// Gives the name and the fields.
  ///
  /// - Throws: `improper` where they are not what the form asks for; `notNow`.
  public func name(_ given: GivenSignature) throws(ConsentRefusal) {
    guard case .showing(.name) = state.phase, var place = document?.signatures.first else { throw refusal }
    place.requiresImage = false
    do throws(ConsentModelFault) { _ = try place.signed(with: given) } catch { throw .improper(error) }
    signature = given
    try take(.named)
  }

  /// Gives the drawn signature.
  public func draw(_ image: ConsentImage, at instant: ZonedInstant) throws(ConsentRefusal) {
    guard case .showing(.image) = state.phase, let place = document?.signatures.first else { throw refusal }
    var given = signature ?? GivenSignature(id: place.id, signedAt: instant)
    given.image = image
    signature = given
    try take(.drew)
  }

  /// Makes the sharing choice.
  public func share(_ answer: SharingAnswer) throws(ConsentRefusal) {
    guard case .showing(.sharing) = state.phase else { throw refusal }
    sharing = answer
    try take(.shared)
  }

  private var refusal: ConsentRefusal {
    switch state.phase {
    case .ended, .failed: .ended
    case .showing, .asking, .recording: .notNow
    }
  }

  private var document: ConsentDocument? {
    guard state.form < items.count, case .document(let document) = items[state.form].variant.content else { return nil }
    return document
  }

  private func take(_ event: ConsentMachine.Event) throws(ConsentRefusal) {
    let before = state.form
    let count = state.choices.count
    let document = document
    let (next, effects) = machine.next(state, event)
    state = next
    if state.choices.count > count { keepAnswer(of: before, document) }
    for effect in effects { try perform(effect) }
  }

  private func keepAnswer(of index: Int, _ document: ConsentDocument?) {
    let choice = state.choices[index]
    var signed = document
    if choice == .agreed, let given = signature, let place = document?.signatures.first {
      // It was checked when it was given.
      signed = (try? place.signed(with: given)).flatMap { try? document?.signed(with: $0) } ?? document
    }
    answers.append(
      ConsentAnswer(
        item: items[index], choice: choice, document: choice == .agreed ? signed : nil,
        sharing: choice == .agreed ? sharing : nil))
    forget()
  }

  private func forget() { (signature, sharing) = (nil, nil) }

  private func perform(_ effect: ConsentMachine.Effect) throws(ConsentRefusal) {
    switch effect {
    case .refuse(let refusal): throw refusal
    case .forgetInputs: forget()
    case .tellResponse: delegate?.didReceiveResponse(acceptances)
    case .tellCancelled: delegate?.didCancel(acceptances)
    case .record(let end): try take(.recorded(delegate?.record(recorded(end), end: end) ?? false))
    }
  }

  private func recorded(_ end: ConsentEnd) -> [ConsentAnswer] {
    switch end {
    case .finished: return answers
    case .denied: return answers.suffix(1)
    case .cancelled:
      let shown = ConsentAnswer(item: items[state.form], choice: nil, document: nil, sharing: nil)
      return answers + [shown]
    }
  }
}
