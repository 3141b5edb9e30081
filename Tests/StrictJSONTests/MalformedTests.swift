import StrictJSON
import Testing

/// A text that must be refused, and how.
struct Malformed: CustomTestStringConvertible, Sendable {
  let text: [UInt8]
  let reason: JSONFault.Reason
  let offset: Int

  init(_ text: String, _ reason: JSONFault.Reason, _ offset: Int) {
    self.init(Array(text.utf8), reason, offset)
  }

  init(_ text: [UInt8], _ reason: JSONFault.Reason, _ offset: Int) {
    self.text = text
    self.reason = reason
    self.offset = offset
  }

  var testDescription: String { String(decoding: text, as: UTF8.self) }
}

@Suite("Malformed texts")
struct MalformedTests {
  static let structure: [Malformed] = [
    .init("", .unexpectedEnd, 0),
    .init("  \n", .unexpectedEnd, 3),
    .init("{", .unexpectedEnd, 1),
    .init("[", .unexpectedEnd, 1),
    .init("[1,", .unexpectedEnd, 3),
    .init(#"{"a""#, .unexpectedEnd, 4),
    .init(#"{"a":"#, .unexpectedEnd, 5),
    .init(#"{"a":1,"#, .unexpectedEnd, 7),
    .init("]", .expectedValue, 0),
    .init("}", .expectedValue, 0),
    .init(",", .expectedValue, 0),
    .init("[,1]", .expectedValue, 1),
    .init("[1,,2]", .expectedValue, 3),
    .init("[1}", .expectedCommaOrBracket, 2),
    .init("[1 2]", .expectedCommaOrBracket, 3),
    .init(#"["a":1]"#, .expectedCommaOrBracket, 4),
    .init("[1, ]", .trailingComma, 2),
    .init("[1,}", .trailingComma, 2),
    .init(#"{"a":1 , }"#, .trailingComma, 7),
    .init("{,}", .expectedKeyOrBrace, 1),
    .init("{]", .expectedKeyOrBrace, 1),
    .init("{a:1}", .expectedKeyOrBrace, 1),
    .init("{'a':1}", .expectedKeyOrBrace, 1),
    .init("{1:1}", .expectedKeyOrBrace, 1),
    .init(#"{"a":1,b:2}"#, .expectedKey, 7),
    .init(#"{"a":1,,"b":2}"#, .expectedKey, 7),
    .init(#"{"a" 1}"#, .expectedColon, 5),
    .init(#"{"a",1}"#, .expectedColon, 4),
    .init(#"{"a":}"#, .expectedValue, 5),
    .init(#"{"a":1]"#, .expectedCommaOrBrace, 6),
    .init(#"{"a":1 "b":2}"#, .expectedCommaOrBrace, 7),
    .init("1 2", .trailingBytes, 2),
    .init("{}{}", .trailingBytes, 2),
    .init("[]]", .trailingBytes, 2),
    .init("null\u{0}", .trailingBytes, 4),
    .init("// x\n1", .comment, 0),
    .init("# x\n1", .comment, 0),
    .init("[1 /* one */]", .comment, 3),
    .init("{// x\n}", .comment, 1),
    .init("1 // x", .comment, 2),
    .init("\u{A0}1", .expectedValue, 0),
    .init("[1\u{B}]", .expectedCommaOrBracket, 2),
  ]

  static let scalars: [Malformed] = [
    .init("tru", .unexpectedEnd, 3),
    .init("True", .expectedValue, 0),
    .init("[trve]", .expectedValue, 1),
    .init("nil", .expectedValue, 0),
    .init("nullx", .trailingBytes, 4),
    .init("NaN", .expectedValue, 0),
    .init("Infinity", .expectedValue, 0),
    .init("-", .unexpectedEnd, 1),
    .init("-x", .expectedDigit, 1),
    .init("-Infinity", .expectedDigit, 1),
    .init("+1", .expectedValue, 0),
    .init(".5", .expectedValue, 0),
    .init("1.", .unexpectedEnd, 2),
    .init("[1.]", .expectedDigit, 3),
    .init("[1.e3]", .expectedDigit, 3),
    .init("1e", .unexpectedEnd, 2),
    .init("[1e+]", .expectedDigit, 4),
    .init("[1E-]", .expectedDigit, 4),
    .init("[007]", .leadingZero, 1),
    .init("[-01.5]", .leadingZero, 1),
    .init("00", .leadingZero, 0),
    .init("0x10", .trailingBytes, 1),
    .init("1_000", .trailingBytes, 1),
    .init(#""abc"#, .unexpectedEnd, 4),
    .init(#""abc\""#, .unexpectedEnd, 6),
    .init("\"a\nb\"", .controlCharacter, 2),
    .init("\"a\tb\"", .controlCharacter, 2),
    .init("\"\u{0}\"", .controlCharacter, 1),
    .init("\"\u{1F}\"", .controlCharacter, 1),
    .init(#"'a'"#, .expectedValue, 0),
    .init(#""\x41""#, .badEscape, 1),
    .init(#""ab\'""#, .badEscape, 3),
    .init("\"\\\n\"", .badEscape, 1),
    .init(#""\U0041""#, .badEscape, 1),
    .init(#""\u12G4""#, .badEscape, 1),
    .init(#""\u+123""#, .badEscape, 1),
    .init(#""\u12"x"#, .badEscape, 1),
    .init(#""\u12"#, .unexpectedEnd, 5),
    .init(#""\"#, .unexpectedEnd, 2),
    .init(#""x\uD83D""#, .loneSurrogate, 2),
    .init(#""\uD83D\n""#, .loneSurrogate, 1),
    .init(#""\uD83Dx""#, .loneSurrogate, 1),
    .init(#""\uD83D\uD83D""#, .loneSurrogate, 1),
    .init(#""\uD83D\u0041""#, .loneSurrogate, 1),
    .init(#""\uDE00""#, .loneSurrogate, 1),
    .init(#""\uDE00\uD83D""#, .loneSurrogate, 1),
    .init(#""\uD83D\uDE0G""#, .badEscape, 7),
    .init(#""\uD83D\uDE"#, .unexpectedEnd, 11),
    .init(#"{"\uDE00":1}"#, .loneSurrogate, 2),
  ]

  static let encoding: [Malformed] = [
    .init([0x22, 0xFF, 0x22], .invalidUTF8, 1),
    .init([0x22, 0x80, 0x22], .invalidUTF8, 1),
    .init([0x22, 0xC3, 0x22], .invalidUTF8, 1),
    .init([0x22, 0xC0, 0xAF, 0x22], .invalidUTF8, 1),
    .init([0x22, 0xE0, 0x80, 0xAF, 0x22], .invalidUTF8, 1),
    .init([0x22, 0xED, 0xA0, 0xBD, 0x22], .invalidUTF8, 1),
    .init([0x22, 0xF4, 0x90, 0x80, 0x80, 0x22], .invalidUTF8, 1),
    .init([0x22, 0xF0, 0x9F, 0x98], .invalidUTF8, 1),
    .init([0xFF, 0xFE, 0x31, 0x00], .invalidUTF8, 0),
    .init([0x31, 0x20, 0xFF], .invalidUTF8, 2),
    .init([0xEF, 0xBB, 0xBF, 0x31], .byteOrderMark, 0),
    .init([0x31, 0xEF, 0xBB, 0xBF], .trailingBytes, 1),
    .init([0x31, 0x00], .trailingBytes, 1),
  ]

  @Test("a malformed text is refused with its reason and place", arguments: structure + scalars + encoding)
  func refused(_ malformed: Malformed) {
    let expected = JSONFault(reason: malformed.reason, offset: malformed.offset)
    #expect(fault(tokens(malformed.text)) == expected)
    #expect(fault(document(malformed.text)) == expected)
  }

  @Test("after a fault every call throws the same fault", arguments: structure + scalars)
  func faultsStay(_ malformed: Malformed) throws {
    var tokenizer = try JSONTokenizer(malformed.text.span)
    var faults: [JSONFault] = []
    for _ in 0..<64 where faults.count < 3 {
      do throws(JSONFault) {
        _ = try tokenizer.next()
      } catch {
        faults.append(error)
      }
    }
    #expect(faults == Array(repeating: JSONFault(reason: malformed.reason, offset: malformed.offset), count: 3))
  }

  @Test("nesting is permitted up to the maximum and refused one deeper", arguments: [0, 1, 2, 31, 32, 63, 64])
  func depth(_ maximum: Int) {
    let right = String(repeating: "[", count: maximum) + String(repeating: "]", count: maximum)
    #expect(fault(tokens(bytes(maximum == 0 ? "1" : right), maximumDepth: maximum)) == nil)
    let tooDeep = String(repeating: #"{"a":"#, count: maximum) + "[]"
    #expect(fault(tokens(bytes(tooDeep), maximumDepth: maximum)) == JSONFault(reason: .tooDeep, offset: 5 * maximum))
  }

  @Test("depth counts what is open, not what was")
  func siblings() {
    let text = "[" + Array(repeating: "[]", count: 1000).joined(separator: ",") + "]"
    #expect(fault(tokens(bytes(text), maximumDepth: 2)) == nil)
  }

  @Test("a document refuses a key given twice, at the second one")
  func duplicateKeys() {
    #expect(fault(document(bytes(#"{"a":1,"a":1}"#))) == JSONFault(reason: .duplicateKey, offset: 7))
    #expect(fault(document(bytes(#"{"a":1, "\u0061":2}"#))) == JSONFault(reason: .duplicateKey, offset: 8))
    #expect(fault(document(bytes(#"[{"x":{"":1,"":2}}]"#))) == JSONFault(reason: .duplicateKey, offset: 12))
    #expect(fault(document(bytes(#"{"é":1,"e\u0301":2}"#))) == JSONFault(reason: .duplicateKey, offset: 8))
    #expect(fault(document(bytes(#"{"a":{"a":1},"b":{"a":1},"A":2}"#))) == nil)
    #expect(fault(tokens(bytes(#"{"a":1,"a":1}"#))) == nil)
  }

  @Test("a document refuses a number that no Double holds")
  func hugeNumbers() {
    #expect(fault(document(bytes("[1, 1e999]"))) == JSONFault(reason: .numberTooLarge, offset: 4))
    #expect(fault(document(bytes("-1e309"))) == JSONFault(reason: .numberTooLarge, offset: 0))
    #expect(fault(document(bytes("1e-999"))) == nil)
  }
}
