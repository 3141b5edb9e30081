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
