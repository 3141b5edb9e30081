/// One rule that a passcode must meet: the type `Requirement`.
public struct WireRequirement: Equatable, Sendable {
  /// Its stable name.
  public let id: String
  /// A sentence for a person.
  public let text: String
  /// Whether the passcode that was judged meets it.
  public let isSatisfied: Bool

  /// A requirement.
  public init(id: String, text: String, isSatisfied: Bool) {
    self.id = id
    self.text = text
    self.isSatisfied = isSatisfied
  }
}
