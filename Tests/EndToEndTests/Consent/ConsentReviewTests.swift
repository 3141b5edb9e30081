import Glibc
import PasscodePlatform
import TestSupport
import Testing

@Suite struct ConsentReviewTests {
  @Test("buttons stand on the last page only, steps are counted, and agreeing records the answer")
  func pages() throws {
    let home = try Sandbox()
    try home.write(form: Forms.terms())
    let terminal = try home.onTerminal("consent", "review", variables: ["TERM": "xterm", "NO_COLOR": "1"])
    try terminal.expect("step 1 of 2")
    try terminal.expect("Be kind.")
    try terminal.type("a", after: "[l] Why kind?")
    #expect(!terminal.hasShown("[a]"))
    try terminal.send("l")
    try terminal.expect("Because it costs nothing.")
    try terminal.expect("[p] Back")
    try terminal.send("p")
    try terminal.expect("step 1 of 2")
    try terminal.expect("[q] Cancel")
    try terminal.send("\u{1b}[C")
    try terminal.expect("step 2 of 2")
    try terminal.expect("https://example.org/rules")
    try terminal.type("\r ", after: "[a] Agree   [d] Deny   [p] Back")
    #expect(try home.events().isEmpty)
    try terminal.send("a")
    try terminal.expect("agreed to 'terms' 1.0")
    #expect(try terminal.waitForExit() == .exited(0), "\(terminal.transcriptText)")
    #expect(terminal.isEchoing && terminal.isCollectingLines)
    #expect(terminal.hasShown("\u{1b}[?1049l"))
    #expect(try home.events() == ["given"])
    let history = try home.expect(0, "consent", "history", "--json").outputText
    #expect(try jsonObjects("records", in: history)[0]["means"]?.string == "terminal")
    #expect(try home.expect(0, "consent", "review").errorText.contains("no form is to be answered"))
  }

  @Test("S4: a denial is confirmed, ends the review with 77 and leaves the denial alone behind")
  func deny() throws {
    let home = try Sandbox()
    try home.write(form: Forms.terms())
    try home.write(form: Forms.news(), as: "news")
    let terminal = try home.onTerminal("consent", "review", variables: ["TERM": "xterm", "NO_COLOR": "1"])
    try terminal.expect("form 1 of 2, step 1 of 2")
    try terminal.type(" ", after: "Be kind.")
    try terminal.type("d", after: "[d] Deny")
    try terminal.expect("Without consent you can't go on.")
    try terminal.expect("[n] Back")
    try terminal.send("n")
    try terminal.type("d", after: "[d] Deny")
    try terminal.expect("[n] Back")
    try terminal.send("y")
    #expect(try terminal.waitForExit() == .exited(77), "\(terminal.transcriptText)")
    #expect(try home.events() == ["refused"])
    #expect(!terminal.hasShown("News by mail."))
  }

  @Test("not now asks nothing and moves on; a cancel is confirmed, ends with 2 and keeps the answers given")
  func cancel() throws {
    let home = try Sandbox()
    try home.write(form: Forms.news(), as: "news")
    try home.write(
      form: Forms.terms().split(separator: #""required": true"#).joined(separator: #""required": true, "order": 9"#))
    let terminal = try home.onTerminal("consent", "review", variables: ["TERM": "xterm", "NO_COLOR": "1"])
    try terminal.type("d", after: "[d] Not now")
    try terminal.type("\u{3}", after: "Be kind.")
    try terminal.expect("Do you want to leave?")
    try terminal.expect("[n] Stay")
    try terminal.send("n")
    try terminal.type("q", after: "Be kind.")
    try terminal.expect("[n] Stay")
    try terminal.send("y")
    #expect(try terminal.waitForExit() == .exited(2), "\(terminal.transcriptText)")
    #expect(try home.events() == ["deferred", "requested"])
  }

  @Test("S17, S22: a major version asks again and first says what changed; a minor one asks nobody")
  func update() throws {
    let home = try Sandbox()
    try home.write(form: Forms.terms())
    #expect(try home.run(["consent", "accept", "terms"] + home.answered()).status == .exited(0))
    try home.write(form: Forms.terms(version: "1.1"))
    #expect(try home.expect(0, "consent", "review").errorText.contains("no form is to be answered"))
    try home.write(form: Forms.terms(version: "2.0", more: #""changes": "Kindness is required now.","#))
    let terminal = try home.onTerminal("consent", "review", variables: ["TERM": "xterm", "NO_COLOR": "1"])
    try terminal.expect("You agreed to version 1.0.")
    try terminal.type("n", after: "Kindness is required now.")
    try terminal.type(" ", after: "Be kind.")
    try terminal.type("a", after: "[a] Agree")
    #expect(try terminal.waitForExit() == .exited(0), "\(terminal.transcriptText)")
    #expect(try home.consentState() == "renewed")
  }

  @Test("a form's own language and labels are on the screen, and nothing in a text drives the terminal")
  func words() throws {
    let home = try Sandbox(environment: ["LANG": "de_DE.UTF-8"])
    try home.write(form: Forms.terms())
    try home.write(form: Forms.news(body: #"\#\#u001b]0;owned\#\#u0007"#), as: "news")
    let terminal = try home.onTerminal("consent", "accept", "terms", variables: ["TERM": "xterm", "NO_COLOR": "1"])
    try terminal.expect("Nutzungsbedingungen")
    try terminal.type(" ", after: "Sei nett.")
    try terminal.type("a", after: "[a] Zustimmen")
    #expect(try terminal.waitForExit() == .exited(0), "\(terminal.transcriptText)")
    let listed = try home.expect(0, "consent", "list")
    #expect(!listed.output.contains(0x1b) && !listed.error.contains(0x1b))
  }

  @Test("a dumb terminal is led line by line, without a control sequence")
  func dumb() throws {
    let home = try Sandbox()
    try home.write(form: Forms.terms())
    let terminal = try home.onTerminal("consent", "review", variables: ["TERM": "dumb"])
    try terminal.expect("step 1 of 2")
    try terminal.expect("l: Why kind?")
    try terminal.expect("> ")
    try terminal.send("\r")
    try terminal.expect("a: Agree")
    try terminal.expect("> ")
    try terminal.send("x\r")
    try terminal.expect("Type one of: a, d, p, q.")
    try terminal.send("agree\r")
    #expect(try terminal.waitForExit() == .exited(0), "\(terminal.transcriptText)")
    #expect(!terminal.transcript.contains(0x1b))
    #expect(try home.events() == ["given"])
  }

  @Test("S24: show pages a long form on a terminal, and prints it whole where a program reads it")
  func show() throws {
    let home = try Sandbox()
    try home.write(form: Forms.study(), as: "study")
    let terminal = try home.onTerminal("consent", "show", "study", variables: ["TERM": "xterm", "NO_COLOR": "1"])
    try terminal.expect("space reads on")
    try terminal.expect("[q] Close")
    try terminal.send("q")
    try terminal.expect("to agree: passcode consent accept study")
    #expect(try terminal.waitForExit() == .exited(0), "\(terminal.transcriptText)")
    #expect(!terminal.hasShown("The very end."))
    #expect(try home.expect(0, "consent", "show", "study").outputText.contains("The very end."))
  }

  @Test("a signal puts the terminal back, its screen too, and nothing was recorded", arguments: [SIGTERM, SIGINT, SIGHUP])
  func signals(number: Int32) throws {
    let home = try Sandbox()
    try home.write(form: Forms.terms())
    let terminal = try home.onTerminal("consent", "review")
    try terminal.expect("Cancel")
    terminal.send(signal: number)
    #expect(try terminal.waitForExit() == .signalled(number))
    #expect(terminal.isEchoing && terminal.isCollectingLines)
    #expect(terminal.hasShown("\u{1b}[?1049l"))
    #expect(try home.events().isEmpty)
  }

  @Test("without a terminal the review ends with 75, and tells the commands that answer")
  func withoutTerminal() throws {
    let home = try Sandbox()
    try home.write(form: Forms.terms())
    let result = try home.expect(75, "consent", "review")
    #expect(result.errorText.contains("passcode consent accept terms --version 1.0 --sha256 "))
  }
}
