import ConsentCore
import ConsentLayout
import Testing

@Suite("Pieces of papers") struct PieceTests {
  @Test(
    "letters that no font has lead to a package",
    arguments: [
      ("日", "Han", "fonts-noto-cjk"), ("か", "Hiragana", "fonts-noto-cjk"), ("한", "Hangul", "fonts-noto-cjk"),
      ("ﷺ", "Arabic", "fonts-noto-core"), ("क", "Devanagari", "fonts-noto-core"), ("ሀ", "Ethiopic", "fonts-noto-core"),
      ("😀", "emoji", "fonts-noto-color-emoji"),
    ]
  ) func advice(_ letter: Unicode.Scalar, _ script: String, _ package: String) throws {
    let words = FontAdvice.words(for: [letter.value])
    #expect(words.contains(script) && words.contains("install \(package)"))
  }

  @Test("letters of no font at all are named") func hopeless() {
    #expect(FontAdvice.words(for: [0xE000, 0x0378]) == "these code points have no glyph in any font: U+378, U+E000")
  }

  @Test("a pattern's names are replaced once, and stay on one line of their own direction") func patterns() {
    #expect(
      SingleLine.filled("{page} of {pages}", ["page": "1", "pages": "{page}"]) == "\u{2068}1\u{2069} of \u{2068}{page}\u{2069}")
    #expect(SingleLine.filled("{other} {", ["page": "1"]) == "{other} {")
    #expect(SingleLine.filled("{title}", ["title": "a\nb"]) == "\u{2068}a b\u{2069}")
  }

  // MARK: - Updates

  /// A PDF of a catalog, an information dictionary and a picture's tag, as cairo writes them.
  private var pdf: [UInt8] {
    let objects = [
      "1 0 obj\n<< /Type /Catalog\n   /Pages 9 0 R\n>>\nendobj\n", "2 0 obj\n<< /Producer (p) >>\nendobj\n",
      "3 0 obj\n<< /Type /StructElem\n   /S /Figure\n   /P 9 0 R\n>>\nendobj\n",
    ]
    var text = "%PDF-1.5\n"
    var table = "xref\n0 4\n0000000000 65535 f \n"
    for object in objects {
      let offset = String(text.utf8.count)
      table += String(repeating: "0", count: 10 - offset.count) + offset + " 00000 n \n"
      text += object
    }
    let start = text.utf8.count
    return Array((text + table + "trailer\n<< /Size 4\n   /Root 1 0 R\n   /Info 2 0 R\n>>\nstartxref\n\(start)\n%%EOF\n").utf8)
  }

  private var update: PDFUpdate {
    var metadata = XMPMetadata(title: "</rdf:li><\u{301}a>&", language: "de-AT", created: "1970-01-01T00:00:00Z")
    metadata.author = "\"A\""
    return PDFUpdate(language: "de-AT", metadata: metadata, figures: ["(é) 日"])
  }

  @Test("an update leaves every byte as it was, and adds the language, metadata and words for pictures") func updates() throws {
    let updated = try update.applied(to: pdf)
    #expect(updated.starts(with: pdf))
    let added = String(decoding: updated[pdf.count...], as: UTF8.self)
    #expect(added.contains("1 0 obj\n<< /Type /Catalog\n   /Pages 9 0 R\n /Lang (de-AT) /ViewerPreferences"))
    #expect(added.contains("/Alt <FEFF002800E900290020" + "65E5>"))
    #expect(added.contains("<dc:creator><rdf:Seq><rdf:li>&quot;A&quot;</rdf:li>"))
    #expect(added.contains("&lt;/rdf:li&gt;&lt;\u{301}a&gt;&amp;"))
    #expect(added.contains("/Size 5 /Root 1 0 R /Info 2 0 R /Prev"))
    #expect(try update.applied(to: pdf) == updated)
  }

  @Test("a PDF of another form is refused, and never misread") func otherForms() {
    for text in ["", "%PDF-1.5\n", "%PDF-1.5\nstartxref\n9\n%%EOF", "%PDF-1.5\nxref\n0 1\ntrailer\n<< >>\nstartxref\n9\n%%EOF"]
    {
      #expect(throws: PDFFault.unexpectedForm) { try update.applied(to: Array(text.utf8)) }
    }
    for end in stride(from: 0, to: pdf.count - 8, by: 1) {
      #expect(throws: PDFFault.unexpectedForm) { try update.applied(to: Array(pdf[..<end])) }
    }
    for index in pdf.indices {
      var damaged = pdf
      damaged[index] ^= 0x11
      _ = try? update.applied(to: damaged)
    }
  }
}
