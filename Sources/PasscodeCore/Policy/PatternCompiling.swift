/// The port to a pattern language; `PCRE2Patterns` of `PasscodeValidators` is the one that the daemon uses.
public protocol PatternCompiling: Sendable {
  /// Compiles a pattern.
  ///
  /// - Throws: what is wrong with the pattern, and where.
  func compile(_ pattern: String) throws(PatternFault) -> any CompiledPattern
}

/// A pattern that is ready to be searched for.
public protocol CompiledPattern: Sendable {
  /// Searches the text, in bounded time and memory.
  ///
  /// - Parameter text: valid UTF-8.
  func search(_ text: Span<UInt8>) -> PatternOutcome
}

/// What a search ended with.
public enum PatternOutcome: Sendable, Equatable {
  /// The pattern was found.
  case found
  /// The pattern is not there.
  case notFound
  /// The search reached a limit of time or memory: nothing is known.
  case limitReached
}

/// What is wrong with a pattern.
public struct PatternFault: Error, Equatable, Sendable {
  /// Where, in UTF-8 bytes from the pattern's start.
  public let offset: Int
  /// What, in words.
  public let message: String

  /// A fault at a place.
  public init(offset: Int, message: String) {
    self.offset = offset
    self.message = message
  }
}
