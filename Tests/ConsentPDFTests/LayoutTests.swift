import ConsentCore
import ConsentLayout
import TestSupport
import Testing

@Suite("Pages") struct PaginatorTests {
  @Test("each strip stands once, in order, on a page where it fits; no page is empty, and none begins where it may not")
  func property() throws {
    var random = SplitMix64.announced()
    for _ in 0..<500 {
      let strips = (0..<Int.random(in: 1...80, using: &random)).map { _ in
        Strip(
          spaceBefore: Double.random(in: 0...20, using: &random), height: Double.random(in: 1...90, using: &random),
          breakBefore: [.allowed, .allowed, .avoided, .forced].randomElement(using: &random)!,
          marks: [Mark(x: 0, y: 0, kind: .nothing)])
      }
      try check(Flow(strips: strips), height: 200)
    }
  }

  private func check(_ flow: Flow, height: Double) throws {
    let pages = Paginator.pages(flow, height: height)
    #expect(pages.flatMap { $0.map(\.strip) } == Array(flow.strips.indices))
    for page in pages {
      let first = try #require(page.first)
      let last = page.last!
      #expect(first.y == 0)
      #expect(last.y + flow.strips[last.strip].height <= height + 0.01 || page.count == 1)
      for placed in page.dropFirst() { #expect(flow.strips[placed.strip].breakBefore != .forced) }
      guard first.strip > 0, flow.strips[first.strip].breakBefore == .avoided else { continue }
      // Only where what belongs together is higher than a page.
      let start = flow.strips[...first.strip].lastIndex { $0.breakBefore != .avoided } ?? 0
      let whole = flow.strips[start...first.strip].reduce(-flow.strips[start].spaceBefore) { $0 + $1.spaceBefore + $1.height }
      #expect(whole > height)
    }
  }

  @Test("S7: a page break at the end, or with nothing behind it, makes no page") func noBlankPage() throws {
    let words = RichBlock.paragraph([.text("words")])
    #expect(try FakeLayout(paper([words, .pageBreak])).pages.count == 1)
    #expect(try FakeLayout(paper([words, .pageBreak, .heading(level: 4, []), .paragraph([])])).pages.count == 1)
    #expect(try FakeLayout(paper([.pageBreak, words, .pageBreak, .pageBreak, words])).pages.count == 2)
    #expect(try FakeLayout(paper([])).pages.count == 1)
  }

  @Test("S13: nothing is cut after a page") func allThere() throws {
    let blocks = (0..<300).map { RichBlock.paragraph([.text("paragraph \($0) of many")]) }
    let layout = try FakeLayout(paper(blocks))
    #expect(layout.pages.count > 5)
    let words = layout.pages.indices.flatMap { layout.words(page: $0) }
    #expect(words == (0..<300).map { "paragraph \($0) of many" })
  }

  @Test("a heading is not left alone at the end of a page, and a paragraph leaves no line alone") func widows() throws {
    let long = Array(repeating: "word", count: 90).joined(separator: " ")
    for filler in 0..<60 {
      var blocks = (0..<filler).map { _ in RichBlock.paragraph([.text("x")]) }
      blocks += [.heading(level: 4, [.text("Heading")]), .paragraph([.text(long)]), .paragraph([.text(long)])]
      let layout = try FakeLayout(paper(blocks))
      for page in layout.pages.indices {
        #expect(layout.words(page: page).last != "Heading")
        let lines = layout.words(page: page).filter { $0.hasPrefix("word") }.count
        #expect(lines != 1)
      }
    }
  }

  @Test("the header of a table stands again on each of its pages, and a row is not cut") func tables() throws {
    let rows = (0..<120).map { [[RichSpan.text("row \($0)")], [.text("two words\u{A0}or three")]] }
    let layout = try FakeLayout(paper([.table(RichTable(header: [[.text("Name")], [.text("Value")]], rows: rows))]))
    #expect(layout.pages.count > 2)
    for page in layout.pages.indices { #expect(layout.words(page: page).prefix(2) == ["Name", "Value"]) }
    #expect(layout.flow.nodes.filter { $0.role == .headerCell }.count == 2)
  }

  @Test("a block of a signature is not cut") func signatures() throws {
    let columns = ["Signature", "Printed name", "Date"].map { RichSignature.Column(value: .blank, caption: $0) }
    let blocks = (0..<20).map { RichBlock.signature(RichSignature(role: "Signer \($0)", columns: columns)) }
    let layout = try FakeLayout(paper(blocks))
    #expect(layout.pages.count > 1)
    for page in layout.pages.indices {
      #expect(layout.words(page: page).count % 4 == 0)
      #expect(layout.words(page: page).first!.hasPrefix("Signer"))
    }
  }

  @Test("a table with more columns than fit is refused") func wideTable() {
    let row = (0..<60).map { [RichSpan.text("\($0)")] }
    #expect(throws: PaperFault<FakeTypesetter.Failed>.self) {
      try FakeLayout(paper([.table(RichTable(header: [], rows: [row]))]))
    }
  }
}

@Suite("Directions") struct DirectionTests {
  private func isRightToLeft(_ spans: [RichSpan], in language: String) throws -> Bool {
    try FakeLayout(paper([.paragraph(spans)], in: language)).typesetter.texts[0].isRightToLeft
  }

  @Test("S10: a text runs as its letters do; without letters as its paper does") func paragraphs() throws {
    #expect(try isRightToLeft([.text("2026 شروط")], in: "en"))
    #expect(try !isRightToLeft([.text("Terms (شروط)")], in: "en"))
    #expect(try isRightToLeft([.text("Android شروط")], in: "ar"))
    #expect(try !isRightToLeft([.text("English only")], in: "ar"))
    #expect(try isRightToLeft([.text("2026-02-11")], in: "ar"))
    #expect(try !isRightToLeft([.isolated("شروط"), .text(" terms")], in: "en"))
  }

  @Test("S32: what is isolated is within isolates, and can't leave them") func isolates() throws {
    let layout = try FakeLayout(paper([.paragraph([.text("a "), .isolated("2026\u{2069}x"), .code("b\u{2066}")])]))
    #expect(layout.typesetter.texts[0].text == "a \u{2068}2026x\u{2069}\u{2066}b\u{2069}")
  }

  @Test("S10: columns, rules and numbers stand mirrored in a paper from right to left") func mirrored() throws {
    let table = RichBlock.table(RichTable(header: [], rows: [[[.text("م")], [.text("ن")]]]))
    let signature = RichBlock.signature(
      RichSignature(role: "", columns: ["م", "ن"].map { RichSignature.Column(value: .blank, caption: $0) }))
    for block in [table, signature] {
      let layout = try FakeLayout(paper([block], in: "ar"))
      let places = layout.flow.strips.flatMap(\.marks).compactMap { mark -> Double? in
        if case .line = mark.kind { mark.x } else { nil }
      }
      #expect(places.count == 2 && places[0] > places[1])
    }
  }
}

@Suite("Tags") struct TagTests {
  @Test("tags are closed in the order in which they were opened, over all pages; what is drawn in one ends on its page")
  func nesting() throws {
    let bytes = try vector("study.paper.json")
    let layout = try FakeLayout(try ConsentPaper.parse(bytes.span))
    var script = PageScript(layout.flow, pages: layout.pages, top: 0)
    var open: [String] = []
    for (number, page) in layout.pages.enumerated() {
      for step in script.steps(page, number: number) {
        switch step {
        case .begin(let tag, _): open.append(tag)
        case .end(let tag): #expect(open.popLast() == tag)
        case .draw: break
        }
      }
      #expect(!open.contains { ["Span", "Link", "Figure", "Lbl", "TD", "TH"].contains($0) })
    }
    #expect(open.isEmpty)
    #expect(script.figures == ["Signature: 山田 太郎"])
  }

  @Test("the highest heading is H1, whatever its level, and no rank is left out") func ranks() throws {
    let levels = [3, 4, 4, 6]
    let layout = try FakeLayout(paper(levels.map { .heading(level: $0, [.text("h")]) }))
    #expect(layout.flow.outline.map(\.rank) == [1, 2, 2, 3])
    #expect(layout.flow.nodes.map(\.role).suffix(4) == [.heading1, .heading2, .heading2, .heading3])
  }

  @Test("an address can't end the tag that it stands in") func addresses() throws {
    let url = #"https://example.org/'a)\(é"b"#
    let layout = try FakeLayout(paper([.paragraph([.link(url: url, [.text("here")])])]))
    var script = PageScript(layout.flow, pages: layout.pages, top: 0)
    let urls = script.steps(layout.pages[0], number: 0).compactMap { step -> String? in
      if case .begin("Link", let url) = step { url } else { nil }
    }
    #expect(urls == ["https://example.org/%27a%29%5C%28%C3%A9%22b"])
  }
}
