/// The contents of JSON strings: escapes, comparison, and positions for people.
public enum JSONText {
  /// Decodes the escapes of a string token where it lies.
  ///
  /// The result is never longer than the token, so a secret can be decoded in the locked memory it came in. The bytes
  /// behind the result are set to zero.
  ///
  /// - Parameter bytes: the contents of a key or string token, without the quotes.
  /// - Returns: how many bytes the decoded text has.
  /// - Throws: `badEscape`, `loneSurrogate` or `unexpectedEnd`, never for a token of `JSONTokenizer`; part of the bytes is
  ///   decoded then.
  /// - Complexity: O(*n*).
  ///
  /// Source: RFC 8259 §7.
  public static func unescape(_ bytes: inout MutableSpan<UInt8>) throws(JSONFault) -> Int {
    var read = 0
    var written = 0
    while read < bytes.count {
      let byte = bytes[read]
      if byte != UInt8(ascii: "\\") {
        bytes[written] = byte
        read &+= 1
        written &+= 1
        continue
      }
      for byte in try scalar(ofEscapeIn: bytes.span, at: &read).utf8 {
        bytes[written] = byte
        written &+= 1
      }
    }
    for i in written..<bytes.count { bytes[i] = 0 }
    return written
  }

  /// The text of a string token, for texts that are no secrets.
  ///
  /// - Parameters:
  ///   - bytes: the text that was tokenized.
  ///   - range: the token's range.
  ///   - escaped: the token's mark.
  /// - Throws: `badEscape`, `loneSurrogate`, `unexpectedEnd` or `invalidUTF8`, never for a token of `JSONTokenizer`; offsets
  ///   count from the start of the token.
  /// - Complexity: O(*n*); allocates.
  public static func string(_ bytes: Span<UInt8>, _ range: Range<Int>, escaped: Bool) throws(JSONFault) -> String {
    let token = bytes.extracting(range)
    if !escaped { return try string(token) }
    var copy = [UInt8](capacity: token.count) { output in
      for i in token.indices { output.append(token[i]) }
    }
    var contents = copy.mutableSpan
    let count = try unescape(&contents)
    return try string(copy.span.extracting(first: count))
  }

  private static func string(_ bytes: Span<UInt8>) throws(JSONFault) -> String {
    do {
      return String(copying: try UTF8Span(validating: bytes))
    } catch {
      throw JSONFault(reason: .invalidUTF8, offset: error.byteOffsets.lowerBound)
    }
  }

  /// Whether a string token means this text, however it is escaped; byte for byte, with no Unicode equivalence.
  ///
  /// Not in constant time: for keys and names, never to compare secrets.
  ///
  /// - Parameters:
  ///   - bytes: the text that was tokenized.
  ///   - range: the token's range.
  ///   - escaped: the token's mark.
  ///   - text: what it is compared with.
  /// - Complexity: O(*n*) in the length of `text`.
  public static func matches(_ bytes: Span<UInt8>, _ range: Range<Int>, escaped: Bool, _ text: StaticString) -> Bool {
    let count = text.utf8CodeUnitCount
    if escaped { return matchesEscaped(bytes.extracting(range), text) }
    if range.count != count { return false }
    for i in 0..<count where byte(i, of: text) != bytes[range.lowerBound &+ i] { return false }
    return true
  }

  private static func matchesEscaped(_ token: Span<UInt8>, _ text: StaticString) -> Bool {
    let count = text.utf8CodeUnitCount
    var read = 0
    var compared = 0
    while read < token.count {
      if token[read] == UInt8(ascii: "\\") {
        guard let decoded = try? scalar(ofEscapeIn: token, at: &read) else { return false }
        for unit in decoded.utf8 {
          if compared == count || byte(compared, of: text) != unit { return false }
          compared &+= 1
        }
      } else {
        if compared == count || byte(compared, of: text) != token[read] { return false }
        compared &+= 1
        read &+= 1
      }
    }
    return compared == count
  }

  /// The line and the column of a byte, both from 1.
  ///
  /// Lines end with LF. The column counts Unicode scalars, as editors do; in text that is not UTF-8, whatever starts a byte
  /// sequence.
  ///
  /// - Parameters:
  ///   - offset: a byte offset; anything behind the text counts as its end.
  ///   - bytes: the text.
  /// - Complexity: O(`offset`).
  public static func position(of offset: Int, in bytes: Span<UInt8>) -> (line: Int, column: Int) {
    var line = 1
    var column = 1
    for i in 0..<max(0, min(offset, bytes.count)) {
      if bytes[i] == UInt8(ascii: "\n") {
        line += 1
        column = 1
      } else if bytes[i] & 0xC0 != 0x80 {
        column += 1
      }
    }
    return (line, column)
  }
}

// MARK: - Escapes

extension JSONText {
  /// Decodes the escape whose backslash stands at `at`, and moves behind it; a surrogate pair is one escape.
  static func scalar(ofEscapeIn bytes: Span<UInt8>, at: inout Int) throws(JSONFault) -> Unicode.Scalar {
    let start = at
    switch try byte(at: at &+ 1, in: bytes) {
    case UInt8(ascii: "u"): return try unicodeScalar(ofEscapeIn: bytes, at: &at)
    case let letter:
      guard let scalar = simpleEscape(letter) else { throw JSONFault(reason: .badEscape, offset: start) }
      at = start &+ 2
      return scalar
    }
  }

  private static func simpleEscape(_ letter: UInt8) -> Unicode.Scalar? {
    switch letter {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): Unicode.Scalar(letter)
    case UInt8(ascii: "b"): "\u{8}"
    case UInt8(ascii: "f"): "\u{C}"
    case UInt8(ascii: "n"): "\n"
    case UInt8(ascii: "r"): "\r"
    case UInt8(ascii: "t"): "\t"
    default: nil
    }
  }

  private static func unicodeScalar(ofEscapeIn bytes: Span<UInt8>, at: inout Int) throws(JSONFault) -> Unicode.Scalar {
    let start = at
    let first = try codeUnit(ofEscapeIn: bytes, at: &at)
    if let scalar = Unicode.Scalar(first) { return scalar }
    let lone = JSONFault(reason: .loneSurrogate, offset: start)
    if first >= 0xDC00 { throw lone }
    if try byte(at: at, in: bytes) != UInt8(ascii: "\\") { throw lone }
    if try byte(at: at &+ 1, in: bytes) != UInt8(ascii: "u") { throw lone }
    let second = try codeUnit(ofEscapeIn: bytes, at: &at)
    guard 0xDC00...0xDFFF ~= second else { throw lone }
    guard let scalar = Unicode.Scalar(0x10000 + (first & 0x3FF) << 10 | (second & 0x3FF)) else { throw lone }
    return scalar
  }

  private static func codeUnit(ofEscapeIn bytes: Span<UInt8>, at: inout Int) throws(JSONFault) -> UInt32 {
    var unit: UInt32 = 0
    for i in 2..<6 {
      let digit = try byte(at: at &+ i, in: bytes)
      switch digit {
      case UInt8(ascii: "0")...UInt8(ascii: "9"): unit = unit << 4 | UInt32(digit & 0xF)
      case UInt8(ascii: "a")...UInt8(ascii: "f"), UInt8(ascii: "A")...UInt8(ascii: "F"):
        unit = unit << 4 | UInt32(digit & 0xF) + 9
      default: throw JSONFault(reason: .badEscape, offset: at)
      }
    }
    at &+= 6
    return unit
  }

  private static func byte(at offset: Int, in bytes: Span<UInt8>) throws(JSONFault) -> UInt8 {
    if offset < bytes.count { return bytes[offset] }
    throw JSONFault(reason: .unexpectedEnd, offset: bytes.count)
  }

  /// One byte of a literal.
  @inline(__always)
  static func byte(_ index: Int, of text: StaticString) -> UInt8 {
    precondition(0..<text.utf8CodeUnitCount ~= index, "a literal ends here")
    // SAFETY: the index is inside of the literal, whose bytes live as long as the process.
    return unsafe text.utf8Start[index]
  }
}
