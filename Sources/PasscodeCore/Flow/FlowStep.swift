/// What a front end has to show now, with the facts for it.
///
/// A front end only carries input: it shows the step it is told and calls the flow with what the person does.
public enum FlowStep: Equatable, Sendable {
  /// Ask for the current passcode (a change).
  case current(MatchFacts)
  /// Ask for the passcode (a verification).
  case match(MatchFacts)
  /// Ask for a new passcode, with the list of requirements.
  case enter(EntryFacts)
  /// Ask for the same passcode again. A front end that was given it in a file or on a descriptor gives the same bytes again.
  case confirm
  /// Offer quick unlock.
  case quickUnlock
  /// Ask for the store's id, and whether the store is set aside or erased.
  case confirmReset(ResetFacts)
  /// The flow is at work on another thread or further up the stack; nothing can be entered.
  case working
  /// The flow is over, with this end.
  case finished(FlowEnd)
  /// The person gave up; nothing was stored.
  case cancelled

  /// True where the flow takes nothing more and holds no passcode.
  public var isEnd: Bool {
    switch self {
    case .finished, .cancelled: true
    case .current, .match, .enter, .confirm, .quickUnlock, .confirmReset, .working: false
    }
  }
}

/// How a flow ended that was not cancelled.
public enum FlowEnd: Hashable, Sendable {
  /// It did what it is for; with what became of quick unlock.
  case done(QuickUnlockOutcome)
  /// The passcode is right and has to be changed: go on with a ``ChangeFlow``.
  case mustChange(MustChangeReason)
  /// No try is taken now. The wait is in seconds, nil where it is not known.
  case lockedOut(retryAfterSeconds: Int?)
  /// The last wrong try: the store is gone.
  case erased
  /// It could not be done, for a reason that is not the passcode's; nothing was stored.
  case failed(FlowFailure)
  /// The person has forgotten the passcode and asks for a reset.
  case resetAsked
  /// The person goes on without a passcode.
  case skipped
}

/// What became of quick unlock in a flow.
public enum QuickUnlockOutcome: Hashable, Sendable {
  /// The flow has nothing to do with it, or it stays off.
  case unchanged
  /// It is on, or renewed.
  case enabled
  /// It was offered and not wanted.
  case declined
  /// It was not offered.
  case notAvailable(QuickUnlockObstacle)
  /// It was wanted and could not be turned on, renewed or off. The passcode is in force all the same.
  case failed(FlowFailure)
}

/// What to show where a set passcode is asked for.
public struct MatchFacts: Hashable, Sendable {
  /// What was wrong with the last entry; nil before the first.
  public let finding: MatchFinding?
  /// How many wrong tries are left; nil where there is no limit or it is not known.
  public let triesRemaining: Int?

  /// The facts of a step.
  public init(finding: MatchFinding?, triesRemaining: Int?) {
    self.finding = finding
    self.triesRemaining = triesRemaining
  }
}

/// What was wrong with an entry that should have been the set passcode.
public enum MatchFinding: Hashable, Sendable {
  /// It was the wrong one, and a try was charged.
  case wrong(WrongTry)
  /// It can't be a passcode at all; no try was charged.
  case unreadable(TextFinding)
  /// The authority turned it away with this message; no try was charged.
  case turnedAway(message: String)

  /// A sentence for a person.
  public var text: String {
    switch self {
    case .wrong(let wrong): wrong.message ?? "This is not the passcode."
    case .unreadable(let finding): finding.text
    case .turnedAway(let message): message
    }
  }
}

/// What to show where a new passcode is asked for.
public struct EntryFacts: Equatable, Sendable {
  /// The policy's requirements, each with whether the last entry met it; none is met before the first entry.
  public let requirements: [PolicyRequirement]
  /// Why the last entry was not taken; nil before the first.
  public let finding: EntryFinding?

  /// The facts of a step.
  public init(requirements: [PolicyRequirement], finding: EntryFinding?) {
    self.requirements = requirements
    self.finding = finding
  }
}

/// Why a new passcode was not taken. None costs a try.
public enum EntryFinding: Equatable, Sendable {
  /// It does not meet the policy; the verdict says what is unmet.
  case belowPolicy(PolicyVerdict)
  /// It can't be a passcode at all.
  case unreadable(TextFinding)
  /// The second entry was another one: both are asked for again.
  case mismatch
  /// It is the current passcode.
  case sameAsCurrent
  /// It is an earlier passcode that may not come back.
  case earlier
  /// The authority turned it away with this message.
  case turnedAway(message: String)

  /// A sentence for a person.
  public var text: String {
    switch self {
    case .belowPolicy(let verdict): "The passcode does not meet: \(verdict.unmet.map(\.text).joined(separator: "; "))."
    case .unreadable(let finding): finding.text
    case .mismatch: "The two entries are not the same. Enter the passcode again, then confirm it."
    case .sameAsCurrent: "This is the current passcode. Choose another one."
    case .earlier: "This passcode was used before. Choose another one."
    case .turnedAway(let message): message
    }
  }
}

/// What to show where a reset has to be confirmed.
public struct ResetFacts: Hashable, Sendable {
  /// What has to be typed.
  public let storeID: String
  /// True where something else was typed last.
  public let isMistyped: Bool

  /// The facts of a step.
  public init(storeID: String, isMistyped: Bool) {
    self.storeID = storeID
    self.isMistyped = isMistyped
  }
}
