/// What of a text takes a typesetter time by the square of its length: no language has it.
public enum TextExcess: Equatable, Sendable {
  /// A word of more than ``letterLimit`` letters.
  case word
  /// More than ``markLimit`` marks on one letter.
  case marks

  /// The most letters without a place where a line may end.
  public static let letterLimit = 4096
  /// The most marks, and characters that are not seen, on one letter.
  public static let markLimit = 64

  /// The first excess of a text; nil where it has none.
  ///
  /// - Parameter breaksAnywhere: whether a line may end within a word, so that none is too long.
  /// - Complexity: O(*n*)
  public init?(_ text: String, breaksAnywhere: Bool = false) {
    var (letters, marks) = (0, 0)
    for scalar in text.unicodeScalars {
      letters = breaksAnywhere || Self.endsWord(scalar) ? 0 : letters + 1
      marks = Self.isMark(scalar) ? marks + 1 : 0
      if letters > Self.letterLimit {
        self = .word
        return
      }
      if marks > Self.markLimit {
        self = .marks
        return
      }
    }
    return nil
  }

  private static func endsWord(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x20, 0x0A, 0x09, 0x2D: true
    case ..<0x2000: false
    // Spaces and hyphens; then the scripts of East Asia, where a line may end between any two letters.
    case 0x2000...0x2006, 0x2008...0x200B, 0x2010, 0x2012...0x2014, 0x2028, 0x2029, 0x205F: true
    case 0x2E80...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFF00...0xFFEF, 0x20000...0x3FFFF: true
    default: false
    }
  }

  private static func isMark(_ scalar: Unicode.Scalar) -> Bool {
    if scalar.value < 0x300 { return false }
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .spacingMark, .format: return true
    default: return scalar.properties.isDefaultIgnorableCodePoint
    }
  }
}
