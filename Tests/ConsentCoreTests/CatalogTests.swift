import ConsentCore
import StrictJSON
import TestSupport
import Testing

@Suite("Catalogs") struct CatalogTests {
  private func parsed(_ bytes: [UInt8]) throws(ConsentCatalogFault) -> ConsentCatalog {
    try ConsentCatalog.parse(bytes.span, origin: .user)
  }

  private func form(_ id: String, _ origin: String = "") throws -> ConsentForm {
    try parseForm(replace(#""id": "terms""#, by: #""id": "\#(id)""#, in: termsJSON()))
  }

  @Test("nothing is a catalog too") func empty() throws {
    let catalog = try parsed(ConsentCatalogWriter().json)
    #expect(catalog.forms.isEmpty && catalog.faults.isEmpty && catalog.origin == .user)
    #expect(String(decoding: ConsentCatalogWriter().json, as: UTF8.self) == #"{"forms":[],"faults":[]}"#)
  }

  @Test("forms come back in their order, of the reader's origin, with every fault on its own") func roundTrip() throws {
    var maker = RandomForms(random: .announced("catalogs"))
    for _ in 0..<40 {
      var writer = ConsentCatalogWriter()
      let form = try parseForm(maker.form())
      writer.add(form, file: "b.json")
      let further = ConsentFileFault(file: "x.md", line: 3, column: 1, message: "m\u{301} \"q\"", suggestion: "body")
      writer.add(ConsentFileFault(file: "a.json", line: 1, column: 2, message: "é", further: [further]))
      writer.add(try self.form("z"), file: "a.json")
      let catalog = try parsed(writer.json)
      #expect(catalog.entries.map(\.file) == ["b.json", "a.json"] && catalog.forms.map(\.id.description) == ["f", "z"])
      #expect(catalog.forms.allSatisfy { $0.origin == .user } && catalog.forms[0].digests == form.digests)
      #expect(catalog.faults.map(\.message) == ["é", "m\u{301} \"q\""] && catalog.faults[1].suggestion == "body")
      #expect(catalog.faults.allSatisfy { $0.further.isEmpty })
    }
  }

  @Test("a second form with the id of another is a fault that names both files") func doubled() throws {
    var writer = ConsentCatalogWriter()
    writer.add(try form("a"), file: "one.json")
    writer.add(try form("a"), file: "two.json")
    let catalog = try parsed(writer.json)
    #expect(catalog.entries.map(\.file) == ["one.json"])
    #expect(
      catalog.faults.map(\.description)
        == ["two.json: line 1, column 1: the form \"a\" stands in \"one.json\" already"])
  }

  @Test("a catalog stays within its bounds, whatever is added") func bounds() throws {
    var writer = ConsentCatalogWriter()
    for number in 0..<120 { writer.add(try form("f\(number)"), file: "f\(number).json") }
    for number in 0..<3000 {
      writer.add(ConsentFileFault(file: "g", line: 1, column: 1, message: String(repeating: "\u{7F}", count: number)))
    }
    #expect(writer.json.count <= ConsentCatalog.maximumByteCount)
    var large = ConsentCatalogWriter()
    let page = ConsentPage(title: nil, body: ConsentText(plain: String(repeating: "Words. ", count: 290_000)))
    for number in 0..<20 {
      let variant = ConsentVariant(locale: tag("en"), title: "T", content: .pages([page]))
      let form = try ConsentForm(
        id: ConsentFormID("f\(number)")!, version: ConsentVersion("1.0")!, terms: ConsentTerms(kind: .terms, isRequired: true),
        defaultLocale: tag("en"), variants: [variant])
      large.add(form, file: "f\(number).json")
    }
    let bytes = large.json
    #expect(bytes.count <= ConsentCatalog.maximumByteCount && bytes.count > ConsentCatalog.maximumByteCount * 3 / 4)
    let end = String(decoding: bytes.suffix(4000), as: UTF8.self)
    #expect(end.contains("\"faults\":[") && end.contains("the folder holds more than 100 forms, or 32 MiB of them"))
    #expect(throws: ConsentCatalogFault.tooLarge) {
      try parsed([UInt8](repeating: 32, count: ConsentCatalog.maximumByteCount + 1))
    }
  }

  @Test(
    "anything else is refused",
    arguments: [
      "", "[]", "{}", #"{"faults":[],"forms":[]}"#, #"{"forms":[]}"#, #"{"forms":[],"faults":[]} x"#,
      #"{"forms":[],"faults":[],"more":1}"#, #"{"forms":[3],"faults":[]}"#, #"{"forms":[{"form":{},"file":"a"}],"faults":[]}"#,
      #"{"forms":[{"file":"a","form":{}}],"faults":[]}"#, #"{"forms":[{"file":"","form":{}}],"faults":[]}"#,
      #"{"forms":[],"faults":[{"file":"a","line":0,"column":1,"message":"m"}]}"#,
      #"{"forms":[],"faults":[{"file":"a","line":1,"column":1.5,"message":"m"}]}"#,
      #"{"forms":[],"faults":[{"file":"a","line":1,"column":1,"message":"m\u001b[2J"}]}"#,
      #"{"forms":[],"faults":[{"file":"a","line":1,"column":1,"message":"m","suggestion":"s","x":1}]}"#,
      #"{"forms":[],"faults":[{"file":"a","line":1,"column":1,"message":"m","hint":"s"}]}"#,
    ]) func refused(text: String)
  {
    #expect(throws: ConsentCatalogFault.self) { try parsed(Array(text.utf8)) }
  }

  @Test("a catalog with an id twice, or with markup, is refused") func strict() throws {
    let flat = String(decoding: try form("a").flattened, as: UTF8.self)
    let one = #"{"file":"a","form":\#(flat)}"#
    #expect(try parsed(Array(#"{"forms":[\#(one)],"faults":[]}"#.utf8)).forms.count == 1)
    #expect(throws: ConsentCatalogFault.self) { try parsed(Array(#"{"forms":[\#(one),\#(one)],"faults":[]}"#.utf8)) }
    let markup = replace(#""body":"#, by: #""bodyMarkdown":"#, in: #"{"forms":[\#(one)],"faults":[]}"#)
    #expect(throws: ConsentCatalogFault.self) { try parsed(Array(markup.utf8)) }
  }

  @Test("changed bytes are read or refused, never a crash") func mutations() throws {
    var maker = RandomForms(random: .announced("catalog mutations"))
    var writer = ConsentCatalogWriter()
    writer.add(try parseForm(maker.form()), file: "f.json")
    writer.add(ConsentFileFault(file: "g", line: 1, column: 1, message: "m", suggestion: "s"))
    let good = writer.json
    for _ in 0..<3000 {
      var bytes = good
      for _ in 0..<Int.random(in: 1...3, using: &maker.random) {
        let at = Int.random(in: 0..<bytes.count, using: &maker.random)
        if Bool.random(using: &maker.random) {
          bytes[at] = .random(in: 0...255, using: &maker.random)
        } else {
          bytes.remove(at: at)
        }
      }
      _ = try? parsed(bytes)
    }
  }
}
