/// One command of a dialogue.
struct DialogueStep: Equatable {
  let command: AssuanCommand
  /// Whether a refusal of it ends the dialogue; else the dialogue goes on without.
  var isNeeded = false
}

/// What is sent, and in which order.
///
/// A pinentry forgets the error, the repetition and the quality bar with each answer, so they are sent before each.
struct DialogueScript {
  let request: PromptRequest
  /// Options of the surroundings, such as the terminal.
  let options: [AssuanCommand]
  /// Whether there is a terminal; a pinentry that needs one is not asked to ask without.
  let hasTerminal: Bool
  let showsQuality: Bool
  let checks: Bool

  /// Everything up to the first question.
  var opening: [DialogueStep] {
    var steps = [DialogueStep(command: .getFlavor)]
    steps += options.map { DialogueStep(command: $0) }
    if isNew, checks { steps.append(DialogueStep(command: .option("constraints-enforce"))) }
    steps.append(DialogueStep(command: .set(.title, request.title)))
    steps.append(DialogueStep(command: .set(.description, request.description), isNeeded: true))
    if let label = request.okLabel { steps.append(DialogueStep(command: .set(.okLabel, label))) }
    if let label = request.cancelLabel { steps.append(DialogueStep(command: .set(.cancelLabel, label))) }
    if case .confirmation(let label?) = request.question { steps.append(DialogueStep(command: .set(.notOKLabel, label))) }
    steps.append(DialogueStep(command: .timeout(timeoutSeconds)))
    return steps + asking(error: request.error)
  }

  /// A question, for the first entry.
  func asking(error: String?) -> [DialogueStep] {
    var steps: [DialogueStep] = []
    if let error { steps.append(DialogueStep(command: .set(.error, error))) }
    switch request.question {
    case .confirmation: return steps + [DialogueStep(command: .confirm)]
    case .passcode: break
    case .newPasscode(let label, let mismatch):
      steps.append(DialogueStep(command: .set(.repeatLabel, label)))
      steps.append(DialogueStep(command: .set(.repeatError, mismatch)))
      if showsQuality { steps.append(DialogueStep(command: .set(.qualityBar, request.qualityLabel))) }
    }
    return [DialogueStep(command: .set(.prompt, request.prompt))] + steps + [DialogueStep(command: .getPIN)]
  }

  /// The second entry, for a pinentry that does not repeat by itself.
  func askingAgain(_ label: String) -> [DialogueStep] {
    [DialogueStep(command: .set(.prompt, label), isNeeded: true), DialogueStep(command: .getPIN)]
  }

  private var isNew: Bool {
    if case .newPasscode = request.question { true } else { false }
  }

  /// A second less than the hard limit, so that a pinentry that can leaves in good order.
  private var timeoutSeconds: Int { max(1, Int(clamping: request.timeout.components.seconds) - 1) }
}
