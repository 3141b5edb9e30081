import Glibc
import PasscodePlatform
import TestSupport
import Testing

@testable import PasscodeService

@Suite("The administrator's command in the daemon", .enabled(if: geteuid() == 0, "a command has to be root's"))
struct CommandTests {
  private let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory(in: "/var/lib", mode: 0o755) }

  /// A daemon whose administrator asks a script, which counts its calls and refuses what has "no" in it.
  private func daemon(timeoutSeconds: Int = 20) throws -> TestDaemon {
    try script("")
    let path = directory.file("check")
    return try TestDaemon(
      administratorPolicy:
        #"{"validators": [{"type": "command", "path": "\#(path)", "timeoutSeconds": \#(timeoutSeconds)}]}"#)
  }

  private func script(_ before: String) throws {
    let body = """
      #!/bin/sh
      echo >> \(directory.path)/calls
      \(before)
      case "$(cat)" in
        *no*) echo '{"accepted": false, "message": "not with no"}' ;;
        *) echo '{"accepted": true}' ;;
      esac

      """
    try directory.writeProgram("check", body)
  }

  private var calls: Int { (try? Files.read(directory.file("calls"), limit: 1000).count) ?? 0 }

  @Test("it is asked once for an entry, and neither about what is typed nor about what meets less, nor at unlock")
  func whenAsked() throws {
    let test = try daemon()
    let client = try test.createStore()
    #expect(calls == 1)
    let text = "nothing is better"
    let typed = try client.call("Passcode.Check", ["passcode": .string(text), "typing": .bool(true)])
    #expect(typed.reply?["accepted"]?.isTrue == true && calls == 1)
    let listed = try #require(typed.reply?["requirements"]?.list.last)
    #expect(listed["id"]?.text == "command" && listed["text"]?.text == "checked by \(directory.file("check"))")
    #expect(listed["isSatisfied"]?.isTrue == false)
    _ = try client.call("Passcode.Check", ["passcode": .string("no")])
    #expect(calls == 1)
    let checked = try client.call("Passcode.Check", ["passcode": .string(text)])
    #expect(checked.reply?["unmet"]?.list.map { $0["text"]?.text } == ["not with no"] && calls == 2)
    try client.call("Passcode.Lock")
    #expect(try client.error("Passcode.Unlock", ["passcode": .string(TestDaemon.passcode)]) == nil)
    #expect(calls == 2)
  }

  @Test("one that is out of order keeps a passcode from being set, and nobody from a credential") func outOfOrder() throws {
    let test = try daemon()
    let client = try test.createStore()
    try client.call("Credentials.Put", ["name": .string("a"), "secret": .string("AQ==")])
    #expect(unsafe unlink(directory.file("check")) == 0)
    let checked = try client.call("Passcode.Check", ["passcode": .string("quite different passcode")])
    #expect(checked.reply?["unmet"]?.list.first?["text"]?.text?.contains("could not be done") == true)
    try client.call("Passcode.Lock")
    #expect(try client.error("Passcode.Unlock", ["passcode": .string(TestDaemon.passcode)]) == nil)
    #expect(try client.error("Credentials.Get", ["name": .string("a")]) == nil)
  }

  @Test("while it hangs, other clients get, put, check what is typed, and lock") func hanging() throws {
    let test = try daemon(timeoutSeconds: 30)
    let client = try test.createStore()
    try client.call("Credentials.Put", ["name": .string("a"), "secret": .string("AQ==")])
    let release = directory.file("release")
    try #require(unsafe mkfifo(release, 0o600) == 0)
    try script("read line < \(release)")
    let before = calls
    let answer = Background { [socket = test.socket] in
      try? RawClient(socket).call("Passcode.Check", ["passcode": .string("quite different passcode")])
    }
    while calls == before { usleep(10_000) }
    #expect(try client.error("Credentials.Get", ["name": .string("a")]) == nil)
    #expect(try client.error("Credentials.Put", ["name": .string("b"), "secret": .string("AQ==")]) == nil)
    #expect(try client.error("Passcode.Check", ["passcode": .string("still typed"), "typing": .bool(true)]) == nil)
    #expect(try client.error("Passcode.Lock") == nil)
    #expect(answer.finished == nil)
    let file = try Files.open(release, .append)
    try file.writeAll("go\n")
    #expect(answer.value()?.reply?["accepted"]?.isTrue == true)
  }
}
