internal import PasscodeCore
internal import PasscodePrompts
internal import PasscodeStore
internal import PasscodeWire
internal import SecretMemory

/// Asks for the passcode, for one reading of a credential that the policy asks about each time.
struct ReadPrompt: PasscodePrompt {
  let service: Service
  let client: PromptClient
  let subject: Prompts.Subject
  /// Of the credential.
  let name: String
  /// How often the store had been locked when the call began.
  let lockCount: UInt64

  func show(_ cancellation: PromptCancellation) -> PromptTurn<Prompts.Answer> {
    service.prompts.showing(subject, cancellation) {
      let turn = ask(cancellation)
      if !cancellation.isCancelled, case .shared(.failure(let error)) = turn, error == .cancelled || error == .promptTimedOut {
        // Who does not want to, or is not there, is not asked about the same again and again.
        service.prompts.queue.answer(.failure(error)) { $0.readName == name }
      }
      return turn
    }
  }

  var question: String { PromptWords.read(name) }

  var answerWithoutAsking: Prompts.Answer? { (refusal ?? service.refusalOfTries).map { .failure($0) } }
  var answerIfOver: Prompts.Answer? { refusal.map { .failure($0) } }

  /// Why nothing can be read any more.
  private var refusal: WireError? {
    let situation = service.situation
    if situation == .unlocked, service.lockCount != lockCount { return .locked }
    return RequestGate.refusal(of: .openStore, in: situation)
  }

  func enter(_ passcode: borrowing SecretBytes) throws(StoreError) -> PromptEntry {
    let outcome = try service.holder.withStore { store throws(StoreError) in try store.verify(passcode) }
    if case .wrong(let facts) = outcome { return .wrong(facts) }
    return .right(.proof)
  }
}
