internal import PasscodeCore
internal import PasscodeStore
internal import PasscodeWire

/// The methods that start a flow and carry it on.
extension Session {
  func answerFlow(_ method: WireMethod, _ fields: WireFields, _ replies: inout Replies) throws(WireError) {
    let step: WireStep
    switch method {
    case .startFlow: step = try startFlow(fields)
    case .enterPasscode where !fields.isPresent(.passcode): step = try enterByAsking(fields)
    case .enterPasscode:
      let passcode = try passcode(fields)
      service.keeper.used()
      step = try flow.enter(passcode)
    case .answerQuickUnlock:
      let enables = fields.bool(.enable)
      step = try flow.advance { running throws(WireError) in try running.answerQuickUnlock(enables) }
    default: step = try flow.advance { running throws(WireError) in try running.cancel() }
    }
    try replies.reply { $0.message(.step, step) }
  }

  /// Asks for the passcode that the flow stands at.
  private func enterByAsking(_ fields: WireFields) throws(WireError) -> WireStep {
    guard let step = flow.step else { throw .noFlow }
    if case .quickUnlock = step { throw .wrongStep(.quickUnlock) }
    service.keeper.used()
    let effect = try ask(.flow(flow.id), fields) { [service, flow] client, cancellation in
      FlowPrompt(service: service, flow: flow, client: client).show(cancellation)
    }
    guard case .step(let step) = effect else { throw .internalFault }
    return step
  }

  private func startFlow(_ fields: WireFields) throws(WireError) -> WireStep {
    let kind = fields.word(.flow, as: WireFlow.self)
    if let refusal = RequestGate.refusal(of: RequestGate.need(of: kind), in: service.situation) { throw refusal }
    _ = try service.policyForSetting(service.readPolicy())
    if kind == .create { try service.requireConsentToCreate() } else { try service.consent.require("unlock") }
    // A change begins with a try: where none is taken now, that is said before a person types.
    if kind == .change, let refusal = service.refusalOfTries { throw refusal }
    let authority = StoreAuthority(service, acceptsWipe: kind == .create && fields.boolIfPresent(.acceptWipe) == true)
    if kind == .recover {
      guard let typed = fields.bytesIfPresent(.recoveryKey) else { throw .invalidParameter(WireField.recoveryKey.text) }
      try authority.prove(recoveryKey: typed, acceptsOlder: fields.boolIfPresent(.acceptOlder) ?? false)
    }
    let quickUnlock = fields.boolIfPresent(.quickUnlock)
    let provider = FlowQuickUnlock(service, authority, answer: quickUnlock)
    return try flow.start { RunningFlow(kind, authority, provider, quickUnlock: quickUnlock) }
  }
}
