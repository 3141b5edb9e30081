internal import CPaper
internal import ConsentCore
internal import ConsentLayout

/// Makes the PDF of a paper.
struct Rendering {
  private let source: ConsentPaper
  private let style: PaperStyle
  private let paper: Paper

  static func pdf(of source: ConsentPaper, _ theme: ConsentTheme) throws(RenderingFault) -> [UInt8] {
    let style = PaperStyle(theme, for: source)
    let paper = try Paper(width: style.size.width, height: style.size.height, language: source.locale.description)
    return try Rendering(source: source, style: style, paper: paper).pdf()
  }

  private var title: String { SingleLine.text(source.title) }
  private var created: String { source.date?.utc ?? "1970-01-01T00:00:00Z" }

  private func pdf() throws(RenderingFault) -> [UInt8] {
    let flow: Flow
    do { flow = try FlowSetter.flow(of: source, style, paper) } catch {
      switch error {
      case .typesetter(let fault): throw fault
      case .tooManyColumns(let limit): throw .tooManyColumns(limit: limit)
      }
    }
    let pages = Paginator.pages(flow, height: style.contentHeight)
    var script = PageScript(flow, pages: pages, top: style.margins.top)
    setFacts()
    let margins = try pages.indices.map { number throws(RenderingFault) in try margin(number, of: pages.count) }
    // Before anything is drawn: boxes in the place of letters are no text.
    if !paper.missing.isEmpty { throw .missingGlyphs(paper.missing.sorted()) }
    for (number, page) in pages.enumerated() {
      for step in script.steps(page, number: number) { paper.perform(step) }
      margins[number].draw(on: paper)
      paper.endPage()
    }
    addOutline(flow, pages)
    return try finished(script.figures)
  }

  private func setFacts() {
    paper.setFact(CPAPER_TITLE, title)
    paper.setFact(CPAPER_CREATOR, "passcoded")
    paper.setFact(CPAPER_CREATED, created)
    if let author = source.author { paper.setFact(CPAPER_AUTHOR, author) }
    if let subject = source.subject { paper.setFact(CPAPER_SUBJECT, subject) }
  }

  private func finished(_ figures: [String]) throws(RenderingFault) -> [UInt8] {
    let language = source.locale.description
    var metadata = XMPMetadata(title: title, language: language, created: created)
    (metadata.author, metadata.subject) = (source.author, source.subject)
    let update = PDFUpdate(language: language, metadata: metadata, figures: figures)
    let bytes = try paper.finish()
    do { return try update.applied(to: bytes) } catch { throw .library("a PDF of an unexpected form") }
  }

  // MARK: - Header and footer

  /// What stands in the margins of a page.
  private struct Margin {
    var texts: [(text: SetText, x: Double, y: Double)] = []
    var lines: [(x: Double, y: Double, width: Double)] = []

    func draw(on paper: Paper) {
      for text in texts { paper.draw(text.text, x: text.x, y: text.y) }
      for line in lines {
        let mark = Mark(x: 0, y: 0, kind: .box(width: line.width, height: 0.5, color: PaperStyle.hairline))
        paper.perform(.draw(mark, x: line.x, y: line.y, height: 0))
      }
    }
  }

  private func margin(_ number: Int, of count: Int) throws(RenderingFault) -> Margin {
    var margin = Margin()
    if number > 0, let header = try set(style.header, number, count, .start) {
      let y = style.margins.top / 2 - header.lines[0].height / 2
      margin.texts.append((header, style.margins.left, y))
      margin.lines.append((style.margins.left, y + header.lines[0].height + 3, style.contentWidth))
    }
    if let footer = try set(style.footer, number, count, .center) {
      let y = style.size.height - style.margins.bottom / 2 - footer.lines[0].height / 2
      margin.texts.append((footer, style.margins.left, y))
    }
    return margin
  }

  private func set(
    _ pattern: String, _ number: Int, _ count: Int, _ alignment: ConsentAlignment
  ) throws(RenderingFault) -> SetText? {
    let words = SingleLine.filled(pattern, ["title": title, "page": "\(number + 1)", "pages": "\(count)"])
    if words.isEmpty { return nil }
    var text = StyledText(style: style.small)
    text.text = words
    text.style.lineLimit = 1
    text.isRightToLeft = style.isRightToLeft
    text.alignment = PaperStyle.alignment(alignment, isRightToLeft: style.isRightToLeft)
    return try paper.set(text, width: style.contentWidth)
  }

  // MARK: - Table of contents

  /// The two highest ranks of headings, where there is more than one heading.
  private func addOutline(_ flow: Flow, _ pages: [[PlacedStrip]]) {
    let entries = flow.outline.filter { $0.rank <= 2 }
    if entries.count < 2 { return }
    var places: [Int: (page: Int, y: Double)] = [:]
    for (number, page) in pages.enumerated() {
      for placed in page where !placed.isRepeated { places[placed.strip] = (number + 1, placed.y) }
    }
    var title: Int32 = 0
    for entry in entries {
      guard let place = places[entry.strip] else { continue }
      let added = paper.addOutline(
        in: entry.rank == 1 ? 0 : title, SingleLine.text(entry.title), page: place.page, x: style.margins.left,
        y: style.margins.top + place.y)
      if entry.rank == 1 { title = added }
    }
  }
}
