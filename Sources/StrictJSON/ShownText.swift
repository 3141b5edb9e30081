extension String {
  /// The text with nothing in it that could drive a terminal or change how the rest is read: control characters, line and
  /// paragraph separators, and what is invisible or turns the direction (format characters) are written as `\u{1B}`.
  ///
  /// A zero-width joiner between two emoji stays: it makes them one.
  ///
  /// - Complexity: O(*n*).
  package var shown: String {
    guard unicodeScalars.contains(where: { $0.isNotShown }) else { return self }
    let scalars = Array(unicodeScalars)
    var text = ""
    for (index, scalar) in scalars.enumerated() {
      if scalar.isNotShown, !isEmojiJoiner(index, scalars) {
        text += scalar.escapedByNumber
      } else {
        text.unicodeScalars.append(scalar)
      }
    }
    return text
  }

  /// The same, and not endless: for what somebody typed.
  package var shownSafely: String {
    unicodeScalars.count > 80 ? String(String.UnicodeScalarView(unicodeScalars.prefix(80))).shown + "…" : shown
  }

  /// A JSON document that means the same, with what ``shown`` escapes escaped as JSON does.
  ///
  /// - Precondition: the text is JSON, so that no such character is outside of a string.
  package var shownAsJSON: String {
    guard unicodeScalars.contains(where: { $0.isNotShown && $0 != "\n" }) else { return self }
    var text = ""
    for scalar in unicodeScalars {
      if scalar.isNotShown, scalar != "\n" {
        for unit in UTF16.encode(scalar)! { text += "\\u" + hexadecimal(UInt32(unit)) }
      } else {
        text.unicodeScalars.append(scalar)
      }
    }
    return text
  }
}

extension Unicode.Scalar {
  /// Whether it is a control, separating, format or otherwise invisible character.
  fileprivate var isNotShown: Bool {
    if isASCII { return value < 0x20 || value == 0x7F }
    switch properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator: return true
    // Fillers that take no room. A variation selector only chooses how what stands before it looks.
    default: return properties.isDefaultIgnorableCodePoint && !properties.isVariationSelector
    }
  }

  fileprivate var escapedByNumber: String { "\\u{" + String(value, radix: 16, uppercase: true) + "}" }

  /// Whether an emoji can be what stands beside a joiner.
  fileprivate var isPartOfEmoji: Bool {
    properties.isVariationSelector || properties.isEmojiModifier || !isASCII && properties.isEmoji
  }
}

private func isEmojiJoiner(_ index: Int, _ scalars: [Unicode.Scalar]) -> Bool {
  guard scalars[index] == "\u{200D}", index > 0, index + 1 < scalars.count else { return false }
  return scalars[index - 1].isPartOfEmoji && scalars[index + 1].isPartOfEmoji
}

/// Four digits.
private func hexadecimal(_ number: UInt32) -> String {
  let digits = String(number, radix: 16)
  return String(repeating: "0", count: max(0, 4 - digits.count)) + digits
}
