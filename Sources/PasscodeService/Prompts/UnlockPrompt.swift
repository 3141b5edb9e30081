internal import PasscodeCore
internal import PasscodePrompts
internal import PasscodeStore
internal import PasscodeWire
internal import SecretMemory

/// Asks for the passcode until it opens the store, the person gives up, or no try is taken any more.
struct UnlockPrompt: Sendable {
  /// How often a prompt may come back without an end, before the pinentry is taken for mad.
  private static let maximumRounds = 100

  let service: Service
  let client: PromptClient
  /// Why quick unlock, which comes first, did not do.
  let obstacle: String?

  /// What one entry has come to.
  private enum Attempt {
    case ended(Prompts.Answer)
    case again(error: String)
  }

  func show(_ cancellation: PromptCancellation) -> PromptTurn<Prompts.Answer> {
    service.prompts.showing(.passcode, cancellation) { ask(cancellation) }
  }

  private func ask(_ cancellation: PromptCancellation) -> PromptTurn<Prompts.Answer> {
    let note = obstacle.map { " Quick unlock is not available: \($0)." } ?? ""
    var request = service.prompts.request(.passcode, "Enter the passcode to unlock your credential store." + note)
    for _ in 0..<Self.maximumRounds {
      // Somebody else may have opened it, or used up the tries, while this one waited for its turn or its person.
      if let answer = service.answerWithoutAsking { return .shared(answer) }
      switch service.prompts.pinentry.ask(request, for: client, cancellation: cancellation) {
      case .passcode(let entered):
        switch attempt(entered) {
        case .ended(let answer): return .shared(answer)
        case .again(let error): request.error = error
        }
      case .cancelled: return .shared(service.answerIfOver ?? .failure(.cancelled))
      case .timedOut: return .shared(.failure(.promptTimedOut))
      case .unavailable(let reason): return service.prompts.turn(reason)
      case .crashed(let crash): return service.prompts.turn(crash)
      case .confirmed: return .shared(.failure(.internalFault))
      case .notConfirmed: return .shared(.failure(.internalFault))
      }
    }
    return service.prompts.turn(.endless)
  }

  private func attempt(_ entered: borrowing SecretBytes) -> Attempt {
    if entered.isEmpty { return .again(error: "That was no passcode: nothing was entered.") }
    service.readPolicy()
    do throws(StoreError) {
      switch try service.open(with: entered) {
      case .right(let isBelow): return .ended(.success(.opening(Opening(state: .unlocked, isBelowPolicy: isBelow))))
      case .mustChange: return .ended(.success(.opening(Opening(state: .mustChange))))
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

extension Prompts {
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

extension Service {
  /// What an unlock comes to that needs no passcode any more; nil where it does.
  var answerWithoutAsking: Prompts.Answer? {
    switch situation {
    case .unlocked, .mustChange: return answerIfOpen
    case .absent: return .failure(.noStore)
    case .unusable(let error): return .failure(WireError(error))
    case .locked: break
    }
    do throws(StoreError) {
      let facts = try holder.withStore { store throws(StoreError) in try store.attempts() }
      return facts.retryAfterSeconds > 0 ? .failure(.lockedOut(retryAfterSeconds: facts.retryAfterSeconds)) : nil
    } catch {
      return .failure(translate(error))
    }
  }

  /// What an unlock comes to whose prompt was ended from outside: the store is open, or there is none; nil where it still waits.
  var answerIfOver: Prompts.Answer? { situation == .absent ? .failure(.noStore) : answerIfOpen }

  /// The open store, which another one opened; nil where it is not open.
  var answerIfOpen: Prompts.Answer? {
    switch situation {
    case .unlocked: .success(.opening(Opening(state: .unlocked)))
    case .mustChange: .success(.opening(Opening(state: .mustChange)))
    case .absent, .unusable, .locked: nil
    }
  }
}
