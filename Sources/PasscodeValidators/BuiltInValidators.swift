public import PasscodeCore

/// The validators that come with the product, made as a policy names them.
public enum BuiltInValidators {
  /// The validators of a policy, in its order; all blocklists together take the place of the first.
  ///
  /// - Parameters:
  ///   - policy: its `validatorsInForce` count.
  ///   - facts: for `notPersonal`.
  /// - Throws: `validatorUnavailable` for `breachList` and `command`; a list's `unreadable`, `notRegular`, `tooLarge`.
  public static func make(
    for policy: PasscodePolicy, facts: PersonalFacts
  ) throws(ValidatorFault) -> [any PasscodeValidationDelegate] {
    let settings = policy.validatorsInForce
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
      case .breachList, .command: throw .validatorUnavailable(type: setting.type)
      }
    }
    return validators
  }
}
