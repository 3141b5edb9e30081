import ConsentCore
import ConsentLayout
import TestSupport
import Testing

@Suite("Papers in JSON") struct PaperReadingTests {
  @Test("what is written is read back") func roundTrip() throws {
    var random = SplitMix64.announced()
    for _ in 0..<400 {
      var made = paper(
        Self.blocks(&random, depth: 0), title: Self.words(&random), in: ["en", "ar", "ja"].randomElement(using: &random)!)
      if Bool.random(using: &random) { made.author = Self.words(&random) }
      if Bool.random(using: &random) { made.date = ZonedInstant(seconds: Int64.random(in: 0...4_000_000_000, using: &random)) }
      let json = made.json
      #expect(try ConsentPaper.parse(json.span) == made)
    }
  }

  @Test(
    "a fault has its place",
    arguments: [
      (#"{"title": "T"}"#, #"line 1, column 1: a paper needs "language""#),
      ("[]", "line 1, column 1: expected an object, found an array"),
      (Self.json(#"[{"type": "headin"}]"#), #"did you mean "heading"?"#),
      (Self.json(#"[{"type": "heading", "level": 7, "spans": []}]"#), "expected a number from 1 to 6, found 7"),
      (Self.json(#"[{"type": "rule", "colour": 1}]"#), #"unknown key "colour" in a block of type rule"#),
      (Self.json(#"[{"spans": []}]"#), #"a block needs "type""#),
      (Self.json(#"[{"type": "paragraph", "spans": [{"text": "a", "strong": []}]}]"#), "a span is one thing"),
      (Self.json(#"[{"type": "paragraph", "spans": [{"text": "a\u0007"}]}]"#), "expected a text without control characters"),
      (Self.json(#"[{"type": "paragraph", "spans": [{"link": "file:///etc/passwd", "spans": []}]}]"#), "expected an address"),
      (Self.json(#"[{"type": "paragraph", "spans": [{"image": "AAAA", "words": ""}]}]"#), "expected a PNG"),
      (Self.json(#"[{"type": "paragraph", "spans": [{"lineBreak": false}]}]"#), "expected true, found true or false"),
      (Self.json("[]", direction: "rtl"), #"expected "ltr", the direction of en"#),
    ]
  ) func faults(_ json: String, _ words: String) {
    #expect { try parsePaper(json) } throws: { "\($0)".contains(words) }
  }

  @Test("nesting is bounded") func depth() {
    let deep = String(repeating: #"[{"type": "quote", "blocks": "#, count: 18) + "[]" + String(repeating: "}]", count: 18)
    #expect { try parsePaper(Self.json(deep)) } throws: { "\($0)".contains("nested too deeply") }
  }

  static func json(_ blocks: String, direction: String = "ltr") -> String {
    #"{"title": "T", "language": "en", "direction": "\#(direction)", "pageNumber": "{page}", "blocks": \#(blocks)}"#
  }

  // MARK: - Random texts

  private static func words(_ random: inout SplitMix64) -> String {
    let letters = Array("ab <>&\"\\/'é א م 日 \u{2066}\u{2069}😀")
    return String((0..<Int.random(in: 0...12, using: &random)).map { _ in letters.randomElement(using: &random)! })
  }

  private static func blocks(_ random: inout SplitMix64, depth: Int) -> [RichBlock] {
    (0..<Int.random(in: 0...4, using: &random)).map { _ in block(&random, depth) }
  }

  private static func block(_ random: inout SplitMix64, _ depth: Int) -> RichBlock {
    switch Int.random(in: 0...(depth < 4 ? 8 : 6), using: &random) {
    case 0: return .heading(level: Int.random(in: 1...6, using: &random), spans(&random, 0))
    case 1: return .code(words(&random) + "\n" + words(&random))
    case 2: return .rule
    case 3: return .pageBreak
    case 4:
      let column = RichSignature.Column(value: .text(words(&random)), caption: words(&random))
      return .signature(RichSignature(role: words(&random), columns: [column], fields: [.init(value: .blank, caption: "")]))
    case 5:
      return .table(
        RichTable(header: [spans(&random, 0)], rows: [[spans(&random, 0), []]], alignments: [.center, .natural]))
    case 6: return .paragraph(spans(&random, 0))
    case 7:
      let start = Bool.random(using: &random) ? 7 : nil
      return .list(RichList(start: start, items: [blocks(&random, depth: depth + 1), []]))
    default: return .quote(blocks(&random, depth: depth + 1))
    }
  }

  private static func spans(_ random: inout SplitMix64, _ depth: Int) -> [RichSpan] {
    (0..<Int.random(in: 0...3, using: &random)).map { _ in
      switch Int.random(in: 0...(depth < 3 ? 7 : 3), using: &random) {
      case 0: .text(words(&random))
      case 1: .isolated(words(&random))
      case 2: .code(words(&random))
      case 3: .lineBreak
      case 4: .emphasis(spans(&random, depth + 1))
      case 5: .strong(spans(&random, depth + 1))
      case 6: .strike(spans(&random, depth + 1))
      // No link stands within another.
      default: .link(url: "https://example.org/é", [.text(words(&random)), .code("c")])
      }
    }
  }
}

@Suite("Themes") struct ThemeTests {
  private func theme(_ json: String) throws(ConsentFileFault) -> ConsentTheme {
    let bytes = Array(json.utf8)
    return try ConsentTheme.parse(bytes.span, name: "theme.json")
  }

  @Test("every key is read") func whole() throws {
    let read = try theme(
      """
      {"title": {"font": "Noto Serif", "size": 24, "color": "#102030", "alignment": "center", "lineLimit": 2},
       "body": {"size": 9.5}, "action": {"color": "#ABCDEF"},
       "page": {"size": "letter", "header": "", "footer": "{page}/{pages}",
                "margins": {"top": 72, "bottom": 72, "start": 90, "end": 36}}}
      """)
    #expect(read.title.font == "Noto Serif" && read.title.size == 24 && read.title.lineLimit == 2)
    #expect(read.title.color?.description == "#102030" && read.title.alignment == .center)
    #expect(read.body.size == 9.5 && read.action.color == ConsentColor(0xAB_CDEF))
    #expect(read.page.size == .letter && read.page.header == "" && read.page.footer == "{page}/{pages}")
    #expect(read.page.margins == ConsentMargins(top: 72, bottom: 72, start: 90, end: 36))
    #expect(try theme("{}") == ConsentTheme())
  }

  @Test(
    "a fault has its line, its column and what was probably meant",
    arguments: [
      ("{\n  \"titel\": {}}", #"theme.json: line 2, column 3: unknown key "titel" in a theme; did you mean "title"?"#),
      (#"{"title": {"size": 4}}"#, "theme.json: line 1, column 20: expected a number from 5 to 72, found 4.0"),
      (#"{"title": {"color": "red"}}"#, ##"theme.json: line 1, column 21: expected a colour such as "#1b2a41""##),
      (#"{"body": {"alignment": "left"}}"#, #"line 1, column 24: expected one of "start", "center", "end", found "left""#),
      (#"{"title": {"font": "Noto 12@wght=200"}}"#, "line 1, column 20: expected families of fonts"),
      (#"{"page": {"margins": {"top": 40}}}"#, #"line 1, column 22: the margins needs "bottom""#),
      (#"{"title": {}, "title": {}}"#, "line 1, column 15:"),
    ]
  ) func faults(_ json: String, _ words: String) {
    #expect { try theme(json) } throws: { "\($0)".contains(words) }
  }

  @Test(
    "the paper is what is usual in the region",
    arguments: [
      ("en-US", ConsentPageSize.letter), ("es-MX", .letter), ("en-GB", .a4), ("de", .a4), ("en", .a4), ("ja-JP", .a4),
    ]
  ) func size(_ language: String, _ size: ConsentPageSize) {
    #expect(ConsentPageSize.usual(for: tag(language)) == size)
    #expect(PaperStyle(ConsentTheme(), for: paper([], in: language)).size == size.points)
  }

  @Test("start and end of the margins are the language's") func margins() {
    var theme = ConsentTheme()
    theme.page.margins = ConsentMargins(top: 40, bottom: 50, start: 60, end: 100)
    #expect(PaperStyle(theme, for: paper([], in: "en")).margins.left == 60)
    #expect(PaperStyle(theme, for: paper([], in: "ar")).margins.left == 100)
  }
}
