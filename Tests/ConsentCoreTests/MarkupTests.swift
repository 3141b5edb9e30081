import ConsentCore
import ConsentMarkup
import SecretMemory
import StrictJSON
import TestSupport
import Testing

let smallPNG =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg=="

func markdown(_ source: String) -> MarkupReading { CMarkupReader().read(.markdown(source)) }
func html(_ source: String) -> MarkupReading { CMarkupReader().read(.html(source)) }

@Suite("Markup") struct MarkupTests {
  @Test("Markdown becomes blocks") func blocks() {
    let reading = markdown("# A *b*\n\none\ntwo  \nthree\n\n3. x\n4. y\n\n> q\n\n---\n\n```\ncode <b>\n```\n")
    #expect(
      reading.text.blocks == [
        .heading(level: 1, [.text("A "), .emphasis([.text("b")])]),
        .paragraph([.text("one two"), .lineBreak, .text("three")]),
        .list(RichList(start: 3, items: [[.paragraph([.text("x")])], [.paragraph([.text("y")])]])),
        .quote([.paragraph([.text("q")])]), .rule, .code("code <b>"),
      ])
    #expect(reading.findings == [])
  }

  @Test("tables keep their header and their alignment") func tables() {
    let expected = RichTable(
      header: [[.text("a")], [.text("b")]], rows: [[[.text("1")], [.strong([.text("2")])]]], alignments: [.natural, .right])
    #expect(markdown("| a | b |\n|---|--:|\n| 1 | **2** |").text.blocks == [.table(expected)])
    let source = "<table><thead><tr><th>a</th><th align=right>b</th></tr></thead><tr><td>1</td><td><b>2</b></td></tr></table>"
    #expect(html(source).text.blocks == [.table(expected)])
  }

  @Test("HTML and Markdown of the same text are the same text") func sameText() {
    let source = """
      <h2>Title</h2> loose <div><p>One   <em>two</em>
      three<br> four</p><ul><li>a</li><li><p>b</p><ol start=4><li>c</li></ol></li></ul></div>
      """
    let reading = html(source)
    #expect(reading.findings == [])
    #expect(
      reading.text.blocks.filter { $0 != .paragraph([.text("loose")]) }
        == markdown("## Title\n\nOne *two*\nthree  \nfour\n\n- a\n- b\n\n  4. c\n").text.blocks)
  }

  @Test(
    "what HTML could run, style or fetch is told and left out",
    arguments: [
      "<script>alert(1)</script>", "<style>p{}</style>", "<p onclick='x()'>text</p>", "<p style='x'>text</p>",
      "<iframe src='https://x'></iframe>", "<img src='https://x/y.png' alt='words'>", "<a href='javascript:x()'>text</a>",
      "<svg><script>x</script></svg>", "<form><input></form>", "<link rel=stylesheet href=x>", "<object data=x></object>",
      "<video src=x></video>", "<a href='data:text/html,x'>text</a>", "<base href=x>", "<head><style>x</style></head>",
    ])
  func forbidden(source: String) {
    let reading = html("<p>before</p>\n\(source)<p>after</p>")
    #expect(!reading.findings.isEmpty)
    let rendered = reading.text.html
    for word in ["<script", "<style", "onclick", "javascript:", "<iframe", "<svg", "<form", "<link", "https://x", "<object"] {
      #expect(!rendered.contains(word))
    }
    #expect(rendered.contains("before") && rendered.contains("after"))
    #expect(source.contains("text<") == rendered.contains("text") || source.contains("text/html"))
    #expect(!rendered.contains("alert"))
  }

  @Test(
    "markup that is not closed, and would take what follows along, is told",
    arguments: [
      "<!-- owe", "<!-- a <!-- b -->", "<!-->owe<!-- -->", "<!-- a --!> owe", "<![CDATA[owe", "<![CDATA[owe]]>", "<!owe", "<!",
      "<?owe", "<p owe", "</p owe", "<p class=\"owe", "<p class='owe<b>x</b>", "<p title=\"x>owe</p><p title=\"y\">",
      "<p <b>owe</b>",
      "</ owe", "<", "<title>owe</title>",
    ])
  func unclosed(source: String) {
    let findings = html("<p>before</p>\n\n\(source)").findings
    #expect(findings.first?.line == 3, "\(findings)")
    #expect(
      formFaults(termsJSON(#""title": "T", "pages": [{"bodyFile": "a.html"}]"#), ["a.html": "<p>x</p>" + source]).count > 0)
  }

  @Test(
    "markup that is closed is not told, whatever is in it",
    arguments: [
      "<!doctype html><html><head><title>t</title><meta charset=utf-8></head><body>x</body></html>", "<!-- - -- > < \" -->x",
      "<p class = \"a 'b'\">x</p >", "a < b > c << 3 <= 4 \" '", "<p title=it's>x</p>", "<br/>x", "<p\nclass=a\n>x</p\n>",
      "<img alt=\"it's\" src='data:image/png;base64,\(smallPNG)'>x",
    ])
  func closed(source: String) {
    let reading = html(source)
    #expect(reading.findings == [] && !letters(reading.text).isEmpty, "\(reading)")
  }

  @Test("a sign that starts no tag is text") func signs() {
    #expect(letters(html("<p>a < b << 3 <= 4 <> 5 <3</p>").text) == "a<b<<3<=4<>5<3")
  }

  @Test("a text that would keep its parser busy is told, and shown as it is") func excessive() {
    let wide = String(repeating: "|a", count: 20000) + "|\n" + String(repeating: "|-", count: 20000) + "|\n"
    let repeated =
      "[a]: https://x/" + String(repeating: "b", count: 50000) + "\n\n" + String(repeating: "[a]\n", count: 100_000)
    for source in [
      wide + String(repeating: String(repeating: "|x", count: 20000) + "|\n", count: 5), repeated,
      String(repeating: "a <? ", count: 180_000), String(repeating: "a <!X ", count: 150_000),
      String(repeating: "a <![CDATA[ ", count: 80_000),
    ] {
      let reading = markdown(source)
      #expect(reading.findings.map(\.line) == [1] && reading.text == RichText(plain: source))
    }
    let reading = html("<p>\n<p " + (0..<80_000).map { "a\($0)=x" }.joined(separator: " ") + ">y")
    #expect(reading.findings == [MarkupFinding(line: 2, message: "a tag with more than 100 attributes")])
  }

  @Test("a table as wide as it may be keeps the alignment of each of its columns") func wideTable() {
    let text = markdown(
      String(repeating: "|a", count: 900) + "|\n" + String(repeating: "|:-|-:|-", count: 300) + "|\n"
        + String(repeating: "|x", count: 900) + "|"
    ).text
    guard case .table(let table)? = text.blocks.first else {
      Issue.record("no table")
      return
    }
    #expect(table.alignments == (0..<900).map { [.left, .right, .natural][$0 % 3] })
  }

  @Test("a finding has the line that it stands on") func findingLine() {
    #expect(html("<p>a</p>\n<p>b</p>\n<video></video>").findings.map(\.line) == [3])
    #expect(markdown("a\n\n![x](https://example.org/x.png)").findings.map(\.line) == [3])
  }

  @Test("an injection through a Markdown body shows as text everywhere") func markdownInjection() throws {
    let evil = "<script>alert('x')</script> & <img src=x onerror=y>"
    for source in [
      evil, "# \(evil)", "- \(evil)", "| \(evil) |\n|---|\n| \(evil) |", "text \(evil) text", "<div>\n\(evil)\n</div>",
    ] {
      let text = markdown(source).text
      #expect(!text.html.contains("<script") && !text.html.contains("<img"))
      #expect(text.html.contains("&lt;script&gt;alert"))
      #expect(text.plain(locale: tag("en")).contains("<script>alert"))
    }
  }

  @Test("no text drives a terminal or turns its neighbours round") func terminal() {
    let evil = "a\u{1B}[2Jb\u{9B}31mc\u{202E}d\u{7}"
    let plain = RichText(plain: evil).plain(locale: tag("en"))
    for formatted in [markdown(evil).text, html(evil).text] { #expect(formatted.plain(locale: tag("en")) == plain) }
    #expect(plain == "a\u{FFFD}[2Jb\u{FFFD}31mc\u{FFFD}d\u{FFFD}\n")
    for entity in ["&#27;[2J", "&#x9b;x", "&#x202E;x", "&#0;x"] {
      let shown = html("<p>\(entity)</p>").text.plain(locale: tag("en"))
      #expect(!shown.unicodeScalars.contains { $0.value < 0x20 && $0 != "\n" || 0x7F..<0xA0 ~= $0.value || $0.value == 0x202E })
      let marked = markdown("x \(entity)").text.plain(locale: tag("en"))
      #expect(
        !marked.unicodeScalars.contains { $0.value < 0x20 && $0 != "\n" || 0x7F..<0xA0 ~= $0.value || $0.value == 0x202E })
    }
  }

  @Test("an image is a PNG that the text carries, or its words") func images() throws {
    for reading in [
      markdown("![dot](data:image/png;base64,\(smallPNG))"), html("<img alt=dot src='data:image/png;base64,\(smallPNG)'>"),
    ] {
      #expect(reading.findings == [])
      guard case .paragraph(let spans) = reading.text.blocks.first, case .image(let image) = spans.first else {
        Issue.record("no image in \(reading.text)")
        continue
      }
      #expect(image.words == "dot" && image.image.png.count == 70)
      #expect(reading.text.html.contains("data:image/png;base64,\(smallPNG)"))
      #expect(reading.text.plain(locale: tag("en")) == "[dot]\n")
    }
    for bad in ["data:image/png;base64,AAAA", "data:image/svg+xml;base64,AAAA", "data:image/png;base64,\(smallPNG)=", "x.png"] {
      #expect(markdown("![dot](\(bad))").findings.count == 1)
    }
  }

  @Test("the address of a link is always told") func linkAddress() {
    let text = markdown("[https://good.example](https://evil.example) <https://plain.example>").text
    #expect(text.plain(locale: tag("en")) == "https://good.example (https://evil.example) https://plain.example\n")
  }

  @Test("deep nesting is flattened or refused, never a crash", arguments: [10, 60, 300, 5000]) func nesting(depth: Int) {
    let texts = [
      markdown(String(repeating: "> ", count: depth) + "x"), markdown(String(repeating: "*a _b ", count: depth) + "x"),
      html(String(repeating: "<blockquote>", count: depth) + "x"), html(String(repeating: "<em>", count: depth) + "x"),
      html(String(repeating: "<ul><li>", count: depth) + "x"), html(String(repeating: "<table><tr><td>", count: depth) + "x"),
    ].map(\.text)
    for text in texts {
      #expect(text.plain(locale: tag("en")).contains("x"))
      var json = JSONWriter(ByteSink())
      text.write(to: &json)
      #expect(!json.finish().bytes.isEmpty)
    }
  }

  @Test("arbitrary texts are read, and their HTML read again shows the same text") func fuzz() {
    var random = SplitMix64.announced("markup")
    let pieces = [
      "<p>", "</p>", "<b>", "</b>", "<ul>", "<li>", "</ul>", "<table>", "<tr>", "<td>", "<script>", "&amp;", "&#27;", "*", "**",
      "\n",
      "\n\n", "- ", "1. ", "> ", "`", "```\n", "| a | b |\n|--|--|\n", "[x](https://e.org)", "![y](z)", "text", " ", "é",
      "\u{0}",
      "<!--", "-->", "<a href='https://e.org'>", "</a>", "<pre>", "\\", "~~", "# ", "<h1>", "<img src=x>", "]]>", "<![CDATA[",
    ]
    for _ in 0..<4000 {
      let source = (0..<Int.random(in: 1...25, using: &random)).map { _ in pieces.randomElement(using: &random)! }.joined()
      for text in [markdown(source).text, html(source).text] {
        var json = JSONWriter(ByteSink())
        text.write(to: &json)
        let bytes = json.finish().bytes
        #expect(throws: Never.self) { try JSONDocument.parse(bytes.span, maximumDepth: 64) }
        let written = text.html
        let again = html(written)
        #expect(again.findings.isEmpty, "\(source.debugDescription)")
        #expect(letters(again.text) == letters(text), "\(source.debugDescription)")
        _ = text.lines(width: 20, locale: tag("en"))
      }
    }
  }

  @Test("lines are broken at spaces and never wider than asked") func breaking() {
    var random = SplitMix64.announced("line breaking")
    for _ in 0..<500 {
      let words = (0..<30).map { _ in
        String((0..<Int.random(in: 1...30, using: &random)).map { _ in "ab c漢é".randomElement(using: &random)! })
      }
      let source = words.joined(separator: " ")
      let width = Int.random(in: 20...60, using: &random)
      let lines = RichText(plain: source).lines(width: width, locale: tag("en"))
      for line in lines { #expect(line.text.reduce(0) { $0 + ("漢" == $1 ? 2 : 1) } <= width) }
      #expect(lines.map(\.text).joined().filter { $0 != " " } == source.filter { $0 != " " })
    }
  }

  @Test("lists and quotes are indented, tables told row by row") func plainShape() {
    let text = markdown("# T\n\n- a\n- b\n\n  c\n\n> q\n\n| h | i |\n|---|---|\n| 1 | 2 |\n").text
    #expect(
      text.plain(locale: tag("en")) == "T\n\n- a\n- b\n\n  c\n\n| q\n\n- h: 1\n  i: 2\n")
  }

  @Test("SHA-256 is the one of the standard") func sha256() {
    #expect(SHA256.digest([UInt8]().span).hex == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855")
    #expect(SHA256.digest(Array("abc".utf8).span).hex == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
    let digest = SHA256.digest(Array("abc".utf8).span)
    #expect(Digest(hex: digest.hex) == digest)
    for bad in ["", "0", digest.hex + "0", digest.hex.uppercased(), String(digest.hex.dropLast())] {
      #expect(Digest(hex: bad) == nil)
    }
  }
}

/// The text without white space and without the marks of lists.
func letters(_ text: RichText) -> String { text.plain(locale: tag("en")).filter { !$0.isWhitespace } }
