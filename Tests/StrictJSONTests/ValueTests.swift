import StrictJSON
import Testing

@Suite("Numbers and texts")
struct ValueTests {
  @Test(
    "whole numbers are exact",
    arguments: [
      ("0", 0), ("-0", 0), ("7", 7), ("-7", -7), ("1234567890", 1_234_567_890), ("9223372036854775807", Int64.max),
      ("-9223372036854775808", Int64.min),
    ])
  func integers(_ text: String, _ value: Int64) {
    let read = JSONNumber.int64(bytes(text).span)
    #expect(read == value)
  }

  @Test(
    "what is not exactly a whole number is none",
    arguments: [
      "", "-", "8.0", "1e2", "1E2", "0.0", "01", "-01", "00", "+1", " 1", "1 ", "0x1", "9223372036854775808",
      "-9223372036854775809",
      "99999999999999999999999999999999", "1_0", "a", "--1",
    ])
  func noIntegers(_ text: String) {
    let read = JSONNumber.int64(bytes(text).span)
    #expect(read == nil)
  }

  @Test(
    "numbers are the nearest Double",
    arguments: [
      ("0", 0.0), ("8.0", 8.0), ("1e2", 100.0), ("-2.5E-1", -0.25), ("0.1", 0.1), ("1e-999", 0.0),
      ("9223372036854775808", 0x1p63),
      ("1.7976931348623157e308", Double.greatestFiniteMagnitude), ("5e-324", Double.leastNonzeroMagnitude),
    ])
  func doubles(_ text: String, _ value: Double) {
    let read = JSONNumber.double(bytes(text).span)
    #expect(read == value)
  }

  @Test(
    "what is no number of JSON is no Double either",
    arguments: ["", "-", ".5", "5.", "1e", "nan", "inf", "infinity", "0x1p3", "1e999", "-1e999", "01", "+1", " 1", "1 ", "1,5"])
  func noDoubles(_ text: String) {
    let read = JSONNumber.double(bytes(text).span)
    #expect(read == nil)
  }

  @Test("a document tells whole numbers from others")
  func kinds() throws {
    let text = bytes("[8, 8.0, 1e2, 9223372036854775808]")
    #expect(try value(of: text) == .array([.integer(8), .number(8), .number(100), .number(0x1p63)]))
  }

  @Test(
    "escapes that no token holds are refused",
    arguments: [
      (#"a\x"#, JSONFault.Reason.badEscape, 1), (#"\"#, .unexpectedEnd, 1), (#"\u00"#, .unexpectedEnd, 4),
      (#"\u00zz"#, .badEscape, 0),
      (#"ab\uD800"#, .unexpectedEnd, 8), (#"\uDC00"#, .loneSurrogate, 0), (#"\uD800\uD800"#, .loneSurrogate, 0),
      (#"\uD800abcdef"#, .loneSurrogate, 0),
    ])
  func badEscapes(_ text: String, _ reason: JSONFault.Reason, _ offset: Int) {
    #expect(throws: JSONFault(reason: reason, offset: offset)) {
      var copy = bytes(text)
      var span = copy.mutableSpan
      _ = try JSONText.unescape(&span)
    }
    let whole = bytes(text)
    #expect(throws: JSONFault(reason: reason, offset: offset)) {
      _ = try JSONText.string(whole.span, whole.indices, escaped: true)
    }
  }

  @Test(
    "surrogate pairs at the ends of their range",
    arguments: [
      (#"\uD800\uDC00"#, "\u{10000}"), (#"\uDBFF\uDFFF"#, "\u{10FFFF}"), (#"\ud83d\ude00"#, "😀"),
      (#"\uD7FF\uE000"#, "\u{D7FF}\u{E000}"),
    ])
  func surrogates(_ text: String, _ expected: String) throws {
    let whole = bytes(text)
    let decoded = try JSONText.string(whole.span, whole.indices, escaped: true)
    #expect(decoded.unicodeScalars.elementsEqual(expected.unicodeScalars))
  }

  @Test(
    "a key matches its name, escaped or not, and nothing else",
    arguments: [
      ("method", true), (#"\u006dethod"#, true), (#"metho\u0064"#, true), ("metho", false), ("methods", false),
      ("Method", false), ("", false),
      (#"\u006dethods"#, false), (#"\u006dethod\u0000"#, false), (#"\u006detho"#, false), (#"\u004dethod"#, false),
      (#"\u0000method"#, false),
    ])
  func matching(_ key: String, _ isSame: Bool) {
    let text = bytes("xx" + key + "xx")
    let range = 2..<text.count - 2
    let matches = JSONText.matches(text.span, range, escaped: key.utf8.contains(UInt8(ascii: "\\")), "method")
    #expect(matches == isSame)
  }

  @Test("keys match byte for byte, with no Unicode equivalence")
  func matchingScalars() {
    #expect(!means("e\u{301}", "é", escaped: false))
    #expect(means("é", "é", escaped: false))
    #expect(means(#"\u00e9"#, "é", escaped: true))
    #expect(!means("\u{212A}", "K", escaped: false))
  }

  private func means(_ token: String, _ text: StaticString, escaped: Bool) -> Bool {
    let whole = bytes(token)
    return JSONText.matches(whole.span, whole.indices, escaped: escaped, text)
  }

  @Test("kinds are named for a sentence")
  func kindNames() throws {
    let text = bytes(#"[{}, [], "", 1, 1.5, true, null]"#)
    guard case .array(let elements) = try JSONDocument.parse(text.span).value else {
      Issue.record("an array is an array")
      return
    }
    let names = elements.map(\.value.kindName)
    #expect(
      names == [
        "an object", "an array", "a string", "a whole number", "a fractional or very large number", "true or false", "null",
      ])
  }
}
