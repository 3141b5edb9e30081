internal import StrictJSON

/// What is wrong with a policy file, and where: the first fault in the order of the text, with those that follow.
public struct PolicyFileFault: Error, Equatable, Sendable {
  /// The line, from 1.
  public let line: Int
  /// The column, from 1, in Unicode scalars.
  public let column: Int
  /// What is wrong, lower case and without a full stop.
  public let message: String
  /// The known name that was probably meant.
  public let suggestion: String?
  /// The further faults of the same file, each with none of its own.
  public let further: [PolicyFileFault]
}

extension PolicyFileFault: CustomStringConvertible {
  /// The fault alone, as one sentence: `line 3, column 5: unknown key "minLenght"; did you mean "minLength"?`
  public var description: String {
    let question = suggestion.map { "; did you mean \"\($0)\"?" } ?? ""
    return "line \(line), column \(column): \(message)\(question)"
  }
}

/// A fault by its byte offset, before lines are counted.
struct LocatedFault {
  let offset: Int
  let message: String
  var suggestion: String?

  func fault(in bytes: Span<UInt8>, further: [PolicyFileFault] = []) -> PolicyFileFault {
    let (line, column) = JSONText.position(of: offset, in: bytes)
    return PolicyFileFault(line: line, column: column, message: message, suggestion: suggestion, further: further)
  }
}
