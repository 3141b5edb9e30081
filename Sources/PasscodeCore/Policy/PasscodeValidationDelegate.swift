/// A check of a candidate beyond the policy's rules: an app's own, or one of `PasscodeValidators`.
///
/// ```swift
/// struct NoCompanyName: PasscodeValidationDelegate {
///   let id = "noCompanyName"
///   func validate(_ candidate: Span<UInt8>) throws(PasscodeRejection) {
///     if contains(candidate, "acme") { throw PasscodeRejection("not with the company's name") }
///   }
/// }
/// ```
///
/// One that states a ``requirement`` belongs to the list that a front end shows and is asked about every candidate. One that
/// states none is asked only about candidates that meet all else. ``turn`` says it otherwise.
///
/// Secrets: the candidate is lent for the call; nothing of it may be kept, copied into a `String` or put into a message.
public protocol PasscodeValidationDelegate: Sendable {
  /// A name that never changes, for programs: the requirement's id.
  var id: String { get }
  /// The phrase for the list of requirements, such as "not one of the most common passwords"; `nil` to be not listed.
  var requirement: String? { get }
  /// When it is asked.
  var turn: ValidationTurn { get }
  /// Accepts the candidate by returning.
  ///
  /// - Parameter candidate: valid UTF-8 in NFC, at most 3,072 bytes.
  /// - Throws: a rejection with a message for the person. What can't be judged is rejected.
  func validate(_ candidate: Span<UInt8>) throws(PasscodeRejection)
}

extension PasscodeValidationDelegate {
  /// Not listed.
  public var requirement: String? { nil }
  /// Always where it is listed, else last.
  public var turn: ValidationTurn { requirement == nil ? .last : .always }
}

/// When a validator is asked.
public enum ValidationTurn: Sendable, Equatable {
  /// About every candidate.
  case always
  /// Only about a candidate that meets all else.
  case last
  /// After all others and one by one, until one refuses; and only about a passcode that is being set, or checked as if it
  /// were: not while it is typed, and not at unlock. For what is slow or can fail: a check that is out of order keeps a
  /// passcode from being set, and nobody out of the store.
  case lastWhenSet
}

/// Why a validator refuses a candidate.
public struct PasscodeRejection: Error, Equatable, Sendable {
  /// For the person; never anything of the candidate.
  public let message: String

  /// A rejection.
  public init(_ message: String) { self.message = message }
}

/// A validator that also estimates, so that a front end can show how strong a candidate is.
public protocol PasscodeStrengthMeter: PasscodeValidationDelegate {
  /// The estimate; `nil` where there can be none.
  func measure(_ candidate: Span<UInt8>) -> PasscodeStrength?
  /// Accepts an estimate by returning.
  ///
  /// - Throws: a rejection with a message for the person, for `nil` too.
  func validate(_ strength: PasscodeStrength?) throws(PasscodeRejection)
}

extension PasscodeStrengthMeter {
  /// Judges the candidate's estimate.
  public func validate(_ candidate: Span<UInt8>) throws(PasscodeRejection) { try validate(measure(candidate)) }
}
