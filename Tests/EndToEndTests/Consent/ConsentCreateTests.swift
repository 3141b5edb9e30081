import PasscodePlatform
import TestSupport
import Testing

@Suite struct ConsentCreateTests {
  private static let plain = ["TERM": "xterm", "NO_COLOR": "1"]

  @Test("create shows the forms first, then asks for the passcode; the record goes into the store")
  func agree() throws {
    let home = try Sandbox()
    try home.write(form: Forms.terms())
    try home.write(form: Forms.news(), as: "news")
    let terminal = try home.onTerminal("create", variables: Self.plain)
    try terminal.type(" ", after: "Be kind.")
    try terminal.type("a", after: "[a] Agree")
    try terminal.type("d", after: "[d] Not now")
    try terminal.expect("New passcode: ")
    terminal.waitUntil(echoing: false)
    try terminal.send("\(Sandbox.passcode)\r")
    try terminal.expect("The same again: ")
    try terminal.send("\(Sandbox.passcode)\r")
    try terminal.expect("try next")
    #expect(try terminal.waitForExit() == .exited(0), "\(terminal.transcriptText)")
    #expect(try home.events() == ["given", "deferred"])
  }

  @Test("S4: a denial ends create with 77 and no store is made")
  func deny() throws {
    let home = try Sandbox()
    try home.write(form: Forms.terms())
    let terminal = try home.onTerminal("create", variables: Self.plain)
    try terminal.type(" ", after: "Be kind.")
    try terminal.type("d", after: "[d] Deny")
    try terminal.expect("[n] Back")
    try terminal.send("y")
    #expect(try terminal.waitForExit() == .exited(77), "\(terminal.transcriptText)")
    #expect(!terminal.hasShown("New passcode") && terminal.hasShown("no store was made"))
    #expect(jsonString("state", in: try home.expect(0, "status", "--json").outputText) == "absent")
    #expect(try Files.status(of: home.storePath) == nil)
  }

  @Test("a cancel ends create with 2, and the same forms are asked again")
  func cancel() throws {
    let home = try Sandbox()
    try home.write(form: Forms.terms())
    for _ in 0..<2 {
      let terminal = try home.onTerminal("create", variables: Self.plain)
      try terminal.type("\u{3}", after: "Be kind.")
      try terminal.expect("[n] Stay")
      try terminal.send("\u{3}")
      #expect(try terminal.waitForExit() == .exited(2), "\(terminal.transcriptText)")
    }
    #expect(try Files.status(of: home.storePath) == nil)
  }

  @Test("S23: off a terminal create ends with 77 and the command lines that answer each form, also as JSON")
  func script() throws {
    let home = try Sandbox()
    try home.write(form: Forms.terms())
    try home.write(form: Forms.news(), as: "news")
    let result = try home.expect(77, "create", "--passcode-file", home.passcodeFile)
    let command = "passcode consent accept terms " + (try home.answered()).joined(separator: " ")
    #expect(result.errorText.contains(command) && !result.errorText.contains("accept news"))
    let json = try home.expect(77, "create", "--passcode-file", home.passcodeFile, "--json").errorText
    #expect(jsonString("error", in: json) == "org.passcoded.Passcode.ConsentRequired" && json.contains(command))
    #expect(try home.run(command.split(separator: " ").dropFirst().map(String.init)).status == .exited(0))
    try home.create()
  }

  @Test("with no form create asks for the passcode at once")
  func none() throws {
    let home = try Sandbox()
    let terminal = try home.onTerminal("create", variables: Self.plain)
    try terminal.expect("New passcode: ")
    #expect(!terminal.hasShown("\u{1b}[?1049h"))
    try terminal.send("\u{3}")
    #expect(try terminal.waitForExit() == .exited(2))
  }
}
