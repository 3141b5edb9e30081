import PasscodePlatform
import TestSupport
import Testing

@Suite struct CommandLineTests {
  private func run(_ arguments: [String]) throws -> CommandResult {
    try Command(try binary(named: "passcode"), arguments, environment: ["HOME": "/nonexistent"]).run()
  }

  private static let verbs = [
    "create", "verify", "change", "check", "unlock", "lock", "status", "reset", "put", "get", "show", "list", "find",
    "rename", "delete", "history", "attr set", "attr unset", "policy show", "policy validate", "breach-list import",
    "consent list", "consent review", "consent show", "consent accept", "consent decline", "consent defer", "consent sign",
    "consent withdraw", "consent history", "consent receipt", "consent document", "consent verify", "consent export",
    "consent restart", "consent validate", "daemon status", "daemon stop", "daemon restart", "daemon log", "completions",
    "help", "version",
  ]

  @Test("every verb has its help, at each level, and the overview names it")
  func help() throws {
    let overview = try run(["--help"])
    overview.expectExit(0, "--help")
    for verb in Self.verbs {
      #expect(overview.outputText.contains("  \(verb)"), "\(verb) is not in the overview")
      let words = verb.split(separator: " ").map(String.init)
      let detail = try run(words + ["--help"])
      detail.expectExit(0, verb)
      #expect(detail.outputText.contains("Usage: passcode \(verb)"))
      #expect(try run(["help"] + words).output == detail.output)
    }
    try run(["daemon", "--help"]).expectExit(0, "daemon")
    try run(["help", "daemon"]).expectExit(0, "daemon")
    #expect(try run(["--version"]).output == run(["version"]).output)
  }

  @Test(
    "a slip gets the nearest word, and exit 64",
    arguments: [
      (["crete"], "passcode create"), (["daemon", "sotp"], "passcode daemon stop"), (["attr", "st"], "passcode attr set"),
      (["get", "a", "--versoin", "1"], "--version"), (["--jsno", "status"], "--json"), (["help", "vrify"], "passcode verify"),
      (["put", "--no-replcae", "a"], "--no-replace"),
    ])
  func slips(arguments: [String], hint: String) throws {
    let result = try run(arguments)
    result.expectExit(64, "\(arguments)")
    #expect(result.output.isEmpty)
    #expect(result.errorText.hasPrefix("passcode: ") && result.errorText.contains("did you mean"))
    #expect(result.errorText.contains(hint), "\(result.errorText)")
  }

  @Test(
    "a command line that makes no sense ends with 64",
    arguments: [
      [], ["daemon"], ["get"], ["get", "a", "b"], ["get", "a", "--version"], ["get", "a", "--version", "x"],
      ["get", "a", "--version", "-1"], ["get", "a", "--json=yes"], ["lock", "now"], ["completions", "tcsh"],
      ["get", "-x", "a"],
      ["get", "a", "--version", "1", "--attr", "k"], ["change", "--passcode-fd", "0", "--new-passcode-fd", "0"],
      ["verify", "--passcode-fd", "99999999999999999999"], ["find"], ["rename", "a"],
      ["policy", "validate", "f", "--as", "root"], ["breach-list", "import", "f"], ["breach-list"],
      ["consent"], ["consent", "accept"], ["consent", "accept", "f", "--sha256", "x"], ["consent", "sign", "f"],
      ["consent", "accept", "f", "--version", "1.0", "--sha256", "x", "--sharing", "often"],
      ["consent", "receipt", "f", "--entry", "0"], ["consent", "document", "f", "--pdf", "a", "--html", "b"],
      ["consent", "show", "f", "g"],
    ])
  func usage(arguments: [String]) throws {
    let result = try run(arguments + ["--no-autostart"])
    result.expectExit(64, "\(arguments)")
    #expect(result.output.isEmpty)
  }

  @Test("with --json a usage error is a JSON document too")
  func jsonError() throws {
    let result = try run(["--json", "crete"])
    #expect(jsonString("error", in: result.errorText) == "org.passcoded.Client.Usage")
    #expect(jsonString("message", in: result.errorText) != nil)
  }

  @Test("options end at --, so that a name may begin with a dash")
  func dashes() throws {
    let home = try Sandbox()
    try home.create()
    try home.expect(0, "put", "--", "-dash", input: "x".utf8)
    #expect(try home.expect(0, "get", "--", "-dash").outputText == "x")
    #expect(try home.expect(0, "list").outputText == "-dash\n")
  }

  @Test("an error shows no control character of what was typed")
  func controlCharacters() throws {
    let result = try run(["\u{1b}]0;title\u{7}"])
    result.expectExit(64, "escape")
    #expect(!result.error.contains(0x1b) && !result.error.contains(0x07))
  }

  @Test("the completions of bash are a script that bash takes and that completes")
  func bashCompletion() throws {
    let script = try run(["completions", "bash"]).outputText
    let driver = """
      \(script)
      t() { COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _passcode; echo "${COMPREPLY[*]}"; }
      t passcode cr
      t passcode daemon ""
      t passcode get --ver
      t passcode policy show --preset ni
      t passcode --socket /some get --at
      passcode() { printf '%s\\n' 'terms  1.0  required' 'news   2.0  optional'; }
      t passcode consent withdraw n
      """
    let result = try Command("/bin/bash", ["-c", driver], environment: ["PATH": "/usr/bin:/bin"]).run()
    #expect(result.errorText.isEmpty)
    #expect(result.outputText == "create\nstatus stop restart log\n--version\nnist-800-63b\n--attr\nnews\n")
    for shell in ["zsh", "fish"] { #expect(try run(["completions", shell]).outputText.contains("restart")) }
  }

  @Test("a full output is an error, not a silence")
  func fullOutput() throws {
    let program = try binary(named: "passcode")
    let result = try Command("/bin/sh", ["-c", "\(program) --help > /dev/full"]).run()
    result.expectExit(74, "/dev/full")
  }
}
