public import ConsentCore

/// A paper as a PDF: the renderer's bytes as they are, or an error, never neither.
///
/// - Throws: `renderer` with the renderer's own error; `noPDF` for what does not start as a PDF does.
public func makePDF<Renderer: ConsentPaperRendering>(
  _ paper: ConsentPaper, renderer: Renderer
) async throws(ConsentPaperError<Renderer.Failure>) -> [UInt8] {
  try await paper.pdf(by: renderer)
}

/// A document as a PDF, with its signature page. It holds no renderer and no formatter: one that was stored and loaded again is
/// rendered like any other.
///
/// - Parameters:
///   - variant: whose language, title and labels it has.
///   - sections: makes the blocks of sections.
///   - signatures: makes the blocks of signatures.
/// - Throws: as ``makePDF(_:renderer:)``.
public func makePDF<Renderer: ConsentPaperRendering>(
  _ document: ConsentDocument, in variant: ConsentVariant,
  sections: any ConsentSectionFormatting = SectionFormatter(),
  signatures: any ConsentSignatureFormatting = SignatureFormatter(), renderer: Renderer
) async throws(ConsentPaperError<Renderer.Failure>) -> [UInt8] {
  let formatter = DocumentFormatter(sections: sections, signatures: signatures)
  return try await makePDF(ConsentPaper(document, in: variant, formatter: formatter), renderer: renderer)
}
