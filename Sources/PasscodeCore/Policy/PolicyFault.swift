/// Why a policy can't be put to work.
public enum PolicyFault: Error, Equatable, Sendable {
  /// The pattern of the rule of this name is faulty.
  case pattern(rule: String, PatternFault)
  /// There is a rule by pattern, this one, and no pattern language was given.
  case noPatternLanguage(rule: String)
}

extension PolicyFault: CustomStringConvertible {
  /// The fault as one sentence.
  public var description: String {
    switch self {
    case .pattern(let rule, let fault): "the pattern of rule \"\(rule)\" is faulty at byte \(fault.offset): \(fault.message)"
    case .noPatternLanguage(let rule): "rule \"\(rule)\" needs a pattern language, and none was given"
    }
  }
}
