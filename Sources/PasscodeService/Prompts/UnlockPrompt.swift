internal import PasscodeCore
internal import PasscodePrompts
internal import PasscodeStore
internal import PasscodeWire
internal import SecretMemory

/// Asks for the passcode until it opens the store, the person gives up, or no try is taken any more.
struct UnlockPrompt: PasscodePrompt {
  let service: Service
  let client: PromptClient
  /// Why quick unlock, which comes first, did not do.
  let obstacle: String?

  func show(_ cancellation: PromptCancellation) -> PromptTurn<Prompts.Answer> {
    service.prompts.showing(.passcode, cancellation) { ask(cancellation) }
  }

  var question: String {
    let note = obstacle.map { " Quick unlock is not available: \($0)." } ?? ""
    return "Enter the passcode to unlock your credential store." + note
  }

  /// Somebody else may have opened it, or used up the tries.
  var answerWithoutAsking: Prompts.Answer? { service.answerWithoutAsking }
  var answerIfOver: Prompts.Answer? { service.answerIfOver }

  func enter(_ passcode: borrowing SecretBytes) throws(StoreError) -> PromptEntry {
    switch try service.open(with: passcode) {
    case .right(let isBelow): .right(.opening(Opening(state: .unlocked, isBelowPolicy: isBelow)))
    case .mustChange: .right(.opening(Opening(state: .mustChange)))
    case .wrong(let facts): .wrong(facts)
    }
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
    return refusalOfTries.map { .failure($0) }
  }

  /// Why no passcode is tried now; nil where one is.
  var refusalOfTries: WireError? {
    do throws(StoreError) {
      let facts = try holder.withStore { store throws(StoreError) in try store.attempts() }
      return facts.retryAfterSeconds > 0 ? .lockedOut(retryAfterSeconds: facts.retryAfterSeconds) : nil
    } catch {
      return translate(error)
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
