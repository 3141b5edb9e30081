import ConsentCore
import ConsentMarkup
import Glibc
import PasscodePlatform
import SecretMemory
import StrictJSON
import TestSupport
import Testing

@Suite("Forms as one file") struct FlattenedFormTests {
  private func reparsed(_ bytes: [UInt8]) throws(ConsentFileFault) -> ConsentForm {
    try ConsentFormFile.parse(flattened: bytes.span, name: "flat.json", origin: .administrator)
  }

  private func expectSame(_ form: ConsentForm, _ why: String = "") throws {
    let again = try reparsed(form.flattened)
    #expect(again == form, "\(why)")
    #expect(again.digests == form.digests && again.facts == form.facts, "\(why)")
    #expect(again.flattened == form.flattened, "\(why)")
  }

  @Test("a form of every kind of text is the same form again, with the same digests") func example() throws {
    try expectSame(try parseForm(termsJSON()))
    try expectSame(try consentForm())
    let json = documentJSON(
      #""title": "S", "overrideFile": "o.md", "signaturePageTitle": "P", "signaturePageContent": "a\nb", "sections": ["#
        + #"{"type": "overview", "contentHTML": "<ul><li>a <b>b</b></li></ul>", "summary": "s", "learnMoreTitle": "m"}, "#
        + #"{"type": "onlyInDocument", "title": "t", "content": "plain", "contentBlocks": []}, "#
        + #"{"type": "privacy", "formalTitle": "f", "learnMoreURL": "https://example.org", "omitFromDocument": true}], "#
        + #""signatures": [{"id": "a", "role": "A", "names": "any", "requiresImage": true, "dateFormat": "dd.MM.yyyy", "#
        + #""fields": [{"id": "f", "label": "L", "required": false}]}, {"id": "b", "role": "B"}], "#
        + #""review": {"requiresScrollToBottom": true, "reason": "r", "confirm": false}, "#
        + #""sharing": {"shortName": "E", "longName": "Ex", "learnMoreMarkdown": "*more*"}"#)
    try expectSame(try parseForm(json, ["o.md": "# Own\n\n{{signature}}\n\n![dot](data:image/png;base64,\(smallPNG))"]))
    let pages = termsJSON(
      #""title": "T", "changesMarkdown": "**new**", "labels": {"agree": "Yes", "cancel": "Leave"}, "#
        + #""pages": [{"title": "p", "bodyMarkdown": "| a | b |\n|--|:-:|\n| 1 | `2` |", "#
        + #""learnMore": {"title": "m", "textHTML": "<p>x</p>"}}, {"body": "y", "learnMore": {"title": "m", "url": "mailto:a@b"}}]"#,
      more: #""order": 7, "validDays": 30, "confirmations": {"deny": false}, "#)
    let form = try parseForm(pages)
    try expectSame(form)
    let text = String(decoding: form.flattened, as: UTF8.self)
    for key in ["bodyBlocks", "changesBlocks", "textBlocks"] { #expect(text.contains("\"\(key)\":")) }
    #expect(!text.contains("Markdown") && !text.contains("HTML"))
  }

  @Test("random forms are the same forms again") func random() throws {
    var maker = RandomForms(random: .announced("flattened forms"))
    for number in 0..<400 {
      let json = maker.form()
      try expectSame(try parseForm(json), "form \(number): \(json)")
    }
  }

  @Test("blocks are a way of writing a text, and read without a parser of markup") func byHand() throws {
    let json = termsJSON(
      #""title": "T", "pages": [{"bodyBlocks": [{"type": "paragraph", "spans": [{"text": "a "}, {"strong": [{"text": "b"}]}]}]}]"#
    )
    let form = try ConsentFormFile.parse("f.json", from: FakeFiles(["f.json": json]), origin: .user, markup: nil)
    #expect(form.variants == (try parseForm(termsJSON(#""title": "T", "pages": [{"bodyMarkdown": "a **b**"}]"#))).variants)
  }

  @Test("without a parser of markup, markup is a fault in words; in one file, another file is") func noMarkup() {
    for (key, files) in [(#""bodyMarkdown": "x""#, [:]), (#""bodyHTML": "x""#, [:]), (#""bodyFile": "a.md""#, ["a.md": "x"])] {
      let json = termsJSON(#""title": "T", "pages": [{\#(key)}]"#)
      let folder = FakeFiles(files.merging(["f.json": json]) { $1 })
      let fault = #expect(throws: ConsentFileFault.self) {
        try ConsentFormFile.parse("f.json", from: folder, origin: .user, markup: nil)
      }
      #expect(fault?.message == "texts with markup are not read here; write plain text, or blocks")
      #expect(throws: ConsentFileFault.self) { try reparsed(Array(json.utf8)) }
    }
  }

  /// A page whose text is one block of these members.
  private func faults(block: String) -> [String] {
    formFaults(termsJSON(#""title": "T", "pages": [{"bodyBlocks": [\#(block)]}]"#))
  }

  @Test(
    "a block that no text has is refused",
    arguments: [
      "3", "{}", #"{"type": "script"}"#, #"{"type": "pageBreak"}"#, #"{"type": "rule", "spans": []}"#,
      #"{"type": "paragraph"}"#,
      #"{"type": "signature", "role": "A", "columns": [], "fields": []}"#, #"{"type": "heading", "level": 7, "spans": []}"#,
      #"{"type": "list", "items": [], "start": -1}"#, #"{"type": "list", "items": [{}]}"#,
      #"{"type": "table", "header": [], "rows": [], "alignments": ["up"]}"#,
    ]) func badBlock(block: String)
  { #expect(faults(block: block).count == 1, "\(faults(block: block))") }

  @Test(
    "a span that no text has is refused",
    arguments: [
      "{}", #"{"text": "a", "code": "b"}"#, #"{"text": "a\u001b[2J"}"#, #"{"text": "a\nb"}"#, #"{"text": "\u202e"}"#,
      #"{"link": "javascript:x", "spans": []}"#, #"{"link": "https://e.org"}"#, #"{"lineBreak": false}"#,
      #"{"image": "AAAA", "words": "x"}"#, #"{"bold": []}"#,
      #"{"link": "https://e.org", "spans": [{"link": "https://f.org", "spans": []}]}"#,
    ]) func badSpan(span: String)
  {
    let found = faults(block: #"{"type": "paragraph", "spans": [\#(span)]}"#)
    #expect(found.count == 1, "\(found)")
  }

  @Test("blocks and spans nest as deep as markup does, and no deeper") func depth() throws {
    func nested(quotes: Int, spans: Int) -> String {
      let open = String(repeating: #"{"type": "quote", "blocks": ["#, count: quotes)
      let inner = String(repeating: #"{"strong": ["#, count: spans) + #"{"text": "x"}"# + String(repeating: "]}", count: spans)
      return open + #"{"type": "paragraph", "spans": [\#(inner)]}"# + String(repeating: "]}", count: quotes)
    }
    #expect(faults(block: nested(quotes: 8, spans: 9)) == [])
    #expect(faults(block: nested(quotes: 9, spans: 1)).count == 1)
    #expect(faults(block: nested(quotes: 1, spans: 10)).count == 1)
    #expect(faults(block: nested(quotes: 500, spans: 500)).count == 1)
    for source in [String(repeating: "> ", count: 60) + "x", String(repeating: "*a _b ", count: 40) + "[y](https://e.org)"] {
      let page = ConsentPage(title: nil, body: ConsentText(formatted: markdown(source).text))
      let variant = ConsentVariant(locale: tag("en"), title: "T", content: .pages([page]))
      try expectSame(
        try ConsentForm(
          id: ConsentFormID("a")!, version: ConsentVersion("1.0")!, terms: ConsentTerms(kind: .terms, isRequired: true),
          defaultLocale: tag("en"), variants: [variant]))
    }
  }

  @Test("the deepest form there can be is read on the small stack of a thread") func smallStack() throws {
    let inner = String(repeating: #"{"strong": ["#, count: 9) + #"{"text": "x"}"# + String(repeating: "]}", count: 9)
    let table = #"{"type": "table", "header": [], "rows": [[[\#(inner)]]], "alignments": []}"#
    let list = String(repeating: #"{"type": "list", "items": [["#, count: 7) + table + String(repeating: "]]}", count: 7)
    let json = documentJSON(
      #""sections": [{"type": "overview"}], "sharing": {"shortName": "s", "longName": "l", "learnMoreBlocks": [\#(list)]}"#)
    let bytes = try parseForm(json).flattened
    let (reading, writing) = try makePipe()
    defer { close(reading) }
    let isStarted = startThread(stackBytes: 256 << 10) {
      let form = try? ConsentFormFile.parse(flattened: bytes.span, name: "f", origin: .user)
      var isSame = form?.flattened == bytes ? UInt8(1) : 0
      _ = unsafe write(writing, &isSame, 1)
      close(writing)
    }
    #expect(isStarted)
    var isSame: UInt8 = 0
    #expect(unsafe read(reading, &isSame, 1) == 1 && isSame == 1)
  }

  @Test("changed bytes are read as a form or refused, never a crash") func mutations() throws {
    var maker = RandomForms(random: .announced("flattened mutations"))
    for _ in 0..<60 {
      let good = try parseForm(maker.form()).flattened
      for _ in 0..<60 {
        var bytes = good
        for _ in 0..<Int.random(in: 1...3, using: &maker.random) {
          let at = Int.random(in: 0..<bytes.count, using: &maker.random)
          switch Int.random(in: 0..<3, using: &maker.random) {
          case 0: bytes[at] = .random(in: 0...255, using: &maker.random)
          case 1: bytes.remove(at: at)
          default: bytes.insert(Array("{}[]\",:0".utf8).randomElement(using: &maker.random)!, at: at)
          }
        }
        if let form = try? reparsed(bytes) { try expectSame(form) }
      }
    }
  }

  @Test("a form whose record no store could keep is refused, with the language") func tooLarge() {
    let files = Dictionary(uniqueKeysWithValues: (0..<3).map { ("t\($0).md", String(repeating: "Words. ", count: 140_000)) })
    let pages = (0..<3).map { #"{"bodyFile": "t\#($0).md"}"# }.joined(separator: ", ")
    #expect(formFaults(termsJSON(#""title": "T", "pages": [\#(pages)]"#), files).first?.contains("too large in en") == true)
    let two = (0..<2).map { #"{"bodyFile": "t\#($0).md"}"# }.joined(separator: ", ")
    #expect(formFaults(termsJSON(#""title": "T", "pages": [\#(two)]"#), files) == [])
    func document(_ sections: Int, _ signatures: String) -> String {
      let sections = (0..<sections).map { #"{"type": "custom", "contentFile": "t\#($0).md"}"# }.joined(separator: ", ")
      return documentJSON(#""sections": [\#(sections)], "signatures": [\#(signatures)]"#)
    }
    #expect(formFaults(document(1, #"{"id": "a", "role": "A", "requiresImage": true}"#), files) == [])
    #expect(formFaults(document(2, #"{"id": "a", "role": "A"}"#), files).count == 1)
    let drawn = (0..<3).map { #"{"id": "\#($0)", "role": "A", "requiresImage": true}"# }.joined(separator: ", ")
    #expect(formFaults(document(1, drawn), files).count == 1)
  }
}

/// Makes forms' files at random: every key, every type of block and span, some languages.
struct RandomForms {
  var random: SplitMix64

  private mutating func flip() -> Bool { Bool.random(using: &random) }

  private mutating func words() -> String {
    let pieces = ["a", "é", "e\u{301}", "漢字", " ", "<b>", "&", "\\\"", "شروط", "🙂", "\\n", "*", "1. ", "| "]
    let text = (0..<Int.random(in: 1...8, using: &random)).map { _ in pieces.randomElement(using: &random)! }.joined()
    return text
  }

  private mutating func line() -> String { "x" + words().split(separator: "\\n").joined() }

  private mutating func markup(_ key: String) -> String {
    let parts = [
      "# h\\n\\n", "- a\\n- b\\n  1. c\\n", "> q\\n\\n", "`c`", "**s** ", "*e* ", "~~d~~ ", "[l](https://e.org) ", "---\\n\\n",
      "| a | b |\\n|---|:-:|\\n| 1 | **2** |\\n\\n", "```\\ncode  x\\n```\\n", "a  \\nb\\n\\n",
      "![w](data:image/png;base64,\(smallPNG)) ",
    ]
    let text = (0..<Int.random(in: 0...8, using: &random)).map { _ in parts.randomElement(using: &random)! }.joined()
    return "\"\(key)Markdown\": \"x \(text)\(words())\""
  }

  private mutating func text(_ key: String) -> String {
    switch Int.random(in: 0..<3, using: &random) {
    case 0: "\"\(key)\": \"\(words())\""
    case 1: markup(key)
    default: "\"\(key)HTML\": \"<p>\(line()) <em>e</em></p><ol start=4><li>\(line())<ul><li>y</ul></ol>\""
    }
  }

  private mutating func object(_ members: [String?]) -> String { "{" + members.compactMap { $0 }.joined(separator: ", ") + "}" }

  private mutating func maybe(_ member: (inout RandomForms) -> String) -> String? { flip() ? member(&self) : nil }

  private mutating func page() -> String {
    object([
      maybe { "\"title\": \"\($0.line())\"" }, text("body"),
      maybe { "\"learnMore\": {\"title\": \"m\", \($0.flip() ? "\"url\": \"https://e.org/\"" : $0.text("text"))}" },
    ])
  }

  private mutating func section() -> String {
    let type = ["overview", "privacy", "custom", "onlyInDocument"].randomElement(using: &random)!
    return object([
      "\"type\": \"\(type)\", \"title\": \"\(line())\"", maybe { "\"summary\": \"\($0.line())\"" },
      maybe { $0.text("content") },
      maybe { "\"formalTitle\": \"\($0.line())\"" }, maybe { _ in "\"learnMoreURL\": \"https://e.org\"" },
      maybe { "\"learnMoreTitle\": \"\($0.line())\"" }, type == "onlyInDocument" ? nil : "\"omitFromDocument\": \(flip())",
    ])
  }

  private mutating func document(_ signatures: Int, _ sharing: Bool) -> String {
    let sections = [#"{"type": "custom"}"#] + (0..<Int.random(in: 0...3, using: &random)).map { _ in section() }
    let places = (0..<signatures).map { "{\"id\": \"\($0)\", \"role\": \"\(line())\"}" }
    return object([
      maybe { "\"title\": \"\($0.line())\"" }, "\"sections\": [\(sections.joined(separator: ", "))]",
      maybe { $0.markup("override") }, "\"signatures\": [\(places.joined(separator: ", "))]",
      maybe { "\"signaturePageContent\": \"\($0.words())\"" }, maybe { "\"review\": {\"confirm\": \($0.flip())}" },
      sharing ? "\"sharing\": {\"shortName\": \"s\", \"longName\": \"l\", \(markup("learnMore"))}" : nil,
    ])
  }

  mutating func form() -> String {
    let isDocument = flip(), signatures = Int.random(in: 0...2, using: &random), sharing = flip()
    let locales = (["en"] + ["de", "ar", "ja"].filter { _ in flip() }).map { locale in
      let content =
        isDocument
        ? "\"document\": \(document(signatures, sharing))"
        : "\"pages\": [\((0..<Int.random(in: 1...3, using: &random)).map { _ in page() }.joined(separator: ", "))]"
      return "\"\(locale)\": {\"title\": \"\(line())\", \(content)}"
    }
    return
      #"{"id": "f", "version": "1.2", "kind": "consent", "required": \#(flip()), "defaultLocale": "en", "#
      + #""processing": \#(processing), "locales": {\#(locales.joined(separator: ", "))}}"#
  }
}
