public import PasscodeCore
internal import PasscodePlatform
internal import SecretMemory

/// `command`: an executable of the administrator's decides.
///
/// It reads the candidate's bytes from its standard input up to the end (UTF-8 in NFC, no line feed behind) and writes its
/// verdict to its standard output, one JSON object of at most 64 KiB: `{"accepted": true}`, or
/// `{"accepted": false, "message": "…"}` with a sentence for the person. It ends with 0 either way. It has no argument, no
/// environment, no other descriptor, and `/` as its directory.
///
/// Only a program that root alone can have put there is run: it and every directory above belong to root, nobody else can write
/// to them, none is a link. Whatever keeps it from a verdict refuses the candidate, with a message that says so.
///
/// Secrets: the candidate goes to the program through a pipe. What it writes is read into locked memory; of a message that
/// repeats the candidate nothing is shown.
public struct CommandValidator: PasscodeValidationDelegate {
  /// The most that a command may write, in bytes.
  public static let outputLimit = 64 << 10
  /// `command`; the policy's second one is `command.2`.
  public let id: String
  /// The executable.
  public let path: String
  /// How long it may take, in seconds.
  public let timeoutSeconds: Int

  /// A validator that asks an executable. Nothing is looked at before it is asked.
  public init(path: String, timeoutSeconds: Int = 5, id: String = "command") {
    self.path = path
    self.timeoutSeconds = timeoutSeconds
    self.id = id
  }

  /// What is listed: who judges.
  public var requirement: String? { "checked by \(path)" }
  /// After all others, and only about what is being set.
  public var turn: ValidationTurn { .lastWhenSet }

  /// What keeps the command from being run as it lies there now, for whoever writes the policy; nil where nothing does.
  public var obstacle: String? { TrustedProgram.obstacle(to: path) }

  /// Accepts what the command accepts. Returns or throws when its time is up at the latest.
  ///
  /// - Throws: a rejection: with the command's message, or with why there is no verdict.
  public func validate(_ candidate: Span<UInt8>) throws(PasscodeRejection) {
    let verdict: CommandVerdict
    do throws(CommandFault) { verdict = try ask(candidate) } catch {
      throw PasscodeRejection("the check by \(path) could not be done: \(error)")
    }
    if !verdict.isAccepted { throw PasscodeRejection(verdict.message ?? "not accepted by \(path)") }
  }

  private func ask(_ candidate: Span<UInt8>) throws(CommandFault) -> CommandVerdict {
    try TrustedProgram.check(path)
    let answer: ProgramAnswer
    do throws(PlatformError) {
      answer = try Spawn.answer(of: path, to: candidate, limit: Self.outputLimit, within: .seconds(timeoutSeconds))
    } catch {
      switch error {
      case .timedOut: throw .timedOut(timeoutSeconds)
      case .tooLong(let limit): throw .tooMuchOutput(limit)
      default: throw .system(error)
      }
    }
    switch answer.status {
    case .exited(0): return try CommandVerdict(answer.output.bytes, on: candidate)
    case .exited(let code): throw .exited(code)
    case .signalled(let signal): throw .signalled(signal)
    }
  }
}
