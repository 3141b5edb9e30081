/// A named starting point of a policy.
public enum PolicyPreset: String, Sendable, CaseIterable {
  /// The defaults.
  case `default`
  /// Long and free: NIST SP 800-63B-4 §3.1.1 for a passcode that stands alone (15 characters, no composition rules, a
  /// blocklist, no expiry).
  case nist80063b = "nist-800-63b"
  /// The defaults of SAP Mobile Services' passcode policy; the validators are this product's defaults.
  case sapMobileServices = "sap-mobile-services"
  /// Six digits, with a key outside of the store: a copied store file can't be guessed without it.
  case pin6 = "pin-6"

  /// The defaults with the preset's values.
  public var policy: PasscodePolicy {
    var policy = PasscodePolicy()
    switch self {
    case .default: break
    case .nist80063b:
      policy.minLength = 15
      policy.validators = [.blocklist(.common)]
    case .sapMobileServices:
      policy.lockTimeoutSeconds = 300
    case .pin6:
      policy.isDigitsOnly = true
      policy.minLength = 6
      policy.deviceKey = true
    }
    return policy
  }

  /// The keys that a file names by naming the preset: those whose value the preset stands for.
  var keys: Set<PolicyKey> {
    switch self {
    case .default: []
    case .nist80063b:
      [
        .minLength, .hasDigit, .hasUpper, .hasLower, .hasSpecial, .minCharacterGroups, .minUniqueChars, .validators,
        .expirationDays,
      ]
    case .sapMobileServices:
      [
        .minLength, .hasDigit, .hasUpper, .hasLower, .hasSpecial, .minUniqueChars, .expirationDays, .lockTimeoutSeconds,
        .retryLimit,
        .allowsQuickUnlock,
      ]
    case .pin6: [.isDigitsOnly, .minLength, .deviceKey]
    }
  }
}
