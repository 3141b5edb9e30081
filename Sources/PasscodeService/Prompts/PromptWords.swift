internal import PasscodeCore
internal import PasscodePrompts
internal import PasscodeWire
internal import StrictJSON

/// What a person at a prompt is told of the last entry.
enum PromptWords {
  static func wrong(_ triesRemaining: Int?) -> String {
    switch triesRemaining {
    case nil: "Wrong passcode."
    case 1?: "Wrong passcode. 1 try left."
    case let tries?: "Wrong passcode. \(tries) tries left."
    }
  }

  /// What would be read. The name stands on a line of its own, so that it says nothing in the prompt's words.
  static func read(_ name: String) -> String {
    "Enter the passcode to read this credential:\n\(bounded(name))"
  }

  /// A name in which nothing is hidden; of a long one both ends, which is where names differ.
  private static func bounded(_ name: String) -> String {
    let scalars = Array(name.unicodeScalars)
    if scalars.count <= 80 { return name.shown }
    func text(_ part: ArraySlice<Unicode.Scalar>) -> String {
      var text = String.UnicodeScalarView()
      text.append(contentsOf: part)
      return String(text).shown
    }
    return text(scalars.prefix(39)) + "…" + text(scalars.suffix(40))
  }

  /// What a new passcode has to be.
  static func choose(_ requirements: [PolicyRequirement]) -> String {
    let words = "Choose the passcode of your credential store; nobody can bring it back for you."
    if requirements.isEmpty { return words }
    return words + "\nIt needs: \(requirements.map(\.text).joined(separator: "; "))."
  }

  /// Why a new passcode is not taken.
  static func refusal(_ unmet: [WireRequirement]) -> String {
    "Not taken. It needs: \(unmet.map(\.text).joined(separator: "; "))."
  }

  /// How good a candidate is, from -100 to 100: below 0 it would not be taken.
  static func quality(_ verdict: PolicyVerdict) -> Int {
    let met = verdict.requirements.count(where: \.isSatisfied)
    guard verdict.isMet else { return -100 + 90 * met / max(1, verdict.requirements.count) }
    return verdict.strength.map { max(10, 25 * $0.score) } ?? 100
  }

  static func unreadable(_ fault: WireTextFault) -> String {
    switch fault {
    case .empty: "That was no passcode: nothing was entered."
    case .notUTF8: "That was no passcode: it is not UTF-8 text."
    case .containsNUL: "That was no passcode: it holds a NUL."
    case .unassignedCodePoint: "That was no passcode: it has a character of no meaning."
    case .tooLong: "That was no passcode: it is longer than 1,024 bytes."
    }
  }
}

extension WirePromptObstacle {
  init(_ reason: PromptUnavailable) {
    self =
      switch reason {
      case .noDisplayOrTerminal: .nowhere
      case .terminal: .terminal
      case .needsTerminal: .needsTerminal
      case .noProgram, .unsafeProgram: .noProgram
      case .notStarted, .refused, .secretMemory: .failed
      }
  }
}
