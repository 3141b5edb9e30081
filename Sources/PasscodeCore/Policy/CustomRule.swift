/// A rule by pattern.
public struct CustomRule: Sendable, Equatable {
  /// The rule's name; also its sentence in the list of requirements.
  public var name: String
  /// The pattern, searched for anywhere in the passcode; `^` and `$` bind it to the ends.
  public var pattern: String
  /// Whether the pattern must be found, or must not.
  public var mustMatch: Bool
  /// Whether the rule is listed. One that is not is enforced all the same.
  public var displayed: Bool

  /// A rule by pattern.
  public init(name: String, pattern: String, mustMatch: Bool = true, displayed: Bool = true) {
    self.name = name
    self.pattern = pattern
    self.mustMatch = mustMatch
    self.displayed = displayed
  }
}
