internal import Glibc
public import PasscodePlatform
internal import SecretMemory

/// Asks a person through pinentry, the prompt of the GnuPG family.
///
/// The program gets pipes, an environment that is built and the client's terminal where that was checked to be the client's own.
/// Nothing that it is given is a secret; what it answers is read into locked memory. It is never told to keep anything.
///
/// Source: pinentry manual; libassuan manual.
public struct Pinentry: Sendable {
  /// Where it is looked for when no path is configured.
  public static let usualPrograms = ["/usr/bin/pinentry", "/usr/local/bin/pinentry"]
  /// The longest answer taken, in bytes: more than a passcode can have, so that one too long gets its own refusal.
  public static let maximumAnswerByteCount = 4096

  private let configured: String?
  private let fixedVariables: [String]

  /// A pinentry.
  ///
  /// - Parameters:
  ///   - program: its absolute path; nil is the first of ``usualPrograms`` that exists.
  ///   - environment: of this very process. Of it, HOME and XDG_RUNTIME_DIR are passed on, without which a window can't be
  ///     shown.
  /// - Precondition: this process ignores broken pipes, see `Signals.ignoreBrokenPipes()`.
  public init(program: String? = nil, environment: ProcessEnvironment) {
    configured = program
    fixedVariables = ["HOME", "XDG_RUNTIME_DIR"].compactMap { name in environment.absolutePath(name).map { "\(name)=\($0)" } }
  }

  /// The program that is started.
  ///
  /// It sees what is typed: it has to be an executable regular file that belongs to root or to the user of this process, and that
  /// nobody else may write to. A link to one is followed.
  ///
  /// - Throws: `noProgram` where there is none; `unsafeProgram` where there is something else.
  public var program: String {
    get throws(PromptUnavailable) {
      let paths = configured.map { [$0] } ?? Self.usualPrograms
      guard let path = paths.first(where: Self.isThere) else { throw .noProgram(path: paths[0]) }
      if let fault = Self.fault(of: path) { throw .unsafeProgram(path: path, fault) }
      return path
    }
  }

  /// Asks, and returns when there is an answer, no more time, or no way to ask. The program has ended then.
  ///
  /// - Parameters:
  ///   - request: what to ask; its `timeout` is a hard one: a pinentry that goes on is killed.
  ///   - client: who asks and where its person sits; shown as unverified.
  ///   - judges: of a new passcode.
  ///   - cancellation: ends it from another thread.
  ///
  /// Secrets: the answer is the caller's; everything else that held a piece of it is wiped.
  public func ask(
    _ request: PromptRequest, for client: PromptClient, judges: CandidateJudges = CandidateJudges(),
    cancellation: PromptCancellation
  ) -> PromptOutcome {
    let deadline = Waiting.deadline(request.timeout)
    let terminal: PeerTerminal?
    do {
      terminal = try Self.terminal(of: client)
    } catch {
      return .unavailable(error)
    }
    let program: String
    do throws(PromptUnavailable) { program = try self.program } catch { return .unavailable(error) }
    let script = DialogueScript(
      request: Self.introduced(request, by: client),
      options: Self.options(client.surroundings, hasTerminal: terminal != nil), hasTerminal: terminal != nil,
      showsQuality: judges.quality != nil, checks: judges.refusal != nil)
    var buffers: PinentrySession.Buffers
    do {
      buffers = try PinentrySession.Buffers()
    } catch {
      return .unavailable(.secretMemory(error))
    }
    let child: ChildProcess
    do {
      let variables = client.surroundings.variables.map { "\($0)=\($1)" }.sorted()
      child = try Spawn.child(program, environment: fixedVariables + variables)
    } catch {
      return .unavailable(.notStarted(error))
    }
    var session = PinentrySession(
      child: child, terminal: terminal, dialogue: Dialogue(script), judges: judges,
      limits: PinentrySession.Limits(
        deadline: deadline, cancellation: cancellation, watchesTerminal: !client.surroundings.hasDisplay))
    return Self.outcome(session.run(&buffers), buffers)
  }

  private static func outcome(
    _ stop: PinentrySession.Stop, _ buffers: consuming PinentrySession.Buffers
  ) -> PromptOutcome {
    switch stop {
    case .ending(.passcode): .passcode(buffers.first)
    case .ending(.confirmed): .confirmed
    case .ending(.notConfirmed): .notConfirmed
    case .ending(.cancelled), .cancelled: .cancelled
    case .ending(.timedOut), .timedOut: .timedOut
    case .ending(.needsTerminal): .unavailable(.needsTerminal)
    case .ending(.refused(let code)): .unavailable(.refused(code: code))
    case .ending(.crashed(let crash)): .crashed(crash)
    case .terminalGone: .unavailable(.terminal(.gone))
    }
  }

  private static func isThere(_ path: String) -> Bool {
    path.hasPrefix("/") && ((try? Files.status(of: path)) ?? nil) != nil
  }

  private static func fault(of path: String) -> PromptProgramFault? {
    guard let status = (try? Files.status(of: path)) ?? nil, status.kind == .file else { return .notAFile }
    guard status.owner == 0 || status.owner == geteuid() else { return .foreignOwner }
    guard status.mode & 0o022 == 0 else { return .writableByOthers }
    return unsafe access(path, X_OK) == 0 ? nil : .notExecutable
  }

  /// Nil where there is a display and no terminal of its own: then a window is all that can be asked in.
  private static func terminal(of client: PromptClient) throws(PromptUnavailable) -> PeerTerminal? {
    let surroundings = client.surroundings
    guard let path = surroundings.terminal else {
      if surroundings.hasDisplay { return nil }
      throw .noDisplayOrTerminal
    }
    do {
      return try PeerTerminal.open(path, of: client.process)
    } catch {
      if surroundings.hasDisplay { return nil }
      throw .terminal(error)
    }
  }

  private static func options(_ surroundings: PromptSurroundings, hasTerminal: Bool) -> [AssuanCommand] {
    var options: [AssuanCommand] = []
    if hasTerminal, let terminal = surroundings.terminal {
      options.append(.option("ttyname", value: terminal))
      options.append(.option("ttytype", value: surroundings.terminalKind ?? "dumb"))
    }
    options.append(.option("lc-ctype", value: surroundings.characterLocale))
    if let locale = surroundings.messageLocale { options.append(.option("lc-messages", value: locale)) }
    return options
  }

  /// The words that name the asker are never what is cut.
  private static func introduced(_ request: PromptRequest, by client: PromptClient) -> PromptRequest {
    var request = request
    request.description = AssuanText.clip(request.description, limit: 700) + "\n\n" + client.introduction
    return request
  }
}
