/// One requirement of a policy, and whether a candidate meets it.
public struct PolicyRequirement: Sendable, Equatable {
  /// A name that never changes: `minLength`, `hasDigit`, `rule.NAME`, `strength` …; all of them stand in `docs/policy.md`.
  public let id: String
  /// A phrase for a person, lower case and without a full stop: "at least 8 characters".
  public let text: String
  /// Whether the candidate meets it.
  public let isSatisfied: Bool

  /// A requirement as judged.
  public init(id: String, text: String, isSatisfied: Bool) {
    self.id = id
    self.text = text
    self.isSatisfied = isSatisfied
  }
}

/// How hard a candidate is to guess, by estimate.
public struct PasscodeStrength: Sendable, Equatable {
  /// 0 (guessed at once) to 4 (very hard to guess).
  public let score: Int
  /// The estimated guesses, as a power of two.
  public let bits: Double

  /// An estimate.
  public init(score: Int, bits: Double) {
    self.score = score
    self.bits = bits
  }
}

/// What a policy says about one candidate: a value, never an error.
public struct PolicyVerdict: Sendable, Equatable {
  /// Everything that a front end may list, met and unmet, in a fixed order: rules, then validators.
  public let requirements: [PolicyRequirement]
  /// What is not met, in the same order, with one general entry `hidden` for all hidden rules. A validator's entry carries
  /// the message of its rejection.
  public let unmet: [PolicyRequirement]
  /// The estimate, where a validator makes one.
  public let strength: PasscodeStrength?

  /// Whether the candidate may become a passcode.
  public var isMet: Bool { unmet.isEmpty }

  /// A verdict.
  public init(requirements: [PolicyRequirement], unmet: [PolicyRequirement], strength: PasscodeStrength?) {
    self.requirements = requirements
    self.unmet = unmet
    self.strength = strength
  }
}
