import ConsentCore
import Testing

/// ResearchKit's visual consent step went away in its version 2.1; `docs/consent.md` maps it onto a form.
@Suite("Migration from ResearchKit") struct MigrationTests {
  /// Each type with what the original has on its scene, key by key.
  private var sections: String {
    [
      #"{"type": "overview", "summary": "A study", "content": "What it is", "learnMoreURL": "https://example.org/study"}"#,
      #"{"type": "dataGathering", "summary": "s", "contentHTML": "<p>How <b>data</b> comes in</p>"}"#,
      #"{"type": "privacy", "content": "plain", "contentHTML": "<p>formatted</p>", "formalTitle": "Article 3"}"#,
      #"{"type": "dataUse", "content": "used", "learnMoreTitle": "More of it"}"#, #"{"type": "timeCommitment"}"#,
      #"{"type": "studySurvey", "content": "c", "omitFromDocument": true}"#, #"{"type": "studyTasks", "title": "Your tasks"}"#,
      #"{"type": "withdrawing", "content": "leave"}"#, #"{"type": "custom", "title": "Own", "content": "own"}"#,
      #"{"type": "onlyInDocument", "title": "Law", "content": "the law"}"#,
    ].joined(separator: ", ")
  }

  private func migrated() throws -> ConsentDocument { try document(try parseForm(documentJSON("\"sections\": [\(sections)]"))) }

  @Test("S12: the ten sections of a visual step are ten sections of a form, and nine scenes in their order") func scenes()
    throws
  {
    let document = try migrated()
    #expect(document.sections.map(\.type) == ConsentSectionType.allCases)
    #expect(document.shownSections.map(\.type) == ConsentSectionType.allCases.dropLast())
    #expect(
      document.shownSections.map(\.title) == [
        "Welcome", "Data Gathering", "Privacy", "Data Use", "Time Commitment", "Study Survey", "Your tasks", "Withdrawing",
        "Own",
      ])
    #expect(document.shownSections.map(\.summary) == ["A study", "s"] + Array(repeating: nil, count: 7))
    let plan = ConsentPlan(
      try parseForm(documentJSON("\"sections\": [\(sections)]")),
      in: ConsentVariant(
        locale: tag("en"), title: "T", content: .document(document)))
    guard case .document(let steps) = plan.content else { return #expect(Bool(false)) }
    #expect(steps.sections == 9)
  }

  @Test("S12: learn more has the original's label and precedence, and is there only where it opens something")
  func learnMore() throws {
    let scenes = try migrated().shownSections
    #expect(scenes[0].learnMore?.target == .url("https://example.org/study"))
    #expect(scenes[0].learnMore?.title == "Learn more about the study first")
    #expect(scenes[1].learnMore?.target == .text(ConsentText(formatted: html("<p>How <b>data</b> comes in</p>").text)))
    #expect(scenes[2].learnMore?.target == .text(ConsentText(formatted: html("<p>formatted</p>").text)))
    #expect(scenes[3].learnMore?.title == "More of it")
    #expect(scenes.map { $0.learnMore != nil } == [true, true, true, true, false, true, false, true, true])
  }

  @Test("S12: the document has the formal titles, and the sections but for the omitted one") func paper() throws {
    let headings = DocumentFormatter().text(of: try migrated(), mode: .print).blocks.compactMap { block -> String? in
      guard case .heading(4, let spans) = block, case .text(let title)? = spans.first else { return nil }
      return title
    }
    #expect(
      headings == [
        "Welcome", "Data Gathering", "Article 3", "Data Use", "Time Commitment", "Your tasks", "Withdrawing", "Own", "Law",
      ])
  }

  @Test("S12: a step without a scene is refused when it is loaded, as the original did") func noScene() {
    let faults = formFaults(documentJSON(#""sections": [{"type": "onlyInDocument", "title": "Law", "content": "x"}]"#))
    #expect(faults.map { $0.hasSuffix("no section has a scene") } == [true])
  }
}

/// A renderer that waits until it is cancelled, as a process that hangs does.
private struct HangingRenderer: ConsentPaperRendering {
  func pdf(of paper: ConsentPaper) async throws(CancellationError) -> [UInt8] {
    while !Task.isCancelled { await Task.yield() }
    throw CancellationError()
  }
}

@Suite("Renderers that fail") struct FailingRendererTests {
  private let paper = ConsentPaper(title: "T", locale: tag("en"), text: RichText())

  @Test("S11: a renderer that can't be loaded is its error, and the record is kept all the same") func broken() async throws {
    var test = TestLog()
    try test.add(.given, pagesForm("a"))
    await #expect(throws: ConsentPaperError<FakeRenderer.Failed>.self) {
      try await paper.pdf(by: FakeRenderer(result: .failure(.init(code: 127))))
    }
    #expect(try test.standing(pagesForm("a")).state == .given)
  }

  @Test("S11: a renderer that hangs ends when it is cancelled, with an error and no document") func hanging() async {
    let rendering = Task { try await paper.pdf(by: HangingRenderer()) }
    rendering.cancel()
    guard case .failure(let error) = await rendering.result else { return #expect(Bool(false)) }
    guard case .renderer(_)? = error as? ConsentPaperError<CancellationError> else { return #expect(Bool(false), "\(error)") }
  }

  @Test("S13: however long the text is, the paper that the renderer gets holds all of it") func whole() throws {
    let words = (0..<20_000).map { "word\($0)" }.joined(separator: " ")
    let document = ConsentDocument(override: RichText(plain: words + "\n\nthe last line"))
    let variant = ConsentVariant(locale: tag("en"), title: "T", content: .document(document))
    let json = String(decoding: ConsentPaper(document, in: variant).json, as: UTF8.self)
    #expect(json.contains("word19999\"") && json.contains("the last line"))
  }
}
