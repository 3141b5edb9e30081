internal import PasscodeCore
internal import PasscodePrompts
internal import PasscodeStore
internal import PasscodeWire
internal import SecretMemory

/// A prompt for the passcode that there is. It is shown until an entry is right, the person gives up, or no try is taken any more.
protocol PasscodePrompt: Sendable {
  var service: Service { get }
  var client: PromptClient { get }
  /// The words to the person.
  var question: String { get }
  /// What it comes to where nobody has to be asked any more; looked at before each entry. Nil where somebody has.
  var answerWithoutAsking: Prompts.Answer? { get }
  /// What it comes to where it was ended from outside; nil where the person gave up.
  var answerIfOver: Prompts.Answer? { get }

  /// Tries an entry, which is not empty.
  func enter(_ passcode: borrowing SecretBytes) throws(StoreError) -> PromptEntry
}

/// What a try at a prompt has come to.
enum PromptEntry {
  case right(Prompts.Effect)
  case wrong(AttemptFacts)
}

extension PasscodePrompt {
  func ask(_ cancellation: PromptCancellation) -> PromptTurn<Prompts.Answer> {
    var request = service.prompts.request(.passcode, question)
    for _ in 0..<Prompts.maximumRounds {
      if let answer = answerWithoutAsking { return .shared(answer) }
      switch service.prompts.pinentry.ask(request, for: client, cancellation: cancellation) {
      case .passcode(let entered):
        switch attempt(entered) {
        case .ended(let answer): return .shared(answer)
        case .again(let error): request.error = error
        }
      case .cancelled: return .shared(answerIfOver ?? .failure(.cancelled))
      case .timedOut: return .shared(.failure(.promptTimedOut))
      case .unavailable(let reason): return service.prompts.turn(reason)
      case .crashed(let crash): return service.prompts.turn(crash)
      case .confirmed: return .shared(.failure(.internalFault))
      case .notConfirmed: return .shared(.failure(.internalFault))
      }
    }
    return service.prompts.turn(.endless)
  }

  private func attempt(_ entered: borrowing SecretBytes) -> PromptAttempt {
    if entered.isEmpty { return .again(error: PromptWords.unreadable(.empty)) }
    service.readPolicy()
    do throws(StoreError) {
      switch try enter(entered) {
      case .right(let effect): return .ended(.success(effect))
      case .wrong(let facts):
        if facts.retryAfterSeconds > 0 || facts.triesRemaining == 0 { return .ended(.failure(.wrongPasscode(facts))) }
        return .again(error: PromptWords.wrong(facts.triesRemaining))
      }
    } catch {
      if case .invalidPasscode(let fault) = error { return .again(error: PromptWords.unreadable(WireTextFault(fault))) }
      return .ended(.failure(service.translate(error)))
    }
  }
}

/// What one entry has come to.
private enum PromptAttempt {
  case ended(Prompts.Answer)
  case again(error: String)
}

extension Prompts {
  /// How often a prompt may come back without an end, before the pinentry is taken for mad.
  static let maximumRounds = 100

  /// A prompt that could not be shown.
  func turn(_ reason: PromptUnavailable) -> PromptTurn<Answer> {
    note(reason.description)
    let answer = Answer.failure(.noPrompt(WirePromptObstacle(reason), reason: reason.description))
    return reason.concernsOnlyTheAsker ? .own(answer) : .shared(answer)
  }

  /// A prompt whose pinentry did what none should do.
  func turn(_ crash: PromptCrash) -> PromptTurn<Answer> {
    note(crash.description)
    return .shared(.failure(.noPrompt(.crashed, reason: crash.description)))
  }
}
