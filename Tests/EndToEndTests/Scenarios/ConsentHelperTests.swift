import ConsentCore
import Glibc
import PasscodePlatform
import TestSupport
import Testing

/// `passcode-consent`: folders and files of forms as a catalog.
@Suite struct ConsentHelperTests {
  private let folder: TemporaryDirectory

  init() throws { folder = try TemporaryDirectory() }

  private func run(_ arguments: [String], _ environment: [String: String] = [:]) throws -> CommandResult {
    try Command(try binary(named: "passcode-consent"), arguments, environment: environment).run()
  }

  private func catalog(_ arguments: String..., at location: SourceLocation = #_sourceLocation) throws -> ConsentCatalog {
    let result = try run(arguments)
    #expect(result.status == .exited(0) && result.error.isEmpty, "\(result.errorText)", sourceLocation: location)
    return try ConsentCatalog.parse(result.output.span, origin: arguments.last == "administrator" ? .administrator : .user)
  }

  private func form(_ id: String, _ page: String = #""bodyMarkdown": "Be *kind*.""#) -> String {
    #"{"id": "\#(id)", "version": "1.0", "kind": "terms", "required": true, "defaultLocale": "en", "#
      + #""locales": {"en": {"title": "T", "pages": [{\#(page)}]}}}"#
  }

  private func write(_ name: String, _ text: String, mode: UInt32 = 0o600) throws {
    try folder.write(name, text.utf8, mode: mode)
  }

  @Test("every form of a folder is told in the order of the names, its markup as blocks, its texts from beside it")
  func wholeFolder() throws {
    try write("b.json", form("b"))
    try write("a.json", form("a", #""bodyFile": "a.html""#))
    try write("a.html", "<p>One <b>two</b></p>")
    try write(".hidden.json", "{")
    try write("notes.txt", "no form")
    let catalog = try catalog("read", folder.path, "user")
    #expect(catalog.faults == [] && catalog.entries.map(\.file) == ["a.json", "b.json"])
    guard case .pages(let pages)? = catalog.forms.first?.variants[0].content else {
      Issue.record("no pages")
      return
    }
    #expect(pages[0].body.formatted?.blocks == [.paragraph([.text("One "), .strong([.text("two")])])])
    #expect(try self.catalog("read", folder.path, "user") == catalog)
  }

  @Test("a folder that is not there is no forms, and no fault") func noFolder() throws {
    let catalog = try catalog("read", folder.file("none"), "administrator")
    #expect(catalog.forms.isEmpty && catalog.faults.isEmpty)
  }

  @Test("the faults of one file are all told, with their places, and do not hide the other forms") func faults() throws {
    try write("a.json", "{\n  \"idd\": 3\n}")
    try write("b.json", form("b", #""bodyFile": "b.html""#))
    try write("b.html", "<p>x</p>\n<script>x</script>")
    try write("c.json", form("c"))
    try write("d.json", form("c"))
    try write("e.json", String(repeating: " ", count: ConsentFormFile.maximumByteCount + 1))
    let catalog = try catalog("read", folder.path, "user")
    #expect(catalog.entries.map(\.file) == ["c.json"])
    let texts = catalog.faults.map(\.description)
    #expect(texts.contains("a.json: line 2, column 3: unknown key \"idd\" in the form; did you mean \"id\"?"))
    #expect(texts.contains("b.html: line 2, column 1: \"script\" is not permitted in this HTML"))
    #expect(texts.contains("d.json: line 1, column 1: the form \"c\" stands in \"c.json\" already"))
    #expect(texts.contains("e.json: line 1, column 1: the file is larger than 1 MiB"))
    #expect(texts.filter { $0.hasPrefix("a.json") }.count > 1)
  }

  @Test("what others could have written is refused: a file, a text beside one, the folder") func permissions() throws {
    try write("a.json", form("a"), mode: 0o620)
    try write("b.json", form("b"), mode: 0o602)
    try write("c.json", form("c", #""bodyFile": "c.md""#))
    try write("c.md", "x", mode: 0o666)
    try write("d.json", form("d"), mode: 0o644)
    var catalog = try catalog("read", folder.path, "user")
    #expect(catalog.forms.map(\.id.description) == ["d"] && catalog.faults.count == 3)
    #expect(catalog.faults.allSatisfy { $0.message.contains("group or others can write to it") })
    unsafe chmod(folder.path, 0o770)
    catalog = try self.catalog("read", folder.path, "user")
    #expect(catalog.forms.isEmpty && catalog.faults.map(\.file) == ["."])
  }

  @Test("links, pipes and folders are no forms, and nothing waits for them") func kinds() throws {
    try write("real.txt", form("a"))
    #expect(unsafe symlink(folder.file("real.txt"), folder.file("a.json")) == 0)
    #expect(unsafe mkfifo(folder.file("b.json"), 0o600) == 0)
    try folder.makeDirectory("c.json")
    try write("d.json", form("d", #""bodyFile": "d.md""#))
    #expect(unsafe mkfifo(folder.file("d.md"), 0o600) == 0)
    let catalog = try catalog("read", folder.path, "user")
    #expect(catalog.forms.isEmpty)
    #expect(
      catalog.faults.map(\.message) == [
        "it is a symbolic link", "it is not a regular file", "it is not a regular file", "\"d.md\": it is not a regular file",
      ])
  }

  @Test("a name that is no text, or steers a terminal, is the fault of its own file alone") func names() throws {
    try write("a.json", form("a"))
    try write("b\u{1B}[2J\n.json", form("b"))
    try write("c\u{202E}.json", form("c"))
    var bytes = Array((folder.path + "/d?.json").utf8).map { CChar(bitPattern: $0) } + [0]
    bytes[bytes.count - 7] = CChar(bitPattern: 0xFF)
    let descriptor = unsafe open(bytes, O_WRONLY | O_CREAT, 0o600)
    #expect(descriptor >= 0)
    close(descriptor)
    let catalog = try catalog("read", folder.path, "user")
    #expect(catalog.entries.map(\.file) == ["a.json"])
    #expect(catalog.faults.map(\.file) == ["b\u{FFFD}[2J\u{FFFD}.json", "c\u{FFFD}.json", "d\u{FFFD}.json"])
    #expect(catalog.faults.allSatisfy { $0.message.contains("not UTF-8, or holds a control character") })
    #expect(try self.catalog("check", folder.file("c\u{202E}.json")).faults.map(\.file) == ["c\u{FFFD}.json"])
  }

  @Test("a text that would keep the parsers busy is the fault of its own file alone, in Markdown and HTML") func hostile()
    throws
  {
    let wide = String(repeating: "|a", count: 20000) + "|\n" + String(repeating: "|-", count: 20000) + "|\n"
    let reference = "[a]: https://x/" + String(repeating: "b", count: 50000) + "\n\n"
    for (index, text) in [
      wide + String(repeating: String(repeating: "|x", count: 20000) + "|\n", count: 5),
      String(repeating: "a <? ", count: 180_000), reference + String(repeating: "[a]\n", count: 100_000),
    ].enumerated() {
      try write("a\(index).md", text)
      try write("a\(index).json", form("a\(index)", #""bodyFile": "a\#(index).md""#))
    }
    try write("b.html", "<p " + (0..<80_000).map { "a\($0)=x" }.joined(separator: " ") + ">y</p>")
    try write("b.json", form("b", #""bodyFile": "b.html""#))
    try write("c.json", form("c"))
    let catalog = try catalog("read", folder.path, "user")
    #expect(catalog.entries.map(\.file) == ["c.json"] && catalog.faults.map(\.file) == ["a0.md", "a1.md", "a2.md", "b.html"])
  }

  @Test("the administrator's forms are root's, and nobody else's", .enabled(if: geteuid() == 0, "gives files away"))
  func owners() throws {
    try write("a.json", form("a"))
    #expect(try catalog("read", folder.path, "administrator").forms.count == 1)
    #expect(unsafe chown(folder.file("a.json"), 4242, 4242) == 0)
    for origin in ["administrator", "user"] {
      let catalog = try catalog("read", folder.path, origin)
      #expect(catalog.forms.isEmpty && catalog.faults.first?.message.contains("belongs to uid 4242") == true)
    }
    #expect(unsafe chown(folder.path, 4242, 4242) == 0)
    #expect(try catalog("read", folder.path, "administrator").faults.map(\.file) == ["."])
  }

  @Test("of more than a hundred files the first hundred count, and a fault says so") func many() throws {
    for number in 0..<103 { try write("f\(1000 + number).json", form("f\(number)")) }
    let catalog = try catalog("read", folder.path, "user")
    #expect(catalog.entries.count == 100 && catalog.faults.map(\.file) == ["."])
  }

  @Test("one file is checked as it would be read, whoever may write to it") func check() throws {
    try write("a.json", form("a", #""bodyFile": "a.md""#), mode: 0o666)
    try write("a.md", "*x*", mode: 0o666)
    unsafe chmod(folder.path, 0o777)
    #expect(try catalog("check", folder.file("a.json")).forms.count == 1)
    try write("b.json", form("b", #""bodi": "x""#))
    #expect(try catalog("check", folder.file("b.json")).faults.count == 2)
    let none = try catalog("check", folder.file("none.json"))
    #expect(none.faults.map(\.description) == ["none.json: line 1, column 1: there is no such file"])
    #expect(try catalog("check", folder.path + "/").faults.count == 1)
    #expect(try catalog("check", folder.path).faults.map(\.message) == ["it is not a regular file"])
  }

  @Test("the example forms have no fault, and each is the same form as one file", arguments: ["terms.json", "study.json"])
  func examples(name: String) throws {
    let root = #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(4).joined(separator: "/")
    let catalog = try catalog("check", root + "/Examples/Consent/" + name)
    #expect(catalog.faults == [])
    let form = try #require(catalog.forms.first)
    let again = try ConsentFormFile.parse(flattened: form.flattened.span, name: name, origin: .user)
    #expect(again == form && again.digests == form.digests)
  }

  @Test("other arguments are refused, and so is a process that others put code into") func arguments() throws {
    for arguments in [[], ["read"], ["read", folder.path], ["read", folder.path, "root"], ["check", "a", "b"]] {
      let result = try run(arguments)
      #expect(result.status == .exited(64) && result.output.isEmpty && result.errorText.hasPrefix("usage:"))
    }
    #expect(try run(["read", folder.path, "user"], ["LD_PRELOAD": "/nonexistent.so"]).status == .exited(77))
  }

  @Test("an output that can't be written is told by the exit code") func fullOutput() throws {
    let program = try binary(named: "passcode-consent")
    let line = #""$0" read "$1" user >/dev/full"#
    #expect(try Command("/bin/sh", ["-c", line, program, folder.path]).run().status == .exited(74))
  }

  @Test("the process has bounded memory and time, dumps no core and is closed to others") func limits() throws {
    // While its output is not read, the process waits.
    try write("a.json", form("a", #""bodyFile": "a.md""#))
    try write("a.md", String(repeating: "words ", count: 50_000))
    let helper = try Command(try binary(named: "passcode-consent"), ["read", folder.path, "user"]).start()
    var limits = ""
    while !limits.contains("536870912") || !limits.contains("Max cpu time              10 "), kill(helper.pid, 0) == 0 {
      limits = (try? String(decoding: Files.read("/proc/\(helper.pid)/limits", limit: 65_536), as: UTF8.self)) ?? ""
      usleep(1000)
    }
    #expect(limits.split(separator: "\n").contains { $0.hasPrefix("Max core file size        0 ") })
    #expect(try helper.finish().status == .exited(0))
  }

  @Test("S32, S10: a form from right to left comes out of the folder as it went in") func rightToLeft() throws {
    let json =
      #"{"id": "a", "version": "1.0", "kind": "terms", "required": true, "defaultLocale": "ar", "#
      + #""locales": {"ar": {"title": "شروط", "pages": [{"bodyMarkdown": "**نص** 2026-02-11"}]}}}"#
    try write("a.json", json)
    let form = try #require(try catalog("read", folder.path, "user").forms.first)
    #expect(form.text(of: form.variants[0]).text.contains("نص 2026-02-11"))
  }
}
