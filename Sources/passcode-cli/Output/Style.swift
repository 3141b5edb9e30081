internal import PasscodePlatform

/// Colour on a terminal, where nobody said no (NO_COLOR, no-color.org).
struct Style: Sendable {
  let isOn: Bool

  /// The style for what goes to `descriptor`.
  init(for descriptor: Int32, environment: ProcessEnvironment = .current()) {
    isOn = Terminal.isTerminal(descriptor) && Self.isWanted(environment)
  }

  /// The style for the person's terminal.
  init(environment: ProcessEnvironment) { isOn = Self.isWanted(environment) }

  private static func isWanted(_ environment: ProcessEnvironment) -> Bool {
    environment["NO_COLOR"] == nil && (environment["TERM"] ?? "dumb") != "dumb"
  }

  func bold(_ text: String) -> String { wrap("1", text) }
  func dim(_ text: String) -> String { wrap("2", text) }
  func italic(_ text: String) -> String { wrap("3", text) }
  func underlined(_ text: String) -> String { wrap("4", text) }
  func struck(_ text: String) -> String { wrap("9", text) }
  func red(_ text: String) -> String { wrap("31", text) }
  func green(_ text: String) -> String { wrap("32", text) }
  func yellow(_ text: String) -> String { wrap("33", text) }

  private func wrap(_ code: String, _ text: String) -> String { isOn ? "\u{1b}[\(code)m\(text)\u{1b}[0m" : text }
}
