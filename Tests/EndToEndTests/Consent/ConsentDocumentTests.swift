import Glibc
import PasscodePlatform
import TestSupport
import Testing

@Suite struct ConsentDocumentTests {
  private static let plain = ["TERM": "xterm", "NO_COLOR": "1"]
  private static let signer = ["--given-name", "Ada", "--family-name", "Lovelace", "--field", "mail=ada@example.org"]

  private func agreed() throws -> Sandbox {
    let home = try Sandbox()
    try home.write(form: Forms.study(image: false), as: "study")
    let result = try home.run(
      ["consent", "accept", "study"] + home.answered("study") + Self.signer + ["--sharing", "narrowly"])
    result.expectExit(0, "accept")
    return home
  }

  @Test("S5, S6: a document runs scene, review with its gate, reason, names, image and sharing choice")
  func review() throws {
    let home = try Sandbox()
    try home.write(form: Forms.study(), as: "study")
    try home.directory.write("me.png", Forms.png)
    let terminal = try home.onTerminal("consent", "review", variables: Self.plain)
    try terminal.expect("step 1 of 5")
    try terminal.type("n", after: "A study")
    try terminal.expect("step 2 of 5")
    try terminal.type("a", after: "[a] Agree (read to the end first)")
    try terminal.send("\u{1b}[F")
    try terminal.expect("The very end.")
    try terminal.type("ga", after: "[a] Agree   ")
    try terminal.expect("You take part in the study.")
    try terminal.expect("[n] Back")
    try terminal.send("y")
    try answer(terminal, home)
    try terminal.expect("[2] the lab and its partners only")
    try terminal.type("2", after: "[l] Learn more")
    #expect(try terminal.waitForExit() == .exited(0), "\(terminal.transcriptText)")
    #expect(terminal.isEchoing && terminal.isCollectingLines)
    let receipt = try home.expect(0, "consent", "receipt", "study").outputText
    for words in ["Lovelace", "ada@example.org", "narrowly", "imageSHA256"] { #expect(receipt.contains(words), "\(words)") }
  }

  private func answer(_ terminal: PseudoTerminal, _ home: Sandbox) throws {
    func line(_ text: String, after prompt: String) throws {
      try terminal.expect(prompt)
      try terminal.send(text + "\r")
    }
    try terminal.expect("You sign as: Participant")
    try line("Ada", after: "Given name: ")
    try line("", after: "Family name: ")
    try terminal.expect("Both names are needed.")
    try line("Ada", after: "Given name: ")
    try line("Lovelace", after: "Family name: ")
    try terminal.expect("printed as: Ada Lovelace")
    try line("t", after: "again: ")
    try terminal.expect("printed as: Lovelace Ada")
    try line("t", after: "again: ")
    try line("", after: "again: ")
    try line("", after: "E-mail: ")
    try line("ada@example.org", after: "E-mail: ")
    try line("/nonexistent.png", after: "PNG file of your signature: ")
    try terminal.expect("there is no file /nonexistent.png")
    try line(home.passcodeFile, after: "PNG file of your signature: ")
    try line(home.directory.file("me.png"), after: "PNG file of your signature: ")
  }

  @Test("a script gives signature, fields and sharing choice with the answer; what is missing is refused")
  func headless() throws {
    let home = try Sandbox()
    try home.write(form: Forms.study(image: false), as: "study")
    let named = try home.answered("study")
    let command = ["consent", "accept", "study"] + named
    #expect(try home.run(command).status == .exited(65))
    #expect(try home.run(command + Self.signer).status == .exited(65))
    #expect(try home.run(command + Self.signer.dropLast(2) + ["--sharing", "widely"]).status == .exited(65))
    #expect(try home.run(command + Self.signer + ["--sharing", "often"]).status == .exited(64))
    #expect(try home.run(command + Self.signer + ["--field", "novalue", "--sharing", "widely"]).status == .exited(64))
    #expect(try home.events().isEmpty)
    #expect(try home.run(command + Self.signer + ["--sharing", "widely"]).status == .exited(0))
    #expect(try home.events() == ["given"])
  }

  @Test("S16: a further signer signs by role; the document has both, as text and as HTML")
  func sign() throws {
    let home = try agreed()
    try home.expect(64, "consent", "sign", "study", "--given-name", "Eve", "--family-name", "<b>Evil</b>")
    try home.expect(1, "consent", "sign", "study", "--role", "Nobody", "--given-name", "Eve", "--family-name", "E")
    try home.expect(65, "consent", "sign", "study", "--role", "Witness", "--given-name", "Eve")
    try home.expect(0, "consent", "sign", "study", "--role", "Witness", "--given-name", "Eve", "--family-name", "<b>Evil</b>")
    #expect(try home.events() == ["given", "signed"])
    let text = try home.expect(0, "consent", "document", "study").outputText
    for words in ["Participant", "Ada\u{A0}Lovelace", "Witness", "<b>Evil</b>", "The very end."] {
      #expect(text.contains(words), "\(words)")
    }
    let file = home.directory.file("study.html")
    try home.expect(0, "consent", "document", "study", "--html", file)
    let html = String(decoding: try readFile(file), as: UTF8.self)
    #expect(html.contains("&lt;b&gt;Evil&lt;/b&gt;") && !html.contains("<b>Evil"))
    #expect(try Files.status(of: file)?.mode == 0o600)
    try home.expect(73, "consent", "document", "study", "--html", file)
    try home.expect(64, "consent", "document", "study", "--html", file, "--pdf", file)
    #expect(try home.expect(0, "consent", "document", "study", "--html", "-").outputText == html)
  }

  @Test("--force replaces a file, and nothing that is none")
  func force() throws {
    let home = try agreed()
    let file = home.directory.file("d.html"), link = home.directory.file("link"), pipe = home.directory.file("pipe")
    try home.expect(0, "consent", "document", "study", "--html", file)
    try home.expect(0, "consent", "document", "study", "--html", file, "--force")
    #expect(unsafe symlink(file, link) == 0)
    #expect(unsafe mkfifo(pipe, 0o600) == 0)
    try home.directory.makeDirectory("folder")
    for path in [link, pipe, home.directory.file("folder")] {
      for force in [["--force"], []] {
        let result = try home.run(["consent", "document", "study", "--html", path] + force)
        #expect(result.status == .exited(73) && result.errorText.contains("no regular file"), "\(path): \(result.errorText)")
      }
    }
    #expect(try Files.status(of: link, followingLink: false)?.kind == .link)
  }

  @Test("a picture is a regular file: a pipe is not waited for")
  func pipedImage() throws {
    let home = try agreed()
    let pipe = home.directory.file("pipe.png")
    #expect(unsafe mkfifo(pipe, 0o600) == 0)
    for path in [pipe, home.directory.path, "/dev/zero"] {
      try home.expect(
        66, "consent", "sign", "study", "--role", "Witness", "--given-name", "A", "--family-name", "B", "--image", path)
    }
    try home.expect(
      65, "consent", "sign", "study", "--role", "Witness", "--given-name", "A", "--family-name", "B", "--image",
      home.passcodeFile)
    #expect(try home.events() == ["given"])
  }

  @Test("names that hold a control character or turn the direction are refused")
  func names() throws {
    let home = try agreed()
    for name in ["a\u{1b}[2J", "a\u{202E}b", "a\nb", " \u{A0}", "\u{200B}"] {
      try home.expect(65, "consent", "sign", "study", "--role", "Witness", "--given-name", name, "--family-name", "E")
    }
    #expect(try home.events() == ["given"])
  }

  @Test("S11: another program makes the PDF; one that gives none is an error, and leaves no file")
  func renderer() throws {
    let home = try agreed()
    let good = try home.directory.writeProgram("good", "#!/bin/sh\nprintf '%%PDF-'; exec /bin/cat\n")
    let file = home.directory.file("d.pdf")
    try home.expect(0, "consent", "document", "study", "--pdf", file, "--renderer", good)
    let pdf = String(decoding: try readFile(file), as: UTF8.self)
    #expect(pdf.hasPrefix("%PDF-{\"title\":") && pdf.contains("Lovelace"))
    #expect(try Files.status(of: file)?.mode == 0o600)
    for (text, words, code) in [
      ("echo 'odd: no font for it' >&2; exit 65", "no font for it", 65), ("echo text", "gave no PDF", 70),
      ("kill $$", "broke off", 70),
      ("exec true", "gave no PDF", 70),
    ] as [(String, String, Int32)] {
      let odd = try home.directory.writeProgram("odd", "#!/bin/sh\n\(text)\n")
      let result = try home.expect(
        code, "consent", "receipt", "study", "--pdf", home.directory.file("r.pdf"), "--renderer", odd)
      #expect(result.errorText.contains(words), "\(result.errorText)")
      #expect(try Files.status(of: home.directory.file("r.pdf")) == nil)
    }
    try home.expect(74, "consent", "receipt", "study", "--pdf", home.directory.file("r.pdf"), "--renderer", "/nonexistent")
  }

  @Test("S11: a renderer that hangs is ended with all that it started, and told; no file is left")
  func hangingRenderer() throws {
    let home = try agreed()
    let mark = home.directory.file("pid")
    let hanging = try home.directory.writeProgram("hanging", "#!/bin/sh\nsleep 600 &\necho $! >'\(mark)'\nexec sleep 600\n")
    let file = home.directory.file("r.pdf")
    let result = try home.expect(70, "consent", "receipt", "study", "--pdf", file, "--renderer", hanging)
    #expect(result.errorText == "passcode: hanging was not done within 60 seconds\n")
    #expect(try Files.status(of: file) == nil)
    let child = try #require(Int32(String(decoding: try readFile(mark), as: UTF8.self).filter { $0 != "\n" }))
    #expect(kill(child, 0) != 0 || isZombie(child))
  }

  /// Nobody in a container may reap what has ended.
  private func isZombie(_ pid: Int32) -> Bool {
    guard let text = try? readFile("/proc/\(pid)/stat") else { return true }
    return String(decoding: text, as: UTF8.self).contains(") Z ")
  }

  @Test("S15: the signed copy and its receipt can be had later as PDF", .enabled(if: ConsentDocumentTests.hasPDFHelper))
  func pdf() throws {
    let home = try agreed()
    for (arguments, name) in [(["document", "study"], "d.pdf"), (["receipt", "study"], "r.pdf")] {
      let file = home.directory.file(name)
      try home.run(["consent"] + arguments + ["--pdf", file]).expectExit(0, name)
      #expect(try readFile(file).starts(with: "%PDF-".utf8))
      try home.run(["consent"] + arguments + ["--pdf", file]).expectExit(73, name)
    }
  }

  static let hasPDFHelper = (try? binary(named: "passcode-consent-pdf")) != nil
}
