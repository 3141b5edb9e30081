internal import CPaper
internal import ConsentCore
internal import ConsentLayout

/// The PDF in the making, and the texts and pictures that belong to it.
///
/// One thread, and one owner: it is freed, with everything in it, when that ends.
@safe
final class Paper: Typesetting {
  /// Something of the library's that this paper frees.
  @safe
  private struct Handle {
    let pointer: OpaquePointer
    init(_ pointer: OpaquePointer) { unsafe self.pointer = pointer }
  }

  private let paper: OpaquePointer
  private var texts: [Handle] = []
  private var images: [Handle] = []
  private var imagesByContent: [[UInt8]: SizedImage] = [:]
  private var pixelCount = 0
  /// Code points that no font has, so far.
  private(set) var missing: Set<UInt32> = []

  init(width: Double, height: Double, language: String) throws(RenderingFault) {
    guard let paper = unsafe cpaper_new(width, height, language) else { throw .noMemory }
    unsafe self.paper = paper
  }

  deinit {
    for text in texts { unsafe cpaper_text_free(text.pointer) }
    unsafe cpaper_free(paper)
    for image in images { unsafe cpaper_image_free(image.pointer) }
  }

  // MARK: - Typesetting

  func set(_ text: StyledText, width: Double) throws(RenderingFault) -> SetText {
    if let excess = TextExcess(text.text, breaksAnywhere: text.breaksAnywhere) { throw .excess(excess) }
    let made = try make(text, width)
    texts.append(made)
    noteMissing(made)
    let lines = (0..<(unsafe cpaper_text_line_count(made.pointer))).map { line in
      let box = unsafe cpaper_text_line(made.pointer, line)
      return SetText.Line(height: box.height, baseline: box.baseline, parts: parts(made, line, of: text))
    }
    return SetText(id: texts.count - 1, lines: lines, width: unsafe cpaper_text_width(made.pointer))
  }

  private func make(_ text: StyledText, _ width: Double) throws(RenderingFault) -> Handle {
    let runs = unsafe text.runs.map { run in
      unsafe cpaper_run(
        start: UInt32(run.range.lowerBound), end: UInt32(run.range.upperBound), traits: run.traits.rawValue,
        color: run.color ?? .max, part: UInt32(run.part), image: run.image.map { unsafe images[$0.id].pointer },
        image_width: run.image?.width ?? 0, image_height: run.image?.height ?? 0)
    }
    let bytes = Array(text.text.utf8)
    // SAFETY: the texts are kept by the closures until the call returns; the library copies what it needs.
    let made = unsafe text.style.font.withCString { font in
      unsafe text.style.monospaceFont.withCString { monospaceFont in
        var style = unsafe cpaper_style(
          font: font, monospace_font: monospaceFont, size: text.style.size, color: text.style.color,
          traits: text.style.traits.rawValue, alignment: text.alignment.rawValue,
          line_limit: Int32(text.style.lineLimit ?? 0), is_right_to_left: text.isRightToLeft ? 1 : 0,
          breaks_anywhere: text.breaksAnywhere ? 1 : 0)
        return unsafe bytes.withUnsafeBufferPointer { bytes in
          unsafe bytes.withMemoryRebound(to: CChar.self) { bytes in
            unsafe runs.withUnsafeBufferPointer { runs in
              unsafe cpaper_text_new(paper, bytes.baseAddress, bytes.count, runs.baseAddress, runs.count, &style, width)
            }
          }
        }
      }
    }
    guard let made = unsafe made else { throw .noMemory }
    return unsafe Handle(made)
  }

  private func parts(_ text: Handle, _ line: Int, of styled: StyledText) -> [Int] {
    if styled.parts.count == 1 { return [0] }
    var parts = [UInt32](repeating: 0, count: 4 * styled.parts.count + 64)
    let count = unsafe cpaper_text_line_parts(text.pointer, line, &parts, parts.count)
    // From right to left the line shows them backwards.
    return Set(parts.prefix(count)).sorted().map { Int($0) }
  }

  private func noteMissing(_ text: Handle) {
    var found = [UInt32](repeating: 0, count: 64)
    let count = unsafe cpaper_text_missing(text.pointer, &found, found.count)
    missing.formUnion(found.prefix(count))
  }

  func image(_ png: [UInt8]) throws(RenderingFault) -> SizedImage {
    if let known = imagesByContent[png] { return known }
    guard let header = PNGStructure(png) else { throw .improperImage }
    pixelCount += header.width * header.height
    guard pixelCount <= PNGStructure.maximumTotalPixelCount else { throw .tooManyPixels }
    guard let image = unsafe cpaper_image_new(png, png.count) else { throw .improperImage }
    unsafe images.append(Handle(image))
    let sized = SizedImage(
      id: images.count - 1, width: Double(header.width) * 0.75, height: Double(header.height) * 0.75)
    imagesByContent[png] = sized
    return sized
  }

  // MARK: - Drawing

  func setFact(_ fact: cpaper_fact, _ text: String) { unsafe cpaper_set_fact(paper, fact, text) }

  func perform(_ step: PageStep) {
    switch step {
    case .begin(let tag, let url):
      if let url { unsafe cpaper_begin_tag(paper, tag, "uri='\(url)'") } else { unsafe cpaper_begin_tag(paper, tag, nil) }
    case .end(let tag): unsafe cpaper_end_tag(paper, tag)
    case .draw(let mark, let x, let y, let height): draw(mark.kind, x, y, height)
    }
  }

  private func draw(_ kind: Mark.Kind, _ x: Double, _ y: Double, _ stripHeight: Double) {
    switch kind {
    case .line(let text, let line, let part): unsafe cpaper_draw_line(paper, texts[text].pointer, line, UInt32(part), x, y)
    case .box(let width, let height, let color): unsafe cpaper_draw_box(paper, x, y, width, height, color)
    case .backdrop(let width, let color): unsafe cpaper_draw_box(paper, x, y, width, stripHeight, color)
    case .image(let image): unsafe cpaper_draw_image(paper, images[image.id].pointer, x, y, image.width, image.height)
    case .nothing: break
    }
  }

  /// Draws all lines of a text that belongs to nothing.
  func draw(_ text: SetText, x: Double, y: Double) {
    var y = y
    for (index, line) in text.lines.enumerated() {
      for part in line.parts { draw(.line(text: text.id, line: index, part: part), x, y, 0) }
      y += line.height
    }
  }

  func addOutline(in parent: Int32, _ title: String, page: Int, x: Double, y: Double) -> Int32 {
    unsafe cpaper_add_outline(paper, parent, title, Int32(page), x, y)
  }

  func endPage() { unsafe cpaper_end_page(paper) }

  /// The whole file.
  func finish() throws(RenderingFault) -> [UInt8] {
    var bytes: UnsafePointer<UInt8>?
    var count = 0
    guard unsafe cpaper_finish(paper, &bytes, &count) == 0 else {
      throw .library(unsafe String(cString: cpaper_fault(paper)))
    }
    return unsafe Array(UnsafeBufferPointer(start: bytes, count: count))
  }
}

/// Why there is no PDF.
enum RenderingFault: Error, CustomStringConvertible {
  case noMemory
  case improperImage
  case tooManyPixels
  case missingGlyphs([UInt32])
  case tooManyColumns(limit: Int)
  case excess(TextExcess)
  case library(String)

  var description: String {
    switch self {
    case .noMemory: "out of memory"
    case .improperImage:
      "a picture is no PNG, or larger than \(PNGStructure.maximumSide) pixels a side or \(PNGStructure.maximumPixelCount >> 20) megapixels"
    case .tooManyPixels:
      "the pictures have more than \(PNGStructure.maximumTotalPixelCount >> 20) megapixels together"
    case .missingGlyphs(let codePoints): FontAdvice.words(for: codePoints)
    case .tooManyColumns(let limit): "a table has more columns than the page is wide: at most \(limit) fit"
    case .excess(.word): "a word has more than \(TextExcess.letterLimit) letters"
    case .excess(.marks): "a letter has more than \(TextExcess.markLimit) marks"
    case .library(let words): "cairo: \(words)"
    }
  }
}
