internal import ConsentCore
internal import PasscodePlatform

/// A screen as it lies on a terminal: which lines are seen, and what a key does. Knows no terminal.
struct PagerView {
  private let screen: ReviewScreen
  private let dressing: LineDressing
  private var columns = 0
  private var rows = 0
  private var head: [RichLine] = []
  private var body: [RichLine] = []
  private var foot: [RichLine] = []
  private var top = 0
  /// Whether the last line was seen. It stays so.
  private(set) var hasSeenEnd = false

  init(_ screen: ReviewScreen, style: Style, columns: Int, rows: Int) {
    self.screen = screen
    dressing = LineDressing(style: style, theme: screen.theme)
    fit(columns: columns, rows: rows)
  }

  /// Sets everything anew where the terminal has another size now.
  mutating func fit(columns: Int, rows: Int) {
    guard (columns, rows) != (self.columns, self.rows) else { return }
    let seen = body.isEmpty ? 0 : Double(top) / Double(body.count)
    (self.columns, self.rows) = (columns, rows)
    let heading = lines([.heading(level: 1, [.text(screen.heading)])], screen.theme)
    head = heading + (screen.progress.map { lines([.paragraph([.text($0)])]) } ?? [])
    body = screen.text.lines(width: min(columns, 100), locale: screen.locale, theme: screen.theme)
    foot = buttonLines(isOpen: true)
    scroll(to: Int(seen * Double(body.count)))
  }

  private func lines(_ blocks: [RichBlock], _ theme: ConsentTheme = ConsentTheme()) -> [RichLine] {
    RichText(blocks).lines(width: columns, locale: screen.locale, theme: theme)
  }

  /// The buttons, none of them broken where it fits into a line.
  private func buttonLines(isOpen: Bool) -> [RichLine] {
    var spans: [RichSpan] = []
    for button in screen.buttons {
      let waits = button.waitsForEnd && !isOpen ? " (read to the end first)" : ""
      let words = button.action == .learnMore ? screen.theme.actionWords(button.label, width: columns) : button.label
      let label = String(" \(words)\(waits)".map { $0 == " " ? "\u{A0}" : $0 })
      spans += [.text("[\(button.key)]\(label)"), .text("   ")]
    }
    var lines = lines([.paragraph(spans)])
    for line in lines.indices {
      for run in lines[line].runs.indices {
        lines[line].runs[run].text = String(lines[line].runs[run].text.map { $0 == "\u{A0}" ? " " : $0 })
      }
    }
    return lines
  }

  /// How many lines of the text are seen at once: under the head, over the foot, with a line free on either side.
  private var height: Int { max(1, rows - head.count - foot.count - 4) }
  private var last: Int { max(0, body.count - height) }

  private mutating func scroll(to line: Int) {
    top = min(max(0, line), last)
    if top == last { hasSeenEnd = true }
  }

  /// What a key does; nil where the person stays here.
  mutating func take(_ key: Key) -> ReviewScreen.Action? {
    switch key {
    case .byte(let byte): return take(byte)
    case .enter: return screen.button(for: .next)?.action ?? onward()
    case .interrupt, .endOfInput: return screen.interruption
    case .move(.right): return screen.button(for: .next)?.action
    case .move(.left): return screen.button(for: .back)?.action
    case .move(.up): scroll(to: top - 1)
    case .move(.down): scroll(to: top + 1)
    case .move(.pageUp): scroll(to: top - height)
    case .move(.pageDown): return onward()
    case .move(.start): scroll(to: 0)
    case .move(.end): scroll(to: last)
    default: break
    }
    return nil
  }

  private mutating func take(_ byte: UInt8) -> ReviewScreen.Action? {
    guard byte < 0x80 else { return nil }
    let letter = Character(Unicode.Scalar(byte))
    if let button = screen.button(letter) { return button.waitsForEnd && !hasSeenEnd ? nil : button.action }
    switch letter {
    case " ", "f": return onward()
    case "b": scroll(to: top - height)
    case "j": scroll(to: top + 1)
    case "k": scroll(to: top - 1)
    case "g": scroll(to: 0)
    case "G": scroll(to: last)
    default: break
    }
    return nil
  }

  /// A page on; from the end of the text to the next screen, where there is one. It never agrees to anything.
  private mutating func onward() -> ReviewScreen.Action? {
    if top == last { return screen.button(for: .next)?.action }
    scroll(to: top + height)
    return nil
  }

  /// The whole screen, in one piece, so that nothing flickers.
  var drawing: String {
    var lines = head.map(dressing.text) + [""]
    let seen = body[top..<min(body.count, top + height)]
    lines += seen.map(dressing.text) + Array(repeating: "", count: height - seen.count)
    lines += ["", status.isEmpty ? "" : dressing.style.dim(status)]
    lines += buttonLines(isOpen: hasSeenEnd).prefix(foot.count + 1).map(dressing.action)
    return "\u{1b}[H" + lines.prefix(max(1, rows)).map { $0 + "\u{1b}[K" }.joined(separator: "\r\n") + "\u{1b}[J"
  }

  private var status: String {
    if body.count <= height { return "" }
    let place = "lines \(top + 1) to \(min(body.count, top + height)) of \(body.count)"
    return top == last ? "\(place): the end" : "\(place); space reads on"
  }
}
