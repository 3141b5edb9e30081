/// Where a document is shown.
public enum DocumentMode: Hashable, Sendable {
  /// On a screen, to be agreed to: with a heading that says so, and without the signature page.
  case review
  /// On paper: with the signature page, always.
  case print
}

/// Makes the blocks of a section.
public protocol ConsentSectionFormatting: Sendable {
  /// The section's part of the document.
  func blocks(for section: ConsentSection) -> [RichBlock]
}

/// Makes the block of a signature.
public protocol ConsentSignatureFormatting: Sendable {
  /// The signature's block.
  func block(for signature: ConsentSignature, labels: ConsentLabels) -> RichSignature
}

/// Makes one text of a document: heading → title and sections, or what overrides them → on paper the signature page.
///
/// The signature page follows an override too. ResearchKit's documentation says that it does not; its code and its tests say
/// that it does, and without it there would be nothing to sign on.
public struct DocumentFormatter: Sendable {
  /// Makes the blocks of sections.
  public var sections: any ConsentSectionFormatting
  /// Makes the blocks of signatures.
  public var signatures: any ConsentSignatureFormatting

  /// A formatter; its parts can be replaced.
  public init(
    sections: any ConsentSectionFormatting = SectionFormatter(),
    signatures: any ConsentSignatureFormatting = SignatureFormatter()
  ) {
    self.sections = sections
    self.signatures = signatures
  }

  /// The document as one text.
  public func text(of document: ConsentDocument, mode: DocumentMode, labels: ConsentLabels = ConsentLabels()) -> RichText {
    var blocks: [RichBlock] = []
    if mode == .review {
      blocks = [.heading(level: 1, [.plain(labels[.review])]), .paragraph([.plain(labels[.reviewInstruction])])]
    }
    blocks += body(of: document, mode, labels)
    if mode == .print { blocks += signaturePage(of: document, labels) }
    return RichText(blocks)
  }

  private func body(of document: ConsentDocument, _ mode: DocumentMode, _ labels: ConsentLabels) -> [RichBlock] {
    guard let override = document.override else {
      let title = RichBlock.heading(level: 3, document.title.map { [.plain($0)] } ?? [])
      return [title] + document.documentSections.flatMap { sections.blocks(for: $0) }
    }
    return override.blocks.flatMap { block -> [RichBlock] in
      guard case .paragraph(let spans) = block, let id = Self.placeholder(spans) else { return [block] }
      // On paper the signature page follows.
      if mode == .print { return [] }
      return document.signatures.filter { id.isEmpty || $0.id == id }.map { signatureBlock($0, labels) }
    }
  }

  /// The id in a paragraph of `{{signature:id}}` alone, empty for `{{signature}}`: in an override, the signatures given so far
  /// are shown there.
  private static func placeholder(_ spans: [RichSpan]) -> String? {
    guard case .text(let text)? = spans.first, spans.count == 1, text.hasPrefix("{{signature"), text.hasSuffix("}}") else {
      return nil
    }
    let rest = text.dropFirst("{{signature".count).dropLast(2)
    return rest.isEmpty ? "" : rest.hasPrefix(":") ? String(rest.dropFirst()) : nil
  }

  private func signatureBlock(_ signature: ConsentSignature, _ labels: ConsentLabels) -> RichBlock {
    .signature(signatures.block(for: signature, labels: labels))
  }

  private func signaturePage(of document: ConsentDocument, _ labels: ConsentLabels) -> [RichBlock] {
    let title = document.signaturePageTitle.map { [RichSpan.plain($0)] } ?? []
    var blocks: [RichBlock] = [.pageBreak, .heading(level: 4, title)]
    let content = RichText(plain: document.signaturePageContent ?? "").blocks
    blocks += content.isEmpty ? [.paragraph([])] : content
    return blocks + document.signatures.map { signatureBlock($0, labels) }
  }
}

/// A section as a heading and its text. A nil heading and a nil text keep their empty places.
public struct SectionFormatter: ConsentSectionFormatting {
  private static let level = 4

  /// The formatter.
  public init() {}

  /// The formal title before the title; the formatted text before the plain one, also where it is empty. The text's own
  /// headings stand below the section's.
  public func blocks(for section: ConsentSection) -> [RichBlock] {
    let heading = RichBlock.heading(level: Self.level, section.documentTitle.map { [.plain($0)] } ?? [])
    let content = HeadingDemotion.below(Self.level, section.content.rich.blocks)
    return [heading] + (content.isEmpty ? [.paragraph([])] : content)
  }
}

/// A signature as columns, in this order: signature, printed name, date; each only where it is asked for or was given, and
/// the date only beside one of the others. What is missing is a line to sign on by hand.
public struct SignatureFormatter: ConsentSignatureFormatting {
  /// The formatter.
  public init() {}

  /// The block.
  public func block(for signature: ConsentSignature, labels: ConsentLabels) -> RichSignature {
    typealias Column = RichSignature.Column
    var columns: [Column] = []
    if signature.requiresImage || signature.image != nil {
      let words = [labels[.signature], signature.printedName].compactMap { $0 }.joined(separator: ": ")
      let image = signature.image.map { Column.Value.image(RichImage(image: $0, words: words)) }
      columns.append(Column(value: image ?? .blank, caption: labels[.signature]))
    }
    if signature.requiresName || signature.printedName != nil {
      let name = signature.printedName.map { Column.Value.text(PlainText.cleaned($0)) }
      columns.append(Column(value: name ?? .blank, caption: labels[.printedName]))
    }
    if !columns.isEmpty {
      columns.append(Column(value: signature.printedDate.map { .text($0) } ?? .blank, caption: labels[.date]))
    }
    let fields = signature.fields.map { field in
      Column(value: field.value.map { .text(PlainText.cleaned($0)) } ?? .blank, caption: field.label)
    }
    return RichSignature(role: signature.role, columns: columns, fields: fields)
  }
}
