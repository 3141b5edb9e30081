internal import SecretMemory

/// Judges candidates against a policy: all rules at once, then the validators in their order.
///
/// Sendable and without state: one engine serves any number of threads.
public struct PolicyEngine: Sendable {
  /// The policy that is judged against.
  public let policy: PasscodePolicy
  private let rules: [any PolicyRule]
  private let validators: [any PasscodeValidationDelegate]

  /// Puts a policy to work.
  ///
  /// - Parameters:
  ///   - policy: the rules. Its `validators` are only names: what they stand for comes in as `validators`.
  ///   - patterns: the language of the rules by pattern; may be missing where there are none.
  ///   - validators: asked in this order.
  /// - Throws: `pattern`, `noPatternLanguage`.
  public init(
    policy: PasscodePolicy, patterns: (any PatternCompiling)? = nil, validators: [any PasscodeValidationDelegate] = []
  ) throws(PolicyFault) {
    self.policy = policy
    self.validators = validators
    rules = Self.builtInRules(of: policy) + (try Self.patternRules(of: policy, patterns))
  }

  /// Judges a candidate. Tells nothing about earlier passcodes.
  ///
  /// - Parameters:
  ///   - candidate: as `PasscodeText.normalize` gives it: UTF-8 in NFC. Anything else meets no requirement.
  ///   - isBeingSet: false for a text that is still being typed and for the passcode at unlock: validators whose turn is
  ///     `lastWhenSet` are not asked then. One that was not asked is listed as not satisfied, and is not among the unmet.
  /// - Returns: every requirement with its answer.
  /// - Complexity: O(*n*) for the rules, for at most 3,072 bytes; the validators' own on top.
  ///
  /// Secrets: the candidate is read where it lies; the verdict holds nothing of it.
  public func judge(_ candidate: Span<UInt8>, isBeingSet: Bool = true) -> PolicyVerdict {
    let isBounded = candidate.count <= PasscodeText.normalizedCapacity
    guard isBounded, let facts = CandidateFacts(measuring: candidate, uniqueLimit: max(policy.minUniqueChars, 0)) else {
      return refusal
    }
    var verdict = VerdictBuilder()
    for rule in rules { verdict.note(rule, isMet: rule.isMet(by: facts, candidate)) }
    verdict.closeRules()
    let places = verdict.list(validators)
    func ask(_ turn: ValidationTurn, oneByOne: Bool = false) {
      for (validator, place) in zip(validators, places) where validator.turn == turn {
        if oneByOne, !verdict.unmet.isEmpty { return }
        verdict.ask(validator, candidate, place)
      }
    }
    ask(.always)
    if verdict.unmet.isEmpty { ask(.last) }
    if isBeingSet { ask(.lastWhenSet, oneByOne: true) }
    return verdict.verdict
  }

  /// The list before anything was entered: nothing is met yet.
  public var requirements: [PolicyRequirement] { refusal.requirements }

  private var refusal: PolicyVerdict {
    var verdict = VerdictBuilder()
    for rule in rules { verdict.note(rule, isMet: false) }
    verdict.closeRules()
    _ = verdict.list(validators)
    verdict.refuse("text", "valid text of at most \(PasscodeText.maximumByteCount) bytes")
    return verdict.verdict
  }
}

// MARK: - Rules

extension PolicyEngine {
  private static func builtInRules(of policy: PasscodePolicy) -> [any PolicyRule] {
    var rules: [any PolicyRule] = [
      MinLengthRule(minimum: policy.minLength, isDigitsOnly: policy.isDigitsOnly),
      MaxLengthRule(maximum: policy.maxLength),
    ]
    if policy.isDigitsOnly {
      rules.append(DigitsOnlyRule())
    } else {
      if policy.hasDigit { rules.append(CharacterClassRule.digit) }
      if policy.hasUpper { rules.append(CharacterClassRule.upper) }
      if policy.hasLower { rules.append(CharacterClassRule.lower) }
      if policy.hasSpecial { rules.append(CharacterClassRule.special) }
      if policy.minCharacterGroups > 0 { rules.append(CharacterGroupsRule(minimum: policy.minCharacterGroups)) }
    }
    if policy.minUniqueChars > 0 { rules.append(UniqueCharactersRule(minimum: policy.minUniqueChars)) }
    return rules
  }

  private static func patternRules(
    of policy: PasscodePolicy, _ patterns: (any PatternCompiling)?
  ) throws(PolicyFault) -> [any PolicyRule] {
    var rules: [any PolicyRule] = []
    var timesUsed: [String: Int] = [:]
    for rule in policy.customRules {
      guard let patterns else { throw .noPatternLanguage(rule: rule.name) }
      let compiled: any CompiledPattern
      do { compiled = try patterns.compile(rule.pattern) } catch { throw .pattern(rule: rule.name, error) }
      // The administrator and the user may have chosen the same name: ids stay distinct.
      let times = timesUsed[rule.name, default: 0] + 1
      timesUsed[rule.name] = times
      let id = times == 1 ? "rule.\(rule.name)" : "rule.\(rule.name).\(times)"
      rules.append(
        PatternRule(id: id, text: rule.name, isHidden: !rule.displayed, mustMatch: rule.mustMatch, pattern: compiled))
    }
    return rules
  }
}

// MARK: - Verdict

private struct VerdictBuilder {
  private var requirements: [PolicyRequirement] = []
  private(set) var unmet: [PolicyRequirement] = []
  private var strength: PasscodeStrength?
  private var isHiddenUnmet = false

  var verdict: PolicyVerdict { PolicyVerdict(requirements: requirements, unmet: unmet, strength: strength) }

  mutating func note(_ rule: any PolicyRule, isMet: Bool) {
    if rule.isHidden {
      if !isMet { isHiddenUnmet = true }
    } else {
      list(rule.id, rule.text, isMet: isMet)
      if !isMet { refuse(rule.id, rule.text) }
    }
  }

  /// One general entry for all hidden rules.
  mutating func closeRules() {
    if isHiddenUnmet { refuse("hidden", "a rule that is not shown") }
  }

  mutating func list(_ id: String, _ text: String, isMet: Bool) {
    requirements.append(PolicyRequirement(id: id, text: text, isSatisfied: isMet))
  }

  mutating func refuse(_ id: String, _ text: String) {
    unmet.append(PolicyRequirement(id: id, text: text, isSatisfied: false))
  }

  /// Lists the validators, none of them satisfied yet.
  ///
  /// - Returns: where each stands in the list; nil for one that is not listed.
  mutating func list(_ validators: [any PasscodeValidationDelegate]) -> [Int?] {
    validators.map { validator in
      guard let text = validator.requirement else { return nil }
      list(validator.id, text, isMet: false)
      return requirements.count - 1
    }
  }

  mutating func ask(_ validator: any PasscodeValidationDelegate, _ candidate: Span<UInt8>, _ place: Int?) {
    var rejection: PasscodeRejection?
    do {
      if let meter = validator as? any PasscodeStrengthMeter {
        let measured = meter.measure(candidate)
        strength = strength ?? measured
        try meter.validate(measured)
      } else {
        try validator.validate(candidate)
      }
    } catch { rejection = error }
    if let rejection {
      refuse(validator.id, rejection.message)
    } else if let place {
      let listed = requirements[place]
      requirements[place] = PolicyRequirement(id: listed.id, text: listed.text, isSatisfied: true)
    }
  }
}
