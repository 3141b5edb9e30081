/// The policy in force: the administrator's file and the user's put together, with where each value comes from.
///
/// What the administrator's file names, itself or through its preset, is a floor: the user's value counts where it is
/// stricter. The rest is the user's, and then the default.
public struct EffectivePolicy: Sendable, Equatable {
  /// The policy.
  public private(set) var policy: PasscodePolicy
  /// What of the user's file does not count, in the order in which policies are shown.
  public private(set) var ignored: [IgnoredSetting] = []
  /// The user's file asks for `wipe`, and the administrator's names nothing else: it counts once the word is typed at
  /// `create`. Until then ``policy`` says `lockOut`.
  public private(set) var isWipeProposed = false
  private var origins: [PolicyKey: PolicyOrigin] = [:]

  /// Where the value of a key comes from.
  public func origin(of key: PolicyKey) -> PolicyOrigin { origins[key] ?? PolicyOrigin(layer: .default) }

  /// Puts two files together.
  ///
  /// - Parameters:
  ///   - administrator: the administrator's file, where there is one.
  ///   - user: the user's, where there is one.
  /// - Complexity: O(keys).
  public static func merge(administrator: PolicyFile?, user: PolicyFile?) -> EffectivePolicy {
    EffectivePolicy(administrator: administrator, user: user)
  }

  private init(administrator: PolicyFile?, user: PolicyFile?) {
    policy = .default
    // Without a file the table of all keys is not even made: a program starts faster.
    if administrator == nil, user == nil { return }
    let administrator = administrator?.namingWhatDigitsOnlyImplies
    for field in PolicyField.all {
      let isFloor = administrator?.names(field.key) == true
      if let administrator, isFloor { take(field, from: administrator, .administrator) }
      guard let user, user.names(field.key) else { continue }
      if isFloor { tighten(field, by: user) } else { take(field, from: user, .user) }
    }
    withholdWipe(administrator)
    withholdDigitsOnly(administrator)
    for pair in OrderedPair.all { settle(pair, administrator) }
    let order = PolicyField.all.map(\.key)
    ignored.sort { order.firstIndex(of: $0.key)! < order.firstIndex(of: $1.key)! }
  }

  private mutating func take(_ field: PolicyField, from file: PolicyFile, _ layer: PolicyOrigin.Layer) {
    field.copy(file.policy, &policy)
    let isOwn = file.namedKeys.contains(field.key)
    origins[field.key] = PolicyOrigin(layer: layer, preset: isOwn ? nil : file.preset)
  }

  private mutating func tighten(_ field: PolicyField, by user: PolicyFile) {
    let result = field.tighten(&policy, user.policy)
    if result.isIgnored { ignored.append(IgnoredSetting(key: field.key, reason: .looser)) }
    guard result.counts else { return }
    let preset = user.namedKeys.contains(field.key) ? nil : user.preset
    let isUsersAlone = field.isEqual(policy, user.policy)
    origins[field.key] = isUsersAlone ? PolicyOrigin(layer: .user, preset: preset) : PolicyOrigin(layer: .administratorAndUser)
  }
}

// MARK: - Where keys meet

extension EffectivePolicy {
  /// A user's file alone never leads to a wipe.
  private mutating func withholdWipe(_ administrator: PolicyFile?) {
    guard policy.onRetryLimit == .wipe, origin(of: .onRetryLimit).layer == .user else { return }
    isWipeProposed = true
    revert(.onRetryLimit, administrator, because: .needsWord)
  }

  /// Digits only switches the classes off: the user can't have that where the administrator asks for classes.
  private mutating func withholdDigitsOnly(_ administrator: PolicyFile?) {
    guard policy.isDigitsOnly, origin(of: .isDigitsOnly).layer == .user, let administrator else { return }
    let floor = administrator.policy
    let asksForClasses = floor.hasDigit || floor.hasUpper || floor.hasLower || floor.hasSpecial || floor.minCharacterGroups > 0
    if asksForClasses { revert(.isDigitsOnly, administrator, because: .switchesClassesOff) }
  }

  /// Each file agrees with itself; where the two contradict each other, the user's value goes.
  private mutating func settle(_ pair: OrderedPair, _ administrator: PolicyFile?) {
    guard OrderedPair.number(pair.low, policy) > OrderedPair.number(pair.high, policy) else { return }
    if origin(of: pair.high).layer == .user {
      revert(pair.high, administrator, because: .contradicts(pair.low))
    } else {
      revert(pair.low, administrator, because: .contradicts(pair.high))
    }
  }

  /// Puts a key back to what holds without the user's file.
  private mutating func revert(_ key: PolicyKey, _ administrator: PolicyFile?, because reason: IgnoredSetting.Reason) {
    guard let field = PolicyField.all.first(where: { $0.key == key }) else { return }
    if let administrator, administrator.names(key) {
      take(field, from: administrator, .administrator)
    } else {
      field.copy(.default, &policy)
      origins[key] = nil
    }
    ignored.append(IgnoredSetting(key: key, reason: reason))
  }
}
