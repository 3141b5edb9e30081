/// What is wrong with a JSON text, and where.
///
/// A fault carries no byte of the text, so it may be logged even when the text holds secrets.
public struct JSONFault: Error, Equatable, Sendable {
  /// Why a text is refused.
  public enum Reason: Equatable, Sendable, CaseIterable {
    /// The text ends inside of the value; the offset is the length of the text.
    case unexpectedEnd
    /// No value starts here.
    case expectedValue
    /// An object goes on with something else than a key.
    case expectedKey
    /// An object starts with neither a key nor its end.
    case expectedKeyOrBrace
    /// A key is not followed by a colon.
    case expectedColon
    /// A member of an object is followed by neither a comma nor the end of the object.
    case expectedCommaOrBrace
    /// An element of an array is followed by neither a comma nor the end of the array.
    case expectedCommaOrBracket
    /// A comma stands before the end of an object or array; the offset is the comma's.
    case trailingComma
    /// A comment, which JSON does not have.
    case comment
    /// A number lacks a digit here.
    case expectedDigit
    /// A number starts with a zero and goes on with a digit; the offset is the number's.
    case leadingZero
    /// A number is too large for a `Double`; the offset is the number's. Only of `JSONDocument`.
    case numberTooLarge
    /// A string holds a byte under 0x20 as it is.
    case controlCharacter
    /// A backslash starts no escape of RFC 8259; the offset is the backslash's.
    case badEscape
    /// An escape names one half of a surrogate pair; the offset is the backslash's.
    case loneSurrogate
    /// Objects and arrays are nested deeper than the caller permits.
    case tooDeep
    /// The text is not valid UTF-8.
    case invalidUTF8
    /// The text starts with U+FEFF.
    case byteOrderMark
    /// Something other than white space follows the value.
    case trailingBytes
    /// An object has the same key twice; the offset is the second one's. Only of `JSONDocument`.
    case duplicateKey
  }

  /// Why the text is refused.
  public let reason: Reason
  /// Where, in bytes from the start of the text that was parsed.
  public let offset: Int

  /// Makes a fault; for callers that find one of their own, such as a duplicate key among those that they know.
  public init(reason: Reason, offset: Int) {
    self.reason = reason
    self.offset = offset
  }

  /// The line and the column of the fault, both from 1; the column counts Unicode scalars, as editors do.
  ///
  /// - Parameter bytes: the text that was parsed.
  /// - Complexity: O(`offset`).
  public func position(in bytes: Span<UInt8>) -> (line: Int, column: Int) {
    JSONText.position(of: offset, in: bytes)
  }

  /// The fault as one sentence with its place, such as `line 3, column 7: expected a comma or }`.
  ///
  /// - Parameter bytes: the text that was parsed.
  /// - Complexity: O(`offset`).
  public func message(in bytes: Span<UInt8>) -> String {
    let (line, column) = position(in: bytes)
    return "line \(line), column \(column): \(reason)"
  }
}

// MARK: - CustomStringConvertible

extension JSONFault: CustomStringConvertible {
  /// The fault with its byte offset, for a reader who does not have the text.
  public var description: String { "byte \(offset): \(reason)" }
}

extension JSONFault.Reason: CustomStringConvertible {
  /// The reason in plain words, lower case and without a full stop.
  public var description: String {
    switch self {
    case .unexpectedEnd: "the text ends too early"
    case .expectedValue: "expected a value"
    case .expectedKey: "expected a key in double quotes"
    case .expectedKeyOrBrace: "expected a key in double quotes or }"
    case .expectedColon: "expected a colon after the key"
    case .expectedCommaOrBrace: "expected a comma or }"
    case .expectedCommaOrBracket: "expected a comma or ]"
    case .trailingComma: "the comma after the last entry must go"
    case .comment: "comments are not permitted"
    case .expectedDigit: "expected a digit"
    case .leadingZero: "a number must not start with a needless zero"
    case .numberTooLarge: "the number is too large"
    case .controlCharacter: "a string ends without its closing quote, or holds a control character that is not escaped"
    case .badEscape: "a backslash in a string that starts no known escape"
    case .loneSurrogate: "an escape names only one half of a surrogate pair"
    case .tooDeep: "objects and arrays are nested too deeply"
    case .invalidUTF8: "the text is not valid UTF-8"
    case .byteOrderMark: "the text starts with a byte order mark, which must go"
    case .trailingBytes: "expected nothing more after the end of the value"
    case .duplicateKey: "the key is given twice"
    }
  }
}
