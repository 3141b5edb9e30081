internal import ConsentCore
internal import PasscodePlatform
internal import StrictJSON

/// Shows a screen line by line, for a terminal that can't move its cursor and for one that is read aloud.
struct PlainPager: ReviewPresenting {
  let dialogue: Dialogue

  func present(_ screen: ReviewScreen) throws(CommandError) -> ReviewAnswer {
    dialogue.say("")
    dialogue.say(screen.heading)
    if let progress = screen.progress { dialogue.say(progress) }
    dialogue.say("")
    let lines = screen.text.lines(
      width: min(dialogue.terminal.columns, 100), locale: screen.locale, theme: screen.theme)
    let height = max(1, dialogue.terminal.rows - 2)
    var shown = 0
    while true {
      for line in lines[shown..<min(lines.count, shown + height)] { dialogue.sayExactly(line.text) }
      shown = min(lines.count, shown + height)
      if shown == lines.count { break }
      if let action = try askToGoOn(screen) { return ReviewAnswer(action: action, hasSeenEnd: false) }
    }
    return ReviewAnswer(action: try choose(screen), hasSeenEnd: true)
  }

  private func askToGoOn(_ screen: ReviewScreen) throws(CommandError) -> ReviewScreen.Action? {
    guard let answer = try dialogue.line("-- Enter reads on: ") else { return screen.interruption }
    guard let button = self.button(answer, screen), !button.waitsForEnd else { return nil }
    return button.action
  }

  private func choose(_ screen: ReviewScreen) throws(CommandError) -> ReviewScreen.Action {
    dialogue.say("")
    for button in screen.buttons { dialogue.say("\(button.key): \(button.label)") }
    while true {
      guard let answer = try dialogue.line("> ") else { return screen.interruption }
      if let button = self.button(answer, screen) { return button.action }
      if answer.isEmpty, let next = screen.button(for: .next) { return next.action }
      dialogue.say("Type one of: \(screen.buttons.map { String($0.key) }.joined(separator: ", ")).")
    }
  }

  /// By its key, or by its label.
  private func button(_ answer: String, _ screen: ReviewScreen) -> ReviewScreen.Button? {
    if let key = answer.first, answer.count == 1 { return screen.button(key) }
    return screen.buttons.first { $0.label.lowercased() == answer.lowercased() }
  }
}
