internal import StrictJSON

extension PolicyField {
  /// One field for each ``PolicyKey``, in the order in which policies are shown.
  static let all: [PolicyField] = rules + attempts + life + locking + storage

  private static let rules: [PolicyField] = [
    .integer(.minLength, \.minLength, 1...1024, .higher),
    .integer(.maxLength, \.maxLength, 1...1024, .administrator),
    .flag(.hasDigit, \.hasDigit, .isTrue),
    .flag(.hasUpper, \.hasUpper, .isTrue),
    .flag(.hasLower, \.hasLower, .isTrue),
    .flag(.hasSpecial, \.hasSpecial, .isTrue),
    .integer(.minCharacterGroups, \.minCharacterGroups, 0...4, .higher),
    .flag(.isDigitsOnly, \.isDigitsOnly, .isTrue),
    .limit(.minUniqueChars, \.minUniqueChars, 1024, .higher),
    PolicyField(.customRules, \.customRules, .union, value: { .array($0.map(\.policyValue)) }) { $1.customRules($0) },
    PolicyField(.validators, \.validators, .validators, value: { .array(($0 ?? []).map(\.policyValue)) }) { $1.validators($0) },
  ]

  private static let attempts: [PolicyField] = [
    .limit(.retryLimit, \.retryLimit, 10_000, .lowerNotZero),
    .choice(.onRetryLimit, \.onRetryLimit, .administrator),
    .integer(.lockOutAfterTries, \.lockOut.afterTries, 1...1000, .lower),
    .integer(.lockOutFirstSeconds, \.lockOut.firstSeconds, 1...86_400, .higher),
    .integer(.lockOutFactor, \.lockOut.factor, 1...100, .higher),
    .integer(.lockOutMaxSeconds, \.lockOut.maxSeconds, 1...2_592_000, .higher),
  ]

  private static let life: [PolicyField] = [
    .integer(.expirationDays, \.expirationDays, 0...36_500, .lowerNotZero),
    .integer(.historyDepth, \.historyDepth, 0...100, .higher),
    .choice(.onTightenedPolicy, \.onTightenedPolicy, .choosing { $0 == .requireChange ? $0 : $1 }),
    .flag(.deviceKey, \.deviceKey, .isTrue),
  ]

  private static let locking: [PolicyField] = [
    .flag(.allowsQuickUnlock, \.allowsQuickUnlock, .isFalse),
    .integer(.quickUnlockMaxAgeHours, \.quickUnlock.maxAgeHours, 1...8760, .lower),
    .flag(.quickUnlockPasscodeAfterReboot, \.quickUnlock.passcodeAfterReboot, .isTrue),
    .flag(.quickUnlockConfirm, \.quickUnlock.confirm, .isTrue),
    .integer(.lockTimeoutSeconds, \.lockTimeoutSeconds, 0...31_536_000, .lowerNotZero),
    .integer(.maxUnlockedHours, \.maxUnlockedHours, 0...8760, .lowerNotZero),
    .flag(.lockOnSuspend, \.lockOnSuspend, .isTrue),
    .flag(.lockOnScreenLock, \.lockOnScreenLock, .isTrue),
  ]

  private static let storage: [PolicyField] = [
    .integer(.keyDerivationTargetMilliseconds, \.keyDerivation.targetMilliseconds, 10...10_000, .higher),
    .memory(.keyDerivationMinMemoryMiB, \.keyDerivation.minMemoryMiB),
    .memory(.keyDerivationMaxMemoryMiB, \.keyDerivation.maxMemoryMiB),
    .integer(.keepVersions, \.keepVersions, 0...1000, .administrator),
    PolicyField(.askEachTime, \.askEachTime, .union, value: { .array($0.map { .string($0) }) }) { $1.strings($0) },
    .integer(.auditMaxMiB, \.audit.maxMiB, 1...4096, .administrator),
    PolicyField(.consentGates, \.consent.gates, .gates, value: \.policyValue) { $1.consentGates($0) },
    .integer(.consentAskAgainDays, \.consent.askAgainDays, 0...3650, .administrator),
    .integer(.consentMaxDeferrals, \.consent.maxDeferrals, 0...1000, .administrator),
    PolicyField(.consentDepositCommand, \.consent.depositCommand, .administrator, value: { $0.map { .string($0) } ?? .null }) {
      $1.depositCommand($0)
    },
  ]
}
