import PasscodeCore
import Testing

@Suite("Merging policy files") struct MergeTests {
  struct Pair: Sendable {
    let key: PolicyKey
    let strict: String
    let loose: String

    init(_ key: PolicyKey, strict: String, loose: String) { (self.key, self.strict, self.loose) = (key, strict, loose) }

    /// A file with the key alone.
    func text(_ value: String) -> String {
      let parts = key.rawValue.split(separator: ".")
      return parts.count == 1 ? "{\"\(parts[0])\": \(value)}" : "{\"\(parts[0])\": {\"\(parts[1])\": \(value)}}"
    }
  }

  static let pairs: [Pair] = [
    Pair(.minLength, strict: "12", loose: "9"), Pair(.hasDigit, strict: "true", loose: "false"),
    Pair(.hasUpper, strict: "true", loose: "false"), Pair(.hasLower, strict: "true", loose: "false"),
    Pair(.hasSpecial, strict: "true", loose: "false"), Pair(.minCharacterGroups, strict: "3", loose: "2"),
    Pair(.isDigitsOnly, strict: "true", loose: "false"), Pair(.minUniqueChars, strict: "5", loose: "-1"),
    Pair(.retryLimit, strict: "10", loose: "0"), Pair(.retryLimit, strict: "3", loose: "9"),
    Pair(.lockOutAfterTries, strict: "2", loose: "8"), Pair(.lockOutFirstSeconds, strict: "60", loose: "20"),
    Pair(.lockOutFactor, strict: "4", loose: "1"), Pair(.lockOutMaxSeconds, strict: "7200", loose: "1800"),
    Pair(.expirationDays, strict: "90", loose: "0"), Pair(.expirationDays, strict: "30", loose: "90"),
    Pair(.historyDepth, strict: "4", loose: "1"), Pair(.onTightenedPolicy, strict: "\"requireChange\"", loose: "\"warn\""),
    Pair(.deviceKey, strict: "true", loose: "false"), Pair(.allowsQuickUnlock, strict: "false", loose: "true"),
    Pair(.quickUnlockMaxAgeHours, strict: "12", loose: "400"),
    Pair(.quickUnlockPasscodeAfterReboot, strict: "true", loose: "false"),
    Pair(.quickUnlockConfirm, strict: "true", loose: "false"), Pair(.lockTimeoutSeconds, strict: "60", loose: "0"),
    Pair(.maxUnlockedHours, strict: "8", loose: "24"), Pair(.lockOnSuspend, strict: "true", loose: "false"),
    Pair(.lockOnScreenLock, strict: "true", loose: "false"),
    Pair(.keyDerivationTargetMilliseconds, strict: "1000", loose: "200"),
    Pair(.keyDerivationMinMemoryMiB, strict: "128", loose: "64"),
    Pair(.keyDerivationMaxMemoryMiB, strict: "512", loose: "128"),
    Pair(
      .validators, strict: #"[{"type": "strength", "minimumScore": 4}]"#, loose: #"[{"type": "strength", "minimumScore": 1}]"#),
    Pair(.validators, strict: #"[{"type": "noSequences", "max": 2}]"#, loose: #"[{"type": "noSequences", "max": 5}]"#),
  ]

  private func merge(_ administrator: String?, _ user: String?) throws -> EffectivePolicy {
    EffectivePolicy.merge(
      administrator: try administrator.map { try parsePolicy($0, .administrator) }, user: try user.map { try parsePolicy($0) })
  }

  /// An administrator's digits only names the validators that it implies.
  private func inForce(_ policy: PasscodePolicy) -> PasscodePolicy {
    var policy = policy
    if policy.isDigitsOnly { policy.validators = policy.validatorsInForce }
    return policy
  }

  @Test("a user who names strength does not do away with what digits only implies") func digitsOnlyImplies() throws {
    let user = #"{"validators": [{"type": "strength", "minimumScore": 0}]}"#
    let merged = try merge(#"{"preset": "pin-6"}"#, user).policy.validatorsInForce
    #expect(merged == [.noSequences(max: 3), .blocklist(.pins), .blocklist(.common), .strength(minimumScore: 0)])
    #expect(
      try merge(nil, #"{"isDigitsOnly": true, "validators": []}"#).policy.validatorsInForce == [
        .noSequences(max: 3), .blocklist(.pins),
      ])
    #expect(try merge(nil, user).policy.validatorsInForce == [.strength(minimumScore: 0)])
  }

  @Test("the user's value counts where it is stricter, else it is ignored and reported", arguments: pairs)
  func stricter(pair: Pair) throws {
    let (strict, loose) = (pair.text(pair.strict), pair.text(pair.loose))
    let tightened = try merge(loose, strict)
    #expect(try inForce(tightened.policy) == inForce(parsePolicy(strict).policy))
    #expect(tightened.origin(of: pair.key).layer == .user)
    #expect(tightened.ignored == [])
    let held = try merge(strict, loose)
    #expect(try held.policy == inForce(parsePolicy(strict).policy))
    #expect(held.origin(of: pair.key).layer == .administrator)
    #expect(held.ignored == [IgnoredSetting(key: pair.key, reason: .looser)])
  }

  @Test("what the administrator does not name is the user's", arguments: pairs) func unnamed(pair: Pair) throws {
    for value in [pair.strict, pair.loose] {
      let merged = try merge("{}", pair.text(value))
      #expect(try merged.policy == parsePolicy(pair.text(value)).policy)
      #expect(merged.origin(of: pair.key).description == "user")
      #expect(merged.ignored == [])
    }
  }

  @Test(
    "where nothing is stricter, the administrator's value stands",
    arguments: [
      Pair(.maxLength, strict: "64", loose: "128"), Pair(.keepVersions, strict: "2", loose: "9"),
      Pair(.auditMaxMiB, strict: "8", loose: "32"), Pair(.onRetryLimit, strict: "\"wipe\"", loose: "\"lockOut\""),
      Pair(.consentAskAgainDays, strict: "5", loose: "6"), Pair(.consentMaxDeferrals, strict: "1", loose: "2"),
    ])
  func fixed(pair: Pair) throws {
    for (administrator, user) in [(pair.strict, pair.loose), (pair.loose, pair.strict)] {
      let merged = try merge(pair.text(administrator), pair.text(user))
      #expect(try merged.policy == parsePolicy(pair.text(administrator), .administrator).policy)
      #expect(merged.ignored == [IgnoredSetting(key: pair.key, reason: .looser)])
    }
  }

  @Test("each key is in one of the tables above, or is a list") func allKeysCovered() {
    let lists: Set<PolicyKey> = [.customRules, .askEachTime, .consentGates, .consentDepositCommand]
    let fixed: Set<PolicyKey> = [
      .maxLength, .keepVersions, .auditMaxMiB, .onRetryLimit, .consentAskAgainDays, .consentMaxDeferrals,
    ]
    #expect(Set(Self.pairs.map(\.key)).union(lists).union(fixed) == Set(PolicyKey.allCases))
  }

  @Test("lists are put together, the administrator's entries first") func lists() throws {
    let merged = try merge(
      #"""
      {"askEachTime": ["a/", "b/"], "validators": [{"type": "strength"}, {"type": "notPersonal"}],
       "customRules": [{"name": "n", "pattern": "x"}], "consent": {"gates": {"terms": "create"}}}
      """#,
      #"""
      {"askEachTime": ["c/", "a/"], "validators": [{"type": "notPersonal"}, {"type": "blocklist"}],
       "customRules": [{"name": "n", "pattern": "x"}, {"name": "m", "pattern": "y"}],
       "consent": {"gates": {"terms": ["unlock", "create"], "extra": "work/"}}}
      """#)
    #expect(merged.policy.askEachTime == ["a/", "b/", "c/"])
    #expect(merged.policy.validators == [.strength(minimumScore: 3), .notPersonal, .blocklist(.common)])
    #expect(merged.policy.customRules.map(\.name) == ["n", "m"])
    #expect(
      merged.policy.consent.gates == [
        GatedForm(form: "extra", gates: ["work/"]), GatedForm(form: "terms", gates: ["create", "unlock"]),
      ])
    #expect(merged.ignored == [])
    #expect(merged.origin(of: .validators).description == "administrator and user")
  }

  @Test("a preset of the administrator is a floor, and origins name it") func presets() throws {
    let merged = try merge(
      #"{"preset": "nist-800-63b", "historyDepth": 2}"#, #"{"preset": "pin-6", "lockOnScreenLock": false}"#)
    #expect(merged.policy.minLength == 15)
    #expect(merged.origin(of: .minLength).description == "administrator (preset nist-800-63b)")
    #expect(merged.origin(of: .historyDepth).description == "administrator")
    #expect(merged.origin(of: .deviceKey).description == "user (preset pin-6)")
    #expect(merged.origin(of: .lockOnScreenLock).description == "user")
    #expect(merged.origin(of: .keepVersions).description == "default")
    #expect(merged.ignored == [IgnoredSetting(key: .minLength, reason: .looser)])
    #expect(merged.ignored[0].description == "minLength of the user's file is ignored: the administrator's value stands")
  }

  @Test("digits only is the user's only where the administrator asks for no class") func digitsOnly() throws {
    let user = #"{"isDigitsOnly": true}"#
    #expect(try merge("{}", user).policy.isDigitsOnly)
    #expect(try merge(#"{"hasDigit": false, "minLength": 10}"#, user).policy.isDigitsOnly)
    for floor in [#"{"hasUpper": true}"#, #"{"minCharacterGroups": 2}"#, #"{"isDigitsOnly": false, "hasLower": true}"#] {
      let merged = try merge(floor, user)
      #expect(!merged.policy.isDigitsOnly)
      #expect(merged.ignored == [IgnoredSetting(key: .isDigitsOnly, reason: .switchesClassesOff)])
    }
    #expect(try merge(#"{"hasUpper": true, "isDigitsOnly": true}"#, user).policy.isDigitsOnly)
  }

  @Test("the user's wipe waits for the word; the administrator's does not") func wipe() throws {
    let wipe = #"{"onRetryLimit": "wipe"}"#
    let proposed = try merge(nil, wipe)
    #expect(proposed.policy.onRetryLimit == .lockOut && proposed.isWipeProposed)
    #expect(proposed.ignored == [IgnoredSetting(key: .onRetryLimit, reason: .needsWord)])
    #expect(try merge(wipe, nil).policy.onRetryLimit == .wipe)
    let held = try merge(#"{"onRetryLimit": "lockOut"}"#, wipe)
    #expect(held.policy.onRetryLimit == .lockOut && !held.isWipeProposed)
  }

  @Test("where the two files contradict each other, the user's value goes") func contradictions() throws {
    let tooLong = try merge(#"{"maxLength": 64}"#, #"{"minLength": 100}"#)
    #expect(tooLong.policy.minLength == 8 && tooLong.policy.maxLength == 64)
    #expect(tooLong.ignored == [IgnoredSetting(key: .minLength, reason: .contradicts(.maxLength))])
    let tooShort = try merge(#"{"minLength": 20}"#, #"{"maxLength": 12}"#)
    #expect(tooShort.policy.minLength == 20 && tooShort.policy.maxLength == 256)
    #expect(tooShort.ignored == [IgnoredSetting(key: .maxLength, reason: .contradicts(.minLength))])
    let memory = try merge(#"{"keyDerivation": {"minMemoryMiB": 200}}"#, #"{"keyDerivation": {"maxMemoryMiB": 100}}"#)
    #expect(memory.policy.keyDerivation.maxMemoryMiB == 256)
  }

  @Test("no file is the default") func nothing() {
    let merged = EffectivePolicy.merge(administrator: nil, user: nil)
    #expect(merged.policy == .default && merged.ignored.isEmpty)
    #expect(PolicyKey.allCases.allSatisfy { merged.origin(of: $0).layer == .default })
  }
}
