public import ConsentCore

/// A theme with everything filled in, for one paper.
public struct PaperStyle: Sendable {
  /// The page, in points.
  public let size: (width: Double, height: Double)
  /// Left and right are of the page, not of the language.
  public let margins: (top: Double, bottom: Double, left: Double, right: Double)
  /// Whether the paper's language is written from right to left.
  public let isRightToLeft: Bool
  /// The title of the document.
  public let title: TextStyle
  /// Texts.
  public let body: TextStyle
  /// Links.
  public let action: TextStyle
  /// Header, footer and captions.
  public let small: TextStyle
  /// What stands above each page but the first, and below each.
  public let header: String, footer: String
  /// Where lines of titles and of texts stand.
  public let titleAlignment: ConsentAlignment, bodyAlignment: ConsentAlignment

  /// Lines and boxes, 0xRRGGBB.
  public static let hairline: UInt32 = 0xC3_CAD3
  static let shade: UInt32 = 0xF1_F3F6
  static let caption: UInt32 = 0x5A_6472

  /// The style of a paper.
  public init(_ theme: ConsentTheme, for paper: ConsentPaper) {
    isRightToLeft = paper.locale.isRightToLeft
    size = (theme.page.size ?? .usual(for: paper.locale)).points
    let margins = theme.page.margins ?? ConsentMargins(top: 60, bottom: 60, start: 60, end: 60)
    let (left, right) = isRightToLeft ? (margins.end, margins.start) : (margins.start, margins.end)
    self.margins = (margins.top, margins.bottom, left, right)
    title = Self.style(theme.title, size: 20, color: 0x1B_2A41, traits: .bold)
    body = Self.style(theme.body, size: 10.5, color: 0x22_262B).unlimited
    action = Self.style(theme.action, size: body.size, color: 0x1A_4F8B, traits: .underline)
    var small = body
    (small.size, small.color) = (body.size * 0.8, Self.caption)
    self.small = small
    header = theme.page.header ?? "{title}"
    footer = theme.page.footer ?? paper.pageNumber
    titleAlignment = theme.title.alignment ?? .start
    bodyAlignment = theme.body.alignment ?? .start
  }

  private static func style(
    _ style: ConsentTextStyle, size: Double, color: UInt32, traits: TextTraits = []
  ) -> TextStyle {
    TextStyle(
      font: (style.font.map { $0 + "," } ?? "") + "Noto Sans,Noto Sans Arabic,DejaVu Sans,sans-serif",
      monospaceFont: "Noto Sans Mono,DejaVu Sans Mono,monospace", size: style.size ?? size,
      color: style.color?.value ?? color, traits: traits, lineLimit: style.lineLimit)
  }

  /// The width of the text.
  public var contentWidth: Double { size.width - margins.left - margins.right }
  /// The height of the text.
  public var contentHeight: Double { size.height - margins.top - margins.bottom }

  /// A heading's style, in proportion to the title's: 1 is the document's title.
  func heading(_ rank: Int) -> TextStyle {
    var style = title
    style.size = max(body.size, title.size * [1, 0.68, 0.6, 0.55, 0.525, 0.525][min(rank, 6) - 1])
    return style
  }

  /// Where the lines of a text in this direction stand.
  public static func alignment(_ alignment: ConsentAlignment, isRightToLeft: Bool) -> LineAlignment {
    switch alignment {
    case .center: .center
    case .start: isRightToLeft ? .right : .left
    case .end: isRightToLeft ? .left : .right
    }
  }
}

extension TextStyle {
  fileprivate var unlimited: TextStyle {
    var style = self
    style.lineLimit = nil
    return style
  }
}
