import Glibc
import PasscodePlatform
import StrictJSON
import TestSupport
import Testing

/// The administrator's forms, read by the real daemon from the real place: it runs in a mount namespace with an /etc of its own.
@Suite(.enabled(if: PrivateEtc.isPossible, "a private /etc takes root and mount namespaces (unshare -m)"))
struct ConsentGateTests {
  /// A home whose daemon finds these gates and the required terms in /etc/passcoded.
  private func home(gates: String) throws -> (home: Sandbox, daemon: RunningCommand) {
    let home = try Sandbox()
    return (home, try PrivateEtc.startDaemon(home, policy: #"{"consent": {"gates": \#(gates)}}"#, form: Forms.terms()))
  }

  private func answer(_ home: Sandbox, at location: SourceLocation = #_sourceLocation) throws {
    let result = try home.run(["consent", "accept", "terms"] + home.answered())
    result.expectExit(0, "accept")
  }

  private func expectRequired(_ home: Sandbox, _ arguments: [String], at location: SourceLocation = #_sourceLocation) throws {
    let result = try home.run(arguments + ["--json"])
    #expect(result.status == .exited(77), "\(arguments): \(result.errorText)", sourceLocation: location)
    #expect(
      jsonString("error", in: result.errorText) == "org.passcoded.Passcode.ConsentRequired", sourceLocation: location)
    guard case .array(let forms)? = try jsonMembers(result.errorText)["forms"] else { throw TestFailure(result.errorText) }
    #expect(forms.map(\.value.string) == ["terms"], sourceLocation: location)
    #expect(result.errorText.contains("passcode consent accept terms --version 1.0 --sha256 "), sourceLocation: location)
  }

  @Test(
    "S23, S30: a gate on unlock answers ConsentRequired with the ids, opens with the answer, and a withdrawal closes at once")
  func unlock() throws {
    let (home, daemon) = try home(gates: #"{"terms": "unlock"}"#)
    try expectRequired(home, ["create", "--passcode-file", home.passcodeFile])
    try answer(home)
    try home.create()
    try home.expect(0, "put", "a", input: Array("secret".utf8))
    let withdrawn = try home.expect(0, "consent", "withdraw", "terms")
    #expect(withdrawn.errorText.contains("closed now: unlock"), "\(withdrawn.errorText)")
    #expect(jsonString("state", in: try home.expect(0, "status", "--json").outputText) == "locked")
    try expectRequired(home, ["unlock", "--passcode-file", home.passcodeFile])
    #expect(try home.run(["get", "a", "--no-input"]).status != .exited(0))
    try expectUngated(home)
    try answer(home)
    try home.expect(0, "unlock", "--passcode-file", home.passcodeFile)
    #expect(try home.expect(0, "get", "a").outputText == "secret")
    try home.expect(0, "daemon", "stop")
    _ = try daemon.finish()
  }

  /// What is told, exported and taken back is never gated.
  private func expectUngated(_ home: Sandbox) throws {
    for arguments in [
      ["status"], ["consent", "list"], ["consent", "history"], ["consent", "receipt", "terms"], ["consent", "verify"],
      ["consent", "export", home.directory.file("record-\(UInt32.random(in: 0 ... .max)).json")],
    ] {
      #expect(try home.run(arguments).status == .exited(0), "\(arguments)")
    }
    #expect(try home.run(["consent", "withdraw", "terms"]).status == .exited(1), "there is nothing left to take back")
  }

  @Test("a gate on a folder closes reading, writing and listing it, and nothing else; deleting and withdrawing stay open")
  func folder() throws {
    let (home, daemon) = try home(gates: #"{"terms": ["work/"]}"#)
    try answer(home)
    try home.create()
    for name in ["work/a", "work/b", "home"] { try home.expect(0, "put", name, input: Array(name.utf8)) }
    #expect(try home.expect(0, "get", "work/a").outputText == "work/a")
    let withdrawn = try home.expect(0, "consent", "withdraw", "terms")
    #expect(withdrawn.errorText.contains("work/"))
    #expect(jsonString("state", in: try home.expect(0, "status", "--json").outputText) == "unlocked")
    for arguments in [
      ["get", "work/a"], ["show", "work/a"], ["list", "work"], ["history", "work/a"], ["rename", "home", "work/c"],
    ] {
      try expectRequired(home, arguments)
    }
    let put = try home.run(["put", "work/a", "--json"], input: Array("x".utf8))
    #expect(put.status == .exited(77), "\(put.errorText)")
    #expect(try home.expect(0, "get", "home").outputText == "home")
    #expect(try home.expect(0, "list").outputText.contains("work/b"))
    try home.expect(0, "delete", "work/b")
    try expectUngated(home)
    try answer(home)
    #expect(try home.expect(0, "get", "work/a").outputText == "work/a")
    try home.expect(0, "daemon", "stop")
    _ = try daemon.finish()
  }

  @Test("a record that was tampered with keeps the gate closed; consent restart keeps it aside and every gate asks again")
  func restart() throws {
    let (home, daemon) = try home(gates: #"{"terms": "unlock"}"#)
    try answer(home)
    try home.create()
    try home.expect(1, "consent", "restart", "--passcode-file", home.passcodeFile)
    try home.expect(0, "daemon", "stop")
    _ = try daemon.finish()
    let program = "import sqlite3,sys; d=sqlite3.connect(sys.argv[1]); d.execute('DELETE FROM consent_text'); d.commit()"
    #expect(try Command("/usr/bin/python3", ["-c", program, home.storePath]).run().status == .exited(0))
    let second = try PrivateEtc.startDaemon(home)
    let found = try home.expect(78, "consent", "verify")
    #expect(found.errorText.contains("passcode consent restart"), "\(found.errorText)")
    try home.expect(77, "unlock", "--passcode-file", home.passcodeFile)
    try home.expect(77, "consent", "restart", "--passcode-file", home.wrongFile)
    let json = try home.expect(0, "consent", "restart", "--passcode-file", home.passcodeFile, "--json").outputText
    let path = try #require(jsonString("path", in: json))
    let evidence = try home.expect(78, "consent", "verify", path, "--no-autostart")
    #expect(evidence.errorText.contains("set aside: "), "\(evidence.errorText)")
    try expectRequired(home, ["unlock", "--passcode-file", home.passcodeFile])
    #expect(try home.events() == ["restarted"])
    try answer(home)
    try home.expect(0, "unlock", "--passcode-file", home.passcodeFile)
    try home.expect(0, "consent", "verify")
    try home.expect(1, "consent", "restart", "--passcode-file", home.passcodeFile)
    try home.expect(0, "daemon", "stop")
    _ = try second.finish()
  }
}

/// A copy of /etc in a home, which the daemon of that home sees in the place of the real one.
enum PrivateEtc {
  static var isPossible: Bool {
    guard geteuid() == 0,
      let result = try? Command("/usr/bin/unshare", ["-m", "/bin/mount", "-t", "tmpfs", "tmpfs", "/mnt"]).run()
    else { return false }
    return result.status == .exited(0)
  }

  /// Starts the daemon of a home, after its /etc was made with this policy and form; without them, with the /etc of before.
  static func startDaemon(_ home: Sandbox, policy: String? = nil, form: String? = nil) throws -> RunningCommand {
    let etc = home.directory.file("etc")
    if let policy, let form {
      #expect(try Command("/bin/cp", ["-a", "/etc", etc]).run().status == .exited(0))
      for folder in ["etc/passcoded", "etc/passcoded/consent"] where try Files.status(of: home.directory.file(folder)) == nil {
        try home.directory.makeDirectory(folder)
      }
      try home.directory.write("etc/passcoded/policy.json", policy.utf8)
      try home.directory.write("etc/passcoded/consent/terms.json", form.utf8)
    }
    let script = #"mount --bind "$1" /etc && shift && exec "$@""#
    let daemon = try Command(
      "/usr/bin/unshare", ["-m", "/bin/sh", "-c", script, "sh", etc, try binary(named: "passcoded")],
      environment: home.environment.merging(["PATH": "/usr/sbin:/usr/bin:/sbin:/bin"]) { $1 }
    ).start()
    while try home.run(["--no-autostart", "daemon", "status"]).status == .exited(69), kill(daemon.pid, 0) == 0 { usleep(2000) }
    return daemon
  }
}
