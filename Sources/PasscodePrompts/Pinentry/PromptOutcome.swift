public import PasscodePlatform
public import SecretMemory

/// How a prompt ended. Never more than one prompt's answer; what was asked decides which of the first three can come.
public enum PromptOutcome: ~Copyable, Sendable {
  /// What was entered, as typed: not normalised, perhaps empty, perhaps longer than a passcode may be. Whoever takes it owns
  /// it; it wipes itself.
  case passcode(SecretBytes)
  /// Yes.
  case confirmed
  /// No.
  case notConfirmed
  /// The person gave up, or ``PromptCancellation/cancel()`` was called.
  case cancelled
  /// Nobody answered in time.
  case timedOut
  /// Nobody could be asked.
  case unavailable(PromptUnavailable)
  /// The pinentry ended, or said what no pinentry says.
  case crashed(PromptCrash)
}

/// Why nobody could be asked.
public enum PromptUnavailable: Error, Equatable, Sendable {
  /// The client has no display and no terminal.
  case noDisplayOrTerminal
  /// The client has no display, and its terminal can't be used.
  case terminal(TerminalFault)
  /// The client has only a display, and this pinentry, or this display, can do no more than terminals.
  case needsTerminal
  /// The program is not there, or its path is not absolute.
  case noProgram(path: String)
  /// What stands there is not run.
  case unsafeProgram(path: String, PromptProgramFault)
  /// The program could not be started.
  case notStarted(PlatformError)
  /// The pinentry refused to ask; a libgpg-error value.
  case refused(code: UInt32)
  /// There is no locked memory left for an answer.
  case secretMemory(SecretMemoryError)
}

/// Why a file is not run as pinentry.
public enum PromptProgramFault: Error, Equatable, Sendable {
  /// It is no regular file.
  case notAFile
  /// It belongs neither to root nor to the user.
  case foreignOwner
  /// Its group, or everybody, may write to it.
  case writableByOthers
  /// It may not be executed.
  case notExecutable
}

extension PromptProgramFault: CustomStringConvertible {
  /// What is wrong with it.
  public var description: String {
    switch self {
    case .notAFile: "it is no regular file"
    case .foreignOwner: "it belongs neither to you nor to root"
    case .writableByOthers: "others may write to it"
    case .notExecutable: "it may not be executed"
    }
  }
}

/// What a pinentry did that none should do.
public enum PromptCrash: Error, Equatable, Sendable {
  /// It ended before it answered.
  case ended(ExitStatus?)
  /// A line over 1,000 bytes.
  case oversizedLine
  /// An answer over 4,096 bytes.
  case oversizedPasscode
  /// A line that is not Assuan.
  case malformedReply
  /// A reply where none like it may stand.
  case unexpectedReply
  /// It no longer reads what is sent.
  case notReading
  /// It gave a refused candidate, or two entries that differ, over and over.
  case endless
}

extension PromptUnavailable {
  /// Whether it lies in the surroundings of the one who asked, so that another who asks may have more luck: then it is his own
  /// turn (``PromptTurn/own(_:)``), else it is shared.
  public var concernsOnlyTheAsker: Bool {
    switch self {
    case .noDisplayOrTerminal, .terminal, .needsTerminal, .refused: true
    case .noProgram, .unsafeProgram, .notStarted, .secretMemory: false
    }
  }
}

extension PromptUnavailable: CustomStringConvertible {
  /// What is missing and, where there is one, the way out.
  public var description: String {
    switch self {
    case .noDisplayOrTerminal: "there is no display and no terminal to ask on"
    case .terminal(let fault): "there is no display, and the terminal can't be used: \(fault)"
    case .needsTerminal:
      "this pinentry can't use the display, and there is no terminal; install one for the desktop, such as pinentry-gnome3"
    case .noProgram(let path): "there is no pinentry at \(path); install one, such as pinentry-curses, or configure its path"
    case .unsafeProgram(let path, let fault): "\(path) is not run as pinentry: \(fault)"
    case .notStarted(let error): "pinentry could not be started: \(error)"
    case .refused(let code): "pinentry could not ask (error \(code & 0xffff)); is its display or terminal there?"
    case .secretMemory: "no locked memory is left; try again"
    }
  }
}

extension PromptCrash: CustomStringConvertible {
  /// What happened.
  public var description: String {
    switch self {
    case .ended(.exited(let code)?): "pinentry ended with code \(code) before it answered"
    case .ended(.signalled(let signal)?): "pinentry was ended by signal \(signal) before it answered"
    case .ended(nil): "pinentry ended before it answered"
    case .oversizedLine: "pinentry wrote a line over \(AssuanCommand.maximumLineByteCount) bytes"
    case .oversizedPasscode: "pinentry gave an answer over \(Pinentry.maximumAnswerByteCount) bytes"
    case .malformedReply: "pinentry wrote what is not its protocol"
    case .unexpectedReply: "pinentry gave a reply out of place"
    case .notReading: "pinentry no longer read its input"
    case .endless: "pinentry gave unusable entries without end"
    }
  }
}
