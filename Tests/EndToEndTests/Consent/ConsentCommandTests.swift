import PasscodePlatform
import TestSupport
import Testing

@Suite struct ConsentCommandTests {
  @Test("list shows each form with state, need and gates, and faults of files on stderr")
  func list() throws {
    let home = try Sandbox()
    #expect(try home.expect(0, "consent", "list").output.isEmpty)
    try home.write(form: Forms.terms())
    try home.write(form: Forms.news(), as: "news")
    try home.write(form: #"{"id": "odd", "titel": 1}"#, as: "odd")
    let result = try home.expect(0, "consent", "list")
    let lines = result.outputText.split(separator: "\n").map(String.init)
    #expect(lines.count == 2)
    #expect(lines.first?.hasPrefix("terms") == true && lines.first?.contains("required  never asked") == true)
    #expect(lines.last?.hasPrefix("news") == true && lines.last?.contains("optional") == true)
    #expect(result.errorText.contains("odd.json:1:"), "\(result.errorText)")
    let json = try home.expect(0, "consent", "list", "--json").outputText
    #expect(try jsonObjects("forms", in: json).count == 2)
    #expect(try !jsonObjects("formFaults", in: json).isEmpty)
    #expect(jsonIsNull("recordFault", in: json))
  }

  @Test("S28: show --exact prints the very bytes whose SHA-256 an answer names, in each language")
  func exact() throws {
    let home = try Sandbox()
    try home.write(form: Forms.terms())
    for (locale, words) in [("en", "Be kind."), ("de", "Sei nett.")] {
      let exact = try home.expect(0, "consent", "show", "terms", "--exact", "--locale", locale)
      #expect(exact.outputText.contains(words))
      var sum = Command("/usr/bin/sha256sum")
      sum.input = exact.output
      let digest = String(try sum.run().outputText.prefix(64))
      #expect(try home.answered(locale: locale).last == digest)
    }
    let shown = try home.expect(0, "consent", "show", "terms")
    #expect(shown.outputText.contains("https://example.org/rules") && !shown.outputText.contains("**"))
    #expect(shown.errorText.contains("passcode consent accept terms --version 1.0 --sha256 "))
    try home.expect(1, "consent", "show", "terms", "--locale", "fr")
    try home.expect(64, "consent", "show", "terms", "--locale", "not a language")
    try home.expect(1, "consent", "show", "nothing")
  }

  @Test("the language is that of the environment, as gettext has it")
  func languages() throws {
    for (variables, title) in [
      (["LANG": "de_CH.UTF-8"], "Nutzungsbedingungen"), (["LANG": "de_DE", "LC_ALL": "en_US.UTF-8"], "Terms of use"),
      (["LANG": "fr_FR.UTF-8", "LANGUAGE": "fr:de:en"], "Nutzungsbedingungen"),
      (["LANG": "C.UTF-8", "LANGUAGE": "de"], "Terms of use"), (["LANG": "en", "LC_MESSAGES": "de"], "Nutzungsbedingungen"),
    ] {
      let home = try Sandbox(environment: variables)
      try home.write(form: Forms.terms())
      #expect(try home.expect(0, "consent", "list").outputText.contains(title), "\(variables)")
    }
  }

  @Test("S26: a script agrees by version and digest; a bare yes, another version and another text are refused")
  func accept() throws {
    let home = try Sandbox()
    try home.write(form: Forms.terms())
    let bare = try home.expect(64, "consent", "accept", "terms")
    #expect(bare.errorText.contains("passcode consent show terms"))
    let named = try home.answered()
    for part in [Array(named[..<2]), Array(named[2...])] {
      #expect(try home.run(["consent", "accept", "terms"] + part).status == .exited(64))
    }
    try home.expect(65, "consent", "accept", "terms", "--version", "2.0", "--sha256", named[3])
    try home.expect(65, "consent", "accept", "terms", "--version", "1.0", "--sha256", String(named[3].reversed()))
    #expect(try home.events().isEmpty)
    let result = try home.run(["consent", "accept", "terms"] + named)
    result.expectExit(0, "accept")
    #expect(result.output.isEmpty && result.errorText.contains("consent receipt terms --entry 1"))
    #expect(try home.consentState() == "given")
    let entry = try jsonObjects("records", in: try home.expect(0, "consent", "history", "--json").outputText)[0]
    #expect(entry["means"]?.string == "command" && entry["sha256"]?.string == named[3] && entry["locale"]?.string == "en")
  }

  @Test("decline is for required forms and defer for optional ones; what was answered in another language counts")
  func otherAnswers() throws {
    let home = try Sandbox()
    try home.write(form: Forms.terms())
    try home.write(form: Forms.news(), as: "news")
    let terms = try home.answered(locale: "de")
    let news = try home.answered("news")
    #expect(try home.run(["consent", "defer", "terms"] + terms).status == .exited(65))
    #expect(try home.run(["consent", "decline", "terms"] + terms).status == .exited(0))
    #expect(try home.run(["consent", "defer", "news"] + news).status == .exited(0))
    #expect(try home.consentState() == "refused" && home.consentState("news") == "deferred")
    #expect(try home.run(["consent", "accept", "terms", "--json"] + terms).status == .exited(0))
    #expect(try home.events() == ["refused", "deferred", "given"])
  }

  @Test("S30: withdrawing takes one command, closes at once, and names what closed and the receipt")
  func withdraw() throws {
    let home = try Sandbox()
    try home.write(form: Forms.terms())
    try home.expect(1, "consent", "withdraw", "terms")
    #expect(try home.run(["consent", "accept", "terms"] + home.answered()).status == .exited(0))
    let result = try home.expect(0, "consent", "withdraw", "terms")
    #expect(result.errorText.contains("closed now: create") && result.errorText.contains("consent receipt terms --entry 2"))
    let refused = try home.expect(77, "create", "--passcode-file", home.passcodeFile)
    #expect(refused.errorText.contains("passcode consent accept terms --version 1.0 --sha256 "))
    let json = try home.expect(0, "consent", "receipt", "terms", "--entry", "2").outputText
    #expect(jsonString("receiptId", in: json) != nil && jsonString("supersedes", in: json) != nil)
    #expect(json.contains("withdrawn"))
    try home.expect(1, "consent", "receipt", "terms", "--entry", "9")
  }

  @Test("an exported record is verified without a daemon; one that was changed is found")
  func export() throws {
    let home = try Sandbox()
    try home.write(form: Forms.terms())
    #expect(try home.run(["consent", "accept", "terms"] + home.answered()).status == .exited(0))
    try home.create()
    let file = home.directory.file("record.json")
    try home.expect(0, "consent", "export", file)
    #expect(try Files.status(of: file)?.mode == 0o600)
    try home.expect(73, "consent", "export", file)
    try home.expect(0, "consent", "export", file, "--force")
    #expect(try home.expect(0, "consent", "verify").outputText.hasPrefix("good: 1 entry"))
    let stranger = try Sandbox()
    #expect(try stranger.expect(0, "consent", "verify", file, "--no-autostart").outputText.hasPrefix("good: 1 entry"))
    let text = String(decoding: try readFile(file), as: UTF8.self)
    let forged = text.split(separator: #"\"given\""#, omittingEmptySubsequences: false).joined(separator: #"\"renewed\""#)
    #expect(forged != text)
    try stranger.directory.write("forged.json", forged.utf8)
    try stranger.expect(78, "consent", "verify", stranger.directory.file("forged.json"))
    try stranger.expect(65, "consent", "verify", stranger.passcodeFile)
    try stranger.expect(66, "consent", "verify", "/nonexistent")
  }

  @Test("validate tells a form's digests, or each fault by file, line and column")
  func validate() throws {
    let home = try Sandbox()
    try home.directory.write("good.json", Forms.terms().utf8)
    #expect(try home.expect(0, "consent", "validate", home.directory.file("good.json")).outputText.contains("terms  1.0  de  "))
    try home.directory.write("bad.json", "{\"id\": \"terms\",\n \"titel\": 1}".utf8)
    let path = home.directory.file("bad.json")
    let result = try home.expect(65, "consent", "validate", path)
    #expect(result.errorText.contains("\(path):2:2: unknown key"), "\(result.errorText)")
    try home.expect(66, "consent", "validate", "/nonexistent.json")
  }

  @Test("answers outlive the daemon, and the store that is made takes them over")
  func adoption() throws {
    let home = try Sandbox()
    try home.write(form: Forms.terms())
    #expect(try home.run(["consent", "accept", "terms"] + home.answered()).status == .exited(0))
    try home.expect(0, "daemon", "stop")
    #expect(try home.consentState() == "given")
    try home.create()
    #expect(try home.consentState() == "given")
    let record = try jsonObjects("records", in: try home.expect(0, "consent", "history", "--json").outputText)[0]
    #expect(record["recording"]?.string == "beforeStore" && record["isSigned"]?.isTrue == true)
    let verified = try home.expect(0, "consent", "verify", "--json").outputText
    #expect(jsonNumber("signedCount", in: verified) == 1 && jsonString("keyFingerprint", in: verified)?.count == 64)
  }
}
