/// Where a value of the policy in force comes from.
public struct PolicyOrigin: Sendable, Equatable {
  /// Whose value it is.
  public enum Layer: Sendable {
    /// Nobody named the key.
    case `default`
    /// The administrator's file.
    case administrator
    /// The user's file.
    case user
    /// A list with entries of both.
    case administratorAndUser
  }

  /// Whose value it is.
  public let layer: Layer
  /// The preset of that file, where the value is the preset's.
  public let preset: PolicyPreset?

  init(layer: Layer, preset: PolicyPreset? = nil) {
    self.layer = layer
    self.preset = preset
  }
}

extension PolicyOrigin: CustomStringConvertible {
  /// For a person: `default`, `administrator`, `user (preset pin-6)`, `administrator and user`.
  public var description: String {
    let name =
      switch layer {
      case .default: "default"
      case .administrator: "administrator"
      case .user: "user"
      case .administratorAndUser: "administrator and user"
      }
    return preset.map { "\(name) (preset \($0.rawValue))" } ?? name
  }
}

/// A value of the user's file that does not count, or a part of a list.
public struct IgnoredSetting: Sendable, Equatable {
  /// Why it does not count.
  public enum Reason: Sendable, Equatable {
    /// The administrator's is stricter, or is the only one that counts.
    case looser
    /// `wipe` needs the administrator's file, or the word typed at `create`.
    case needsWord
    /// `isDigitsOnly` would switch off the classes that the administrator asks for.
    case switchesClassesOff
    /// It can't be had together with what stands under this key.
    case contradicts(PolicyKey)
  }

  /// The key.
  public let key: PolicyKey
  /// Why.
  public let reason: Reason

  /// A setting that does not count.
  public init(key: PolicyKey, reason: Reason) {
    self.key = key
    self.reason = reason
  }
}

extension IgnoredSetting: CustomStringConvertible {
  /// For a person.
  public var description: String {
    let why =
      switch reason {
      case .looser: "the administrator's value stands"
      case .needsWord: "wipe counts once the word is typed at create"
      case .switchesClassesOff: "the administrator asks for classes of characters"
      case .contradicts(let key): "it contradicts \(key.rawValue)"
      }
    return "\(key.rawValue) of the user's file is ignored: \(why)"
  }
}
