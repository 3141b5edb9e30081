public import PasscodeCore

/// The validators that come with the product, made as a policy names them.
public enum BuiltInValidators {
  /// The validators of a policy, in its order; all blocklists together take the place of the first, and so do all breach lists.
  ///
  /// - Parameters:
  ///   - policy: its `validatorsInForce` count.
  ///   - facts: for `notPersonal`.
  /// - Throws: a list's `unreadable`, `notRegular`, `tooLarge`, `breachList`. A `command` is not looked at before it is asked:
  ///   one that is missing refuses candidates, and leaves the rest of the policy in force.
  public static func make(
    for policy: PasscodePolicy, facts: PersonalFacts
  ) throws(ValidatorFault) -> [any PasscodeValidationDelegate] {
    let settings = policy.validatorsInForce
    let breachLists = settings.compactMap { if case .breachList(let path) = $0 { path } else { nil } }
    let blocklists = settings.compactMap { if case .blocklist(let source) = $0 { source } else { nil } }
    var validators: [any PasscodeValidationDelegate] = []
    for setting in settings {
      switch setting {
      case .strength(let minimumScore): validators.append(StrengthValidator(minimumScore: minimumScore))
      case .blocklist:
        if !validators.contains(where: { $0 is BlocklistValidator }) {
          validators.append(try BlocklistValidator(blocklists))
        }
      case .notPersonal: validators.append(NotPersonalValidator(facts))
      case .noSequences(let maximum): validators.append(NoSequencesValidator(maximum: maximum))
      case .breachList:
        if !validators.contains(where: { $0 is BreachListValidator }) {
          validators.append(try BreachListValidator(breachLists))
        }
      case .command(let path, let seconds):
        let times = validators.count { $0 is CommandValidator } + 1
        validators.append(
          CommandValidator(path: path, timeoutSeconds: seconds, id: times == 1 ? "command" : "command.\(times)"))
      }
    }
    return validators
  }
}
