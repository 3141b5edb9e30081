internal import ConsentCore

/// One thing that is shown of a form, and what can be done there.
struct ReviewScreen {
  /// What a person can do.
  enum Action {
    case next, back, agree, decline, cancel, learnMore, open, yes, no, widely, narrowly
  }

  /// A key, what it is called, and what it does.
  struct Button {
    let key: Character
    let label: String
    let action: Action
    /// Whether it is taken only once the end of the text was seen.
    var waitsForEnd = false
  }

  /// Stands above the text.
  var heading: String
  /// Where one is, such as `step 2 of 3`; nil where there is only one step.
  var progress: String?
  var text: RichText
  var locale: LanguageTag
  var theme = ConsentTheme()
  var buttons: [Button]
  /// What Ctrl-C and Ctrl-D do.
  var interruption = Action.cancel

  /// A button that the key stands for, in either case.
  func button(_ key: Character) -> Button? {
    let key = Character(key.lowercased())
    // Where leaving leads back, the key that leaves elsewhere does so too.
    return buttons.first { $0.key == key } ?? (key == "q" && interruption == .back ? button(for: .back) : nil)
  }

  func button(for action: Action) -> Button? { buttons.first { $0.action == action } }
}

/// What a person did at a screen.
struct ReviewAnswer {
  let action: ReviewScreen.Action
  /// Whether the end of the text was seen.
  let hasSeenEnd: Bool
}

/// Shows screens, one after the other.
protocol ReviewPresenting {
  /// Shows one until one of its buttons is taken.
  func present(_ screen: ReviewScreen) throws(CommandError) -> ReviewAnswer
}
