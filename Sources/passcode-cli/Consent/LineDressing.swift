internal import ConsentCore

/// Sets off the stretches of a line as a terminal can. The characters of a line drive no terminal, see `RichLine`.
struct LineDressing {
  let style: Style

  func text(_ line: RichLine) -> String { line.runs.map { dressed($0) }.joined() }

  private func dressed(_ run: RichLine.Run) -> String {
    var text = run.text
    if run.style.contains(.code) { text = style.dim(text) }
    if run.style.contains(.emphasis) { text = style.italic(text) }
    if run.style.contains(.link) { text = style.underlined(text) }
    if run.style.contains(.strike) { text = style.struck(text) }
    if !run.style.isDisjoint(with: [.heading, .strong]) { text = style.bold(text) }
    return text
  }
}
