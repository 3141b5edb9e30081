internal import ConsentCore

/// Sets off the stretches of a line as a terminal can. The characters of a line drive no terminal, see `RichLine`.
struct LineDressing {
  let style: Style
  var theme = ConsentTheme()

  func text(_ line: RichLine) -> String { line.runs.map { dressed($0) }.joined() }

  /// A line of buttons.
  func action(_ line: RichLine) -> String { line.runs.map { style.colored($0.text, theme.action.color) }.joined() }

  private func dressed(_ run: RichLine.Run) -> String {
    var text = run.text
    if run.style.contains(.code) { text = style.dim(text) }
    if run.style.contains(.emphasis) { text = style.italic(text) }
    if run.style.contains(.link) { text = style.underlined(text) }
    if run.style.contains(.strike) { text = style.struck(text) }
    if !run.style.isDisjoint(with: [.heading, .strong]) { text = style.bold(text) }
    return style.colored(text, look(run).color)
  }

  private func look(_ run: RichLine.Run) -> ConsentTextStyle {
    if run.style.contains(.link) { return theme.action }
    return run.style.contains(.heading) ? theme.title : theme.body
  }
}
