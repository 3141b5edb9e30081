import ConsentCore
import ConsentMarkup
import TestSupport
import Testing

@Suite("Form file") struct FormFileTests {
  @Test("a form of one page is read whole") func onePage() throws {
    let form = try parseForm(termsJSON())
    #expect(form.id == ConsentFormID("terms") && form.version == ConsentVersion("1.0"))
    #expect(form.isRequired && form.kind == .terms && form.origin == .administrator)
    #expect(form.variants.map(\.content) == [.pages([ConsentPage(title: nil, body: "Be kind.")])])
  }

  @Test("an unknown key is refused with its place and the nearest name") func unknownKey() {
    #expect(
      formFaults(termsJSON(#""title": "T", "pages": [{"bodi": "x", "body": "y"}]"#)).contains {
        $0.hasSuffix("unknown key \"bodi\" in a page; did you mean \"body\"?")
      })
    let faults = formFaults("{\n  \"idd\": \"terms\"\n}")
    #expect(faults.contains("form.json: line 2, column 3: unknown key \"idd\" in the form; did you mean \"id\"?"))
    #expect(faults.contains("form.json: line 1, column 1: the form needs \"id\""))
  }

  @Test(
    "what is no form is refused, with the place",
    arguments: [
      ("[]", "line 1, column 1: expected an object, found an array"),
      ("", "line 1, column 1: the text ends too early"),
      (#"{"id": "a", "id": "b"}"#, "line 1, column 13: the key is given twice"),
    ])
  func noForm(json: String, fault: String) { #expect(formFaults(json) == ["form.json: \(fault)"]) }

  @Test(
    "a value out of its range is one fault",
    arguments: [
      termsJSON(more: #""validDays": 0, "#), termsJSON(more: #""order": -1, "#), termsJSON(more: #""$schema": 3, "#),
      termsJSON(#""title": "", "pages": [{"body": "x"}]"#), termsJSON(#""title": "T\n", "pages": [{"body": "x"}]"#),
      termsJSON(#""title": "T", "pages": []"#), termsJSON(#""title": "T", "pages": [{}]"#), termsJSON(#""title": "T""#),
      termsJSON(#""title": "T", "pages": [{"body": "x", "learnMore": {"title": "M", "url": "javascript:alert(1)"}}]"#),
      termsJSON(#""title": "T", "pages": [{"body": "x", "learnMore": {"title": "M"}}]"#),
      termsJSON(#""title": "T", "pages": [{"body": "x \u001b[2J"}]"#),
      termsJSON(#""title": "T", "pages": [{"body": "x", "bodyMarkdown": "y", "bodyHTML": "z"}]"#),
      termsJSON(#""title": "T", "labels": {"agree": ""}, "pages": [{"body": "x"}]"#),
      documentJSON(#""sections": [{"type": "onlyInDocument", "omitFromDocument": true}, {"type": "overview"}]"#),
      documentJSON(#""sections": [{"type": "onlyInDocument"}]"#), documentJSON(#""title": "Nothing""#),
      documentJSON(#""sections": [{"type": "overview"}], "sharing": {"shortName": "E", "longName": "E"}"#),
      documentJSON(#""sections": [{"type": "overview"}], "signatures": [{"id": "a", "role": "A", "dateFormat": "DDD"}]"#),
      documentJSON(
        #""sections": [{"type": "overview"}], "signatures": [{"id": "a", "role": "A"}, {"id": "a", "role": "B"}]"#),
    ])
  func oneFault(json: String) { #expect(formFaults(json).count == 1) }

  @Test(
    "ids and versions are strict",
    arguments: [
      #""id": "Terms""#, #""id": """#, #""id": "-a""#, #""id": "a/b""#, #""version": "1""#, #""version": "1.01""#,
      #""version": "v1.0""#, #""version": "-1.0""#, #""version": "1.0.0""#, #""version": 1"#, #""version": "+1.0""#,
    ])
  func strict(member: String) {
    let key = member.prefix { $0 != ":" }
    let was = key == #""id""# ? #""id": "terms""# : #""version": "1.0""#
    #expect(formFaults(replace(was, by: member, in: termsJSON())).count == 1)
  }

  @Test("texts come from files beside the form, and only from there") func beside() throws {
    let json = termsJSON(#""title": "T", "pages": [{"bodyFile": "terms.en.md"}]"#)
    let form = try parseForm(json, ["terms.en.md": "# Be *kind*"])
    #expect(
      form.variants[0].content == .pages([ConsentPage(title: nil, body: ConsentText(formatted: markdown("# Be *kind*").text))]))
    #expect(formFaults(json).first?.hasSuffix(#""terms.en.md": there is no such file beside it"#) == true)
    for name in ["../terms.md", "/etc/terms.md", ".terms.md", "terms.txt", "a b.md", "sub/terms.md"] {
      let bad = termsJSON(#""title": "T", "pages": [{"bodyFile": "\#(name)"}]"#)
      #expect(formFaults(bad, [name: "x"]).count == 1)
    }
  }

  @Test("a fault of a text beside the form names that file and its line") func besideFault() {
    let json = termsJSON(#""title": "T", "pages": [{"bodyFile": "a.md"}]"#)
    #expect(formFaults(json, ["a.md": "one\ntwo\u{1B}[2J"]) == ["a.md: line 2, column 1: the text holds a control character"])
    var files = FakeFiles(["form.json": json])
    files.files["a.md"] = [0x61, 0x0A, 0xFF]
    let fault = #expect(throws: ConsentFileFault.self) {
      try ConsentFormFile.parse("form.json", from: files, origin: .user, markup: CMarkupReader())
    }
    #expect(fault?.description == "a.md: line 2, column 1: the text is not valid UTF-8")
  }

  @Test("a consent says what is done with whose data; terms need not") func processingNeeded() throws {
    let consent = replace(#""kind": "terms""#, by: #""kind": "consent""#, in: termsJSON())
    #expect(
      formFaults(consent) == [
        "form.json: line 1, column 1: a consent needs \"processing\", which says what is done with whose data"
      ])
    let whole = replace(#""required""#, by: #""processing": \#(processing), "required""#, in: consent)
    let form = try parseForm(whole)
    #expect(form.processing?.controllers.map(\.name) == ["Example"])
    #expect(form.processing?.purposes.map(\.personalData) == [["name"]])
  }

  @Test("every language asks for the same") func sameShape() {
    let en =
      #""en": {"title": "T", "document": {"sections": [{"type": "overview"}], "signatures": [{"id": "a", "role": "A"}]}}"#
    func faults(_ other: String) -> [String] {
      let json = termsJSON("")
      return formFaults(replace(#""en": {}"#, by: en + ", " + other, in: json))
    }
    let section = #"{"type": "overview", "title": "Willkommen"}"#
    #expect(
      faults(#""de": {"title": "T", "document": {"sections": [\#(section)], "signatures": [{"id": "a", "role": "B"}]}}"#) == [])
    #expect(
      faults(#""de": {"title": "T", "document": {"sections": [\#(section)], "signatures": [{"id": "b", "role": "B"}]}}"#).count
        == 1)
    #expect(faults(#""de": {"title": "T", "pages": [{"body": "x"}]}"#).count == 1)
    #expect(faults(#""deutsch": {"title": "T", "pages": [{"body": "x"}]}"#).count == 1)
    let untitled = #"{"title": "T", "document": {"sections": [{"type": "privacy"}], "signatures": [{"id": "a", "role": "B"}]}}"#
    #expect(faults(#""ja": "# + untitled).first?.contains("needs its \"title\" in ja") == true)
  }

  @Test("a form without its default language is refused") func defaultLanguage() {
    let json = replace(#""defaultLocale": "en""#, by: #""defaultLocale": "de""#, in: termsJSON())
    #expect(formFaults(json).count == 1)
  }

  @Test("S14: several forms are kept apart by id, the administrator's first and winning") func formSet() throws {
    func form(_ id: String, order: Int = 0) throws -> ConsentForm {
      try parseForm(replace(#""id": "terms""#, by: #""id": "\#(id)""#, in: termsJSON(more: #""order": \#(order), "#)))
    }
    let set = try ConsentFormSet(
      administrator: [form("b"), form("a", order: 2), form("c")], user: [form("a0"), form("c")])
    #expect(set.forms.map(\.id.description) == ["b", "c", "a", "a0"])
    #expect(set.shadowed.map(\.description) == ["c"])
    #expect(throws: DoubledFormID.self) { try ConsentFormSet(administrator: [form("b"), form("b")], user: []) }
  }

  @Test("arbitrary changes to a good file never trap") func mutations() {
    var random = SplitMix64.announced("form file mutations")
    let good = Array(documentJSON(#""title": "S", "sections": [{"type": "overview", "content": "é"}]"#).utf8)
    for _ in 0..<3000 {
      var bytes = good
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        let at = Int.random(in: 0..<bytes.count, using: &random)
        if Bool.random(using: &random) { bytes[at] = .random(in: 0...255, using: &random) } else { bytes.remove(at: at) }
      }
      var files = FakeFiles([:])
      files.files["form.json"] = bytes
      _ = try? ConsentFormFile.parse("form.json", from: files, origin: .user, markup: CMarkupReader())
    }
  }
}

/// The text with one occurrence replaced.
func replace(_ part: String, by other: String, in text: String) -> String {
  var bytes = Array(text.utf8)
  let wanted = Array(part.utf8)
  for start in 0...(bytes.count - wanted.count) where Array(bytes[start..<start + wanted.count]) == wanted {
    bytes.replaceSubrange(start..<start + wanted.count, with: other.utf8)
    return String(decoding: bytes, as: UTF8.self)
  }
  Issue.record("\(part) is not in \(text)")
  return text
}
