internal import ConsentCore
internal import PasscodePlatform

/// Colour on a terminal, where nobody said no (NO_COLOR, no-color.org).
struct Style: Sendable {
  /// Which colours a terminal has beside its own sixteen, whose hue nobody knows.
  private enum Palette {
    case none, indexed, full
  }

  let isOn: Bool
  private let palette: Palette

  /// The style for what goes to `descriptor`.
  init(for descriptor: Int32, environment: ProcessEnvironment = .current()) {
    isOn = Terminal.isTerminal(descriptor) && Self.isWanted(environment)
    palette = Self.palette(environment)
  }

  /// The style for the person's terminal.
  init(environment: ProcessEnvironment) {
    isOn = Self.isWanted(environment)
    palette = Self.palette(environment)
  }

  /// Source: the names of terminfo's entries; COLORTERM as VTE, Konsole and others set it.
  private static func palette(_ environment: ProcessEnvironment) -> Palette {
    let terminal = environment["TERM"] ?? ""
    if ["truecolor", "24bit"].contains(environment["COLORTERM"]) || terminal.hasSuffix("-direct") { return .full }
    return terminal.hasSuffix("-256color") ? .indexed : .none
  }

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

  /// In a colour, as near to it as the terminal has one and as can be read on its ground; nil leaves the text as it is.
  func colored(_ text: String, _ color: ConsentColor?) -> String {
    guard let color else { return text }
    switch palette {
    case .none: return text
    case .indexed: return wrap("38;5;\(color.paletteIndex)", text)
    case .full:
      let (red, green, blue) = color.readable.channels
      return wrap("38;2;\(red);\(green);\(blue)", text)
    }
  }

  private func wrap(_ code: String, _ text: String) -> String { isOn ? "\u{1b}[\(code)m\(text)\u{1b}[0m" : text }
}
