import ConsentCore
import TestSupport
import Testing

@Suite("Consent model") struct ModelTests {
  @Test("the ten types of sections have the original's titles, in its order") func titles() {
    #expect(
      ConsentSectionType.allCases.map(\.defaultTitle) == [
        "Welcome", "Data Gathering", "Privacy", "Data Use", "Time Commitment", "Study Survey", "Study Tasks", "Withdrawing",
        nil, nil,
      ])
    for type in ConsentSectionType.allCases { #expect(ConsentSection(type: type).title == type.defaultTitle) }
  }

  @Test("omitted sections have a scene only, and those for the document only a part of it") func visibility() {
    var document = ConsentDocument(sections: [
      ConsentSection(type: .overview), ConsentSection(type: .privacy, isOmittedFromDocument: true),
      ConsentSection(type: .onlyInDocument), ConsentSection(type: .onlyInDocument, isOmittedFromDocument: true),
    ])
    #expect(document.shownSections.map(\.type) == [.overview, .privacy])
    #expect(document.documentSections.map(\.type) == [.overview, .onlyInDocument])
    document.sections.reverse()
    #expect(document.documentSections.map(\.type) == [.onlyInDocument, .overview])
  }

  @Test("learn more opens the address, else a formatted text that is not empty, else the plain one") func learnMore() {
    var section = ConsentSection(type: .dataUse)
    #expect(section.learnMore == nil)
    section.content.plain = "plain"
    #expect(section.learnMore?.target == .text("plain"))
    section.content.formatted = html("").text
    #expect(section.learnMore?.target == .text("plain"))
    section.content.formatted = html("<p>formatted</p>").text
    #expect(section.learnMore?.target == .text(ConsentText(formatted: html("<p>formatted</p>").text)))
    section.learnMoreURL = "https://example.org"
    #expect(section.learnMore?.target == .url("https://example.org"))
    #expect(section.learnMore?.title == "Learn more about how data is used")
    section.learnMoreTitle = "More"
    #expect(section.learnMore?.title == "More")
  }

  @Test("a signature takes the place of the one with its id, and without one it is refused") func applying() throws {
    let document = ConsentDocument(signatures: [ConsentSignature(id: "a", role: "A"), ConsentSignature(id: "b", role: "B")])
    var signed = document.signatures[1]
    signed.givenName = "Ada"
    #expect(try document.signed(with: signed).signatures.map(\.givenName) == [nil, "Ada"])
    signed.id = "c"
    #expect(throws: ConsentModelFault.unknownSignature) { try document.signed(with: signed) }
  }

  @Test("S6: with both names required, one does not do") func bothNames() throws {
    let place = ConsentSignature(id: "a", role: "A", requiresImage: false)
    var given = GivenSignature(id: "a", signedAt: ZonedInstant(seconds: 0)!)
    #expect(throws: ConsentModelFault.nameMissing) { try place.signed(with: given) }
    given.givenName = "Ada"
    given.familyName = ""
    #expect(throws: ConsentModelFault.nameMissing) { try place.signed(with: given) }
    given.familyName = "Lovelace"
    #expect(try place.signed(with: given).printedName == "Ada\u{A0}Lovelace")
  }

  @Test("S9: one name, no name, and further fields are taken as the form asks") func otherNames() throws {
    var given = GivenSignature(id: "a", signedAt: ZonedInstant(seconds: 0)!)
    #expect(try ConsentSignature(id: "a", role: "A", names: .none, requiresImage: false).signed(with: given).printedName == nil)
    let any = ConsentSignature(id: "a", role: "A", names: .any, requiresImage: false)
    #expect(throws: ConsentModelFault.nameMissing) { try any.signed(with: given) }
    given.familyName = "Suharto"
    #expect(try any.signed(with: given).printedName == "Suharto")
    var fields = any
    fields.fields = [ConsentSignerField(id: "mail", label: "E-mail", isRequired: true)]
    #expect(throws: ConsentModelFault.fieldsDiffer) { try fields.signed(with: given) }
    given.fields = ["mail": "s@example.org"]
    #expect(try fields.signed(with: given).fields.map(\.value) == ["s@example.org"])
    given.fields["age"] = "18"
    #expect(throws: ConsentModelFault.fieldsDiffer) { try fields.signed(with: given) }
  }

  @Test("a name that steers a terminal or the direction of a text is refused") func improperNames() {
    let place = ConsentSignature(id: "a", role: "A", names: .any, requiresImage: false)
    for name in ["\u{1B}[2J", "a\nb", "\u{202E}evil", "a\u{2066}b", "\u{85}", String(repeating: "a", count: 257)] {
      var given = GivenSignature(id: "a", signedAt: ZonedInstant(seconds: 0)!)
      given.givenName = name
      #expect(throws: ConsentModelFault.improperName) { try place.signed(with: given) }
    }
  }

  @Test("a name of which nothing is seen is none, and a name may have such characters within") func blankNames() throws {
    let place = ConsentSignature(id: "a", role: "A", names: .any, requiresImage: false)
    for name in [
      " ", "\u{A0}\u{3000}", "\u{200B}", "\u{200D}\u{FEFF}", "\u{AD}", "\u{3164}", "\u{115F}", "\u{2800}", "\u{301}",
    ] {
      var given = GivenSignature(id: "a", signedAt: ZonedInstant(seconds: 0)!)
      given.givenName = name
      #expect(throws: ConsentModelFault.improperName, "\(name.debugDescription)") { try place.signed(with: given) }
      (given.givenName, given.familyName) = ("Ada", name)
      #expect(throws: ConsentModelFault.improperName) { try place.signed(with: given) }
    }
    for name in ["Ada Lovelace", "ن\u{200C}ا", "e\u{301}", "山田", "क्\u{200D}ष", "Q"] {
      var given = GivenSignature(id: "a", signedAt: ZonedInstant(seconds: 0)!)
      given.givenName = name
      #expect(try place.signed(with: given).printedName == name)
    }
  }

  @Test("the order of names is the person's") func nameOrder() {
    var signature = ConsentSignature(id: "a", role: "A")
    (signature.givenName, signature.familyName) = ("太郎", "山田")
    #expect(signature.printedName == "山田\u{A0}太郎")
    (signature.givenName, signature.familyName) = ("Văn Minh", "Nguyễn")
    #expect(signature.printedName == "Văn Minh\u{A0}Nguyễn")
    signature.nameOrder = .familyFirst
    #expect(signature.printedName == "Nguyễn\u{A0}Văn Minh")
  }

  @Test(
    "a date keeps its zone and is written at the end",
    arguments: [
      (0, 0, "yyyy-MM-dd HH:mm:ss ZZZ", "1970-01-01 00:00:00 +00:00"),
      (1_709_164_800, 0, "dd.MM.yyyy", "29.02.2024"),
      (1_709_164_799, 3600, "yyyy-MM-dd'T'HH:mmZZZ", "2024-02-29T00:59+01:00"),
      (951_782_399, -12600, "yyyy/MM/dd HH:mm ZZZ", "2000/02/28 20:29 -03:30"),
      (253_402_300_799, 0, "yyyy-MM-dd", "9999-12-31"), (0, -3600, "yyyy-MM-dd HH", "1969-12-31 23"),
    ] as [(Int64, Int, String, String)])
  func dates(seconds: Int64, offset: Int, pattern: String, text: String) throws {
    let instant = try #require(ZonedInstant(seconds: seconds, offset: offset, zone: "x"))
    #expect(DatePattern(pattern)?.text(instant) == text)
  }

  @Test("a pattern with other letters is none", arguments: ["", "d", "EEE", "yyyy-MM-dd'T", "'no part'", "yyyyy MMM"])
  func badPatterns(pattern: String) { #expect(DatePattern(pattern) == nil) }

  @Test("the scroll gate only opens, and a text that fits is read whole") func scrollGate() {
    let gated = ConsentReview(requiresScrollToBottom: true, reason: nil)
    var gate = ScrollGate(gated, fitsWhole: false)
    gate.saw(line: 9, of: 10)
    #expect(!gate.isOpen)
    gate.saw(line: 10, of: 10)
    gate.saw(line: 1, of: 10)
    #expect(gate.isOpen)
    #expect(ScrollGate(gated, fitsWhole: true).isOpen && ScrollGate(ConsentReview(), fitsWhole: false).isOpen)
  }

  @Test("a sharing choice without its words is none") func sharing() {
    #expect(ConsentSharing(shortName: "", longName: "b", learnMore: "c") == nil)
    #expect(ConsentSharing(shortName: "a", longName: "", learnMore: "c") == nil)
    #expect(ConsentSharing(shortName: "a", longName: "b", learnMore: ConsentText()) == nil)
    #expect(ConsentSharing(shortName: "a", longName: "b", learnMore: "c") != nil)
  }

  @Test("the formatted side of a text wins, also when it is empty") func formattedWins() {
    #expect(ConsentText(plain: "a", formatted: markdown("").text).isEmpty)
    #expect(!ConsentText(plain: "", formatted: html("a").text).isEmpty)
  }

  @Test("an image is a PNG of bounded size") func image() throws {
    for good in [
      PNG.plain(width: 3, height: 2), PNG.whole(width: 4096, height: 1024), PNG.whole(width: 1024, height: 4096),
      PNG.signature + PNG.header(width: 1, height: 1) + PNG.chunk("tEXt", [1]) + PNG.chunk("IDAT", []) + PNG.chunk("IDAT", [0])
        + PNG.chunk("IEND", []),
      PNG.signature + PNG.header(width: 1, height: 1, depth: 1, color: 3) + PNG.chunk("PLTE", [0, 0, 0])
        + PNG.chunk("IDAT", [0]) + PNG.chunk("IEND", []),
    ] { #expect(try ConsentImage(png: good).png == good) }
    #expect(throws: ConsentModelFault.improperImage) {
      try ConsentImage(png: PNG.whole(width: 1, height: 1, packed: [UInt8](repeating: 0, count: ConsentImage.maximumByteCount)))
    }
  }

  @Test("an image that is cut off, changed, made up or too large in any part of it is none") func malformedImages() throws {
    let good = PNG.plain(width: 2, height: 2)
    for count in 0..<good.count {
      #expect(throws: ConsentModelFault.improperImage) { try ConsentImage(png: Array(good[..<count])) }
    }
    for index in good.indices {
      var changed = good
      changed[index] ^= 4
      #expect(throws: ConsentModelFault.improperImage, "byte \(index)") { try ConsentImage(png: changed) }
    }
    let (start, end, pixels) = (PNG.signature, PNG.chunk("IEND", []), PNG.chunk("IDAT", [0]))
    let header = PNG.header(width: 1, height: 1)
    for bad in [
      [0xFF, 0xD8], start, start + [0], good + [0], start + header + end, start + pixels + header + end,
      start + header + header + pixels + end, start + header + pixels, start + header + pixels + end + end,
      start + header + pixels + PNG.chunk("tEXt", []) + pixels + end, start + header + PNG.chunk("NONE", []) + pixels + end,
      start + header + pixels + PNG.chunk("IEND", [0]),
      start + PNG.chunk("IHDR", [UInt8](repeating: 1, count: 14)) + pixels + end,
      PNG.whole(width: 0, height: 1), PNG.whole(width: 1, height: 0), PNG.whole(width: 4097, height: 1),
      PNG.whole(width: 2049, height: 2048), PNG.whole(width: .max, height: .max),
      start + PNG.header(width: 1, height: 1, depth: 3) + pixels + end,
      start + PNG.header(width: 1, height: 1, color: 5) + pixels + end,
      start + PNG.header(width: 1, height: 1, color: 3) + pixels + end,
    ] as [[UInt8]] { #expect(throws: ConsentModelFault.improperImage, "\(bad)") { try ConsentImage(png: bad) } }
  }
}

@Suite("Languages") struct LanguageTests {
  @Test(
    "the nearest language is chosen",
    arguments: [
      ("de-AT", ["en", "de"], "de"), ("de", ["en", "de-AT"], "de-AT"), ("pt-PT", ["pt-BR", "pt"], "pt"),
      ("zh-TW", ["zh-Hans", "zh-Hant"], "zh-Hant"), ("zh-TW", ["zh-Hans"], nil), ("zh-SG", ["zh-Hant", "zh-Hans"], "zh-Hans"),
      ("sr-Latn-RS", ["sr-Latn", "sr"], "sr-Latn"), ("fr", ["en", "de"], nil), ("en-GB", ["en-US", "en-GB", "en"], "en-GB"),
    ] as [(String, [String], String?)])
  func choice(preferred: String, known: [String], chosen: String?) {
    #expect(LanguageTag.choose(from: known.map(tag), for: [tag(preferred)]) == chosen.map(tag))
  }

  @Test("the first language that there is a text in wins, else the form's default") func order() throws {
    let known = ["en", "de", "ja"].map(tag)
    #expect(LanguageTag.choose(from: known, for: [tag("fr"), tag("ja"), tag("de")]) == tag("ja"))
    #expect(try parseForm(termsJSON()).variant(for: [tag("ja")]).locale == tag("en"))
  }

  @Test("tags and POSIX locales are read strictly") func tags() {
    #expect(LanguageTag("ZH-hant-tw")?.description == "zh-Hant-TW")
    #expect(LanguageTag(posix: "de_AT.UTF-8@euro")?.description == "de-AT")
    for bad in ["", "C", "POSIX", "e", "english", "de-", "de-AT-1901", "de_AT"] { #expect(LanguageTag(bad) == nil) }
    for none in ["C", "POSIX", "C.UTF-8", ""] { #expect(LanguageTag(posix: none) == nil) }
  }

  @Test("S10: languages from right to left are known as such") func direction() {
    #expect(["ar", "he", "fa-IR", "ur", "az-Arab"].allSatisfy { tag($0).isRightToLeft })
    #expect(!["en", "ja", "az", "ar-Latn"].contains { tag($0).isRightToLeft })
  }
}
