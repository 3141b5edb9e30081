internal import PasscodePlatform

/// Shows a screen on the whole terminal. Whatever ends it, a signal too, the terminal is as it was before.
struct FullScreenPager: ReviewPresenting {
  let dialogue: Dialogue

  func present(_ screen: ReviewScreen) throws(CommandError) -> ReviewAnswer {
    do {
      return try dialogue.terminal.withKeys(fullScreen: true) { (reader: inout KeyReader) throws(PlatformError) in
        try show(screen, &reader)
      }
    } catch {
      throw CommandError(error)
    }
  }

  private func show(_ screen: ReviewScreen, _ reader: inout KeyReader) throws(PlatformError) -> ReviewAnswer {
    let terminal = Size(dialogue)
    var view = PagerView(screen, style: dialogue.style, columns: terminal.columns, rows: terminal.rows)
    // What was typed before this was shown was not meant for it: nobody agrees to what was not seen.
    while reader.hasPendingInput {
      if try reader.next() == .interrupt { return ReviewAnswer(action: screen.interruption, hasSeenEnd: false) }
    }
    while true {
      let size = Size(dialogue)
      view.fit(columns: size.columns, rows: size.rows)
      if !reader.hasPendingInput { try dialogue.terminal.write(view.drawing) }
      let key = try reader.next()
      if key == .suspend { reader.suspend() }
      if let action = view.take(key) { return ReviewAnswer(action: action, hasSeenEnd: view.hasSeenEnd) }
    }
  }

  private struct Size {
    let columns: Int
    let rows: Int

    init(_ dialogue: Dialogue) { (columns, rows) = (dialogue.terminal.columns, dialogue.terminal.rows) }
  }
}
