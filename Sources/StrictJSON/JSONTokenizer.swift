/// A strict pull tokenizer for one JSON text, in UTF-8, without any allocation.
///
/// Strings and numbers come back as ranges of the text, so that a secret never leaves the memory it lies in. Everything
/// that RFC 8259 does not permit is refused: comments, trailing commas, lone surrogates, bytes after the value. Duplicate
/// keys are the caller's to find, since finding them needs memory; `JSONDocument` does.
///
/// After a fault every call throws that fault again.
///
/// Source: RFC 8259.
public struct JSONTokenizer: ~Escapable {
  /// One piece of a JSON text.
  ///
  /// Ranges are byte offsets into the text. Those of keys and strings exclude the quotes; `escaped` says that the range
  /// holds at least one backslash and has to go through `JSONText`.
  public enum Token: Equatable, Sendable {
    /// `{`
    case beginObject
    /// `}`
    case endObject
    /// `[`
    case beginArray
    /// `]`
    case endArray
    /// A key and its colon; the next tokens are its value.
    case key(Range<Int>, escaped: Bool)
    /// A string value.
    case string(Range<Int>, escaped: Bool)
    /// A number in the grammar of JSON, of any size: see `JSONNumber`.
    case number(Range<Int>)
    /// `true` or `false`
    case bool(Bool)
    /// `null`
    case null
    /// The text is whole; every further call returns this again.
    case end
  }

  /// The deepest nesting that a tokenizer can be asked to permit.
  public static var deepestMaximum: Int { 64 }

  enum Expectation { case value, key, keyOrBrace, valueOrBracket, commaOrEnd, nothing, failed }

  let bytes: Span<UInt8>
  let maximumDepth: Int
  var at = 0
  var depth = 0
  /// One bit a level, the innermost lowest: 1 is an object, 0 an array.
  var kinds: UInt64 = 0
  var expectation = Expectation.value
  /// What `failed` throws.
  var failure = JSONFault(reason: .unexpectedEnd, offset: 0)

  /// Prepares to read one text.
  ///
  /// - Parameters:
  ///   - bytes: the whole text.
  ///   - maximumDepth: how many objects and arrays may be open at once, 0 to 64.
  /// - Throws: `invalidUTF8` at the first byte of an ill-formed sequence; `byteOrderMark`.
  /// - Precondition: `maximumDepth` is in 0...64.
  /// - Complexity: O(*n*), for the validation of UTF-8.
  @_lifetime(copy bytes)
  public init(_ bytes: Span<UInt8>, maximumDepth: Int = 32) throws(JSONFault) {
    precondition(0...Self.deepestMaximum ~= maximumDepth, "a tokenizer permits at most 64 levels")
    do {
      _ = try UTF8Span(validating: bytes)
    } catch {
      throw JSONFault(reason: .invalidUTF8, offset: error.byteOffsets.lowerBound)
    }
    if bytes.count >= 3, bytes[0] == 0xEF, bytes[1] == 0xBB, bytes[2] == 0xBF {
      throw JSONFault(reason: .byteOrderMark, offset: 0)
    }
    self.bytes = bytes
    self.maximumDepth = maximumDepth
  }

  /// The offset of the first byte that no token has covered yet: right after a token, where that token ended.
  ///
  /// After a key that is the byte behind its colon; after a string the one behind its closing quote.
  public var offset: Int { at }

  /// Reads the next token.
  ///
  /// - Returns: the token; `.end` once the text is whole.
  /// - Throws: the fault that makes the text no JSON text, or one nested too deeply.
  public mutating func next() throws(JSONFault) -> Token {
    skipSpace()
    switch expectation {
    case .value: return try value()
    case .key: return try key(orElse: .expectedKey)
    case .keyOrBrace:
      if try peek() == UInt8(ascii: "}") { return close() }
      return try key(orElse: .expectedKeyOrBrace)
    case .valueOrBracket:
      if try peek() == UInt8(ascii: "]") { return close() }
      return try value()
    case .commaOrEnd: return try commaOrEnd()
    case .nothing:
      if at == bytes.count { return .end }
      throw unexpected(.trailingBytes)
    case .failed: throw failure
    }
  }

  /// Reads one whole value and drops it; where a key was read last, that is the key's value.
  ///
  /// - Returns: the bytes of the value, quotes and brackets included.
  /// - Throws: as `next()`.
  /// - Precondition: a value is due: at the start, after a key, or as a further element of an array.
  /// - Complexity: O(*n*) in the bytes of the value.
  public mutating func skipValue() throws(JSONFault) -> Range<Int> {
    let outer = depth
    let token = try next()
    let start: Int
    switch token {
    case .beginObject, .beginArray: start = at - 1
    case .string(let range, _): start = range.lowerBound - 1
    case .number(let range): start = range.lowerBound
    case .bool(let flag): start = at - (flag ? 4 : 5)
    case .null: start = at - 4
    case .key, .endObject, .endArray, .end: preconditionFailure("no value is due here")
    }
    while depth > outer { _ = try next() }
    return start..<at
  }
}

// MARK: - Structure

extension JSONTokenizer {
  /// Notes the fault, so that no later call can go on behind it.
  mutating func fail(_ reason: JSONFault.Reason, at offset: Int) -> JSONFault {
    failure = JSONFault(reason: reason, offset: offset)
    expectation = .failed
    return failure
  }

  /// The fault for a byte that does not belong here; a comment is called by its name.
  mutating func unexpected(_ reason: JSONFault.Reason) -> JSONFault {
    let isComment = bytes[at] == UInt8(ascii: "#") || bytes[at] == UInt8(ascii: "/")
    return fail(isComment ? .comment : reason, at: at)
  }

  mutating func peek() throws(JSONFault) -> UInt8 {
    if at < bytes.count { return bytes[at] }
    throw fail(.unexpectedEnd, at: at)
  }

  mutating func skipSpace() {
    while at < bytes.count {
      switch bytes[at] {
      case 0x20, 0x0A, 0x0D, 0x09: at &+= 1
      default: return
      }
    }
  }

  mutating func open(_ kind: UInt64, _ first: Expectation, _ token: Token) throws(JSONFault) -> Token {
    if depth == maximumDepth { throw fail(.tooDeep, at: at) }
    depth &+= 1
    kinds = kinds << 1 | kind
    at &+= 1
    expectation = first
    return token
  }

  mutating func close() -> Token {
    let token: Token = kinds & 1 == 1 ? .endObject : .endArray
    at &+= 1
    kinds >>= 1
    depth &-= 1
    settle()
    return token
  }

  /// A value has ended.
  mutating func settle() { expectation = depth == 0 ? .nothing : .commaOrEnd }

  mutating func commaOrEnd() throws(JSONFault) -> Token {
    let inObject = kinds & 1 == 1
    switch try peek() {
    case UInt8(ascii: ","):
      let comma = at
      at &+= 1
      skipSpace()
      let following = try peek()
      if following == UInt8(ascii: "}") || following == UInt8(ascii: "]") { throw fail(.trailingComma, at: comma) }
      return inObject ? try key(orElse: .expectedKey) : try value()
    case UInt8(ascii: "}") where inObject, UInt8(ascii: "]") where !inObject: return close()
    default: throw unexpected(inObject ? .expectedCommaOrBrace : .expectedCommaOrBracket)
    }
  }

  mutating func key(orElse reason: JSONFault.Reason) throws(JSONFault) -> Token {
    if try peek() != UInt8(ascii: "\"") { throw unexpected(reason) }
    let (range, escaped) = try text()
    skipSpace()
    if try peek() != UInt8(ascii: ":") { throw unexpected(.expectedColon) }
    at &+= 1
    expectation = .value
    return .key(range, escaped: escaped)
  }

  mutating func value() throws(JSONFault) -> Token {
    switch try peek() {
    case UInt8(ascii: "\""):
      let (range, escaped) = try text()
      settle()
      return .string(range, escaped: escaped)
    case UInt8(ascii: "{"): return try open(1, .keyOrBrace, .beginObject)
    case UInt8(ascii: "["): return try open(0, .valueOrBracket, .beginArray)
    case UInt8(ascii: "t"): return try word("true", .bool(true))
    case UInt8(ascii: "f"): return try word("false", .bool(false))
    case UInt8(ascii: "n"): return try word("null", .null)
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return try number()
    default: throw unexpected(.expectedValue)
    }
  }
}

// MARK: - Scalars

extension JSONTokenizer {
  mutating func word(_ word: StaticString, _ token: Token) throws(JSONFault) -> Token {
    let available = min(word.utf8CodeUnitCount, bytes.count &- at)
    for i in 0..<available where JSONText.byte(i, of: word) != bytes[at &+ i] { throw fail(.expectedValue, at: at) }
    if available < word.utf8CodeUnitCount { throw fail(.unexpectedEnd, at: bytes.count) }
    at &+= available
    settle()
    return token
  }

  mutating func text() throws(JSONFault) -> (Range<Int>, Bool) {
    let start = at &+ 1
    var escaped = false
    var i = start
    while i < bytes.count {
      let byte = bytes[i]
      if byte == UInt8(ascii: "\"") {
        at = i &+ 1
        return (start..<i, escaped)
      }
      if byte < 0x20 { throw fail(.controlCharacter, at: i) }
      if byte == UInt8(ascii: "\\") {
        escaped = true
        do throws(JSONFault) {
          _ = try JSONText.scalar(ofEscapeIn: bytes, at: &i)
        } catch {
          throw fail(error.reason, at: error.offset)
        }
      } else {
        i &+= 1
      }
    }
    throw fail(.unexpectedEnd, at: bytes.count)
  }

  mutating func number() throws(JSONFault) -> Token {
    let start = at
    do throws(JSONFault) {
      at = try JSONNumber.end(in: bytes, from: start)
    } catch {
      throw fail(error.reason, at: error.offset)
    }
    settle()
    return .number(start..<at)
  }
}
