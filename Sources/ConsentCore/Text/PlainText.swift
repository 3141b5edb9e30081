/// What keeps a text a text: nothing in it drives a terminal, or the direction of what stands beside it.
package enum PlainText {
  /// The text with every control character but line feed replaced, and with no embedding or override of the direction.
  package static func cleaned(_ text: String) -> String {
    if !text.unicodeScalars.contains(where: isHarmful) { return text }
    var clean = ""
    for scalar in text.unicodeScalars {
      if scalar == "\t" {
        clean += " "
      } else if scalar == "\r" {
        continue
      } else {
        clean.unicodeScalars.append(isHarmful(scalar) ? "\u{FFFD}" : scalar)
      }
    }
    return clean
  }

  /// Whether a person's name, or an answer, is one line of at most 256 bytes without any character that steers.
  static func isProperName(_ text: String) -> Bool {
    text.utf8.count <= 256 && !text.unicodeScalars.contains { isHarmful($0) || $0 == "\n" || isSteering($0) }
  }

  static func isHarmful(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x0A: false
    case 0..<0x20, 0x7F..<0xA0, 0x2028...0x2029, 0x202A...0x202E, 0xFFF9...0xFFFB, 0xE0000...0xE007F: true
    default: false
    }
  }

  /// Marks and isolates, which a body may hold and a name may not.
  private static func isSteering(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x061C, 0x200E...0x200F, 0x2066...0x2069: true
    default: false
    }
  }
}
