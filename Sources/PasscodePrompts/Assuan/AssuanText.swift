/// The percent escapes of Assuan: `%25`, `%0D` and `%0A` stand for percent, carriage return and line feed.
enum AssuanText {
  /// Decodes a part of `bytes` in place; what is decoded starts where the part did, and is never longer.
  ///
  /// - Returns: where the decoded bytes are, or nil where a percent sign is not followed by two hexadecimal digits; the part is
  ///   undefined then.
  ///
  /// Secrets: the bytes behind the decoded ones keep pieces of the part until their owner wipes them.
  static func unescape(_ bytes: inout MutableSpan<UInt8>, in part: Range<Int>) -> Range<Int>? {
    var (read, write) = (part.lowerBound, part.lowerBound)
    while read < part.upperBound {
      var byte = bytes[read]
      read += 1
      if byte == UInt8(ascii: "%") {
        guard read + 2 <= part.upperBound, let high = digit(bytes[read]), let low = digit(bytes[read + 1]) else { return nil }
        byte = high << 4 | low
        read += 2
      }
      bytes[write] = byte
      write += 1
    }
    return part.lowerBound..<write
  }

  /// Encodes a text that is no secret, as a person may see it; see ``clip(_:limit:)``.
  ///
  /// - Parameter limit: of the encoded form, in bytes.
  static func escape(_ text: String, limit: Int) -> [UInt8] { clip(text, limit: limit).unicodeScalars.flatMap(encoded) }

  /// A text as a person may see it: of the control characters only line breaks stay, so that no text carries commands for a
  /// terminal. Where its encoded form is longer than `limit` bytes, it ends earlier, at a whole character, with an ellipsis.
  ///
  /// - Precondition: `limit` has room for the ellipsis, 3 bytes.
  static func clip(_ text: String, limit: Int) -> String {
    precondition(limit >= 3)
    var (whole, cut) = ("", "")
    var count = 0
    for character in text {
      for scalar in character.unicodeScalars where isShown(scalar) {
        whole.unicodeScalars.append(scalar)
        count += encoded(scalar).count
      }
      if count > limit { return cut + "…" }
      if count <= limit - 3 { cut = whole }
    }
    return whole
  }

  private static func encoded(_ scalar: Unicode.Scalar) -> [UInt8] {
    switch scalar {
    case "%": Array("%25".utf8)
    case "\n": Array("%0A".utf8)
    default: Array(UTF8.encode(scalar)!)
    }
  }

  /// Whether a flavour, as pinentry names its own, can ask on a terminal only: `tty`, `curses`, or a graphical one that found no
  /// display and says so behind a colon.
  static func needsTerminal(_ flavor: Span<UInt8>) -> Bool {
    let name = String(decoding: (0..<min(flavor.count, 64)).map { flavor[$0] }, as: UTF8.self)
    return name.split(separator: ":").last.map { $0 == "tty" || $0 == "curses" } ?? false
  }

  /// Not shown: control characters, and what is invisible or reorders the text around it.
  private static func isShown(_ scalar: Unicode.Scalar) -> Bool {
    // A joiner makes one emoji of two.
    if scalar == "\n" || scalar == "\u{200D}" { return true }
    switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator: return false
    default: return true
    }
  }

  private static func digit(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
    case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
    case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
    default: nil
    }
  }
}
