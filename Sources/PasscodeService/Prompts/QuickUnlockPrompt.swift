internal import PasscodeCore
internal import PasscodePrompts
internal import PasscodeStore
internal import PasscodeWire

/// Asks whether quick unlock may open the store, where the policy wants that each time, and opens it.
struct QuickUnlockPrompt: Sendable {
  let service: Service
  let client: PromptClient

  func show(_ cancellation: PromptCancellation) -> PromptTurn<Prompts.Answer> {
    service.prompts.showing(.quickUnlock, cancellation) { ask(cancellation) }
  }

  private func ask(_ cancellation: PromptCancellation) -> PromptTurn<Prompts.Answer> {
    if let answer = service.answerIfOpen { return .shared(answer) }
    var request = service.prompts.request(
      .confirmation(noLabel: "_Use the passcode"), "Unlock your credential store by quick unlock?")
    request.okLabel = "_Yes"
    request.cancelLabel = "_Cancel"
    switch service.prompts.pinentry.ask(request, for: client, cancellation: cancellation) {
    case .confirmed: return .shared(open())
    case .notConfirmed: return .shared(Self.unavailable("it was declined"))
    case .cancelled: return .shared(service.answerIfOver ?? .failure(.cancelled))
    case .timedOut: return .shared(Self.unavailable("nobody confirmed it in time"))
    case .unavailable(let reason):
      service.prompts.note(reason.description)
      let answer = Self.unavailable("the policy asks for a confirmation each time, and \(reason)")
      return reason.concernsOnlyTheAsker ? .own(answer) : .shared(answer)
    case .crashed(let crash):
      service.prompts.note(crash.description)
      return .shared(Self.unavailable("the policy asks for a confirmation each time, and \(crash)"))
    case .passcode: return .shared(.failure(.internalFault))
    }
  }

  private func open() -> Prompts.Answer {
    do throws(StoreError) { return .success(.opening(try service.openQuickly(isConfirmed: true))) } catch {
      return .failure(service.translate(error))
    }
  }

  private static func unavailable(_ reason: String) -> Prompts.Answer { .failure(.quickUnlockUnavailable(reason: reason)) }
}
