import CFaultVFS
import PasscodePlatform
import TestSupport
import Testing

/// What is hurt is named, and the rest is brought over into a new store, by the real programs.
@Suite struct SalvageTests {
  private func fill(_ home: Sandbox) throws {
    try home.expect(0, "put", "work/lost", "--attr", "env=prod", input: "first".utf8)
    try home.expect(0, "put", "work/lost", "--attr", "env=prod", input: "second".utf8)
    try home.expect(0, "put", "work/kept", "--type", "text/plain", "--attr", "user=ada", input: "kept\n\u{0}x".utf8)
    try home.expect(0, "put", "b\u{e9}", input: [0xff, 0x00, 0x22])
    try home.expect(0, "put", "empty", input: "".utf8)
  }

  @Test("Must hold: doctor --store names what is hurt, export --salvage takes out the rest, import brings it into a new store")
  func salvage() throws {
    let home = try Sandbox()
    try home.create()
    try fill(home)
    #expect(try home.expect(0, "doctor", "--store").outputText.contains("4 credentials are intact, and 1 earlier value"))
    try home.expect(0, "daemon", "stop")
    let deed = "UPDATE record SET secret_tag = metadata_tag WHERE tag IN (SELECT name FROM version)"
    #expect(unsafe fault_execute(home.storePath, deed) == 0)
    try home.expect(0, "unlock", "--passcode-file", home.passcodeFile)

    let checkup = try home.expect(78, "doctor", "--store")
    #expect(checkup.outputText.contains("'work/lost': its secret can't be opened"))
    #expect(checkup.outputText.contains("passcode get 'work/lost' --version"))
    let report = try home.expect(78, "doctor", "--store", "--json").outputText
    #expect(jsonNumber("intact", in: report) == 3 && jsonNumber("hurtCount", in: report) == 1)

    let file = home.directory.file("all.jsonl")
    let refused = try home.expect(78, "export", file, "--passcode-file", home.passcodeFile)
    #expect(try refused.errorText.contains("damaged") && Files.status(of: file) == nil)
    let taken = try home.expect(0, "export", "--salvage", file, "--passcode-file", home.passcodeFile)
    #expect(taken.errorText.contains("not taken: 'work/lost'") && taken.errorText.contains("in clear"))
    #expect(try Files.status(of: file)?.mode == 0o600)
    try home.expect(73, "export", "--salvage", file, "--passcode-file", home.passcodeFile)

    let other = try Sandbox()
    try other.create()
    #expect(try other.expect(0, "import", file).errorText.contains("3 credentials imported"))
    #expect(try other.expect(0, "list").outputText == "b\u{e9}\nempty\nwork/kept\n")
    #expect(Array(try other.expect(0, "get", "work/kept").output) == Array("kept\n\u{0}x".utf8))
    #expect(Array(try other.expect(0, "get", "b\u{e9}").output) == [0xff, 0x00, 0x22])
    #expect(try other.expect(0, "get", "work/kept", "--attr", "user").outputText == "ada")
    #expect(jsonString("type", in: try other.expect(0, "show", "work/kept", "--json").outputText) == "text/plain")
    #expect(try other.expect(73, "import", file).errorText.contains("'work/kept'"))
    #expect(try other.expect(0, "import", file, "--skip-existing").errorText.contains("3 left as they were"))
    #expect(try other.expect(0, "import", file, "--replace").errorText.contains("3 replaced"))
    // Through pipes, and with the same content.
    let piped = try other.expect(0, "export", "-", "--passcode-file", other.passcodeFile).output
    #expect(try other.expect(0, "import", "-", "--replace", input: piped).errorText.contains("3 replaced"))
  }

  /// A line, what is wrong with it, and where.
  static let faults: [(line: String, words: String)] = [
    (#"{"name":"a","encoding":"base64","secret":"AQ=="} x"#, ":2:50: "),
    (#"{"name":"a","encoding":"base64","secret":"AQ="}"#, "the secret is not base64"),
    (#"{"name":"a","encoding":"hex","secret":"AQ=="}"#, "the encoding has to be base64"),
    (#"{"name":"a","secret":"AQ=="}"#, "have to be there"),
    (#"{"name":"a","encoding":"base64","secret":"AQ==","secret":"AQ=="}"#, "the key is given twice"),
    (#"{"name":"a","encoding":"base64","secret":"AQ==","password":"hunter2"}"#, "this key is not known"),
    (#"{"name":"a/../b","encoding":"base64","secret":"AQ=="}"#, "part '.' or '..'"),
    (#"{"name":"good","encoding":"base64","secret":"AQ=="}"#, "in the file twice"),
    (#"{"name":"a","attributes":{"k":1},"encoding":"base64","secret":"AQ=="}"#, "expected a string"),
    ("", "the text ends too early"),
    (#"[1]"#, "expected an object"),
  ]

  @Test("one faulty line, told by its place and without what is in it, and nothing is imported")
  func faulty() throws {
    let home = try Sandbox()
    try home.create()
    for (line, words) in Self.faults {
      let text = #"{"name":"good","encoding":"base64","secret":"AQ=="}"# + "\n" + line + "\n"
      let result = try home.expect(65, "import", "-", input: text.utf8)
      #expect(result.errorText.contains("stdin:2:") && result.errorText.contains(words), "\(line): \(result.errorText)")
      #expect(!result.errorText.contains("hunter2"))
    }
    #expect(try home.expect(0, "list").outputText.isEmpty)
    try home.expect(66, "import", home.directory.file("none"))
    try home.expect(64, "import", "-", "--replace", "--skip-existing")
  }

  @Test("what comes through a pipe has an end, what a file holds may be longer")
  func long() throws {
    let home = try Sandbox()
    try home.create()
    let secret = String(repeating: "QUFB", count: 100_000)
    let text = (0..<7).map { #"{"name":"n\#($0)","encoding":"base64","secret":"\#(secret)"}"# + "\n" }.joined()
    #expect(try home.expect(65, "import", "-", input: text.utf8).errorText.contains("2 MiB"))
    let file = try home.directory.write("large.jsonl", text.utf8)
    try home.expect(0, "import", file)
    #expect(try home.expect(0, "get", "n6").output.count == 300_000)
    let endless = try home.directory.write("endless.jsonl", [UInt8](repeating: 0x20, count: 3 << 20))
    #expect(try home.expect(65, "import", endless).errorText.contains("longer than 2 MiB"))
  }

  @Test("a secret reaches a terminal where - is written, and no device is written over")
  func terminal() throws {
    let home = try Sandbox()
    try home.create()
    try home.expect(64, "export")
    try home.expect(73, "export", "/dev/null", "--passcode-file", home.passcodeFile)
    try home.expect(77, "export", "-", "--passcode-file", home.wrongFile)
  }
}
