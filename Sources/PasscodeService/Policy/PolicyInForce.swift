internal import PasscodeCore

/// The policy as the files say it at one moment, ready to judge.
struct PolicyInForce: Sendable {
  let effective: EffectivePolicy
  /// Judges by the policy in which a wipe is only proposed.
  private let engine: PolicyEngine
  /// The same, with the wipe that the user's file proposes.
  private let wipingEngine: PolicyEngine
  /// The administrator's file first.
  let files: [PolicyFileReport]

  init(
    _ effective: EffectivePolicy, engine: PolicyEngine, wipingEngine: PolicyEngine, files: [PolicyFileReport]
  ) {
    self.effective = effective
    self.engine = engine
    self.wipingEngine = wipingEngine
    self.files = files
  }

  /// The engine for a store.
  ///
  /// - Parameter acceptsWipe: the word was typed when the store was created.
  func engine(acceptsWipe: Bool) -> PolicyEngine { acceptsWipe ? wipingEngine : engine }

  var lockLimits: LockTimer.Limits {
    LockTimer.Limits(
      idleSeconds: effective.policy.lockTimeoutSeconds, totalSeconds: effective.policy.maxUnlockedHours * 3600,
      endsWithSleep: effective.policy.lockOnSuspend)
  }

  /// Nothing may be set while this is there: the floor is not known.
  var administratorFault: FaultyPolicyFile? { files.first { $0.role == .administrator }?.fault }
}
