internal import ConsentCore

/// Makes one text of spans: stretches with their traits, and parts for links and pictures.
struct SpanSetter<Typesetter: Typesetting> {
  let typesetter: Typesetter
  let linkColor: UInt32
  let linkTraits: TextTraits
  /// The most that a picture may take.
  let imageLimit: (width: Double, height: Double)
  private(set) var result: StyledText

  private var traits: TextTraits = []
  private var color: UInt32?
  private var isWithinLink = false
  private var partStart = 0

  init(_ typesetter: Typesetter, _ style: PaperStyle, _ text: TextStyle, imageWidth: Double) {
    self.typesetter = typesetter
    linkColor = style.action.color
    linkTraits = style.action.traits
    imageLimit = (imageWidth, style.contentHeight / 2)
    result = StyledText(style: text)
  }

  mutating func add(_ spans: [RichSpan]) throws(Typesetter.Failure) {
    for span in spans {
      switch span {
      case .text(let text): append(SingleLine.text(text))
      case .isolated(let text): append(SingleLine.isolated(text))
      case .emphasis(let inner): try add(inner, .italic)
      case .strong(let inner): try add(inner, .bold)
      case .strike(let inner): try add(inner, .strike)
      // Code runs from left to right, whatever is around it.
      case .code(let text):
        with(.monospace) { $0.append("\u{2066}" + SingleLine.withoutIsolates(SingleLine.text(text)) + "\u{2069}") }
      case .link(let url, let inner): try addLink(url, inner)
      case .image(let image): try addImage(image)
      case .lineBreak: append("\u{2028}")
      }
    }
  }

  private mutating func add(_ spans: [RichSpan], _ more: TextTraits) throws(Typesetter.Failure) {
    let before = traits
    traits.formUnion(more)
    try add(spans)
    traits = before
  }

  private mutating func with(_ more: TextTraits, _ body: (inout Self) -> Void) {
    let before = traits
    traits.formUnion(more)
    body(&self)
    traits = before
  }

  private mutating func addLink(_ url: String, _ spans: [RichSpan]) throws(Typesetter.Failure) {
    let wasWithinLink = isWithinLink
    let wasColor = color
    isWithinLink = true
    color = linkColor
    start(.link(url: url))
    try add(spans, linkTraits)
    isWithinLink = wasWithinLink
    color = wasColor
    start(.text)
  }

  private mutating func addImage(_ image: RichImage) throws(Typesetter.Failure) {
    let decoded = try typesetter.image(image.image.png)
    if !isWithinLink { start(.figure(words: image.words)) }
    let lower = result.text.utf8.count
    result.text += "\u{FFFC}"
    result.runs.append(
      StyledText.Run(
        range: lower..<result.text.utf8.count, traits: [], part: result.parts.count - 1,
        image: decoded.fitted(width: imageLimit.width, height: imageLimit.height)))
    if !isWithinLink { start(.text) }
  }

  /// Starts a part; one that nothing was said in is replaced.
  private mutating func start(_ part: StyledText.Part) {
    if result.text.utf8.count == partStart { result.parts.removeLast() }
    partStart = result.text.utf8.count
    result.parts.append(part)
  }

  private mutating func append(_ text: String) {
    if text.isEmpty { return }
    let lower = result.text.utf8.count
    result.text += text
    let part = result.parts.count - 1
    if traits.isEmpty, color == nil, part == 0 { return }
    result.runs.append(
      StyledText.Run(range: lower..<result.text.utf8.count, traits: traits, color: color, part: part))
  }
}
