/// What a passcode must be, and how the store behaves around it: every key of `policy.json`, typed.
///
/// A value made in code is taken as it is; a file is checked by ``PolicyFile``, and two files are put together by
/// ``EffectivePolicy``. The meaning of each key stands in `docs/policy.md`.
public struct PasscodePolicy: Sendable, Equatable {
  /// The fewest grapheme clusters, 1 to 1,024.
  public var minLength = 8
  /// The most grapheme clusters, 1 to 1,024.
  public var maxLength = 256
  /// At least one decimal digit (general category Nd).
  public var hasDigit = false
  /// At least one upper-case or title-case letter (Lu, Lt).
  public var hasUpper = false
  /// At least one lower-case letter (Ll).
  public var hasLower = false
  /// At least one scalar that is no letter, mark, number or joiner; a space is one.
  public var hasSpecial = false
  /// How many of the four classes must be there, 0 to 4.
  public var minCharacterGroups = 0
  /// Digits only; the four classes and their number do not count then.
  public var isDigitsOnly = false
  /// The fewest distinct grapheme clusters; 0 is no limit.
  public var minUniqueChars = 0
  /// Rules by pattern, in order.
  public var customRules: [CustomRule] = []
  /// The validators that somebody named, in order; `nil` where nobody did. See ``validatorsInForce``.
  public var validators: [ValidatorSetting]?

  /// Wrong tries until ``onRetryLimit`` holds; 0 is no limit.
  public var retryLimit = 10
  /// What happens at ``retryLimit``.
  public var onRetryLimit = RetryLimitAction.lockOut
  /// The growing wait after wrong tries.
  public var lockOut = LockOutSettings()
  /// Days until a passcode must be changed; 0 is never.
  public var expirationDays = 0
  /// How many earlier passcodes can't come back.
  public var historyDepth = 0
  /// What an accepted passcode that is below today's policy leads to.
  public var onTightenedPolicy = TightenedPolicyAction.requireChange
  /// Whether a key outside of the store is mixed into the passcode's slot.
  public var deviceKey = false
  /// Whether quick unlock may be offered and used.
  public var allowsQuickUnlock = true
  /// When quick unlock asks for the passcode again.
  public var quickUnlock = QuickUnlockSettings()
  /// Idle seconds until the store locks; 0 is never.
  public var lockTimeoutSeconds = 600
  /// Hours in all until the store locks; 0 is never.
  public var maxUnlockedHours = 12
  /// Whether the store locks before the machine sleeps.
  public var lockOnSuspend = true
  /// Whether the store locks with the screen.
  public var lockOnScreenLock = true
  /// How the passcode's derivation is calibrated.
  public var keyDerivation = KeyDerivationSettings()
  /// How many earlier values of a credential are kept.
  public var keepVersions = 5
  /// Name prefixes (`work/`) and attributes (`key=value`) whose reading asks each time.
  public var askEachTime: [String] = []
  /// The audit log's size.
  public var audit = AuditSettings()
  /// What consent gates, and how it is asked for.
  public var consent = ConsentSettings()

  /// The policy of a machine without policy files.
  public static let `default` = PasscodePolicy()

  /// The default policy, to be changed property by property.
  public init() {}

  /// The validators that count, in order: the named ones, or strength 3 and the common passwords.
  ///
  /// A PIN of usual length never reaches strength 3. So where ``isDigitsOnly`` holds and no `strength` is named,
  /// `noSequences` and the common PINs stand in its place.
  public var validatorsInForce: [ValidatorSetting] {
    let named = validators ?? [.blocklist(.common)]
    let isStrengthNamed = named.contains { if case .strength = $0 { true } else { false } }
    if isStrengthNamed { return named }
    if isDigitsOnly {
      let isSequenceNamed = named.contains { if case .noSequences = $0 { true } else { false } }
      let inPlace: [ValidatorSetting] = isSequenceNamed ? [.blocklist(.pins)] : [.noSequences(max: 3), .blocklist(.pins)]
      return inPlace.filter { !named.contains($0) } + named
    }
    return validators ?? [.strength(minimumScore: 3), .blocklist(.common)]
  }
}
