internal import PasscodeCore
internal import PasscodePrompts
internal import PasscodeWire
internal import SecretMemory

/// Asks for the passcode that a flow stands at, until the flow goes on. A new one is asked for twice at once.
///
/// The flow is entered as by a call: the prompt skips no rule. Its lock is never held while a person thinks.
struct FlowPrompt: Sendable {
  let service: Service
  let flow: ConnectionFlow
  let client: PromptClient

  /// What one entry has come to.
  private enum Attempt {
    case ended(Result<WireStep, WireError>)
    case again(error: String)
  }

  func show(_ cancellation: PromptCancellation) -> PromptTurn<Prompts.Answer> {
    service.prompts.showing(.flow(flow.id), cancellation) { ask(cancellation) }
  }

  private func ask(_ cancellation: PromptCancellation) -> PromptTurn<Prompts.Answer> {
    var error: String?
    for _ in 0..<Prompts.maximumRounds {
      guard let step = flow.step else { return .shared(.failure(.noFlow)) }
      guard var request = request(at: step) else { return .shared(.failure(.wrongStep(WireFlowStep(step)))) }
      request.error = error
      let outcome = service.prompts.pinentry.ask(request, for: client, judges: judges, cancellation: cancellation)
      switch consume outcome {
      case .passcode(let entered):
        switch attempt(entered, at: step) {
        case .ended(let result): return .shared(result.map { .step($0) })
        case .again(let words): error = words
        }
      case .cancelled: return .shared(.failure(flow.step == nil ? .noFlow : .cancelled))
      case .timedOut: return .shared(.failure(.promptTimedOut))
      case .unavailable(let reason): return service.prompts.turn(reason)
      case .crashed(let crash): return service.prompts.turn(crash)
      case .confirmed: return .shared(.failure(.internalFault))
      case .notConfirmed: return .shared(.failure(.internalFault))
      }
    }
    return service.prompts.turn(.endless)
  }

  /// What a step asks for; nil where it is no passcode.
  private func request(at step: FlowStep) -> PromptRequest? {
    switch step {
    case .current: service.prompts.request(.passcode, "Enter the current passcode of your credential store.")
    case .enter(let facts):
      service.prompts.request(
        .newPasscode(repeatLabel: "Again:", mismatch: "The two entries differ. Enter a new passcode again."),
        PromptWords.choose(facts.requirements))
    case .confirm: service.prompts.request(.passcode, "Enter the new passcode again.")
    case .match, .quickUnlock, .confirmReset, .working, .finished, .cancelled: nil
    }
  }

  private func attempt(_ entered: borrowing SecretBytes, at step: FlowStep) -> Attempt {
    if entered.count > PasscodeText.maximumByteCount { return .again(error: PromptWords.unreadable(.tooLong)) }
    let isNew = if case .enter = step { true } else { false }
    do throws(WireError) {
      var next = try enter(entered)
      // Both entries were compared by the prompt.
      if isNew, next.step == .confirm { next = try enter(entered) }
      if isNew, next.step == .enter { return .again(error: PromptWords.refusal(next.unmet ?? [])) }
      return .ended(.success(next))
    } catch {
      switch error {
      case .wrongPasscode(let tries, nil) where tries != 0: return .again(error: PromptWords.wrong(tries))
      case .invalidText(let fault): return .again(error: PromptWords.unreadable(fault))
      default: return .ended(.failure(error))
      }
    }
  }

  private func enter(_ passcode: borrowing SecretBytes) throws(WireError) -> WireStep {
    let copy: SecretBytes
    do { copy = try passcode.copy() } catch { throw .busy }
    return try flow.enter(copy)
  }

  // MARK: - While it is typed

  /// Judged as what is still being typed: the flow judges what is entered, by all that there is.
  private var judges: CandidateJudges {
    let engine = service.policies.current.engine(acceptsWipe: false)
    @Sendable func judge(_ candidate: Span<UInt8>) -> PolicyVerdict? {
      guard let text = try? PasscodeText.normalize(candidate) else { return nil }
      return engine.judge(text.bytes, isBeingSet: false)
    }
    return CandidateJudges(
      quality: { candidate in judge(candidate).map(PromptWords.quality) ?? -100 },
      refusal: { candidate in
        guard let verdict = judge(candidate) else { return PromptWords.unreadable(.notUTF8) }
        return verdict.isMet ? nil : PromptWords.refusal(verdict.unmet.map(WireRequirement.init))
      })
  }
}
