internal import StrictJSON

/// What is put on paper: everything that a renderer needs, and nothing that it would have to fetch.
public struct ConsentPaper: Hashable, Sendable {
  /// The title, for the file's metadata.
  public var title: String
  /// The language.
  public var locale: LanguageTag
  /// The text.
  public var text: RichText
  /// Who gives it out, for the file's metadata.
  public var author: String?
  /// What it is about, for the file's metadata.
  public var subject: String?
  /// When it was made: of a signed document, when the last signature was given. Without one a renderer writes 1970-01-01, so
  /// that the same paper always becomes the same file.
  public var date: ZonedInstant?
  /// What stands under each page; `{page}` and `{pages}` stand for numbers.
  public var pageNumber = ConsentLabel.pageNumber.english

  /// A paper.
  public init(title: String, locale: LanguageTag, text: RichText) {
    self.title = title
    self.locale = locale
    self.text = text
  }

  /// A document as it is printed, with its signature page.
  ///
  /// - Parameter processing: what is done with whose data, as ``ConsentForm/processingText(in:level:)`` tells it: it stands before
  ///   the signature page.
  public init(
    _ document: ConsentDocument, in variant: ConsentVariant, formatter: DocumentFormatter = DocumentFormatter(),
    processing: RichText = RichText()
  ) {
    var text = formatter.text(of: document, mode: .print, labels: variant.labels)
    let end = text.blocks.lastIndex(of: .pageBreak) ?? text.blocks.endIndex
    text = RichText(text.blocks[..<end] + processing.blocks + text.blocks[end...])
    self.init(title: document.title ?? variant.title, locale: variant.locale, text: text)
    date = document.signatures.compactMap(\.signedAt).max { $0.seconds < $1.seconds }
    pageNumber = variant.labels[.pageNumber]
  }

  /// The paper as JSON, for a helper process: `title`, `language`, `direction` (`ltr` or `rtl`), `pageNumber` and `blocks`,
  /// with `author`, `subject` and `date` (seconds since 1970) where they are known.
  public var json: [UInt8] {
    var json = JSONWriter(ByteSink())
    json.beginObject()
    json.key("title")
    json.string(PlainText.cleaned(title))
    json.key("language")
    json.string(locale.description)
    json.key("direction")
    json.string(locale.isRightToLeft ? "rtl" : "ltr")
    for (key, text) in [("author", author), ("subject", subject), ("pageNumber", pageNumber)] {
      guard let text else { continue }
      json.key(key)
      json.string(PlainText.cleaned(text))
    }
    if let date {
      json.key("date")
      json.integer(Int(date.seconds))
    }
    json.key("blocks")
    text.write(to: &json)
    json.endObject()
    return json.finish().bytes
  }
}

extension ConsentForm {
  /// A document of this form as it is printed: with what is done with whose data, and its signature page.
  public func paper(of document: ConsentDocument, in variant: ConsentVariant) -> ConsentPaper {
    ConsentPaper(document, in: variant, processing: processingText(in: variant, level: 4))
  }
}

/// Puts a paper into a PDF.
public protocol ConsentPaperRendering: Sendable {
  /// What goes wrong with it.
  associatedtype Failure: Error
  /// The PDF.
  func pdf(of paper: ConsentPaper) async throws(Failure) -> [UInt8]
}

/// Why there is no PDF.
public enum ConsentPaperError<Failure: Error>: Error {
  /// The renderer's own error.
  case renderer(Failure)
  /// The renderer gave neither a PDF nor an error.
  case noPDF
}

extension ConsentPaper {
  /// The paper as a PDF: the renderer's bytes as they are, or an error, never neither.
  ///
  /// - Throws: `renderer` with the renderer's own error; `noPDF` for what does not start as a PDF does.
  public func pdf<Renderer: ConsentPaperRendering>(
    by renderer: Renderer
  ) async throws(ConsentPaperError<Renderer.Failure>) -> [UInt8] {
    let bytes: [UInt8]
    do throws(Renderer.Failure) { bytes = try await renderer.pdf(of: self) } catch { throw .renderer(error) }
    if !bytes.starts(with: "%PDF-".utf8) { throw .noPDF }
    return bytes
  }
}
