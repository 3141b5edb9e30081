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

  /// Whether a person's name, or an answer, is one line of at most 256 bytes without any character that steers, and is empty or has
  /// something that is seen.
  static func isProperName(_ text: String) -> Bool {
    text.utf8.count <= 256 && !text.unicodeScalars.contains { isHarmful($0) || $0 == "\n" || isSteering($0) }
      && (text.isEmpty || text.unicodeScalars.contains { isSeen($0) })
  }

  private static func isSeen(_ scalar: Unicode.Scalar) -> Bool {
    let properties = scalar.properties
    // The blank pattern of Braille is no white space to Unicode.
    if properties.isWhitespace || properties.isDefaultIgnorableCodePoint || scalar == "\u{2800}" { return false }
    switch properties.generalCategory {
    case .format, .control, .nonspacingMark, .enclosingMark, .unassigned, .surrogate: return false
    default: return true
    }
  }

  /// Whether every isolate of the direction ends on the line that it starts on, and none ends that has not started.
  static func closesIsolates(_ text: String) -> Bool {
    var depth = 0
    for scalar in text.unicodeScalars {
      switch scalar.value {
      case 0x2066...0x2068: depth += 1
      case 0x2069:
        depth -= 1
        if depth < 0 { return false }
      case 0x0A: if depth > 0 { return false }
      default: break
      }
    }
    return depth == 0
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
