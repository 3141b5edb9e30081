/// Which Debian package has the letters that no installed font has.
public struct FontAdvice: Hashable, Sendable {
  /// What the letters are of, such as `Arabic`.
  public let script: String
  /// The package.
  public let package: String

  /// The advice for a code point; nil where no package helps: it is of private use, or no character at all.
  public init?(for scalar: Unicode.Scalar) {
    switch scalar.properties.generalCategory {
    case .privateUse, .unassigned, .surrogate, .control: return nil
    default: break
    }
    let value = scalar.value
    if let (_, script) = Self.eastAsian.first(where: { $0.0.contains(value) }) {
      (self.script, package) = (script, "fonts-noto-cjk")
    } else if scalar.properties.isEmojiPresentation || 0x1F000...0x1FAFF ~= value {
      (script, package) = ("emoji and pictographs", "fonts-noto-color-emoji")
    } else {
      (script, package) = (Self.others.first { $0.0.contains(value) }?.1 ?? "rare symbols or letters", "fonts-noto-core")
    }
  }

  /// What to tell a person of code points that no font has: the scripts, with the packages to install.
  public static func words(for codePoints: [UInt32]) -> String {
    var advice: [FontAdvice] = []
    var hopeless: [UInt32] = []
    for codePoint in codePoints.sorted() {
      if let scalar = Unicode.Scalar(codePoint), let found = FontAdvice(for: scalar) {
        if !advice.contains(found) { advice.append(found) }
      } else if !hopeless.contains(codePoint) {
        hopeless.append(codePoint)
      }
    }
    var parts: [String] = []
    if !advice.isEmpty {
      let scripts = advice.map(\.script).joined(separator: ", ")
      let packages = Set(advice.map(\.package)).sorted().joined(separator: " ")
      parts.append("no installed font has the characters of: \(scripts); install \(packages)")
    }
    if !hopeless.isEmpty {
      let list = hopeless.prefix(8).map { "U+" + String($0, radix: 16, uppercase: true) }.joined(separator: ", ")
      parts.append("these code points have no glyph in any font: \(list)")
    }
    return parts.joined(separator: "; ")
  }

  /// Source: Unicode 15, Blocks.txt.
  private static let eastAsian: [(ClosedRange<UInt32>, String)] = [
    (0x1100...0x11FF, "Hangul"), (0x2E80...0x2FDF, "Han"), (0x3000...0x303F, "Chinese, Japanese and Korean signs"),
    (0x3040...0x309F, "Hiragana"), (0x30A0...0x30FF, "Katakana"), (0x3100...0x312F, "Bopomofo"), (0x3130...0x318F, "Hangul"),
    (0x3190...0x31EF, "Han"), (0x31F0...0x31FF, "Katakana"), (0x3200...0x33FF, "Chinese, Japanese and Korean signs"),
    (0x3400...0x4DBF, "Han"), (0x4E00...0x9FFF, "Han"), (0xA960...0xA97F, "Hangul"), (0xAC00...0xD7FF, "Hangul"),
    (0xF900...0xFAFF, "Han"), (0xFE30...0xFE4F, "Chinese, Japanese and Korean signs"), (0xFF00...0xFFEF, "wide forms"),
    (0x1B000...0x1B16F, "Kana"), (0x20000...0x323AF, "Han"),
  ]

  private static let others: [(ClosedRange<UInt32>, String)] = [
    (0x0000...0x024F, "Latin"), (0x0370...0x03FF, "Greek"), (0x0400...0x052F, "Cyrillic"), (0x0530...0x058F, "Armenian"),
    (0x0590...0x05FF, "Hebrew"), (0x0600...0x06FF, "Arabic"), (0x0700...0x074F, "Syriac"), (0x0750...0x077F, "Arabic"),
    (0x0780...0x07BF, "Thaana"), (0x07C0...0x07FF, "NKo"), (0x0800...0x083F, "Samaritan"), (0x0840...0x085F, "Mandaic"),
    (0x0860...0x086F, "Syriac"), (0x0870...0x08FF, "Arabic"), (0x0900...0x097F, "Devanagari"), (0x0980...0x09FF, "Bengali"),
    (0x0A00...0x0A7F, "Gurmukhi"), (0x0A80...0x0AFF, "Gujarati"), (0x0B00...0x0B7F, "Oriya"), (0x0B80...0x0BFF, "Tamil"),
    (0x0C00...0x0C7F, "Telugu"), (0x0C80...0x0CFF, "Kannada"), (0x0D00...0x0D7F, "Malayalam"), (0x0D80...0x0DFF, "Sinhala"),
    (0x0E00...0x0E7F, "Thai"), (0x0E80...0x0EFF, "Lao"), (0x0F00...0x0FFF, "Tibetan"), (0x1000...0x109F, "Myanmar"),
    (0x10A0...0x10FF, "Georgian"), (0x1200...0x139F, "Ethiopic"), (0x13A0...0x13FF, "Cherokee"),
    (0x1400...0x167F, "Canadian syllabics"), (0x1780...0x17FF, "Khmer"), (0x1800...0x18AF, "Mongolian"),
    (0x1C80...0x1C8F, "Cyrillic"), (0x1C90...0x1CBF, "Georgian"), (0x1E00...0x1EFF, "Latin"), (0x1F00...0x1FFF, "Greek"),
    (0x2000...0x2BFF, "signs and symbols"), (0x2D30...0x2D7F, "Tifinagh"), (0xA000...0xA4CF, "Yi"), (0xA500...0xA63F, "Vai"),
    (0xA980...0xA9DF, "Javanese"), (0xFB1D...0xFB4F, "Hebrew"), (0xFB50...0xFDFF, "Arabic"), (0xFE70...0xFEFF, "Arabic"),
    (0x10400...0x1044F, "Deseret"), (0x1E900...0x1E95F, "Adlam"),
  ]
}
