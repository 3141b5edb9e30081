import PasscodePlatform
import TestSupport
import Testing

@testable import PasscodeService

/// The daemon's side of what is heard of login sessions, with a scripted helper for what a real one does not show.
@Suite struct LoginWatchTests {
  private let folder: TemporaryDirectory

  init() throws { folder = try TemporaryDirectory() }

  private func daemon(
    _ script: String, limit: Duration = .seconds(60), silence: Duration = .seconds(600), policy: String? = nil
  ) throws -> TestDaemon {
    let program = try folder.writeProgram("helper", "#!/bin/sh\n" + script)
    return try TestDaemon(userPolicy: policy) {
      $0.loginHelper = LoginHelper(
        environment: ProcessEnvironment(["DBUS_SYSTEM_BUS_ADDRESS": "unix:path=/x"]), executable: program, limit: limit,
        silence: silence)
    }
  }

  private func isThere(_ name: String) -> Bool { (try? Files.status(of: folder.file(name))) ?? nil != nil }

  @Test("The helper is answered after the store was locked, and at once where the policy says no", arguments: [true, false])
  func answer(locks: Bool) throws {
    let script = """
      printf W
      until [ -e '\(folder.file("go"))' ]; do sleep 0.01; done
      printf S
      dd bs=1 count=1 of=/dev/null 2>/dev/null && touch '\(folder.file("answered"))'
      sleep 1000
      """
    let test = try daemon(script, policy: #"{"lockOnSuspend": \#(locks)}"#)
    let client = try test.createStore()
    try folder.write("go", [])
    while !isThere("answered") {}
    #expect(try client.call("Passcode.Status").reply?["state"]?.text == (locks ? "locked" : "unlocked"))
    #expect(test.log.text.contains("locked: the machine is about to sleep") == locks)
  }

  @Test("A helper that never gets through is ended at its limit; meanwhile the daemon serves")
  func hanging() throws {
    let test = try daemon("exec sleep 1000", limit: .milliseconds(200))
    try test.createStore()
    test.log.wait(for: "the system bus does not answer; the store locks by time alone until it does")
  }

  @Test(
    "What a helper ended for is told in words", arguments: [(10, "no system bus"), (11, "logind is not on"), (1, "broke off")])
  func ends(code: Int, words: String) throws {
    let test = try daemon("exit \(code)")
    test.log.wait(for: words)
  }

  @Test("A helper that says something else is ended; one that died is started again")
  func restarted() throws {
    let script = """
      echo x >> '\(folder.file("starts"))'
      [ $(wc -l < '\(folder.file("starts"))') -gt 1 ] || exec echo nonsense
      printf w
      exec sleep 1000
      """
    let test = try daemon(script)
    test.log.wait(for: "when the machine sleeps or right after")
    #expect(test.log.text.contains("the store locks by time alone"))
  }

  @Test("A helper that was stopped, and so says nothing any more, is noticed and started anew")
  func stopped() throws {
    let script = """
      echo x >> '\(folder.file("starts"))'
      printf W.
      [ $(wc -l < '\(folder.file("starts"))') -gt 1 ] || kill -STOP $$
      exec sleep 1000
      """
    let test = try daemon(script, silence: .milliseconds(300))
    test.log.wait(for: "passcode-logind was stopped or hangs")
    while (try? Files.read(folder.file("starts"), limit: 64).count) ?? 0 < 4 {}
  }

  @Test(
    "SC-51: a last session that has ended while no helper listened counts when the next one finds none",
    arguments: [true, false])
  func endedMeanwhile(hadSession: Bool) throws {
    let script = """
      echo x >> '\(folder.file("starts"))'
      if [ $(wc -l < '\(folder.file("starts"))') = 1 ]; then
        printf \(hadSession ? "WB" : "WN")
        until [ -e '\(folder.file("go"))' ]; do sleep 0.01; done
        exit 12
      fi
      printf WNS
      dd bs=1 count=1 of=/dev/null 2>/dev/null && touch '\(folder.file("answered"))'
      exec sleep 1000
      """
    let test = try daemon(script, policy: #"{"lockOnSuspend": false}"#)
    try test.createStore()
    try folder.write("go", [])
    while !isThere("answered") {}
    #expect(test.log.text.contains("locked: the last login session has ended") == hadSession)
  }

  @Test("Without a helper's program the watch says what is missing")
  func noHelper() throws {
    let test = try TestDaemon {
      $0.loginHelper = LoginHelper(environment: ProcessEnvironment(["DBUS_SYSTEM_BUS_ADDRESS": "x"]), executable: "/no/such")
    }
    test.log.wait(for: "/no/such: execve: No such file or directory; the store locks by time alone")
  }
}
