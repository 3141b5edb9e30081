import StrictJSON
import Testing

@Suite("Tokens")
struct TokenTests {
  @Test("each token comes with its range, without quotes")
  func sequence() {
    let text = #" {"a" : [1, -2.5e3, "x\n", ""], "\u0062":{}, "c":[] , "d":true,"e":false,"f":null} "#
    #expect(
      tokens(bytes(text))
        == .success([
          .beginObject, .key(3..<4, escaped: false), .beginArray, .number(9..<10), .number(12..<18),
          .string(21..<24, escaped: true),
          .string(28..<28, escaped: false), .endArray, .key(33..<39, escaped: true), .beginObject, .endObject,
          .key(46..<47, escaped: false), .beginArray, .endArray, .key(55..<56, escaped: false), .bool(true),
          .key(64..<65, escaped: false), .bool(false), .key(74..<75, escaped: false), .null, .endObject, .end,
        ]))
  }

  @Test(
    "any value may stand at the top",
    arguments: ["0", "-0", "1e5", #""""#, "true", "false", "null", "[]", "{}", "\r\n\t 1 \r\n\t"])
  func top(_ text: String) {
    #expect(fault(tokens(bytes(text))) == nil)
    #expect(fault(document(bytes(text))) == nil)
  }

  @Test("after the end every call says the end")
  func end() throws {
    let text = bytes(" 1 ")
    var tokenizer = try JSONTokenizer(text.span)
    #expect(try tokenizer.next() == .number(1..<2))
    for _ in 0..<3 { #expect(try tokenizer.next() == .end) }
  }

  @Test(
    "a skipped value gives all of its bytes",
    arguments: [
      #""""#, #""a\"b""#, "0", "-1.5E+7", "true", "false", "null", "[]", "{}", #"[1,[2],{"a":"]"}]"#, #"{"a":{"b":[{}]}}"#,
    ])
  func skipping(_ value: String) throws {
    let text = bytes(#"{"skip": "# + value + #" ,"then":1}"#)
    var tokenizer = try JSONTokenizer(text.span)
    #expect(try tokenizer.next() == .beginObject)
    #expect(try tokenizer.next() == .key(2..<6, escaped: false))
    let range = try tokenizer.skipValue()
    #expect(Array(text[range]) == bytes(value))
    #expect(tokenizer.offset == range.upperBound)
    let after = range.upperBound + 3
    #expect(try tokenizer.next() == .key(after..<after + 4, escaped: false))
  }

  @Test("a fault inside of a skipped value is found")
  func skippingFault() throws {
    let text = bytes(#"{"a":[1,{"b":tru}]}"#)
    var tokenizer = try JSONTokenizer(text.span)
    _ = try tokenizer.next()
    _ = try tokenizer.next()
    do throws(JSONFault) {
      let range = try tokenizer.skipValue()
      Issue.record("skipped \(range)")
    } catch {
      #expect(error == JSONFault(reason: .expectedValue, offset: 13))
    }
  }

  @Test("skipping where no value is due traps")
  func skippingTrap() async {
    await #expect(processExitsWith: .failure) {
      let text = Array("[]".utf8)
      var tokenizer = try JSONTokenizer(text.span)
      _ = try tokenizer.next()
      _ = try tokenizer.skipValue()
    }
  }

  @Test("more than 64 levels can't be asked for")
  func deepest() async {
    await #expect(processExitsWith: .failure) {
      let text = Array("[]".utf8)
      _ = try JSONTokenizer(text.span, maximumDepth: 65)
    }
  }

  @Test("line and column count from 1, lines by LF, columns by scalars")
  func positions() {
    let text = bytes("{\r\n  \"é😀\": 1,\n\n  \"b\" 2}")
    let found = fault(document(text))
    let message = found?.message(in: text.span)
    #expect(message == "line 4, column 7: expected a colon after the key")
    let expected: [(Int, Int, Int)] = [
      (0, 1, 1), (2, 1, 3), (3, 2, 1), (6, 2, 4), (8, 2, 5), (12, 2, 6), (.max, 4, 9), (-1, 1, 1),
    ]
    for (offset, line, column) in expected {
      let position = JSONText.position(of: offset, in: text.span)
      #expect(position == (line, column), "offset \(offset)")
    }
  }

  @Test("each reason has a sentence of its own, without a full stop", arguments: JSONFault.Reason.allCases)
  func sentences(_ reason: JSONFault.Reason) {
    let same = JSONFault.Reason.allCases.filter { $0.description == reason.description }
    #expect(same == [reason])
    #expect(!reason.description.hasSuffix("."))
    #expect(JSONFault(reason: reason, offset: 12).description == "byte 12: \(reason)")
  }
}
