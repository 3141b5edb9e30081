internal import PasscodeClient
internal import PasscodePlatform
internal import PasscodeWire
internal import SecretMemory
internal import StrictJSON

extension Session {
  /// How often a person may mistype before the command gives up.
  static let promptTries = 3

  /// Calls the daemon; where the store is locked, gets it unlocked and calls again.
  ///
  /// The passcode comes from where the command line says, else from the person. Without either the error stands: 75.
  func unlocked<R: ~Copyable>(_ body: (PasscodeClient) throws(ClientError) -> R) throws(CommandError) -> R {
    do {
      return try body(client)
    } catch .daemon(.locked) {
      try unlockToGoOn()
    } catch .daemon(.mustChange(let reason)) {
      try changeToGoOn(because: reason, knowing: nil)
    } catch {
      throw failure(error)
    }
    return try call(body)
  }

  /// Gets a store unlocked that was locked when this session began.
  func unlockIfNeeded() throws(CommandError) {
    switch status.state {
    case .absent: throw CommandError(WireError.noStore)
    case .locked: try unlockToGoOn()
    case .mustChange: try changeToGoOn(because: nil, knowing: nil)
    case .unlocked: break
    }
  }

  private func unlockToGoOn() throws(CommandError) {
    if status.quickUnlock, !invocation.has(.passcodeFD), !invocation.has(.passcodeFile), try tryQuickUnlock() { return }
    guard let passcode = try givenPasscode() else { return try unlockByAsking() }
    try unlock(with: passcode)
  }

  /// Unlocks with a passcode, and changes it where it must be.
  func unlock(with passcode: consuming SecretBytes) throws(CommandError) {
    let change: StateChange
    do { change = try client.unlock(passcode, acceptsOlder: invocation.has(.acceptOlder)) } catch { throw failure(error) }
    warn(of: change)
    if change.state == .mustChange { try changeToGoOn(because: nil, knowing: passcode) }
  }

  /// A secret that the policy asks for the passcode for, each time that it is read.
  ///
  /// - Throws: `NoPrompt` where nobody can be asked.
  func readWithPasscode(_ name: String, version: Int?) throws(CommandError) -> CredentialSecret {
    if let passcode = try givenPasscode() {
      return try call { client throws(ClientError) in try client.get(name, version: version, passcode: passcode) }
    }
    if let dialogue = try terminal() {
      return try asking(dialogue, "Passcode to read '\(name.shownSafely)': ") { passcode throws(ClientError) in
        try client.get(name, version: version, passcode: passcode)
      }
    }
    let place = PromptPlace.current()
    guard invocation.allowsInput, place.hasDisplay else { throw .nobodyToAsk }
    return try call { client throws(ClientError) in try client.get(name, version: version, at: place) }
  }

  private func warn(of change: StateChange) {
    if change.isBelowPolicy { note("warning: the passcode is below today's policy; run: passcode change") }
  }

  /// Whether quick unlock opened the store; where it did not, that is said, and the passcode is the way.
  func tryQuickUnlock() throws(CommandError) -> Bool {
    do {
      // Where nobody may be asked, a confirmation that the policy wants can't be had.
      return try client.quickUnlock(at: invocation.allowsInput ? .current() : .nowhere).state == .unlocked
    } catch .daemon(.cancelled) {
      throw CommandError(WireError.cancelled)
    } catch .daemon(.olderThanLastSeen) {
      throw CommandError(WireError.olderThanLastSeen)
    } catch .daemon(let error) {
      note(CommandError(error).message)
      return false
    } catch {
      throw CommandError(error)
    }
  }

  /// Has the daemon ask through pinentry: for a command without a terminal that has a display.
  ///
  /// - Throws: `Locked` where nobody can be asked.
  private func unlockByPrompt() throws(CommandError) {
    let place = PromptPlace.current()
    guard invocation.allowsInput, place.hasDisplay else { throw CommandError(WireError.locked) }
    let change = try call { client throws(ClientError) in
      try client.unlockByPrompt(at: place, tryingQuickUnlock: false)
    }
    warn(of: change)
    if change.state == .mustChange { try changeToGoOn(because: nil, knowing: nil) }
  }

  /// Asks until the passcode is right, and changes it where it must be.
  ///
  /// - Throws: `Locked` where nobody can be asked.
  func unlockByAsking() throws(CommandError) {
    guard let dialogue = try terminal() else { return try unlockByPrompt() }
    var known: SecretBytes?
    let change = try asking(dialogue, "Passcode to unlock the store: ") { passcode throws(ClientError) in
      let change = try client.unlock(passcode, acceptsOlder: invocation.has(.acceptOlder))
      known = consume passcode
      return change
    }
    warn(of: change)
    if change.state == .mustChange { try changeToGoOn(because: nil, knowing: known.take()) }
  }

  /// Asks for a passcode until `body` takes it, or the person has mistyped it often enough.
  private func asking<R: ~Copyable>(
    _ dialogue: Dialogue, _ prompt: String, _ body: (consuming SecretBytes) throws(ClientError) -> R
  ) throws(CommandError) -> R {
    var tries = 0
    while true {
      let passcode = try dialogue.secret(prompt)
      tries += 1
      do {
        return try body(passcode)
      } catch .daemon(.wrongPasscode(let left, let wait)) where tries < Self.promptTries && wait == nil && left != 0 {
        dialogue.say(CommandError(WireError.wrongPasscode(triesRemaining: left, retryAfterSeconds: nil)))
      } catch .daemon(.invalidText(let fault)) where tries < Self.promptTries {
        dialogue.say(CommandError.words(fault))
      } catch {
        throw failure(error)
      }
    }
  }

  /// A passcode that is right but must be changed: on a terminal it is changed here and now.
  func changeToGoOn(
    because reason: WireMustChangeReason?, knowing current: consuming SecretBytes?
  ) throws(CommandError) {
    guard let dialogue = try terminal() else {
      if let reason { throw CommandError(WireError.mustChange(reason)) }
      throw CommandError(WireError.mustChange(try mustChangeReason()))
    }
    dialogue.say("Your passcode must be changed before the store can be used.")
    try FlowRunner(session: self, dialogue: dialogue).change(knowing: current)
  }

  /// Why the passcode must be changed: any call that needs the store is told.
  private func mustChangeReason() throws(CommandError) -> WireMustChangeReason {
    do {
      _ = try client.show("any")
      return .belowPolicy
    } catch .daemon(.mustChange(let reason)) {
      return reason
    } catch {
      throw CommandError(error)
    }
  }
}
