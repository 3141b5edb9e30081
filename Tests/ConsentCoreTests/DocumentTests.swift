import ConsentCore
import SecretMemory
import StrictJSON
import TestSupport
import Testing

/// The document's own blocks, as HTML.
func printed(_ document: ConsentDocument) -> String { DocumentFormatter().text(of: document, mode: .print).html }
func printed(_ section: ConsentSection) -> String { RichText(SectionFormatter().blocks(for: section)).html }
func drawn(_ signature: ConsentSignature) -> RichSignature {
  SignatureFormatter().block(for: signature, labels: ConsentLabels())
}

struct FakeRenderer: ConsentPaperRendering {
  struct Failed: Error, Equatable { let code: Int }
  let result: Result<[UInt8], Failed>
  func pdf(of paper: ConsentPaper) async throws(Failed) -> [UInt8] { try result.get() }
}

@Suite("Documents as ResearchKit's tests have them") struct ResearchKitTests {
  @Test("RK-1: an override alone is followed by an empty signature page") func overrideAlone() {
    #expect(
      printed(ConsentDocument(override: html("<p>some content</p>").text))
        == "<p>some content</p>\n<div class=\"page-break\"></div>\n<h4></h4>\n<p></p>\n")
  }

  @Test("RK-2: title, sections, signature page, signatures, in this order") func order() {
    var first = ConsentSection(type: .custom, content: "First content")
    var second = ConsentSection(type: .custom, content: "Second content")
    (first.title, second.title) = ("First", "Second")
    var document = ConsentDocument(
      title: "Title", sections: [first, second],
      signatures: [ConsentSignature(id: "a", role: "Role A"), ConsentSignature(id: "b", role: "Role B")])
    (document.signaturePageTitle, document.signaturePageContent) = ("Page title", "Page content")
    let html = printed(document)
    let wanted = [
      "<h3>Title</h3>", "<h4>First</h4>\n<p>First content</p>", "<h4>Second</h4>\n<p>Second content</p>", "page-break",
      "<h4>Page title</h4>", "<p>Page content</p>", "Role A", "Role B",
    ]
    var rest = html[...]
    for part in wanted {
      guard let found = rest.firstRange(of: part) else {
        Issue.record("\(part) is not where it belongs in \(html)")
        return
      }
      rest = rest[found.upperBound...]
    }
  }

  @Test("RK-3: the renderer's bytes come as they are") func rendererData() async throws {
    let paper = ConsentPaper(title: "T", locale: tag("en"), text: RichText())
    let bytes = Array("%PDF-1.7 …".utf8)
    #expect(try await paper.pdf(by: FakeRenderer(result: .success(bytes))) == bytes)
  }

  @Test("RK-4: the renderer's error comes as it is, and nothing at all is an error") func rendererError() async {
    let paper = ConsentPaper(title: "T", locale: tag("en"), text: RichText())
    for result in [Result<[UInt8], FakeRenderer.Failed>.failure(.init(code: 7)), .success([])] {
      do throws(ConsentPaperError<FakeRenderer.Failed>) {
        _ = try await paper.pdf(by: FakeRenderer(result: result))
        Issue.record("a PDF came of nothing")
      } catch {
        switch (error, result) {
        case (.renderer(let failure), .failure(let given)): #expect(failure == given)
        case (.noPDF, .success): break
        default: Issue.record("\(error)")
        }
      }
    }
  }

  @Test("RK-5: the formal title beats the title") func formalTitle() {
    var section = ConsentSection(type: .overview)
    section.formalTitle = "Formal"
    #expect(printed(section) == "<h4>Formal</h4>\n<p></p>\n")
  }

  @Test("RK-6: without a formal title the title stands, and without either an empty heading") func title() {
    #expect(printed(ConsentSection(type: .overview)) == "<h4>Welcome</h4>\n<p></p>\n")
    #expect(printed(ConsentSection(type: .custom)) == "<h4></h4>\n<p></p>\n")
  }

  @Test("RK-7: formatted content beats plain content and is not escaped, also when it is empty") func formattedContent() {
    let content = ConsentText(plain: "plain", formatted: html("<b>bold</b>").text)
    #expect(printed(ConsentSection(type: .custom, content: content)) == "<h4></h4>\n<p><strong>bold</strong></p>\n")
    let empty = ConsentText(plain: "plain", formatted: html("").text)
    #expect(printed(ConsentSection(type: .custom, content: empty)) == "<h4></h4>\n<p></p>\n")
  }

  @Test("RK-8: plain content is escaped, a line feed a break") func plainContent() {
    #expect(
      printed(ConsentSection(type: .custom, content: "a\n<b> & 'c'"))
        == "<h4></h4>\n<p>a<br>&lt;b&gt; &amp; &#39;c&#39;</p>\n")
  }

  @Test("RK-9: tags and quotes in content come out as entities") func entities() {
    let html = printed(ConsentSection(type: .custom, content: "<p>\"x\" & 'y'</p>"))
    #expect(html == "<h4></h4>\n<p>&lt;p&gt;&quot;x&quot; &amp; &#39;y&#39;&lt;/p&gt;</p>\n")
  }

  private func captions(_ signature: ConsentSignature) -> [String] { drawn(signature).columns.map(\.caption) }

  @Test("RK-10: no name required: signature and date") func noName() {
    #expect(captions(ConsentSignature(id: "a", role: "User", names: .none)) == ["Signature", "Date"])
  }

  @Test("RK-11: a required name is blank, or what was given") func names() {
    var signature = ConsentSignature(id: "a", role: "User")
    #expect(captions(signature) == ["Signature", "Printed name", "Date"])
    #expect(drawn(signature).columns[1].value == .blank)
    signature.familyName = "Lovelace"
    #expect(drawn(signature).columns[1].value == .text("Lovelace"))
    signature.givenName = "Ada"
    #expect(drawn(signature).columns[1].value == .text("Ada\u{A0}Lovelace"))
  }

  @Test("RK-12: no image required: name and date") func noImage() {
    let signature = ConsentSignature(id: "a", role: "User", requiresImage: false)
    #expect(captions(signature) == ["Printed name", "Date"])
    let html = RichText([.signature(drawn(signature))]).html
    #expect(html.hasPrefix("<div class=\"signature\"><p class=\"role\">User</p>\n<div class=\"column\">"))
  }

  @Test("RK-13: a required image that is not there is a blank") func blankImage() {
    #expect(drawn(ConsentSignature(id: "a", role: "User")).columns[0].value == .blank)
    #expect(
      RichText([.signature(drawn(ConsentSignature(id: "a", role: "User")))]).html.contains("<p class=\"value\">&nbsp;</p>"))
  }

  private var image: ConsentImage { try! ConsentImage(png: PNG.plain()) }

  @Test("RK-14: an image that is there is drawn, with words that say whose it is") func imageThere() {
    var signature = ConsentSignature(id: "a", role: "User", names: .none, requiresImage: false)
    signature.image = image
    #expect(drawn(signature).columns[0].value == .image(RichImage(image: image, words: "Signature")))
    signature.givenName = "Ada"
    #expect(drawn(signature).columns[0].value == .image(RichImage(image: image, words: "Signature: Ada")))
  }

  @Test("RK-15: name and image together") func nameAndImage() {
    var signature = ConsentSignature(id: "a", role: "User")
    (signature.givenName, signature.familyName, signature.image) = ("Ada", "Lovelace", image)
    signature.signedAt = ZonedInstant(seconds: 1_709_164_800)
    #expect(captions(signature) == ["Signature", "Printed name", "Date"])
    #expect(drawn(signature).columns[2].value == .text("2024-02-29"))
  }

  @Test("nothing asked and nothing given is no column at all") func nothing() {
    #expect(captions(ConsentSignature(id: "a", role: "User", names: .none, requiresImage: false)) == [])
  }
}

@Suite("Documents beyond them") struct DocumentTests {
  private let evil = "<script>alert(1)</script>\u{1B}[2J"

  @Test("S2: an override has its signature page on paper, and none on the screen") func overrideSigned() {
    let document = ConsentDocument(
      override: markdown("# Own").text, signatures: [ConsentSignature(id: "a", role: "Participant")])
    #expect(printed(document).contains("Participant"))
    let review = DocumentFormatter().text(of: document, mode: .review).html
    #expect(review.hasPrefix("<h1>Review</h1>\n") && review.contains("<h1>Own</h1>") && !review.contains("Participant"))
  }

  @Test("S3: a placeholder in an override shows the signature on the screen") func placeholder() throws {
    var signed = ConsentSignature(id: "a", role: "Participant")
    signed.givenName = "Ada"
    let document = ConsentDocument(
      override: html("<p>text</p><p>{{signature:a}}</p>").text,
      signatures: [signed, ConsentSignature(id: "b", role: "Witness")])
    let review = DocumentFormatter().text(of: document, mode: .review).html
    #expect(review.contains("Ada") && !review.contains("Witness") && !review.contains("{{"))
    let paper = printed(document)
    #expect(paper.contains("Ada") && paper.contains("Witness") && !paper.contains("{{"))
    #expect(paper.firstRange(of: "Ada")!.lowerBound > paper.firstRange(of: "page-break")!.lowerBound)
  }

  @Test("S1: a drawn signature that was applied is on the paper, with its name and date") func appliedImage() throws {
    let place = ConsentSignature(id: "a", role: "Participant")
    var given = GivenSignature(id: "a", signedAt: ZonedInstant(seconds: 0)!)
    (given.givenName, given.familyName) = ("Ada", "Lovelace")
    given.image = try ConsentImage(png: PNG.plain())
    let document = ConsentDocument(sections: [ConsentSection(type: .overview)], signatures: [place])
    let html = printed(try document.signed(with: place.signed(with: given)))
    #expect(html.contains("data:image/png;base64,\(base64(PNG.plain()))") && html.contains("Ada\u{A0}Lovelace"))
    #expect(html.contains("1970-01-01"))
  }

  @Test("S16: with several signers each is told by the role") func roles() {
    let document = ConsentDocument(
      sections: [ConsentSection(type: .overview)],
      signatures: ["Participant", "Investigator"].map { ConsentSignature(id: $0, role: $0) })
    let html = printed(document)
    #expect(html.firstRange(of: "Participant")!.lowerBound < html.firstRange(of: "Investigator")!.lowerBound)
  }

  @Test("an injection through any plain text shows as text everywhere") func injection() throws {
    var section = ConsentSection(type: .custom, content: ConsentText(plain: evil))
    (section.title, section.formalTitle, section.summary) = (evil, evil, evil)
    var signature = ConsentSignature(id: "a", role: evil)
    (signature.givenName, signature.familyName) = (evil, evil)
    signature.fields = [ConsentSignerField(id: "f", label: evil, isRequired: false)]
    signature.fields[0].value = evil
    var document = ConsentDocument(title: evil, sections: [section], signatures: [signature])
    (document.signaturePageTitle, document.signaturePageContent) = (evil, evil)
    let labels = ConsentLabels(Dictionary(uniqueKeysWithValues: ConsentLabel.allCases.map { ($0, evil) }))
    for mode in [DocumentMode.review, .print] {
      let text = DocumentFormatter().text(of: document, mode: mode, labels: labels)
      let html = text.htmlDocument(title: evil, locale: tag("en"))
      #expect(!html.contains("<script") && !html.contains("\u{1B}"))
      let plain = text.plain(locale: tag("en"))
      #expect(plain.contains("<script>alert(1)</script>") && !plain.contains("\u{1B}"))
    }
  }

  @Test("S32: in a language from right to left, dates, names and addresses are isolated") func isolation() {
    var signature = ConsentSignature(id: "a", role: "المشارك")
    signature.givenName = "Ada"
    signature.signedAt = ZonedInstant(seconds: 0)
    let text = RichText([.signature(drawn(signature))] + markdown("[نص](https://example.org)").text.blocks)
    let plain = text.plain(locale: tag("ar"))
    #expect(plain.contains("\u{2068}1970-01-01\u{2069}") && plain.contains("\u{2068}Ada\u{2069}"))
    #expect(plain.contains("\u{2066}https://example.org\u{2069}"))
    #expect(text.htmlDocument(title: "x", locale: tag("ar")).contains("<bdi>1970-01-01</bdi>"))
    #expect(text.htmlDocument(title: "x", locale: tag("ar")).contains("dir=\"rtl\""))
    #expect(!text.plain(locale: tag("en")).contains("\u{2068}"))
  }

  @Test("the headings of a section's text stand below the section's") func headings() {
    func levels(_ source: String) -> [Int] {
      var section = ConsentSection(type: .custom, content: ConsentText(formatted: markdown(source).text))
      section.title = "Section"
      return printed(section).split(separator: "<h").map { Int(String($0.first!))! }
    }
    #expect(levels("# A\n\n## B\n\n### C\n\n# D") == [4, 5, 6, 6, 5])
    #expect(levels("> ### A\n\n- #### B\n") == [4, 5, 6])
    #expect(levels("##### A\n\n###### B") == [4, 5, 6])
    #expect(levels("text") == [4])
  }

  @Test("the order of the sections is the document's, without the omitted and with those for it only") func sections() {
    func section(_ type: ConsentSectionType, _ title: String, omitted: Bool = false) -> ConsentSection {
      var section = ConsentSection(type: type, isOmittedFromDocument: omitted)
      section.title = title
      return section
    }
    let document = ConsentDocument(sections: [
      section(.onlyInDocument, "z"), section(.overview, "omitted", omitted: true), section(.privacy, "a"),
      section(.custom, "m"),
    ])
    let titles = DocumentFormatter().text(of: document, mode: .print).blocks.compactMap { block -> String? in
      guard case .heading(4, let spans) = block, case .text(let text)? = spans.first else { return nil }
      return text
    }
    #expect(titles == ["z", "a", "m"])
  }

  @Test("S28: the digest is the one of the exact text, and any word of the form is in it") func digest() throws {
    let json = documentJSON(
      #""title": "S", "sections": [{"type": "overview", "content": "Hello"}, {"type": "privacy", "summary": "Sum"}], "#
        + #""signatures": [{"id": "a", "role": "Participant"}], "review": {"reason": "Because"}, "#
        + #""sharing": {"shortName": "Ex", "longName": "Example", "learnMore": "Sharing"}"#)
    let form = try parseForm(json)
    let text = form.text(of: form.variants[0])
    #expect(text.digest == SHA256.digest(Array(text.text.utf8).span))
    #expect(text == form.text(of: form.variants[0]))
    for word in ["Hello", "Sum", "Participant", "Because", "\"Ex\"", "Example", "\"Sharing\"", "Study", "1.0", "true"] {
      let bare = word.filter { $0 != "\"" }
      let changed = bare == "1.0" ? "1.1" : bare == "true" ? "false" : bare + "X"
      let other = try parseForm(replace(word, by: word.hasPrefix("\"") ? "\"\(changed)\"" : changed, in: json))
      #expect(other.text(of: other.variants[0]).digest != text.digest, "\(word)")
    }
  }

  @Test("two pictures with the same words are different texts") func pictures() throws {
    func form(_ png: [UInt8]) throws -> ConsentForm {
      let page = ConsentPage(
        title: nil, body: ConsentText(formatted: markdown("![x](data:image/png;base64,\(base64(png)))").text))
      let variant = ConsentVariant(locale: tag("en"), title: "T", content: .pages([page]))
      return try ConsentForm(
        id: ConsentFormID("a")!, version: ConsentVersion("1.0")!, terms: ConsentTerms(kind: .terms, isRequired: true),
        defaultLocale: tag("en"), variants: [variant])
    }
    #expect(try form(PNG.plain(shade: 1)).digests != form(PNG.plain(shade: 2)).digests)
    #expect(try form(PNG.plain(shade: 1)).digests == form(PNG.plain(shade: 1)).digests)
  }

  @Test("a paper holds the whole of a document of 200 sections") func longDocument() throws {
    var document = ConsentDocument(title: "Long")
    document.sections = (0..<200).map { ConsentSection(type: .custom, content: ConsentText(plain: "Section \($0) end")) }
    let variant = ConsentVariant(locale: tag("en"), title: "T", content: .document(document))
    let json = ConsentPaper(document, in: variant).json
    let text = String(decoding: json, as: UTF8.self)
    #expect((0..<200).allSatisfy { text.contains("Section \($0) end") })
    #expect(throws: Never.self) { try JSONDocument.parse(json.span, maximumDepth: 64) }
  }

  @Test("an isolate of the direction that reaches beyond its line is a fault of the form") func isolates() {
    for page in [
      #""body": "a\u2067b""#, #""body": "a\u2067\nb\u2069""#, #""body": "\u2069a""#, #""title": "\u2068t", "body": "b""#,
      #""bodyHTML": "<p>a&#x2067;b</p>""#, #""bodyMarkdown": "a&#x2067;b""#, #""bodyMarkdown": "| a&#x2067; |\n|---|\n| b |""#,
      #""bodyHTML": "<ul><li>a<br>&#x2066;b<br>c&#x2069;</li></ul>""#,
      #""bodyBlocks": [{"type": "code", "text": "\u2066"}]"#, #""bodyFile": "a.md""#,
    ] {
      let faults = formFaults(termsJSON(#""title": "T", "pages": [{\#(page)}]"#), ["a.md": "a\u{2067}b\n\nc"])
      #expect(faults.count == 1 && faults.first?.contains("does not end on its line") == true, "\(page): \(faults)")
    }
    for page in [
      #""body": "a\u2067b\u2069c\n\u2068\u2066d\u2069\u2069""#, #""bodyHTML": "<p>a&#x2067;<b>b</b>&#x2069;</p>""#,
    ] { #expect(formFaults(termsJSON(#""title": "T", "pages": [{\#(page)}]"#)) == []) }
  }

  @Test("markup outside of the subset is a fault of the form, with its line") func markupFaults() {
    let json = termsJSON(#""title": "T", "pages": [{"bodyFile": "a.html"}]"#)
    #expect(
      formFaults(json, ["a.html": "<p>a</p>\n<script>x</script>"])
        == ["a.html: line 2, column 1: \"script\" is not permitted in this HTML"])
    #expect(formFaults(termsJSON(#""title": "T", "pages": [{"bodyMarkdown": "![x](https://e.org/a.png)"}]"#)).count == 1)
  }
}

func base64(_ bytes: [UInt8]) -> String {
  let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")
  return stride(from: 0, to: bytes.count, by: 3).map { start in
    let part = bytes[start..<min(start + 3, bytes.count)]
    let group = part.reduce(0) { $0 << 8 | Int($1) } << (8 * (3 - part.count))
    return String((0..<4).map { $0 <= part.count ? digits[group >> (18 - 6 * $0) & 63] : "=" })
  }.joined()
}
