import Glibc
import PasscodePlatform
import StrictJSON
import TestSupport
import Testing

/// What the consent verbs say where something is missing: each error leads on.
@Suite struct ConsentHintTests {
  private static let wanted =
    "--given-name <given-name> --family-name <family-name> --image <file.png> --field mail=<E-mail> --sharing <widely|narrowly>"

  @Test("S23: the command line that agrees has every option that the form wants, in show, in an error and as JSON")
  func wholeCommand() throws {
    let home = try Sandbox()
    try home.write(form: Forms.study(), as: "study")
    let command = "passcode consent accept study " + (try home.answered("study")).joined(separator: " ") + " " + Self.wanted
    #expect(try home.expect(0, "consent", "show", "study").errorText.contains("to agree: \(command)\n"))
    let refused = try home.expect(77, "create", "--passcode-file", home.passcodeFile)
    #expect(refused.errorText.contains("  passcode consent show study\n  \(command)\n"), "\(refused.errorText)")
    let json = try home.expect(77, "create", "--passcode-file", home.passcodeFile, "--json").errorText
    guard case .array(let commands)? = try jsonMembers(json)["commands"] else { return #expect(Bool(false), "\(json)") }
    #expect(commands.map(\.value.string) == [command])
    // Given to a shell as it stands, it does nothing.
    let shell = try Command("/bin/sh", ["-c", command], environment: home.environment).run()
    #expect(shell.status != .exited(0))
    #expect(try home.events().isEmpty)
  }

  @Test("what an answer lacks, or has too much, is told by the option")
  func missing() throws {
    let home = try Sandbox()
    try home.write(form: Forms.study(), as: "study")
    let command = ["consent", "accept", "study"] + (try home.answered("study"))
    let nothing = try home.run(command)
    nothing.expectExit(65, "accept")
    for words in [
      "it needs --given-name <given-name> and --family-name <family-name>", "it needs --image <file.png>",
      "it needs --field mail=<E-mail>", "it needs --sharing <widely|narrowly>", "to agree: passcode consent accept study ",
    ] { #expect(nothing.errorText.contains(words), "\(words): \(nothing.errorText)") }
    let odd = try home.run(
      command + ["--given-name", "A", "--family-name", "", "--field", "phone=1", "--sharing", "widely"])
    odd.expectExit(65, "accept")
    #expect(odd.errorText.contains("it has no field 'phone': it has mail") && odd.errorText.contains("--family-name"))
    #expect(!odd.errorText.contains("it needs --sharing"))
    try home.write(form: Forms.terms())
    let terms = try home.run(["consent", "accept", "terms"] + home.answered() + ["--sharing", "widely"])
    terms.expectExit(65, "accept")
    #expect(terms.errorText.contains("leave out --sharing"))
    let witness = try home.expect(1, "consent", "sign", "study", "--role", "Witness", "--given-name", "A", "--family-name", "B")
    #expect(witness.errorText.contains("run: passcode consent accept study"), "\(witness.errorText)")
  }

  @Test("the wrong verb for a form is told the right one, with its command line")
  func otherVerb() throws {
    let home = try Sandbox()
    try home.write(form: Forms.terms())
    try home.write(form: Forms.news(), as: "news")
    let terms = try home.answered(), news = try home.answered("news")
    let deferred = try home.run(["consent", "defer", "terms"] + terms)
    #expect(deferred.errorText.contains("to deny it: passcode consent decline terms \(terms.joined(separator: " "))"))
    let declined = try home.run(["consent", "decline", "news"] + news)
    #expect(declined.errorText.contains("to put it off: passcode consent defer news \(news.joined(separator: " "))"))
    let changed = try home.expect(65, "consent", "accept", "terms", "--version", "7.0", "--sha256", terms[3])
    #expect(changed.errorText.contains("read it again: passcode consent show terms"))
  }

  @Test("a gate that no answer opens is told with the form that is missing, and who can mend it")
  func unopenable() throws {
    let home = try Sandbox()
    try home.create()
    try home.write(form: Forms.news(), as: "news")
    try home.expect(0, "lock")
    try home.write(policy: #""consent": {"gates": {"handbook": "unlock"}}"#)
    let refused = try home.expect(77, "unlock", "--passcode-file", home.passcodeFile)
    for words in ["nobody can give it (handbook)", "no form 'handbook'", "/etc/passcoded/consent", "out of it"] {
      #expect(refused.errorText.contains(words), "\(words): \(refused.errorText)")
    }
    #expect(!refused.errorText.contains("consent review"))
    try home.write(policy: #""consent": {"gates": {"news": ["work/"]}}"#)
    #expect(try home.run(["consent", "accept", "news"] + home.answered("news")).status == .exited(0))
    try home.expect(0, "unlock", "--passcode-file", home.passcodeFile)
    let closed = try home.expect(77, "put", "work/a", input: "x".utf8)
    #expect(closed.errorText.contains("the form 'news' is your own, and opens nothing but the creation of a store"))
  }

  @Test("what is not recorded is said in the words of the verb that looked for it")
  func nothingRecorded() throws {
    let home = try Sandbox()
    for (arguments, words) in [
      (["withdraw", "terms"], "nothing to take back"), (["receipt", "terms"], "no receipt"),
      (["receipt", "terms", "--entry", "3"], "passcode consent history terms"),
      (["document", "terms"], "no document of 'terms' was agreed to"),
    ] {
      let result = try home.run(["consent"] + arguments)
      result.expectExit(1, "\(arguments)")
      #expect(result.errorText.contains(words), "\(result.errorText)")
    }
    #expect(try home.expect(0, "consent", "list").errorText.contains("no form is in force"))
    #expect(try home.expect(0, "consent", "history").errorText.contains("nothing is recorded yet"))
    #expect(try home.expect(0, "consent", "history", "terms").errorText.contains("nothing is recorded for 'terms' yet"))
    #expect(try home.expect(0, "-q", "consent", "list").error.isEmpty)
    #expect(try home.expect(0, "reset", "--list").errorText.contains("no store is set aside"))
  }

  @Test("a form that anybody may write is refused with the command that mends it, and create warns of it")
  func permissions() throws {
    let home = try Sandbox()
    try home.write(form: Forms.news(), as: "news")
    let path = home.directory.file("config/passcoded/consent/news.json")
    #expect(unsafe chmod(path, 0o664) == 0)
    let way = "chmod go-w \(path)"
    #expect(try home.expect(0, "consent", "list").errorText.contains(way))
    let warned = try home.expect(0, "create", "--passcode-file", home.passcodeFile)
    #expect(warned.errorText.contains("warning: a faulty form is not asked"))
    #expect(warned.errorText.contains("passcode consent validate \(path)"))
    let validated = try home.expect(0, "consent", "validate", path)
    #expect(validated.outputText.hasPrefix("\(path): good") && validated.errorText.contains(way))
  }

  @Test("a form comes from standard input as well, without files beside it")
  func standardInput() throws {
    let home = try Sandbox()
    for name in ["-", "/dev/stdin"] {
      let good = try home.expect(0, "consent", "validate", name, input: Forms.terms().utf8)
      #expect(good.outputText.hasPrefix("stdin: good\nterms  1.0  de  "))
    }
    let faulty = try home.expect(65, "consent", "validate", "-", input: #"{"idd": 1}"#.utf8)
    #expect(faulty.errorText.contains("stdin:1:2: unknown key"))
    let beside = Forms.news().split(separator: #""body": "News by mail.""#).joined(separator: #""bodyFile": "news.md""#)
    #expect(try home.expect(65, "consent", "validate", "-", input: beside.utf8).errorText.contains("no file lies beside stdin"))
  }

  @Test("an administrator's policy that is checked as a user's is told the option")
  func policyRole() throws {
    let home = try Sandbox()
    let file = try home.directory.write(
      "p.json", #"{"consent": {"depositCommand": "/usr/bin/true"}}"#.utf8)
    let result = try home.run(["policy", "validate", file])
    guard result.status != .exited(0) else { return #expect(Bool(false), "a user's policy may name a command") }
    #expect(result.errorText.contains("passcode policy validate --as administrator \(file)"), "\(result.errorText)")
    let both = try home.directory.write("q.json", #"{"minLenght": 9}"#.utf8)
    #expect(try !home.expect(78, "policy", "validate", both).errorText.contains("--as administrator"))
  }

  @Test("options that exclude each other stand so in the usage line")
  func usage() throws {
    let home = try Sandbox()
    #expect(try home.expect(0, "consent", "document", "--help").outputText.contains("[--pdf FILE | --html FILE]"))
    #expect(try home.expect(0, "reset", "--help").outputText.contains("[--confirm STORE-ID | --list | --undo ID] [--erase]"))
  }

  @Test("a report says why it has no date, and how the policy's files stand")
  func report() throws {
    let home = try Sandbox()
    #expect(try home.expect(0, "report").outputText.contains("no passcode yet"))
    try home.create()
    #expect(try home.expect(0, "report").outputText.contains("never"))
    try home.expect(0, "lock")
    let locked = try home.expect(0, "report").outputText
    #expect(locked.contains("told only while the store is unlocked") && locked.contains("in force"))
  }

  @Test("q leaves learn more for the form, not the form")
  func learnMore() throws {
    let home = try Sandbox()
    try home.write(form: Forms.terms())
    let terminal = try home.onTerminal("consent", "review", variables: ["TERM": "xterm", "NO_COLOR": "1"])
    try terminal.type("l", after: "Be kind.")
    try terminal.expect("Because it costs nothing.")
    try terminal.expect("[p] Back")
    try terminal.send("q")
    try terminal.type("n", after: "step 1 of 2")
    try terminal.type("a", after: "step 2 of 2")
    #expect(try terminal.waitForExit() == .exited(0), "\(terminal.transcriptText)")
    #expect(!terminal.hasShown("Do you want to leave?"))
  }
}
