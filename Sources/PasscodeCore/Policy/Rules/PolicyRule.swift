/// One rule of a policy, ready to judge.
protocol PolicyRule: Sendable {
  /// A name that never changes.
  var id: String { get }
  /// The phrase for a person.
  var text: String { get }
  /// Whether it is enforced without being listed.
  var isHidden: Bool { get }
  /// Whether a candidate meets it.
  func isMet(by facts: CandidateFacts, _ candidate: Span<UInt8>) -> Bool
}

extension PolicyRule {
  var isHidden: Bool { false }
}
