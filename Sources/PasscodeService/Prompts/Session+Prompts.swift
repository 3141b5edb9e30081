internal import PasscodePlatform
internal import PasscodePrompts
internal import PasscodeWire

extension Session {
  /// Waits for a prompt: the one that is there for the subject, or one of its own.
  ///
  /// - Parameter show: shows it; on a thread of its own, and not at all where another's answers.
  /// - Throws: what comes of it; `busy` where too many wait; `noPrompt` where the daemon ends.
  func ask(
    _ subject: Prompts.Subject, _ fields: WireFields,
    _ show: @escaping @Sendable (PromptClient, PromptCancellation) -> PromptTurn<Prompts.Answer>
  ) throws(WireError) -> Prompts.Effect {
    let client = PromptClient(surroundings: try surroundings(fields), process: connection.process)
    let share: PromptShare<Prompts.Answer>
    do throws(PromptQueueError) {
      share = try service.prompts.queue.ask(subject, client: connection.peer.descriptor.raw) { show(client, $0) }
    } catch { throw .busy }
    switch share {
    case .answered(let answer): return try answer.get()
    // Nobody reads this reply.
    case .withdrawn: throw .cancelled
    case .stopped: throw .noPrompt(.stopping, reason: "the daemon is ending")
    }
  }

  /// Has the person give the passcode that the policy asks for each time that a credential is read. What is read is looked for after
  /// that: nothing of the store is held meanwhile.
  ///
  /// - Parameter lockCount: as it was when the call began.
  /// - Throws: as ``ask(_:_:_:)``; `noPrompt` at once where there is nowhere to ask; `locked` where the store was locked meanwhile.
  func askToRead(_ fields: WireFields, since lockCount: UInt64) throws(WireError) {
    let place = try surroundings(fields)
    if !place.hasDisplay, place.terminal == nil {
      let reason = PromptUnavailable.noDisplayOrTerminal
      throw .noPrompt(WirePromptObstacle(reason), reason: reason.description)
    }
    let name = fields.string(.name)
    let subject = Prompts.Subject.reading(name: name, ObjectIdentifier(connection))
    connection.opensStore(false)
    defer { connection.opensStore() }
    _ = try ask(subject, fields) { [service] client, cancellation in
      ReadPrompt(service: service, client: client, subject: subject, name: name, lockCount: lockCount).show(cancellation)
    }
    guard service.lockCount == lockCount else { throw .locked }
    service.keeper.used()
    // What is missing may have changed while the person thought.
    try requireConsent(.get, fields)
  }

  /// Where the client says that its person is; where it says nothing, where the daemon itself was started.
  private func surroundings(_ fields: WireFields) throws(WireError) -> PromptSurroundings {
    let terminal = fields.stringIfPresent(.terminal)
    guard terminal != nil || fields.isPresent(.environment) else { return service.prompts.ownSurroundings }
    var variables: [String: String] = [:]
    try fields.forEachPair(.environment) { (name, value) throws(WireError) in
      variables[String(decoding: name)] = String(decoding: value)
    }
    return PromptSurroundings(variables: variables, terminal: terminal)
  }
}
