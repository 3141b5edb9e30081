import ConsentCore
import TestSupport
import Testing

@Suite("Themes on a terminal") struct TerminalThemeTests {
  private let long = Array(repeating: "word", count: 30).joined(separator: " ")

  private func theme(_ json: String) throws -> ConsentTheme {
    try ConsentTheme.parse(Array(json.utf8).span, name: "theme.json")
  }

  private func lines(_ blocks: [RichBlock], _ json: String, width: Int = 40) throws -> [String] {
    RichText(blocks).lines(width: width, locale: tag("en"), theme: try theme(json)).map(\.text)
  }

  @Test("titles and texts stand where the theme has them") func alignment() throws {
    let blocks: [RichBlock] = [.heading(level: 1, [.text("Title")]), .paragraph([.text("body")])]
    #expect(try lines(blocks, "{}") == ["Title", "", "body"])
    let moved = try lines(blocks, #"{"title": {"alignment": "center"}, "body": {"alignment": "end"}}"#)
    #expect(moved == [String(repeating: " ", count: 17) + "Title", "", String(repeating: " ", count: 36) + "body"])
    let list = RichBlock.list(RichList(start: nil, items: [[.paragraph([.text("one")])]]))
    #expect(try lines([list], #"{"body": {"alignment": "end"}}"#) == ["- " + String(repeating: " ", count: 35) + "one"])
    #expect(try lines([.heading(level: 1, [.text("漢字")])], #"{"title": {"alignment": "end"}}"#)[0].count == 38)
  }

  @Test("a title is cut to its lines, and a text never is") func limit() throws {
    let one = #"{"title": {"lineLimit": 1}, "body": {"lineLimit": 1}, "action": {"lineLimit": 1}}"#
    let title = try lines([.heading(level: 1, [.text(long)])], one)
    #expect(title.count == 1 && title[0].hasSuffix("word…") && title[0].count <= 40)
    let body = try lines([.paragraph([.text(long)]), .paragraph([.link(url: "https://e.org/", [.text(long)])])], one)
    #expect(body.joined(separator: " ").split(separator: " ").filter { $0 == "word" }.count == 60)
    #expect(try lines([.heading(level: 1, [.text("漢字漢字漢字漢字漢字漢字")])], one, width: 20) == ["漢字漢字漢字漢字漢…"])
  }

  @Test("the words of an action are cut, too, and steer nothing") func action() throws {
    let cut = try theme(#"{"action": {"lineLimit": 1}}"#).actionWords(long, width: 20)
    #expect(cut == "word word word word…")
    #expect(ConsentTheme().actionWords(long, width: 20) == long)
    #expect(try !theme(#"{"action": {"lineLimit": 1}}"#).actionWords("a\u{1B}[2J", width: 20).contains("\u{1B}"))
  }

  @Test("no theme changes the text that is agreed to") func exactText() throws {
    let text = RichText([.heading(level: 1, [.text(long)])])
    let theme = try theme(#"{"title": {"alignment": "end", "lineLimit": 1}}"#)
    #expect(text.lines(width: nil, locale: tag("en"), theme: theme) == text.lines(width: nil, locale: tag("en")))
  }

  /// Source: WCAG 2.2, relative luminance.
  private func luminance(_ color: ConsentColor) -> Double {
    func linear(_ channel: Int) -> Double {
      let share = Double(channel) / 255
      // The curve's power, by halves and fifths of logarithms that are not at hand here: a Newton root does it.
      if share <= 0.04045 { return share / 12.92 }
      let base = (share + 0.055) / 1.055
      var root = base  // base to the power of 1/5
      for _ in 0..<60 { root -= (root * root * root * root * root - base) / (5 * root * root * root * root) }
      return base * base * root * root
    }
    let (red, green, blue) = color.channels
    return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue)
  }

  @Test("every colour can be read on black and on white: contrast 2.9 to 1 and more") func contrast() {
    var random = SplitMix64.announced("theme colours")
    let colors = (0..<500).map { _ in UInt32.random(in: 0...0xFF_FFFF, using: &random) } + [0, 0xFF_FFFF, 0xFF, 0xFFFF00]
    for color in colors.map({ ConsentColor($0) }) {
      let light = luminance(color.readable)
      #expect((light + 0.05) / 0.05 > 2.9 && 1.05 / (light + 0.05) > 2.9, "\(color) becomes \(color.readable)")
    }
  }

  @Test("a readable colour stays, also among the 256") func palette() {
    let blue = ConsentColor(0x5F87D7)
    #expect(blue.readable == blue && blue.paletteIndex == 68)
    #expect(ConsentColor(0x00_0000).paletteIndex >= 16 && ConsentColor(0xFF_FFFF).paletteIndex <= 255)
    let channels = ConsentColor(0x80_0000).readable.channels
    #expect(channels.red > channels.green && channels.green == channels.blue)
  }
}
