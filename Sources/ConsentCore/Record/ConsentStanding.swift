/// When a form that was put off is asked again.
public struct ConsentAskingRules: Hashable, Sendable {
  /// After how many days.
  public var askAgainDays: Int
  /// How often it can be put off; after that it is not asked any more.
  public var maxDeferrals: Int

  /// The rules of the policy.
  public init(askAgainDays: Int = 30, maxDeferrals: Int = 3) {
    self.askAgainDays = askAgainDays
    self.maxDeferrals = maxDeferrals
  }
}

/// How a person stands to one form at one moment.
public struct ConsentStanding: Hashable, Sendable {
  /// The state.
  public let state: ConsentState
  /// Whether the form is to be shown in the onboarding.
  public let isAsked: Bool
  /// The version that was agreed to before, where there is one with another major number: what changed since is told.
  public let agreedBefore: ConsentVersion?

  /// Derives it. Default deny: whatever does not say that this form, in this major version and in these words, was agreed to
  /// and holds, is no consent.
  ///
  /// - Parameters:
  ///   - facts: the form as it is now.
  ///   - log: the answers.
  ///   - now: seconds since 1970.
  ///   - rules: when it is asked again.
  public init(_ facts: ConsentFormFacts, in log: VerifiedConsentLog, now: Int64, rules: ConsentAskingRules) {
    let history = log.history(of: facts.id)
    let answer = history.answer.map { log.entries[$0].fact }
    let isShownSince = history.last.map { log.entries[$0].fact.event } == .requested
    var state = answer.map { Self.state($0, facts, now) } ?? (history.last == nil ? .neverAsked : .requested)
    if isShownSince, !state.isGiven { state = .requested }
    self.state = state
    let agreed = history.agreed.map { log.entries[$0].fact }
    agreedBefore = agreed.flatMap { $0.version.major == facts.version.major ? nil : $0.version }
    guard !state.isGiven else {
      isAsked = false
      return
    }
    isAsked = facts.isRequired || Self.isOptionalAsked(answer, history, facts, now, rules)
  }

  /// By how much the clock may be set back before an answer counts as one from a time that has not come yet, in seconds.
  private static let tolerance: Int64 = 86_400

  private static func state(_ fact: ConsentFact, _ facts: ConsentFormFacts, _ now: Int64) -> ConsentState {
    switch fact.event {
    case .requested, .signed, .restarted: return .requested
    case .deferred: return .deferred
    case .refused: return .refused
    case .superseded: return .superseded
    case .expired: return .expired
    case .withdrawn: return .withdrawn
    case .given, .renewed: break
    }
    if fact.version.major != facts.version.major { return .superseded }
    // The same version in other words is another text.
    if fact.version == facts.version, facts.digests[fact.locale] != fact.text { return .superseded }
    // Where the clock reads much earlier than the answer, nobody can tell how long it has held.
    if let end = fact.expiresAt, end <= now || fact.at.seconds > now + tolerance { return .expired }
    return fact.event == .given ? .given : .renewed
  }

  private static func isOptionalAsked(
    _ answer: ConsentFact?, _ history: VerifiedConsentLog.History, _ facts: ConsentFormFacts, _ now: Int64,
    _ rules: ConsentAskingRules
  ) -> Bool {
    guard let answer, answer.version.major == facts.version.major else { return true }
    switch answer.event {
    case .refused, .withdrawn: return false
    case .requested, .signed, .restarted, .given, .renewed, .superseded, .expired: return true
    case .deferred: break
    }
    let deferrals = history.deferrals[facts.version.major] ?? 0
    // An answer from a time that has not come yet: the clock was wrong then, or is now. Asking is the safe side.
    if answer.at.seconds > now + tolerance { return deferrals < rules.maxDeferrals }
    let isDue = now >= answer.at.seconds + Int64(rules.askAgainDays) * 86_400
    return deferrals < rules.maxDeferrals && isDue
  }
}
