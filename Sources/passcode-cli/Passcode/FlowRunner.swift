internal import PasscodeClient
internal import PasscodePlatform
internal import PasscodeWire
internal import SecretMemory

/// Carries input into the daemon's flow and shows each step that it is told. The rules and the order are the daemon's.
struct FlowRunner {
  let session: Session
  /// Nil where nobody can be asked.
  let dialogue: Dialogue?

  private var invocation: Invocation { session.invocation }

  /// Runs the flow that makes a store.
  func create() throws(CommandError) -> WireStep {
    let answer: Bool? = invocation.has(.quickUnlock) ? true : invocation.has(.noQuickUnlock) ? false : nil
    let flow = try session.call { client throws(ClientError) in
      try client.startCreate(quickUnlock: answer, acceptsWipe: invocation.has(.acceptWipe))
    }
    let new = try GivenPasscode.new(invocation, takesEither: true)
    if new == nil { dialogue?.say("Choose a passcode. It opens your store, and nobody can bring it back for you.") }
    return try run(flow, current: nil, new: new)
  }

  /// Runs the flow that replaces the passcode.
  ///
  /// - Parameter known: the current passcode, where the person has just given it.
  @discardableResult
  func change(knowing known: consuming SecretBytes? = nil) throws(CommandError) -> WireStep {
    let flow = try session.call { client throws(ClientError) in try client.startChange() }
    // In the order in which a script would write to two pipes.
    let current = known == nil ? try session.givenPasscode() : consume known
    let new = try GivenPasscode.new(invocation, takesEither: false)
    return try run(flow, current: current, new: new)
  }

  /// Runs the flow that sets a new passcode by the recovery key.
  @discardableResult
  func recover() throws(CommandError) -> WireStep {
    let flow = try startRecovery()
    let new = try GivenPasscode.new(invocation, takesEither: false)
    return try run(flow, current: nil, new: new)
  }

  /// A slip in a key that was typed is found at once, and the key is asked for again.
  private func startRecovery() throws(CommandError) -> PasscodeFlow {
    let acceptsOlder = invocation.has(.acceptOlder)
    if let key = try GivenPasscode.recoveryKey(invocation) {
      return try session.call { client throws(ClientError) in try client.startRecovery(key, acceptsOlder: acceptsOlder) }
    }
    let dialogue = try person()
    var slips = 0
    while true {
      let key = try dialogue.secret("Recovery key: ")
      do {
        return try session.client.startRecovery(key, acceptsOlder: acceptsOlder)
      } catch .daemon(.recoveryKeyMistyped) where slips + 1 < Session.promptTries {
        slips += 1
        dialogue.say(CommandError(WireError.recoveryKeyMistyped))
      } catch {
        throw CommandError(error)
      }
    }
  }

  private func run(
    _ flow: PasscodeFlow, current: consuming SecretBytes?, new: consuming SecretBytes?
  ) throws(CommandError) -> WireStep {
    var known = consume current
    let new = consume new
    var screen = flow.screen
    var wrong = 0
    while true {
      switch screen.step {
      case .current:
        // Given once, tried once: a script's wrong passcode must not be charged twice.
        let given = known.take()
        screen = try enterCurrent(flow, given, wrong: &wrong) ?? screen
      case .enter: screen = try enterNew(flow, screen, new)
      case .confirm: screen = try confirm(flow, new)
      case .quickUnlock: screen = try answerQuickUnlock(flow, screen)
      case .finished: return screen
      case .cancelled: throw CommandError(WireError.cancelled)
      }
    }
  }

  /// - Returns: nil where the person mistyped and is asked again.
  private func enterCurrent(
    _ flow: PasscodeFlow, _ given: consuming SecretBytes?, wrong: inout Int
  ) throws(CommandError) -> WireStep? {
    switch consume given {
    case .some(let passcode): return try session.call { (_) throws(ClientError) in try flow.enter(passcode) }
    case .none: break
    }
    guard let dialogue else { return try enterByPrompt(flow) }
    let passcode = try dialogue.secret("Current passcode: ")
    do {
      return try flow.enter(passcode)
    } catch .daemon(.wrongPasscode(let left, let wait)) {
      let error = CommandError(WireError.wrongPasscode(triesRemaining: left, retryAfterSeconds: wait))
      wrong += 1
      guard wrong < Session.promptTries, wait == nil, left != 0 else { throw error }
      dialogue.say(error)
      return nil
    } catch .daemon(.invalidText(let fault)) {
      wrong += 1
      guard wrong < Session.promptTries else { throw CommandError(WireError.invalidText(fault)) }
      dialogue.say(CommandError.words(fault))
      return nil
    } catch {
      throw CommandError(error)
    }
  }

  private func enterNew(
    _ flow: PasscodeFlow, _ screen: WireStep, _ given: borrowing SecretBytes?
  ) throws(CommandError) -> WireStep {
    switch given {
    case .some(let passcode):
      if let unmet = screen.unmet, !unmet.isEmpty { throw CommandError(WireError.policyUnmet(unmet)) }
      return try session.call { (_) throws(ClientError) in try flow.enter(passcode) }
    case .none: break
    }
    guard let dialogue else { return try enterByPrompt(flow) }
    if screen.mismatch == true { dialogue.say("The two entries differ. Enter a new passcode again.") }
    if let unmet = screen.unmet, !unmet.isEmpty { dialogue.say(CommandError(WireError.policyUnmet(unmet))) }
    let list = LiveChecklist(
      session: session, prompt: "New passcode: ", start: screen.requirements ?? [], style: dialogue.style)
    let passcode = try list.ask(dialogue)
    do {
      return try flow.enter(passcode)
    } catch .daemon(.invalidText(let fault)) {
      dialogue.say(CommandError.words(fault))
      return screen
    } catch {
      throw CommandError(error)
    }
  }

  /// A passcode from a descriptor or a file was read once: there is no second entry to compare it with.
  private func confirm(_ flow: PasscodeFlow, _ given: borrowing SecretBytes?) throws(CommandError) -> WireStep {
    switch given {
    case .some(let passcode): return try session.call { (_) throws(ClientError) in try flow.enter(passcode) }
    case .none:
      guard let dialogue else { return try enterByPrompt(flow) }
      let passcode = try dialogue.secret("The same again: ")
      return try session.call { (_) throws(ClientError) in try flow.enter(passcode) }
    }
  }

  private func answerQuickUnlock(_ flow: PasscodeFlow, _ screen: WireStep) throws(CommandError) -> WireStep {
    var isWanted = false
    if screen.quickUnlockAvailable == true, let dialogue {
      dialogue.say(QuickUnlockWords.cost)
      isWanted = try dialogue.agrees("Turn quick unlock on?")
    }
    return try session.call { (_) throws(ClientError) in try flow.answerQuickUnlock(isWanted) }
  }

  /// Has the daemon ask through pinentry: away from a terminal, where there is a display.
  private func enterByPrompt(_ flow: PasscodeFlow) throws(CommandError) -> WireStep {
    let place = PromptPlace.current()
    guard invocation.allowsInput, place.hasDisplay else { throw .nobodyToAsk }
    return try session.call { (_) throws(ClientError) in try flow.enterByPrompt(at: place) }
  }

  private func person() throws(CommandError) -> Dialogue {
    guard let dialogue else { throw .nobodyToAsk }
    return dialogue
  }
}
