import Glibc
import PasscodePlatform
import TestSupport
import Testing

@Suite struct BreachListTests {
  /// SHA-1 of "correct horse battery staple", and two neighbours.
  private static let list = """
    ABF7AAD6438836DAE526AA231ABDE2D0EEF74D42:1\r
    ABF7AAD6438836DBE526AA231ABDE2D0EEF74D42:216\r
    ABF7AAD6438836DCE526AA231ABDE2D0EEF74D42:0\r

    """

  @Test("a list is imported without a daemon, and the policy that names the index refuses what is in it")
  func importing() throws {
    let home = try Sandbox()
    let list = try home.directory.write("list.txt", Self.list.utf8)
    let index = home.directory.file("index")
    #expect(try home.expect(0, "breach-list", "import", list, "--to", index).outputText == "\(index): 2 entries\n")
    let json = try home.expect(0, "--json", "breach-list", "import", list, "--to", index).outputText
    #expect(jsonNumber("entries", in: json) == 2 && jsonString("file", in: json) == index)
    try home.expect(69, "daemon", "status")
    let policy = try home.directory.write(
      "config/passcoded/policy.json", #"{"validators": [{"type": "breachList", "path": "\#(index)"}]}"#.utf8)
    try home.expect(0, "policy", "validate", policy)
    let listed = try home.directory.write("listed", "correct horse battery staple".utf8)
    let refused = try home.expect(65, "check", "--passcode-file", listed)
    #expect(refused.errorText.contains("known from a breach"))
    let other = try home.directory.write("other", "Correct horse battery staple".utf8)
    try home.expect(0, "check", "--passcode-file", other)
  }

  @Test("a list comes from standard input or a descriptor, under each of its names", arguments: ["-", "/dev/stdin"])
  func fromInput(source: String) throws {
    let home = try Sandbox()
    let index = home.directory.file("index")
    let arguments = ["breach-list", "import", source, "--to", index]
    let result = try home.run(arguments, input: Self.list.utf8)
    result.expectExit(0, source)
    #expect(result.outputText == "\(index): 2 entries\n")
    let unsorted = try home.run(arguments, input: (Self.list + Self.list).utf8)
    unsorted.expectExit(65, source)
    #expect(unsorted.errorText.contains("the list: line 4: out of order"))
    let shell = try Command(
      "/bin/sh", ["-c", #""$passcode" breach-list import \#(source) --to "$index" <&-"#],
      environment: home.environment.merging(["passcode": try binary(named: "passcode"), "index": index]) { $1 }
    ).run()
    shell.expectExit(66, "a closed input")
    #expect(shell.errorText.contains("stdin is not open"))
  }

  @Test("a list comes from a descriptor as a shell names it, and one that is not open is named")
  func fromDescriptor() throws {
    let home = try Sandbox()
    let index = home.directory.file("index")
    for name in ["/dev/fd/7", "/proc/self/fd/7"] {
      var command = home.command(["breach-list", "import", name, "--to", index])
      let list = try makeReadable(Self.list.utf8)
      defer { close(list) }
      command.descriptors = [7: list]
      let result = try command.run()
      result.expectExit(0, name)
      #expect(result.outputText == "\(index): 2 entries\n")
    }
    let closed = try home.expect(66, "breach-list", "import", "/dev/fd/7", "--to", index)
    #expect(closed.errorText.contains("descriptor 7 is not open"))
    let list = try home.directory.write("list.txt", Self.list.utf8)
    let over = try Command(
      "/bin/sh", ["-c", #""$passcode" breach-list import - --to "$list" <"$list""#],
      environment: home.environment.merging(["passcode": try binary(named: "passcode"), "list": list]) { $1 }
    ).run()
    over.expectExit(64, "an index over its source")
    #expect(try readFile(list) == Array(Self.list.utf8))
  }

  @Test("an index does not take the place of a device, a pipe, a socket, a directory or a link")
  func otherKinds() throws {
    let home = try Sandbox()
    let list = try home.directory.write("list.txt", Self.list.utf8)
    let target = home.directory.file("target")
    #expect(unsafe mkfifo(target, 0o600) == 0)
    let refused = try home.expect(73, "breach-list", "import", list, "--to", target)
    #expect(refused.errorText.contains("\(target) is a pipe, which is not replaced by a file"))
    #expect(try Files.status(of: target)?.kind == .pipe)
    try Files.remove(target)
    #expect(unsafe symlink(list, target) == 0 && symlink("/nonexistent/x", target + "2") == 0)
    try home.expect(64, "breach-list", "import", list, "--to", target)
    let other = try home.directory.write("other.txt", Self.list.utf8)
    for link in [target, target + "2"] {
      let refused = try home.expect(73, "--json", "breach-list", "import", other, "--to", link)
      #expect(jsonString("error", in: refused.errorText) == "org.passcoded.Client.NotAFile")
      #expect(refused.errorText.contains("\(link) is a symbolic link"))
      #expect(try Files.status(of: link, followingLink: false)?.kind == .link)
    }
    #expect(try readFile(list) == Array(Self.list.utf8))
  }

  @Test("an import whose command is killed ends with it, and leaves nothing behind", arguments: [true, false])
  func killed(fromPipe: Bool) throws {
    let home = try Sandbox()
    let (reading, writing) = try makePipe()
    defer { close(writing) }
    let fifo = home.directory.file("fifo")
    #expect(unsafe mkfifo(fifo, 0o600) == 0)
    var command = home.command(["breach-list", "import", fromPipe ? "-" : fifo, "--to", home.directory.file("index")])
    // A list that never comes.
    if fromPipe { command.descriptors = [7: reading]; command.arguments[2] = "/dev/fd/7" }
    let running = try command.start()
    close(reading)
    var children: [Int32] = []
    while children.isEmpty {
      let text = try Command("/usr/bin/pgrep", ["-P", "\(running.pid)"]).run().outputText
      children = text.split(separator: "\n").compactMap { Int32($0) }
    }
    running.send(signal: SIGKILL)
    for child in children { while RunningProcess.isRunning(child) { usleep(1000) } }
    _ = try running.finish()
    #expect(!directoryEntries(home.directory.path).contains { $0.hasPrefix(".passcoded-") || $0 == "index" })
  }

  @Test("a list that is none, one that is missing, and an index over its source each have an exit code and their reason")
  func faults() throws {
    let home = try Sandbox()
    let index = home.directory.file("index")
    let unsorted = try home.directory.write("list.txt", (Self.list + Self.list).utf8)
    let refused = try home.expect(65, "breach-list", "import", unsorted, "--to", index)
    #expect(refused.errorText.contains("\(unsorted): line 4: out of order"))
    let json = try home.expect(65, "--json", "breach-list", "import", unsorted, "--to", index).errorText
    #expect(jsonString("error", in: json) == "org.passcoded.Client.MalformedList")
    try home.expect(66, "breach-list", "import", home.directory.file("none"), "--to", index)
    try home.expect(64, "breach-list", "import", unsorted, "--to", unsorted)
    try home.expect(74, "breach-list", "import", unsorted, "--to", home.directory.file("no/where"))
    #expect(!directoryEntries(home.directory.path).contains { $0.hasPrefix(".passcoded-") || $0 == "index" })
  }
}
