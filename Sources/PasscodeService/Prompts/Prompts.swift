internal import PasscodePlatform
internal import PasscodePrompts
internal import PasscodeWire

/// How the daemon asks a person: through one pinentry, one prompt at a time.
final class Prompts: Sendable {
  /// What is asked for. Clients that ask for the same share the prompt.
  enum Subject: Hashable, Sendable {
    /// The passcode, to unlock.
    case passcode
    /// The confirmation of a quick unlock.
    case quickUnlock
    /// The passcode that one flow stands at.
    case flow(ObjectIdentifier)
    /// The passcode, to read one credential over one connection: each reading is asked about, so no two share a prompt.
    case reading(name: String, ObjectIdentifier)

    var isWayIn: Bool { self == .passcode || self == .quickUnlock }
    var isFlow: Bool { if case .flow = self { true } else { false } }
    var isReading: Bool { readName != nil }

    /// The name of what would be read.
    var readName: String? { if case .reading(let name, _) = self { name } else { nil } }
  }

  /// What a prompt has brought about.
  enum Effect: Sendable {
    /// The store is open.
    case opening(Opening)
    /// The flow has gone on.
    case step(WireStep)
    /// The passcode was right.
    case proof
  }

  /// What comes of a prompt, for all who waited for it.
  typealias Answer = Result<Effect, WireError>

  let pinentry: Pinentry
  let queue: PromptQueue<Subject, Answer>
  /// Where the daemon itself was started: for a client that says nothing of where it is.
  let ownSurroundings: PromptSurroundings
  private let limit: Duration
  private let log: ServiceLog
  private let budget: LogBudget
  /// What is shown, and what ends it.
  private let shown = Monitor<(subject: Subject, cancellation: PromptCancellation)?>(nil)

  init(_ configuration: ServiceConfiguration) {
    let environment = configuration.environment
    pinentry = Pinentry(program: configuration.pinentry, environment: environment)
    queue = PromptQueue(maximumWaiters: configuration.limits.promptWaiters)
    limit = configuration.limits.prompt
    log = configuration.log
    budget = LogBudget(clock: configuration.clock)
    var variables: [String: String] = [:]
    for name in PromptSurroundings.variableNames { variables[name] = environment[name] }
    ownSurroundings = PromptSurroundings(variables: variables, terminal: nil)
  }

  /// Whether there is a pinentry.
  var canAsk: Bool { (try? pinentry.program) != nil }

  /// A request with the daemon's title and its hard limit.
  func request(_ question: PromptRequest.Question, _ description: String) -> PromptRequest {
    var request = PromptRequest(question, title: "passcoded", description: description)
    request.timeout = limit
    return request
  }

  /// Shows a prompt, which ends where it has no point any more.
  func showing<R>(_ subject: Subject, _ cancellation: PromptCancellation, _ body: () -> R) -> R {
    shown.withLock { $0 = (subject, cancellation) }
    defer { shown.withLock { $0 = nil } }
    return body()
  }

  /// The store is open: nobody has to be asked for a way in.
  func storeOpened(_ answer: Answer) { end(answer, where: \.isWayIn) }

  /// The store is locked: nobody has to be asked for what can't be read.
  func storeLocked() { end(.failure(.locked), where: \.isReading) }

  /// There is no store any more: nor here.
  func storeGone() { end(.failure(.noStore)) { !$0.isFlow } }

  /// Every flow has been ended: nobody has to be asked for the passcode that it stood at.
  func flowsEnded() { end(.failure(.noFlow), where: \.isFlow) }

  /// Ends the prompt about such a subject if one is shown, which then finds out by itself why, and answers who waits in line.
  private func end(_ answer: Answer, where isOver: (Subject) -> Bool) {
    queue.answer(answer, where: isOver)
    shown.withLock { shown in
      if let subject = shown?.subject, isOver(subject) { shown?.cancellation.cancel() }
    }
  }

  /// Logs why nobody could be asked; any client can bring that about.
  func note(_ fault: String) { log.note(.promptFault(fault), within: budget) }

  /// Ends the prompt that is shown and frees all who wait.
  func stop() { queue.stop() }
}

/// An open store, as an unlock tells it.
struct Opening: Sendable {
  /// Unlocked, or to be changed.
  let state: WireState
  /// Whether the passcode is below a policy that only warns.
  var isBelowPolicy = false
}
