import ConsentCore
import ConsentLayout
import ConsentPDF
import PasscodePlatform
import TestSupport
import Testing

func tag(_ text: String) -> LanguageTag { LanguageTag(text)! }

/// A paper of blocks.
func paper(_ blocks: [RichBlock], title: String = "T", in language: String = "en") -> ConsentPaper {
  ConsentPaper(title: title, locale: tag(language), text: RichText(blocks))
}

func parsePaper(_ json: String) throws(ConsentPaperFault) -> ConsentPaper {
  let bytes = Array(json.utf8)
  return try ConsentPaper.parse(bytes.span)
}

/// A file of the vectors.
func vector(_ name: String) throws -> [UInt8] {
  let root = #filePath.split(separator: "/").dropLast(2).joined(separator: "/")
  return try Files.read("/\(root)/Vectors/consent/\(name)", limit: 1 << 20)
}

/// Letters of one width, half as wide as high; a line takes whole words while they fit.
final class FakeTypesetter: Typesetting {
  enum Failed: Error, Equatable { case image }
  typealias Failure = Failed
  private(set) var texts: [StyledText] = []
  /// The words of each line of each text.
  private(set) var lines: [[String]] = []

  func set(_ text: StyledText, width: Double) throws(Failed) -> SetText {
    texts.append(text)
    let letter = text.style.size / 2
    let limit = max(1, Int(width / letter))
    var words: [String] = []
    for paragraph in text.text.split(separator: "\u{2028}", omittingEmptySubsequences: false) {
      var line = ""
      for word in paragraph.split(separator: " ") {
        if !line.isEmpty, line.count + 1 + word.count > limit {
          words.append(line)
          line = ""
        }
        line += (line.isEmpty ? "" : " ") + word
      }
      words.append(line)
    }
    lines.append(words)
    let parts = Array(text.parts.indices)
    return SetText(
      id: texts.count - 1,
      lines: words.map { _ in .init(height: text.style.size * 1.5, baseline: text.style.size, parts: parts) },
      width: Double(words.map(\.count).max() ?? 0) * letter)
  }

  func image(_ png: [UInt8]) throws(Failed) -> SizedImage {
    guard let header = PNGStructure(png) else { throw .image }
    return SizedImage(id: 0, width: Double(header.width), height: Double(header.height))
  }
}

/// A paper that was set with letters of one width.
struct FakeLayout {
  let flow: Flow
  let pages: [[PlacedStrip]]
  let typesetter = FakeTypesetter()
  let style: PaperStyle

  init(_ paper: ConsentPaper, _ theme: ConsentTheme = ConsentTheme()) throws {
    style = PaperStyle(theme, for: paper)
    flow = try FlowSetter.flow(of: paper, style, typesetter)
    pages = Paginator.pages(flow, height: style.contentHeight)
  }

  /// The words of a strip.
  func words(_ strip: Int) -> [String] { words(flow.strips[strip]) }

  func words(_ strip: Strip) -> [String] {
    strip.marks.compactMap { mark in
      if case .line(let text, let line, _) = mark.kind { typesetter.lines[text][line] } else { nil }
    }
  }

  /// The words of a page, in the order of its strips.
  func words(page: Int) -> [String] {
    pages[page].flatMap { words($0.isRepeated ? flow.headers[$0.strip] : flow.strips[$0.strip]) }
  }
}
