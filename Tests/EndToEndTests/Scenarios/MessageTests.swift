import Glibc
import PasscodePlatform
import SecretMemory
import TestSupport
import Testing

/// What the command says: each verb in its own words, and nothing that a terminal would obey.
@Suite struct MessageTests {
  @Test("a name that is taken is told with the option of the verb that met it")
  func taken() throws {
    let home = try Sandbox()
    try home.create()
    for name in ["a", "b"] { try home.expect(0, "put", name, input: "x".utf8) }
    let put = try home.expect(73, "put", "a", "--no-replace", input: "y".utf8).errorText
    #expect(put == "passcode: 'a' exists already; leave out --no-replace to replace it\n")
    let rename = try home.expect(73, "rename", "a", "b").errorText
    #expect(rename == "passcode: 'b' exists already; add --replace, and it gives way\n")
    let json = try home.expect(73, "--json", "rename", "a", "b").errorText
    #expect(jsonString("error", in: json) == "org.passcoded.Credentials.Exists" && jsonString("name", in: json) == "b")
  }

  @Test("an empty secret is kept, and said")
  func emptySecret() throws {
    let home = try Sandbox()
    try home.create()
    try home.expect(0, "put", "a", input: "old".utf8)
    #expect(try home.expect(0, "put", "a").errorText.contains("the secret is empty, and kept so"))
    #expect(try home.expect(0, "get", "a").output.isEmpty)
    #expect(try home.expect(0, "put", "a", "--trim-newline", input: "\n".utf8).errorText.contains("is empty"))
    #expect(try home.expect(0, "-q", "put", "a").error.isEmpty)
    #expect(try !home.expect(0, "put", "a", input: "x".utf8).errorText.contains("is empty"))
  }

  @Test("an attribute that is not there is taken away without an error; a credential that is not there is one")
  func unset() throws {
    let home = try Sandbox()
    try home.create()
    try home.expect(0, "put", "a", "--attr", "k=v", input: "x".utf8)
    #expect(try home.expect(0, "attr", "unset", "a", "k", "none").errorText == "passcode: 'a' has 0 attributes now\n")
    try home.expect(0, "attr", "unset", "a", "none")
    try home.expect(1, "attr", "unset", "b", "none")
    try home.expect(1, "get", "a", "--attr", "none")
  }

  @Test("a slip ends with its hint; --passcode is told both of its endings")
  func slips() throws {
    let home = try Sandbox()
    for (arguments, message) in [
      (["--jsno", "status"], "there is no option '--jsno'; did you mean --json?"),
      (["get", "--passcode", "hidden"], "there is no option '--passcode'; did you mean --passcode-fd or --passcode-file?"),
      (["policy", "show", "--preset", "defualt"], "there is no preset 'defualt'; did you mean default?"),
    ] {
      #expect(try home.run(arguments).errorText == "passcode: \(message)\n")
    }
  }

  @Test("status of another store's daemon is no refusal")
  func otherStore() throws {
    let home = try Sandbox()
    try home.create()
    let other = home.directory.file("other.db")
    let status = try home.expect(0, "--store", other, "status")
    #expect(status.errorText.contains("serves \(home.storePath) and not \(other)") && !status.errorText.contains("run:"))
    #expect(try home.expect(0, "-q", "--store", other, "status").error.isEmpty)
  }

  private static let hostile = "a\u{1B}[31mred\u{9B}32m\u{7F}\u{202E}gpj\u{2028}\u{200B}"
  private static let harmless = #"a\u{1B}[31mred\u{9B}32m\u{7F}\u{202E}gpj\u{2028}\u{200B}"#

  @Test(
    "no message carries a control, a line or a direction that was put into it",
    arguments: [
      ["policy", "validate", hostile], ["--store", hostile, "status"], ["--socket", hostile, "status"], [hostile],
      ["get", hostile],
      ["get", "a", "--" + hostile], ["policy", "show", "--preset", hostile], ["daemon", hostile],
      ["put", "a", "--attr", hostile],
      ["breach-list", "import", hostile, "--to", "x"], ["create", "--passcode-file", hostile], ["get", "a", "b", hostile],
      ["completions", hostile], ["reset", "--undo", hostile], ["help", hostile],
    ])
  func injection(arguments: [String]) throws {
    let home = try Sandbox()
    for options in [[], ["--json"]] {
      let result = try home.run(options + arguments)
      expectHarmless(result.error, "\(arguments)")
    }
    let broken = try home.run(arguments.map { $0 == Self.hostile ? "a\nb" : $0 })
    for line in broken.errorText.split(separator: "\n") where !line.hasPrefix("  ") {
      #expect(line.hasPrefix("passcode: "), "\(line)")
    }
  }

  @Test("a policy that names hostile keys, rules and paths is told harmlessly, and logged so")
  func hostilePolicy() throws {
    let home = try Sandbox()
    let key = #"a\u001b[31m\u202e\u200b\u2028"#
    let file = try home.directory.write("p.json", #"{"\#(key)": 1, "minLength": "x"}"#.utf8)
    expectHarmless(try home.expect(78, "policy", "validate", file).error, "a key")
    try home.directory.write(
      "config/passcoded/policy.json", #"{"validators": [{"type": "blocklist", "path": "/\#(key)"}]}"#.utf8)
    try home.expect(0, "status")
    expectHarmless(try home.expect(0, "daemon", "log").output, "the log")
    try home.write(
      policy: #""customRules": [{"name": "\#(key)", "pattern": "x", "mustMatch": true, "displayed": true}]"#)
    expectHarmless(try home.expect(65, "check", "--passcode-file", home.wrongFile).error, "a rule")
  }

  @Test("names are shown harmlessly on a terminal, and come as they are through a pipe")
  func names() throws {
    let home = try Sandbox()
    try home.create()
    let name = "x\u{202E}\u{200B}\u{2028}y👩‍💻"
    try home.expect(0, "put", name, "--attr", "k\u{202E}=v\u{200B}", input: "secret".utf8)
    #expect(try home.expect(0, "list").outputText == name + "\n")
    #expect(try home.expect(0, "show", name).outputText.contains("k\u{202E}=v\u{200B}"))
    #expect(try home.expect(0, "list", "--json").outputText.contains(name))
    for arguments in [["list"], ["show", name], ["list", "--json"], ["history", name], ["find", "k\u{202E}=v\u{200B}"]] {
      let terminal = try PseudoTerminal()
      try terminal.start(home.command(arguments))
      #expect(try terminal.waitForExit() == .exited(0))
      expectHarmless(terminal.transcript, "\(arguments)")
      if arguments[0] != "history" { #expect(terminal.hasShown(arguments == ["list", "--json"] ? "👩" : "👩‍💻")) }
    }
  }

  private func expectHarmless(_ bytes: [UInt8], _ what: String, at location: SourceLocation = #_sourceLocation) {
    let text = String(decoding: bytes, as: UTF8.self)
    let found = text.unicodeScalars.filter { scalar in
      switch scalar.properties.generalCategory {
      case .control: scalar != "\n" && scalar != "\r"
      case .format: scalar != "\u{200D}"
      case .lineSeparator, .paragraphSeparator: true
      default: false
      }
    }
    #expect(found.isEmpty, "\(what): \(text.debugDescription)", sourceLocation: location)
  }
}
