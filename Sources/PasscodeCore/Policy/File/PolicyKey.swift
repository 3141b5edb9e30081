/// A key of `policy.json`; members of an object have a dotted name. The raw value is what stands in the file.
public enum PolicyKey: String, Sendable, CaseIterable {
  case minLength, maxLength, hasDigit, hasUpper, hasLower, hasSpecial, minCharacterGroups, isDigitsOnly, minUniqueChars
  case customRules, validators
  case retryLimit, onRetryLimit
  case lockOutAfterTries = "lockOut.afterTries"
  case lockOutFirstSeconds = "lockOut.firstSeconds"
  case lockOutFactor = "lockOut.factor"
  case lockOutMaxSeconds = "lockOut.maxSeconds"
  case expirationDays, historyDepth, onTightenedPolicy, deviceKey, allowsQuickUnlock
  case quickUnlockMaxAgeHours = "quickUnlock.maxAgeHours"
  case quickUnlockPasscodeAfterReboot = "quickUnlock.passcodeAfterReboot"
  case quickUnlockConfirm = "quickUnlock.confirm"
  case lockTimeoutSeconds, maxUnlockedHours, lockOnSuspend, lockOnScreenLock
  case keyDerivationTargetMilliseconds = "keyDerivation.targetMilliseconds"
  case keyDerivationMinMemoryMiB = "keyDerivation.minMemoryMiB"
  case keyDerivationMaxMemoryMiB = "keyDerivation.maxMemoryMiB"
  case keepVersions, askEachTime
  case auditMaxMiB = "audit.maxMiB"
  case consentGates = "consent.gates"
  case consentAskAgainDays = "consent.askAgainDays"
  case consentMaxDeferrals = "consent.maxDeferrals"
  case consentDepositCommand = "consent.depositCommand"

  /// The name before the dot: the object that holds the member; `nil` for a key of the top.
  var object: String? { rawValue.firstIndex(of: ".").map { String(rawValue[..<$0]) } }
  /// The name after the dot, or the whole.
  var member: String { rawValue.firstIndex(of: ".").map { String(rawValue[rawValue.index(after: $0)...]) } ?? rawValue }
}
