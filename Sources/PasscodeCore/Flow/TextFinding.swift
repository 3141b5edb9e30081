internal import SecretMemory

/// Why an entered text can't be a passcode. Tells nothing of the text itself.
public enum TextFinding: String, Hashable, Sendable, CaseIterable {
  /// Not valid UTF-8.
  case notUTF8
  /// Contains a NUL character.
  case containsNUL
  /// Over 1,024 bytes as given.
  case tooLong
  /// Contains a code point that Unicode has not assigned: its normal form could change later.
  case unassignedCodePoint

  /// A sentence for a person.
  public var text: String {
    switch self {
    case .notUTF8: "The passcode is not valid text (UTF-8)."
    case .containsNUL: "The passcode contains a NUL character, which can't be part of a passcode."
    case .tooLong: "The passcode is longer than \(PasscodeText.maximumByteCount) bytes."
    case .unassignedCodePoint: "The passcode contains a character that Unicode has not defined yet."
    }
  }

  /// The finding for an error of normalisation; nil where the text is not to blame.
  init?(_ error: SecretMemoryError) {
    switch error {
    case .invalidText(.notUTF8): self = .notUTF8
    case .invalidText(.containsNUL): self = .containsNUL
    case .invalidText(.unassignedCodePoint): self = .unassignedCodePoint
    case .tooLong: self = .tooLong
    default: return nil
    }
  }
}
