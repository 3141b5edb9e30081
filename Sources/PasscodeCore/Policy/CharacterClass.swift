/// The four classes of the policy, by Unicode general category.
///
/// `digit` is Nd; `upper` Lu and Lt; `lower` Ll; `special` every other scalar but letters, marks, numbers and joiners. A
/// space, a control character and an emoji are special; an ideograph, `Ⅷ`, an accent, a joiner are in no class. Joiners are
/// U+200C, U+200D and U+2060: they glue what stands beside them, and nobody sees them.
enum CharacterClass: Sendable {
  case digit, upper, lower, special
  case none

  init(_ scalar: Unicode.Scalar) {
    if scalar.isASCII {
      self.init(UInt8(truncatingIfNeeded: scalar.value))
      return
    }
    switch scalar.properties.generalCategory {
    case .decimalNumber: self = .digit
    case .uppercaseLetter, .titlecaseLetter: self = .upper
    case .lowercaseLetter: self = .lower
    case .modifierLetter, .otherLetter, .nonspacingMark, .spacingMark, .enclosingMark, .letterNumber, .otherNumber: self = .none
    default: self = [0x200C, 0x200D, 0x2060].contains(scalar.value) ? .none : .special
    }
  }

  /// The class of an ASCII byte.
  init(_ byte: UInt8) {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): self = .digit
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): self = .upper
    case UInt8(ascii: "a")...UInt8(ascii: "z"): self = .lower
    default: self = .special
    }
  }
}
