import ConsentCore
import ConsentPDF
import PasscodePlatform
import TestSupport
import Testing

@Suite("Renderers") struct RendererTests {
  private func script(_ text: String) throws -> (TemporaryDirectory, String) {
    let folder = try TemporaryDirectory()
    return (folder, try folder.writeProgram("renderer", "#!/bin/sh\n" + text))
  }

  private func fault(_ text: String, limit: Duration = .seconds(30)) async throws -> RendererFault? {
    let (folder, program) = try script(text)
    defer { withExtendedLifetime(folder) {} }
    do throws(ConsentPaperError<RendererFault>) {
      _ = try await makePDF(paper([]), renderer: ExternalRenderer(program, limit: limit))
      return nil
    } catch {
      if case .renderer(let fault) = error { return fault }
      throw TestFailure("\(error)")
    }
  }

  @Test("the helper makes a PDF of a document, with its formatters, also after it was stored and loaded") func document()
    async throws
  {
    struct Loud: ConsentSectionFormatting {
      func blocks(for section: ConsentSection) -> [RichBlock] { [.paragraph([.text("LOUD")])] }
    }
    var section = ConsentSection(type: .custom, content: "Content")
    section.title = "Section"
    var document = ConsentDocument(
      title: "Study", sections: [section], signatures: [ConsentSignature(id: "p", role: "Participant")])
    document.signaturePageTitle = "Signatures"
    let variant = ConsentVariant(locale: tag("en"), title: "Study", content: .document(document))
    let helper = PDFHelper(executable: try binary(named: "passcode-consent-pdf"))
    let pdf = try await makePDF(document, in: variant, renderer: helper)
    #expect(pdf.starts(with: "%PDF-1.".utf8))
    #expect(try await makePDF(document, in: variant, sections: Loud(), renderer: helper) != pdf)
    let stored = ConsentPaper(document, in: variant).json
    let loaded = try ConsentPaper.parse(stored.span)
    #expect(try await makePDF(loaded, renderer: helper) == pdf)
  }

  @Test("what the helper refuses comes with its words") func refused() async throws {
    let helper = PDFHelper(executable: try binary(named: "passcode-consent-pdf"))
    await #expect(throws: RendererFault.self) {
      try await helper.pdf(of: paper([.paragraph([.text("\u{E000}")])]))
    }
    do { _ = try await helper.pdf(of: paper([.paragraph([.text("\u{E000}")])])) } catch {
      #expect("\(error)".contains("U+E000"))
    }
  }

  @Test("a renderer of one's own gets the paper as JSON and gives the PDF") func external() async throws {
    let (folder, program) = try script("echo '%PDF-1.4'; cat")
    let made = paper([.paragraph([.text("words")])])
    let pdf = try await makePDF(made, renderer: ExternalRenderer(program))
    #expect(pdf == Array("%PDF-1.4\n".utf8) + made.json)
    withExtendedLifetime(folder) {}
  }

  @Test("S11: a renderer gives a PDF or an error, never neither, and never hangs") func failures() async throws {
    #expect(try await fault("echo reason >&2; exit 65") == .refused("reason"))
    #expect(try await fault("printf 'a\\033[2Jb\\n' >&2; exit 7") == .failed(code: 7, words: "a\u{FFFD}[2Jb"))
    #expect(try await fault("kill -9 $$") == .failed(code: -9, words: ""))
    #expect(try await fault("sleep 600 & sleep 600", limit: .milliseconds(200)) == .timedOut)
    #expect(try await fault("exec cat /dev/zero") == .tooLarge(limit: 64 << 20))
    await #expect(throws: ConsentPaperError<RendererFault>.self) {
      let (folder, program) = try script("exit 0")
      defer { withExtendedLifetime(folder) {} }
      _ = try await makePDF(paper([]), renderer: ExternalRenderer(program))
    }
  }

  @Test("the example of another renderer escapes every text") func example() throws {
    let root = #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
    var command = Command(
      "/bin/sh", ["-c", #"exec python3 "$0" --html"#, "/\(root)/Examples/weasyprint/render-with-weasyprint"])
    command.environment = ["PATH": "/usr/local/bin:/usr/bin:/bin"]
    let evil = "<script>\"'</script>"
    let columns = [RichSignature.Column(value: .text(evil), caption: evil)]
    command.input =
      paper(
        [
          .heading(level: 1, [.text(evil)]), .paragraph([.isolated(evil), .code(evil)]), .code(evil),
          .signature(RichSignature(role: evil, columns: columns)),
        ], title: evil
      ).json
    let result = try command.run()
    #expect(result.status == .exited(0) && !result.outputText.contains("<script>"))
    #expect(
      result.outputText.split(separator: "&lt;script&gt;&quot;&#x27;&lt;/script&gt;", omittingEmptySubsequences: false).count
        == 9)
  }

  @Test("a helper that is not there is an error") func noHelper() async {
    await #expect(throws: RendererFault.self) { try await PDFHelper(executable: "/nonexistent").pdf(of: paper([])) }
  }
}
