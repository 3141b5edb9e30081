import PasscodePlatform
import TestSupport
import Testing

@Suite struct ConsentThemeTests {
  private static let theme = """
    {"title": {"color": "#8a4b2a", "alignment": "center", "lineLimit": 1}, "action": {"color": "#5f87d7", "lineLimit": 1}}
    """

  private func sandbox() throws -> Sandbox {
    let home = try Sandbox()
    try home.write(form: Forms.terms())
    try home.directory.write("config/passcoded/consent-theme.json", Self.theme.utf8)
    return home
  }

  @Test(
    "a theme colours titles, links and buttons as the terminal can",
    arguments: [
      (["TERM": "xterm-256color"], "38;5;68m"), (["TERM": "xterm", "COLORTERM": "truecolor"], "38;2;95;135;215m"),
      (["TERM": "xterm-direct"], "38;2;95;135;215m"),
    ])
  func colors(variables: [String: String], link: String) throws {
    let home = try sandbox()
    let terminal = try home.onTerminal("consent", "review", variables: variables)
    try terminal.expect("\u{1b}[\(link)[n] Next")
    try terminal.send("n")
    try terminal.expect("\u{1b}[\(link)\u{1b}[4mthe rules")
    try terminal.send("\u{3}")
    try terminal.expect("Do you want to leave?")
    try terminal.expect("Stay")
    try terminal.send("\u{3}")
    #expect(try terminal.waitForExit() == .exited(2), "\(terminal.transcriptText)")
  }

  @Test("with NO_COLOR, on a plain terminal and off one there is no colour; lines stand where the theme has them all the same")
  func noColor() throws {
    let home = try sandbox()
    for variables in [["TERM": "xterm-256color", "NO_COLOR": "1"], ["TERM": "xterm"]] {
      let terminal = try home.onTerminal("consent", "show", "terms", variables: variables)
      try terminal.expect("to agree: ")
      #expect(try terminal.waitForExit() == .exited(0))
      #expect(!terminal.hasShown("38;"), "\(terminal.transcriptText)")
    }
    let shown = try home.expect(0, "consent", "show", "terms")
    #expect(!shown.output.contains(0x1b))
    #expect(shown.outputText.hasPrefix(String(repeating: " ", count: 34) + "Terms of use\n"), "\(shown.outputText)")
    #expect(try home.expect(0, "consent", "show", "terms", "--exact").outputText.hasPrefix("Terms of use\n"))
  }

  @Test("a faulty theme is told and left out; one that the command line names is an error")
  func faulty() throws {
    let home = try sandbox()
    let bad = try home.directory.write("config/passcoded/consent-theme.json", #"{"titel": {}}"#.utf8)
    let shown = try home.expect(0, "consent", "show", "terms")
    #expect(shown.errorText.contains("forms are shown without it") && shown.errorText.contains("did you mean \"title\"?"))
    #expect(shown.outputText.hasPrefix("Terms of use\n"))
    try home.expect(65, "consent", "show", "terms", "--layout", bad)
    try home.expect(66, "consent", "show", "terms", "--layout", "/nonexistent")
    let good = try home.directory.write("own.json", Self.theme.utf8)
    #expect(try home.expect(0, "consent", "show", "terms", "--layout", good).outputText.hasPrefix("     "))
  }
}
