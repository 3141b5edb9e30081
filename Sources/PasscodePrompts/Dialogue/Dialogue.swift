/// One conversation with a pinentry, as a pure machine: state × event → state + action, total. It sees no byte of an answer.
///
/// The order is: greeting → settings → question → (judgement → second entry → comparison) → end. A pinentry that repeats by
/// itself says so (`S PIN_REPEATED`); else a second question is asked, since some accept SETREPEAT and ignore it. A
/// candidate that the pinentry did not have checked is judged after it was entered.
struct Dialogue {
  /// What the pinentry, or the driver on the machine's request, says.
  enum Event: Equatable {
    case ok
    case error(UInt32)
    case data
    case pinRepeated
    /// A status or comment without meaning here.
    case note
    case quality
    /// `isWhole` is false where pinentry may have cut the candidate.
    case check(isWhole: Bool)
    case otherInquiry
    /// The answer to `readFlavor`.
    case flavor(needsTerminal: Bool)
    /// The answer to `judgeCandidate`: the sentence of a refusal, or nil.
    case judged(refusal: String?)
    /// The answer to `compare`.
    case compared(areEqual: Bool)
    /// Something no pinentry says.
    case broken(PromptCrash)
  }

  /// What the driver does next.
  enum Action: Equatable {
    case wait
    case send(AssuanCommand)
    case keepData
    /// The data names the kind of pinentry.
    case readFlavor
    /// Answer the inquiry with how good its candidate is.
    case rate
    /// Answer the inquiry with a refusal of its candidate, or with nothing.
    case check
    /// Judge what was entered first.
    case judgeCandidate
    /// Compare both entries.
    case compare
    case finish(Ending)
  }

  /// How it ended.
  enum Ending: Equatable {
    case passcode
    case confirmed
    case notConfirmed
    case cancelled
    case timedOut
    case refused(UInt32)
    case needsTerminal
    case crashed(PromptCrash)
  }

  private enum State {
    case greeting
    case preparing(Int)
    case asking
    case judging
    case comparing
    case ended
  }

  /// How often both entries may differ, or a candidate be refused, before the pinentry is taken for mad.
  static let maximumRounds = 100

  private let script: DialogueScript
  private var state = State.greeting
  private var steps: [DialogueStep]
  private var rounds = 1
  private var isRepeated = false
  private var isChecked = false
  /// Whether data belongs to the second entry.
  private(set) var isSecondEntry = false

  init(_ script: DialogueScript) {
    self.script = script
    steps = script.opening
  }

  /// Takes an event.
  mutating func handle(_ event: Event) -> Action {
    switch (state, event) {
    case (.ended, _): .wait
    case (_, .broken(let crash)): finish(.crashed(crash))
    case (_, .note): .wait
    case (.greeting, .ok): send(0)
    case (.greeting, .error(let code)): finish(.refused(code))
    case (.preparing(let index), .ok): send(index + 1)
    case (.preparing(let index), .error(let code)):
      steps[index].isNeeded ? finish(.refused(code)) : send(index + 1)
    case (.preparing(let index), .data) where steps[index].command == .getFlavor: .readFlavor
    case (.preparing, .flavor(let needsTerminal)):
      needsTerminal && !script.hasTerminal ? finish(.needsTerminal) : .wait
    case (.preparing, .pinRepeated): .wait
    case (.asking, _): handleAnswer(event)
    case (.judging, .judged(nil)): isRepeated ? finish(.passcode) : askAgain()
    case (.judging, .judged(let refusal)): startOver(refusal)
    case (.comparing, .compared(true)): finish(.passcode)
    case (.comparing, .compared(false)): startOver(mismatch)
    default: finish(.crashed(.unexpectedReply))
    }
  }

  private mutating func handleAnswer(_ event: Event) -> Action {
    switch event {
    case .ok: return answered()
    case .error(let code): return finish(Self.ending(code))
    case .data: return isConfirmation ? finish(.crashed(.unexpectedReply)) : .keepData
    case .pinRepeated:
      isRepeated = !isSecondEntry
      return .wait
    case .quality: return .rate
    case .check(let isWhole):
      isChecked = isWhole
      // What was cut can't be refused for what is missing; it is judged when it is whole.
      return isWhole ? .check : .send(.answer(nil))
    case .otherInquiry: return .send(.declineInquiry)
    default: return finish(.crashed(.unexpectedReply))
    }
  }

  private mutating func answered() -> Action {
    switch script.request.question {
    case .passcode: return finish(.passcode)
    case .confirmation: return finish(.confirmed)
    case .newPasscode:
      if isSecondEntry {
        state = .comparing
        return .compare
      }
      if script.checks, !isChecked {
        state = .judging
        return .judgeCandidate
      }
      return isRepeated ? finish(.passcode) : askAgain()
    }
  }

  private mutating func askAgain() -> Action {
    guard case .newPasscode(let label, _) = script.request.question else { return finish(.passcode) }
    isSecondEntry = true
    steps = script.askingAgain(label)
    return send(0)
  }

  private mutating func startOver(_ error: String?) -> Action {
    rounds += 1
    guard rounds <= Self.maximumRounds else { return finish(.crashed(.endless)) }
    (isSecondEntry, isRepeated, isChecked) = (false, false, false)
    steps = script.asking(error: error)
    return send(0)
  }

  private mutating func send(_ index: Int) -> Action {
    state = index + 1 < steps.count ? .preparing(index) : .asking
    return .send(steps[index].command)
  }

  private mutating func finish(_ ending: Ending) -> Action {
    state = .ended
    return .finish(ending)
  }

  private var isConfirmation: Bool {
    if case .confirmation = script.request.question { true } else { false }
  }

  private var mismatch: String? {
    if case .newPasscode(_, let words) = script.request.question { words } else { nil }
  }

  /// Source: libgpg-error, err-codes: 62 timeout, 99 cancelled, 114 not confirmed, 198 fully cancelled.
  private static func ending(_ code: UInt32) -> Ending {
    switch code & 0xffff {
    case 62: .timedOut
    case 99, 198: .cancelled
    case 114: .notConfirmed
    default: .refused(code)
    }
  }
}
