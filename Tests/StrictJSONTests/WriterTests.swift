import StrictJSON
import Testing

/// A sink that drops what does not fit and remembers it; not copyable, as one over locked memory is.
private struct BoundedSink: JSONSink, ~Copyable {
  var bytes: [UInt8] = []
  let limit: Int
  var overflowed = false

  mutating func append(_ byte: UInt8) {
    if bytes.count < limit { bytes.append(byte) } else { overflowed = true }
  }

  mutating func append(contentsOf bytes: Span<UInt8>) {
    for i in bytes.indices { append(bytes[i]) }
  }
}

@Suite("Writer")
struct WriterTests {
  private func writeSample<Sink: JSONSink & ~Copyable>(_ writer: inout JSONWriter<Sink>) {
    writer.beginObject()
    writer.key("a")
    writer.integer(-1)
    writer.key("b")
    writer.beginArray()
    writer.bool(true)
    writer.bool(false)
    writer.null()
    writer.number(2.5)
    writer.beginObject()
    writer.endObject()
    writer.beginArray()
    writer.endArray()
    writer.endArray()
    writer.key("c" + "\"")
    writer.beginObject()
    writer.key("d")
    writer.string("e")
    writer.endObject()
    writer.endObject()
  }

  @Test("compact text has no white space")
  func compact() {
    var writer = JSONWriter(ByteSink())
    writeSample(&writer)
    let text = String(decoding: writer.finish().bytes, as: UTF8.self)
    #expect(text == #"{"a":-1,"b":[true,false,null,2.5,{},[]],"c\"":{"d":"e"}}"#)
  }

  @Test("pretty text has a line for each entry")
  func pretty() {
    var writer = JSONWriter(ByteSink(), pretty: true)
    writeSample(&writer)
    let expected = """
      {
        "a": -1,
        "b": [
          true,
          false,
          null,
          2.5,
          {},
          []
        ],
        "c\\"": {
          "d": "e"
        }
      }
      """
    #expect(String(decoding: writer.finish().bytes, as: UTF8.self) == expected)
  }

  @Test("a sink with a limit notices that it overflowed", arguments: 0...70)
  func bounded(limit: Int) {
    var writer = JSONWriter(BoundedSink(limit: limit))
    writeSample(&writer)
    let sink = writer.finish()
    let whole = #"{"a":-1,"b":[true,false,null,2.5,{},[]],"c\"":{"d":"e"}}"#
    #expect(sink.overflowed == (limit < whole.utf8.count))
    #expect(sink.bytes == Array(whole.utf8.prefix(limit)))
  }

  @Test(
    "quotes, backslashes and control characters are escaped, nothing else",
    arguments: [
      ("", ""), ("a/b", "a/b"), (#"""#, #"\""#), (#"\"#, #"\\"#), ("\u{0}", #"\u0000"#), ("\u{8}\t\n\u{C}\r", #"\b\t\n\f\r"#),
      ("\u{1}\u{B}\u{1F}", #"\u0001\u000b\u001f"#), ("\u{7F}", #"\u007f"#), ("\u{80}\u{9B}\u{9F}", #"\u0080\u009b\u009f"#),
      ("\u{A0}\u{BF}\u{C2}", "\u{A0}\u{BF}\u{C2}"), ("é😀\u{2028}\u{FEFF}", "é😀\u{2028}\u{FEFF}"),
      ("x\u{9B}31my", #"x\u009b31my"#),
      (" ~", " ~"),
    ])
  func escaping(_ text: String, _ expected: String) {
    var writer = JSONWriter(ByteSink())
    writer.string(text)
    #expect(writer.finish().bytes == bytes("\"" + expected + "\""))
    let raw = bytes(text)
    var fromBytes = JSONWriter(ByteSink())
    fromBytes.string(raw.span)
    #expect(fromBytes.finish().bytes == bytes("\"" + expected + "\""))
  }

  @Test(
    "whole numbers are written digit by digit",
    arguments: [0, 1, -1, 9, 10, 99, 100, Int64.max, Int64.min, 1_234_567_890_123_456_789])
  func integers(_ value: Int64) {
    var writer = JSONWriter(ByteSink())
    writer.integer(value)
    #expect(writer.finish().bytes == bytes(String(value)))
  }

  @Test("64 levels can be written, and read where they are permitted")
  func depth() {
    var writer = JSONWriter(ByteSink())
    for _ in 0..<64 { writer.beginArray() }
    for _ in 0..<64 { writer.endArray() }
    #expect(fault(tokens(writer.finish().bytes, maximumDepth: 64)) == nil)
  }

  @Test("a value without a key in an object traps")
  func valueWithoutKey() async {
    await #expect(processExitsWith: .failure) {
      var writer = JSONWriter(ByteSink())
      writer.beginObject()
      writer.null()
    }
  }

  @Test("a key in an array traps")
  func keyInArray() async {
    await #expect(processExitsWith: .failure) {
      var writer = JSONWriter(ByteSink())
      writer.beginArray()
      writer.key("a")
    }
  }

  @Test("an object that ends behind a key traps")
  func keyWithoutValue() async {
    await #expect(processExitsWith: .failure) {
      var writer = JSONWriter(ByteSink())
      writer.beginObject()
      writer.key("a")
      writer.endObject()
    }
  }

  @Test("two values at the top trap")
  func twoValues() async {
    await #expect(processExitsWith: .failure) {
      var writer = JSONWriter(ByteSink())
      writer.null()
      writer.null()
    }
  }

  @Test("closing the other kind traps")
  func mismatch() async {
    await #expect(processExitsWith: .failure) {
      var writer = JSONWriter(ByteSink())
      writer.beginArray()
      writer.endObject()
    }
  }

  @Test("finishing an open text traps")
  func unfinished() async {
    await #expect(processExitsWith: .failure) {
      var writer = JSONWriter(ByteSink())
      writer.beginArray()
      _ = writer.finish()
    }
  }

  @Test("a number that JSON does not have traps")
  func notFinite() async {
    await #expect(processExitsWith: .failure) {
      var writer = JSONWriter(ByteSink())
      writer.number(.nan)
    }
  }
}
