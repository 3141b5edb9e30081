import ConsentCore
import ConsentLayout
import ConsentPDF
import Glibc
import PasscodePlatform
import TestSupport
import Testing

/// A PDF on disk, and what others read in it.
struct MadePDF {
  let folder: TemporaryDirectory
  let path: String
  let bytes: [UInt8]

  init(_ json: [UInt8], theme: String? = nil) throws {
    let folder = try TemporaryDirectory()
    self.folder = folder
    let result = try Self.run(json, theme: try theme.map { try folder.write("theme.json", Array($0.utf8)) })
    guard result.status == .exited(0) else { throw TestFailure("\(result.status): \(result.errorText)") }
    bytes = result.output
    path = try folder.write("paper.pdf", bytes)
  }

  static func run(_ json: [UInt8], theme: String? = nil) throws -> CommandResult {
    var command = Command(try binary(named: "passcode-consent-pdf"), theme.map { ["--layout", $0] } ?? [])
    command.input = json
    return try command.run()
  }

  /// The output of a program of qpdf or poppler-utils on the file.
  func output(_ program: String, _ arguments: [String] = [], last: [String] = []) throws -> String {
    var command = Command("/usr/bin/" + program, arguments + [path] + last)
    command.environment = ["LANG": "C.UTF-8"]
    let result = try command.run()
    guard result.status == .exited(0) else { throw TestFailure("\(program): \(result.errorText)") }
    return result.outputText
  }

  /// The text, without the marks of direction that pdftotext writes.
  func text() throws -> String { Self.plain(try output("pdftotext", ["-layout"], last: ["-"])) }

  /// Letters for ligatures, one space for each white space, and no marks.
  static func plain(_ text: String) -> String {
    var plain = ""
    for scalar in text.unicodeScalars {
      switch scalar.value {
      case 0x200E, 0x200F, 0x202A...0x202E, 0x2066...0x2069, 0x064B...0x0652: continue
      case 0x20, 0x0A, 0x0C, 0xA0: if plain.last != " " { plain += " " }
      case 0xFEF5, 0xFEF6: plain += "لآ"
      case 0xFEF7, 0xFEF8: plain += "لأ"
      case 0xFEF9, 0xFEFA: plain += "لإ"
      case 0xFEFB, 0xFEFC: plain += "لا"
      case 0xFC43, 0xFC87: plain += "لى"
      case 0xFC44, 0xFC88: plain += "لي"
      default: plain.unicodeScalars.append(scalar)
      }
    }
    return plain
  }
}

@Suite("PDFs as others read them") struct PDFTests {
  @Test("S10, S32: a long form in three languages is valid, tagged, and has all of its text and its fonts") func study() throws
  {
    let json = try vector("study.paper.json")
    let pdf = try MadePDF(json)
    #expect(try pdf.output("qpdf", ["--check"]).contains("No syntax or stream encoding errors found"))
    let facts = try pdf.output("pdfinfo")
    for fact in [
      "Title:           Consent to take part in the study “Sleep and Shift Work”", "Author:          Example University",
      "Subject:         Form A-17/2026", "Tagged:          yes", "(A4)", "Metadata Stream: yes",
    ] { #expect(facts.contains(fact)) }
    #expect(String(decoding: pdf.bytes, as: UTF8.self).contains("/Lang (en)"))
    try expectFonts(pdf)
    let text = try pdf.text()
    for words in [
      "山田 太郎", "محمد الأحمد", "2026-02-11", "2026-02-12", "A-17/2026", "fifty-five efficient flows", "14 Further terms",
    ] {
      #expect(text.contains(words))
    }
    let parsed = try ConsentPaper.parse(json.span)
    let raw = MadePDF.plain(try pdf.output("pdftotext", last: ["-"]))
    for word in Words.all(of: parsed.text) { #expect(raw.contains(MadePDF.plain(word)), "\(word)") }
    #expect(try MadePDF(json).bytes == pdf.bytes)
  }

  private func expectFonts(_ pdf: MadePDF) throws {
    let fonts = try pdf.output("pdffonts").split(separator: "\n").dropFirst(2)
    #expect(fonts.count > 3)
    for font in fonts { #expect(font.split(separator: " ").suffix(5).prefix(3) == ["yes", "yes", "yes"]) }
  }

  @Test("the structure has the headings in order, lists, a table with a header, links and words for a picture") func structure()
    throws
  {
    let pdf = try MadePDF(try vector("study.paper.json"))
    let structure = try pdf.output("pdfinfo", ["-struct-text"])
    let headings = structure.split(separator: "\n").map { $0.drop { $0 == " " } }.filter { $0.hasPrefix("H") }
    #expect(headings.map { $0.prefix(2) } == ["H1"] + Array(repeating: "H2", count: 15))
    for role in ["Lbl", "LBody", "TH", "TD", "BlockQuote", "Link", "Figure", "Sect"] { #expect(structure.contains(role)) }
    #expect(structure.contains("Nothing in this document limits the rights that the law gives you."))
    #expect(try pdf.output("pdfinfo", ["-url"]).contains("https://example.org/study?lang=en&page=%281%29"))
    #expect(String(decoding: pdf.bytes, as: UTF8.self).contains("/Alt <FEFF005300690067"))
  }

  @Test("S1, S16: both signers, their roles, their captions and the drawn signature are on the last page") func signers() throws
  {
    let pdf = try MadePDF(try vector("study.paper.json"))
    let pages = try pdf.output("pdfinfo").split(separator: "\n").first { $0.hasPrefix("Pages:") }!.split(separator: " ")[1]
    let text = MadePDF.plain(try pdf.output("pdftotext", ["-layout", "-f", String(pages)], last: ["-"]))
    for words in [
      "Participant", "Investigator", "Signature", "Printed name", "Date", "E-mail", "m.alahmad@example.org", "Staff number",
      "Page \(pages) of \(pages)",
    ] { #expect(text.contains(words)) }
    let images = try pdf.output("pdfimages", ["-list"])
    #expect(images.contains("300") && images.contains("80"))
  }

  @Test("S10: an Arabic paper has its page numbers in its words") func arabic() throws {
    let pdf = try MadePDF(try vector("arabic.paper.json"))
    #expect(try pdf.output("qpdf", ["--check"]).contains("No syntax or stream encoding errors found"))
    let text = MadePDF.plain(try pdf.output("pdftotext", last: ["-"]))
    for words in ["الموافقة على المشاركة في الدراسة", "2026-02-11", "Marie Curie", "صفحة", "المشارك"] {
      #expect(text.contains(words))
    }
    #expect(String(decoding: pdf.bytes, as: UTF8.self).contains("/Lang (ar)"))
  }

  @Test("what looks like markup, a tag or an end of a string is text") func injection() throws {
    let evil = #"<b>x</b> <script>alert(1)</script> \) ET Q /Lang (xx) 'uri='a' & {page} %PDF"#
    let columns = [RichSignature.Column(value: .text(evil), caption: evil)]
    var made = paper(
      [
        .heading(level: 3, [.text(evil)]), .paragraph([.link(url: "https://e.org/'%20uri='javascript:x", [.text("here")])]),
        .signature(RichSignature(role: evil, columns: columns)),
      ], title: evil)
    (made.author, made.subject) = (evil, "'\"<>")
    let pdf = try MadePDF(made.json)
    #expect(try pdf.output("qpdf", ["--check"]).contains("No syntax or stream encoding errors found"))
    #expect(try pdf.output("pdfinfo").contains("Title:           " + evil))
    let text = try pdf.text()
    #expect(text.contains("<script>alert(1)</script>"))
    #expect(try pdf.output("pdfinfo", ["-url"]).contains("https://e.org/%27%20uri=%27javascript:x"))
    #expect(try pdf.output("pdfinfo").contains("JavaScript:      no"))
  }

  @Test("a theme changes the page, its margins, header, footer and fonts") func themes() throws {
    let theme = """
      {"title": {"font": "DejaVu Serif", "size": 30, "alignment": "center", "lineLimit": 1}, "body": {"font": "DejaVu Sans"},
       "page": {"size": "letter", "header": "Header {page}", "footer": "{title}: {page}/{pages}",
                "margins": {"top": 90, "bottom": 90, "start": 90, "end": 90}}}
      """
    let words = Array(repeating: "word", count: 900).joined(separator: " ")
    let made = paper([.heading(level: 1, [.text(words)]), .paragraph([.text(words)])], title: "Terms")
    let pdf = try MadePDF(made.json, theme: theme)
    #expect(try pdf.output("pdfinfo").contains("612 x 792 pts (letter)"))
    #expect(try pdf.output("pdffonts").contains("DejaVuSans"))
    let text = try pdf.text()
    #expect(text.contains("Terms: 1/") && text.contains("Header 2") && !text.contains("Header 1") && text.contains("…"))
    let refused = try MadePDF.run(made.json, theme: try pdf.folder.write("bad.json", Array(#"{"body": {"sise": 1}}"#.utf8)))
    #expect(refused.status == .exited(65) && refused.output.isEmpty)
    #expect(refused.errorText.contains("line 1, column 11: unknown key \"sise\" in a style; did you mean \"size\"?"))
    #expect(try MadePDF.run(made.json, theme: "/nonexistent").status == .exited(66))
  }

  @Test("letters that no font has are refused, never drawn as boxes") func missing() throws {
    let made = paper([.paragraph([.text("a \u{E000} b")])])
    let result = try MadePDF.run(made.json)
    #expect(result.status == .exited(65) && result.output.isEmpty)
    #expect(result.errorText.contains("U+E000"))
    // Without any font but one of Latin letters.
    let folder = try TemporaryDirectory()
    let config = "<fontconfig><dir>/usr/share/fonts/truetype/dejavu</dir><cachedir>\(folder.path)</cachedir></fontconfig>"
    var command = Command(try binary(named: "passcode-consent-pdf"))
    command.environment = ["FONTCONFIG_FILE": try folder.write("fonts.conf", Array(config.utf8))]
    command.input = paper([.paragraph([.text("山田 太郎 क")])]).json
    let refused = try command.run()
    #expect(refused.status == .exited(65))
    #expect(
      refused.errorText.contains(
        "no installed font has the characters of: Devanagari, Han; install fonts-noto-cjk fonts-noto-core"))
  }

  @Test("what is no paper, or holds a picture that is none, is refused with its place") func faults() throws {
    for (json, words) in [
      ("", "line 1, column 1"), ("{}", "a paper needs"),
      (#"{"title": 1, "language": "en", "direction": "ltr", "pageNumber": "", "blocks": []}"#, "column 11"),
    ] {
      let result = try MadePDF.run(Array(json.utf8))
      #expect(result.status == .exited(65) && result.output.isEmpty && result.errorText.contains(words))
    }
    // Its chunks are whole, what is packed in them is not.
    let image = RichImage(image: try ConsentImage(png: PNG.whole(width: 2, height: 2)), words: "w")
    let result = try MadePDF.run(paper([.paragraph([.image(image)])]).json)
    #expect(result.status == .exited(65) && result.errorText.contains("a picture is no PNG"))
  }

  @Test("a picture may stand first on a page, alone, and as often as one likes") func pictures() throws {
    func image(_ shade: UInt8) throws -> RichBlock {
      let png = PNG.plain(width: 20, height: 20, shade: shade)
      return .paragraph([.image(RichImage(image: try ConsentImage(png: png), words: "words"))])
    }
    let text = RichBlock.paragraph([.text("text")])
    let signature = RichSignature(
      role: "R",
      columns: [.init(value: .image(RichImage(image: try ConsentImage(png: PNG.plain()), words: "w")), caption: "c")])
    for (blocks, count) in [
      ([try image(1)], 1), ([try image(1), text], 1), ([try image(1), try image(2)], 2), ([text, .pageBreak, try image(1)], 1),
      ([text, try image(1), text, try image(1), try image(1)], 3), ([try image(1), .pageBreak, try image(1), try image(1)], 3),
      ([.signature(signature), .signature(signature)], 2),
    ] {
      let pdf = try MadePDF(paper(blocks).json)
      #expect(try pdf.output("qpdf", ["--check"]).contains("No syntax or stream encoding errors found"))
      let figures = try pdf.output("pdfinfo", ["-struct"]).split(separator: "\n").count { $0.contains("Figure") }
      #expect(figures == count, "\(blocks)")
      // Each is seen: not blank where it stands.
      let listed = try pdf.output("pdfimages", ["-list"]).split(separator: "\n").dropFirst(2).count { $0.contains(" image ") }
      #expect(listed == count, "\(blocks)")
    }
  }

  @Test("a word or a letter that no language has is refused, and what many languages have is set") func excess() throws {
    func run(_ text: String) throws -> CommandResult { try MadePDF.run(paper([.paragraph([.text(text)])]).json) }
    for (text, words) in [
      (String(repeating: "a", count: 200_000), "a word has more than 4096 letters"),
      ("a" + String(repeating: "\u{301}", count: 100_000), "a letter has more than 64 marks"),
      (String(repeating: "e\u{301}", count: 5000), "a word has more than 4096 letters"),
    ] {
      let result = try run(text)
      #expect(result.status == .exited(65) && result.output.isEmpty && result.errorText.contains(words))
    }
    for text in [
      String(repeating: "a", count: 4096), String(repeating: "word ", count: 5000),
      "e" + String(repeating: "\u{301}", count: 64),
    ] { #expect(try run(text).status == .exited(0)) }
    #expect(try MadePDF.run(paper([.code(String(repeating: "a", count: 50_000))]).json).status == .exited(0))
  }

  @Test("a theme that is no file is refused, and nothing waits for it") func pipedTheme() throws {
    let folder = try TemporaryDirectory()
    #expect(unsafe mkfifo(folder.file("theme.json"), 0o600) == 0)
    #expect(try MadePDF.run(paper([]).json, theme: folder.file("theme.json")).status == .exited(66))
  }

  @Test("S7: an empty paper is one page") func empty() throws {
    #expect(try MadePDF(paper([]).json).output("pdfinfo").contains("Pages:           1\n"))
  }
}

/// The words of a text, but for those that a line may end within.
enum Words {
  static func all(of text: RichText) -> [String] {
    text.blocks.flatMap { block -> [String] in
      switch block {
      case .heading(_, let spans), .paragraph(let spans): spans.flatMap { of($0) }
      default: []
      }
    }
  }

  private static func of(_ span: RichSpan) -> [String] {
    guard case .text(let text) = span else { return [] }
    return text.split { !$0.isLetter && !$0.isNumber }.map(String.init).filter { word in
      word.unicodeScalars.allSatisfy { $0.value < 0x2E80 }
    }
  }
}
