import StrictJSON
import Testing

@Suite struct ShownTextTests {
  @Test(
    "what could drive a terminal or turn the text around is written by its number",
    arguments: [
      ("a\u{1B}[31mred", #"a\u{1B}[31mred"#), ("a\nb\r\t\u{7}", #"a\u{A}b\u{D}\u{9}\u{7}"#),
      ("\u{7F}\u{9B}31m", #"\u{7F}\u{9B}31m"#),
      ("exe.\u{202E}gpj", #"exe.\u{202E}gpj"#), ("a\u{2028}b\u{2029}", #"a\u{2028}b\u{2029}"#), ("a\u{200B}b", #"a\u{200B}b"#),
      ("\u{FEFF}a\u{AD}", #"\u{FEFF}a\u{AD}"#), ("a\u{200D}b", #"a\u{200D}b"#), ("a\u{115F}\u{3164}", #"a\u{115F}\u{3164}"#),
      ("\u{E0041}", #"\u{E0041}"#), ("\u{2066}x\u{2069}", #"\u{2066}x\u{2069}"#),
    ])
  func escaped(text: String, shown: String) {
    #expect(text.shown == shown)
    #expect(shown.shown == shown)
    #expect(text.shownSafely == shown)
  }

  @Test(
    "what people write is shown as it is",
    arguments: ["work/aws/prod", "café", "e\u{301}", "日本", "שלום", "👩‍💻", "❤️", "👨🏽‍🚀", "a b — c…"])
  func asItIs(text: String) { #expect(text.shown.utf8.elementsEqual(text.utf8)) }

  @Test("a long text is cut, and not in the middle of an escape")
  func cut() {
    let text = String(repeating: "\u{1B}", count: 100)
    #expect(text.shownSafely == String(repeating: #"\u{1B}"#, count: 80) + "…")
    #expect(String(repeating: "a", count: 80).shownSafely == String(repeating: "a", count: 80))
  }

  @Test("a JSON document is escaped in JSON's own way, and means the same")
  func json() throws {
    var writer = JSONWriter(ByteSink(), pretty: true)
    writer.beginObject()
    writer.key("a\u{202E}\u{E0041}")
    writer.string("\u{1B}\u{7F}\u{9B}é\u{2028}👩‍💻")
    writer.endObject()
    let text = String(decoding: writer.finish().bytes, as: UTF8.self)
    let shown = text.shownAsJSON
    #expect(shown.contains(#"\u202e\udb40\udc41"#) && shown.contains(#"\u007f\u009bé\u2028"#) && shown.contains("\n"))
    #expect(try members(text) == members(shown))
  }

  private func members(_ text: String) throws -> [String] {
    let bytes = Array(text.utf8)
    guard case .object(let members) = try JSONDocument.parse(bytes.span).value else { return [] }
    return members.flatMap { ["\($0.key)", "\($0.node.value)"] }
  }
}
