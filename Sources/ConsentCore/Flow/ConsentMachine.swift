/// The forms one after the other as a total function: every event has an answer in every state.
///
/// The machine holds no name, no picture and no text. Its driver performs the effects and feeds their results back.
///
/// Three things differ from the originals on purpose: a denial *ends* the flow and never counts as done; a cancel always
/// ends it, with or without a question; and leaving is possible on every page, while agreeing, denying and putting off are
/// on the last one only.
public struct ConsentMachine: Hashable, Sendable {
  /// Where the flow stands.
  public struct State: Hashable, Sendable {
    /// What is going on.
    public enum Phase: Hashable, Sendable {
      /// The form at `form` is shown at this place.
      case showing(ConsentPlace)
      /// A question stands before this place.
      case asking(ConsentQuestion, over: ConsentPlace)
      /// The driver has the answers recorded. Too late for a cancel: they may be recorded already.
      case recording(ConsentEnd)
      /// Over, and recorded.
      case ended(ConsentEnd)
      /// Over, and nothing was recorded: nothing was agreed to.
      case failed
    }

    /// Which form, from 0.
    public var form: Int
    /// What is going on.
    public var phase: Phase
    /// The answers so far, one for each form before this one.
    public var choices: [ConsentChoice]
    /// Whether the end of this form's review was reached: going back and on again closes nothing.
    public var hasRead = false
  }

  /// What a person did, or what an effect resulted in.
  public enum Event: Hashable, Sendable {
    /// To the next page or scene.
    case next
    /// To the one before.
    case back
    /// The end of the review was reached.
    case sawEnd
    /// *Agree.*
    case agree
    /// *Deny*, or *not now*.
    case decline
    /// Leave.
    case cancel
    /// The answer to the question.
    case answer(Bool)
    /// The name and the fields were given, and are as the form asks.
    case named
    /// A signature was drawn.
    case drew
    /// The sharing choice was made.
    case shared
    /// Result of `record`.
    case recorded(Bool)
  }

  /// What the driver has to do.
  public enum Effect: Hashable, Sendable {
    /// Forget the name, the picture and the choice of the form that was shown: it was not finished.
    case forgetInputs
    /// Record the answers: all of a finished or cancelled flow, the denial alone of a denied one.
    case record(ConsentEnd)
    /// Tell the app that every form has its answer, or that a required one was denied.
    case tellResponse
    /// Tell the app that the person left.
    case tellCancelled
    /// Refuse the event.
    case refuse(ConsentRefusal)
  }

  /// The forms' steps, in order.
  public let plans: [ConsentPlan]
  /// Which questions are asked, of those that the form asks for.
  public let confirmations: ConsentConfirmations

  /// A flow over these forms.
  public init(_ plans: [ConsentPlan], confirmations: ConsentConfirmations = ConsentConfirmations()) {
    self.plans = plans
    self.confirmations = confirmations
  }

  /// Where the flow begins; with no form at all it is over at once, with nothing to record.
  public var start: State {
    State(form: 0, phase: plans.first.map { .showing($0.start) } ?? .ended(.finished), choices: [])
  }

  /// The answer to `event` in `state`. An event that does not fit leaves the state as it is, with a refusal as the only effect.
  public func next(_ state: State, _ event: Event) -> (State, [Effect]) {
    switch (state.phase, event) {
    case (.ended, _), (.failed, _): refused(state, .ended)
    case (.recording(let end), .recorded(true)):
      (with(state, .ended(end)), [end == .cancelled ? .tellCancelled : .tellResponse])
    case (.recording, .recorded(false)): (with(state, .failed), [])
    case (.recording, _), (_, .recorded): refused(state, .notNow)
    case (.asking(let question, let place), _): answered(state, question, place, event)
    case (.showing(let place), .cancel):
      confirmations.cancel && plans[state.form].confirmations.cancel
        ? (with(state, .asking(.cancel, over: place)), []) : ended(state, .cancelled)
    case (.showing(let place), .decline): declined(state, place)
    case (.showing(let place), .agree): agreed(state, place)
    case (.showing(let place), _): moved(state, place, event)
    }
  }

  private func answered(
    _ state: State, _ question: ConsentQuestion, _ place: ConsentPlace, _ event: Event
  ) -> (State, [Effect]) {
    switch (question, event) {
    case (_, .answer(false)): (with(state, .showing(place)), [])
    case (.agree, .answer(true)): toward(state, after: place)
    case (.deny, .answer(true)): ended(state, .denied)
    case (.cancel, .answer(true)): ended(state, .cancelled)
    // *Give consent* beside *quit*: what it would be without the question.
    case (.deny, .agree): agreed(with(state, .showing(place)), place, refusing: state)
    default: refused(state, .notNow)
    }
  }

  /// *Deny* or *not now*, which stand on the last page, and on a document's review.
  private func declined(_ state: State, _ place: ConsentPlace) -> (State, [Effect]) {
    guard decides(state, place) else { return refused(state, .notHere) }
    if !plans[state.form].isRequired { return finishedForm(state, .notNow) }
    return confirmations.deny && plans[state.form].confirmations.deny
      ? (with(state, .asking(.deny, over: place)), []) : ended(state, .denied)
  }

  private func agreed(_ state: State, _ place: ConsentPlace, refusing asked: State? = nil) -> (State, [Effect]) {
    guard decides(state, place) else { return refused(asked ?? state, .notHere) }
    guard case .document(let document) = plans[state.form].content else { return finishedForm(state, .agreed) }
    if place == .review(isOpen: false) { return refused(asked ?? state, .unread) }
    return document.confirmsAgreement ? (with(state, .asking(.agree, over: place)), []) : toward(state, after: place)
  }

  /// Whether the buttons that decide stand here.
  private func decides(_ state: State, _ place: ConsentPlace) -> Bool {
    switch (plans[state.form].content, place) {
    case (.pages(let count), .page(let page)): page == count - 1
    case (.document, .review): true
    default: false
    }
  }

  private func moved(_ state: State, _ place: ConsentPlace, _ event: Event) -> (State, [Effect]) {
    switch (plans[state.form].content, place, event) {
    case (.pages(let count), .page(let page), .next) where page < count - 1: (with(state, .showing(.page(page + 1))), [])
    case (.pages, .page(let page), .back) where page > 0: (with(state, .showing(.page(page - 1))), [])
    case (.document(let document), .section(let section), .next):
      section < document.sections - 1
        ? (with(state, .showing(.section(section + 1))), [])
        : (with(state, .showing(.review(isOpen: !document.isGated || state.hasRead))), [])
    case (.document, .section(let section), .back) where section > 0: (with(state, .showing(.section(section - 1))), [])
    case (.document(let document), .review, .back) where document.sections > 0:
      (with(state, .showing(.section(document.sections - 1))), [])
    case (.document, .review, .sawEnd): (read(state), [])
    case (.document, .name, .named), (.document, .image, .drew), (.document, .sharing, .shared): toward(state, after: place)
    case (.document(let document), .name, .back), (.document(let document), .image, .back),
      (.document(let document), .sharing, .back):
      (with(state, .showing(before(place, document))), [])
    default: refused(state, .notNow)
    }
  }

  /// On to what the document asks after this place, or to the next form.
  private func toward(_ state: State, after place: ConsentPlace) -> (State, [Effect]) {
    guard case .document(let document) = plans[state.form].content else { return refused(state, .notNow) }
    let steps = Self.steps(document)
    let index = steps.firstIndex(of: place) ?? -1
    if index + 1 < steps.count { return (with(state, .showing(steps[index + 1])), []) }
    return finishedForm(state, .agreed)
  }

  private func before(_ place: ConsentPlace, _ document: ConsentPlan.DocumentPlan) -> ConsentPlace {
    let steps = Self.steps(document)
    guard let index = steps.firstIndex(of: place), index > 0 else { return .review(isOpen: true) }
    return steps[index - 1]
  }

  /// What is asked after the review, in this order.
  private static func steps(_ document: ConsentPlan.DocumentPlan) -> [ConsentPlace] {
    [(document.asksName, .name), (document.asksImage, .image), (document.asksSharing, ConsentPlace.sharing)]
      .filter(\.0).map(\.1)
  }

  private func finishedForm(_ state: State, _ choice: ConsentChoice) -> (State, [Effect]) {
    var state = state
    state.choices.append(choice)
    if state.form + 1 == plans.count { return (with(state, .recording(.finished)), [.record(.finished)]) }
    state.form += 1
    state.hasRead = false
    return (with(state, .showing(plans[state.form].start)), [])
  }

  private func ended(_ state: State, _ end: ConsentEnd) -> (State, [Effect]) {
    var state = state
    if end == .denied { state.choices.append(.denied) }
    return (with(state, .recording(end)), [.forgetInputs, .record(end)])
  }

  private func with(_ state: State, _ phase: State.Phase) -> State {
    State(form: state.form, phase: phase, choices: state.choices, hasRead: state.hasRead)
  }

  private func read(_ state: State) -> State {
    var state = with(state, .showing(.review(isOpen: true)))
    state.hasRead = true
    return state
  }

  private func refused(_ state: State, _ refusal: ConsentRefusal) -> (State, [Effect]) { (state, [.refuse(refusal)]) }
}

/// Why a flow did not take a call. It stands where it stood.
public enum ConsentRefusal: Error, Hashable, Sendable {
  /// The step does not take this.
  case notNow
  /// Agreeing, denying and putting off are on the last page, and on a document's review.
  case notHere
  /// The review has not been read to its end.
  case unread
  /// The flow is over.
  case ended
  /// What was given is not what the form asks for.
  case improper(ConsentModelFault)
}
