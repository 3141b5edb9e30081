import Glibc
import PasscodePlatform
import TestSupport
import Testing

@testable import PasscodeService

@Suite struct LockingTests {
  private func state(_ client: RawClient) throws -> String? {
    try client.call("Passcode.Status").reply?["state"]?.text
  }

  @Test("SC-38: a store that was locked is unlocked by its passcode, and by nothing else")
  func lockAndUnlock() throws {
    let test = try TestDaemon()
    let client = try test.createStore()
    #expect(try client.error("Credentials.Put", ["name": .string("a"), "secret": .string(base64([1, 2]))]) == nil)
    #expect(try client.error("Passcode.Lock") == nil)
    #expect(try client.error("Credentials.Get", ["name": .string("a")]) == "Locked")
    #expect(try client.error("Passcode.Unlock", ["passcode": .string("wrong")]) == "WrongPasscode")
    #expect(try client.error("Passcode.Unlock", ["passcode": .string("")]) == "InvalidText")
    #expect(try client.error("Passcode.Unlock") == "NoPrompt")
    #expect(
      try client.error("Passcode.Unlock", ["passcode": .string(TestDaemon.passcode), "quickUnlock": .bool(true)])
        == "QuickUnlockUnavailable")
    #expect(try client.error("Passcode.Verify", ["passcode": .string(TestDaemon.passcode)]) == nil)
    #expect(try state(client) == "locked")
    let unlocked = try client.call("Passcode.Unlock", ["passcode": .string(TestDaemon.passcode)])
    #expect(unlocked.reply?["state"]?.text == "unlocked")
    #expect(try client.call("Credentials.Get", ["name": .string("a")]).reply?["secret"]?.text == base64([1, 2]))
  }

  @Test("SC-39: polling what only looks does not keep the store open")
  func polling() throws {
    let test = try TestDaemon(userPolicy: #"{"lockTimeoutSeconds": 100}"#)
    let client = try test.createStore()
    for _ in 0..<4 {
      test.clock.turn(seconds: 24)
      #expect(try state(client) == "unlocked")
      try client.call("Passcode.Policy")
      try client.call("Passcode.Check", ["passcode": .string("x")])
      try client.call("Passcode.Verify", ["passcode": .string(TestDaemon.passcode)])
      try client.call("Passcode.ListResets")
    }
    test.clock.turn(seconds: 24)
    #expect(try state(client) == "locked")
  }

  @Test("use keeps the store open, but not for longer than in all")
  func use() throws {
    let test = try TestDaemon(userPolicy: #"{"lockTimeoutSeconds": 1000, "maxUnlockedHours": 1}"#)
    let client = try test.createStore()
    for _ in 0..<5 {
      test.clock.turn(seconds: 700)
      #expect(try client.error("Credentials.Get", ["name": .string("a")]) == "NotFound")
    }
    test.clock.turn(seconds: 700)
    #expect(try client.error("Credentials.Get", ["name": .string("a")]) == "Locked")
  }

  @Test("SC-51: suspended for longer than the idle limit, the store is locked before the first request is answered")
  func suspended() throws {
    let test = try TestDaemon()
    let client = try test.createStore()
    try client.call("Credentials.Put", ["name": .string("a"), "secret": .string("")])
    test.clock.turn(seconds: 601)
    #expect(try client.error("Credentials.Get", ["name": .string("a")]) == "Locked")
    #expect(test.log.text.contains("locked: time is up"))
  }

  @Test("SC-51: a short sleep that nothing was heard of locks the store, where the policy says so", arguments: [true, false])
  func slept(locks: Bool) throws {
    let test = try TestDaemon(userPolicy: #"{"lockOnSuspend": \#(locks)}"#)
    let client = try test.createStore()
    test.clock.sleep(seconds: 3)
    #expect(try client.error("Credentials.Get", ["name": .string("a")]) == (locks ? "Locked" : "NotFound"))
    #expect(test.log.text.contains("locked: the machine has slept") == locks)
    try client.call("Passcode.Unlock", ["passcode": .string(TestDaemon.passcode)])
    #expect(try state(client) == "unlocked")
  }

  @Test("SC-51: a sleep is noticed though nobody asks and nothing else locks")
  func sleptUnasked() throws {
    let test = try TestDaemon(userPolicy: #"{"lockTimeoutSeconds": 0, "maxUnlockedHours": 0}"#)
    try test.createStore()
    test.clock.sleep(seconds: 1)
    test.log.wait(for: "locked: the machine has slept")
  }

  @Test("the keys are wiped when the time is up, though nobody asks")
  func timerThread() throws {
    let test = try TestDaemon(userPolicy: #"{"lockTimeoutSeconds": 1}"#)
    try test.createStore()
    test.log.wait(for: "locked: time is up")
  }

  @Test("locksAt is the time at which the store locks, and absent where it never does")
  func locksAt() throws {
    let test = try TestDaemon(userPolicy: #"{"lockTimeoutSeconds": 100, "maxUnlockedHours": 1}"#)
    let client = try test.createStore()
    let now = Int(test.clock.clock.wallSeconds())
    let locksAt = try #require(try client.call("Passcode.Status").reply?["locksAt"]?.number)
    #expect((now + 95...now + 101).contains(locksAt))
    try test.write("user.json", #"{"lockTimeoutSeconds": 0, "maxUnlockedHours": 0}"#)
    test.daemon.reloadPolicy()
    #expect(try client.call("Passcode.Status").reply?["locksAt"] == nil)
  }

  @Test("locking while secrets are read: every reply is the secret or *locked*, and locked it is")
  func lockWhileReading() throws {
    let test = try TestDaemon()
    let client = try test.createStore()
    let secret = try base64([UInt8](repeating: 7, count: 500))
    try client.call("Credentials.Put", ["name": .string("a"), "secret": .string(secret)])
    let readers = (0..<4).map { _ in
      Background { () -> [String] in
        guard let client = try? test.connect() else { return ["no connection"] }
        var answers: [String] = []
        while answers.last != "Locked" {
          guard let reply = try? client.call("Credentials.Get", ["name": .string("a")]) else { return ["no reply"] }
          answers.append(reply.errorName ?? (reply.reply?["secret"]?.text == secret ? "secret" : "something else"))
        }
        return answers
      }
    }
    usleep(50_000)
    #expect(try client.error("Passcode.Lock") == nil)
    #expect(try state(client) == "locked")
    for reader in readers {
      let answers = reader.value()
      #expect(answers.last == "Locked" && answers.dropLast().allSatisfy { $0 == "secret" })
    }
  }

  @Test("a client that watches is told each state once")
  func monitor() throws {
    let test = try TestDaemon()
    let watcher = try test.connect()
    try watcher.send("Passcode.Monitor", flag: "more")
    func next() throws -> String? {
      let reply = try watcher.receive()
      #expect(reply["continues"]?.isTrue == true)
      return reply.reply?["state"]?.text
    }
    #expect(try next() == "absent")
    let client = try test.createStore()
    #expect(try next() == "unlocked")
    try client.call("Passcode.Lock")
    #expect(try next() == "locked")
    try client.call("Passcode.Unlock", ["passcode": .string(TestDaemon.passcode)])
    #expect(try next() == "unlocked")
    #expect(try client.error("Passcode.Monitor") == "ExpectedMore")
  }

  @Test("a client that asks for the end gets its reply; the store is locked, the socket gone, the others let go")
  func stop() throws {
    let test = try TestDaemon()
    let client = try test.createStore()
    let watcher = try test.connect()
    try watcher.send("Passcode.Monitor", flag: "more")
    _ = try watcher.receive()
    let idle = try test.connect()
    #expect(try client.error("Passcode.Stop") == nil)
    test.waitForEnd()
    #expect(watcher.waitForClose() && idle.waitForClose() && client.waitForClose())
    #expect(try Files.status(of: test.socket.path) == nil)
    #expect(test.log.text.hasSuffix("stopped"))
    let next = try TestDaemon(in: test.directory)
    #expect(try state(next.connect()) == "locked")
  }
}
