/// What a person is asked, and with which words.
///
/// The texts are no secrets. They are shown as they are, but for control characters; a text too long for a line of pinentry is
/// cut with an ellipsis.
public struct PromptRequest: Sendable, Equatable {
  /// What kind of answer is wanted.
  public enum Question: Sendable, Equatable {
    /// The passcode that there is.
    case passcode
    /// A new passcode, entered twice.
    ///
    /// `mismatch` is said where both differ; then both are asked for again.
    case newPasscode(repeatLabel: String, mismatch: String)
    /// Yes or no; with `noLabel` there is a *no* beside *cancel*.
    case confirmation(noLabel: String?)
  }

  /// The kind of answer.
  public var question: Question
  /// The window's title.
  public var title: String
  /// What this is about; who asks is added by itself.
  public var description: String
  /// The word before the field.
  public var prompt: String
  /// What was wrong the last time, such as `Wrong passcode. 4 tries left.`
  public var error: String?
  /// The word on the button that goes on; `_` stands before its key. Nil is pinentry's own.
  public var okLabel: String?
  /// The word on the button that gives up.
  public var cancelLabel: String?
  /// The word beside the bar that shows how good a new passcode is.
  public var qualityLabel = "Strength:"
  /// After this time the prompt ends, whatever it does; time in which the machine is suspended counts.
  public var timeout: Duration = .seconds(120)

  /// A request with pinentry's own buttons, two minutes to answer, and nothing wrong so far.
  public init(_ question: Question, title: String, description: String, prompt: String = "Passcode:") {
    self.question = question
    self.title = title
    self.description = description
    self.prompt = prompt
  }
}

/// What judges a new passcode while it is typed.
///
/// Both are lent the candidate on the thread of the prompt and must be quick; they run for each key. Only the first 300 bytes
/// reach ``quality``: where the candidate is longer, it may end within a character.
public struct CandidateJudges: Sendable {
  /// How good a candidate is, -100 to 100; what is below 0 is shown as bad.
  public var quality: (@Sendable (Span<UInt8>) -> Int)?
  /// Why a candidate is refused, in one sentence; nil accepts it.
  public var refusal: (@Sendable (Span<UInt8>) -> String?)?

  /// Judges; none where a closure is nil.
  public init(
    quality: (@Sendable (Span<UInt8>) -> Int)? = nil, refusal: (@Sendable (Span<UInt8>) -> String?)? = nil
  ) {
    self.quality = quality
    self.refusal = refusal
  }
}
