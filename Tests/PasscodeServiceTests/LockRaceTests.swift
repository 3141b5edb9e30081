import Glibc
import StrictJSON
import TestSupport
import Testing

@testable import PasscodeService

/// A lock that comes while the last step of a flow is under way, at any moment of it.
@Suite struct LockRaceTests {
  /// Enters the passcode that ends a flow, and locks somewhere within that.
  ///
  /// - Returns: the error of the step; nil where it ended the flow.
  private func race(_ test: TestDaemon, _ client: RawClient, _ passcode: String, after delay: UInt32) throws -> String? {
    let other = try test.connect()
    try client.send("Passcode.EnterPasscode", ["passcode": .string(passcode)])
    usleep(delay)
    #expect(try other.error("Passcode.Lock") == nil)
    // Already now, whether the step has been answered or not.
    #expect(try state(other) != "unlocked")
    let reply = try client.receive()
    #expect(try state(other) != "unlocked")
    if let error = reply.errorName { return error }
    #expect(reply.reply?["step"]?["step"]?.text == "finished")
    return nil
  }

  private func state(_ client: RawClient) throws -> String? { try client.call("Passcode.Status").reply?["state"]?.text }

  private func unlocks(_ client: RawClient, _ passcode: String) throws -> Bool {
    try client.error("Passcode.Unlock", ["passcode": .string(passcode)]) == nil
  }

  @Test("SC-38: a lock while a store is made leaves it locked, or unmade, and never open")
  func create() throws {
    var random = SplitMix64.announced()
    for _ in 0..<12 {
      let test = try TestDaemon()
      let client = try test.connect()
      try client.call("Passcode.StartFlow", ["flow": .string("create")])
      try client.call("Passcode.EnterPasscode", ["passcode": .string(TestDaemon.passcode)])
      let error = try race(test, client, TestDaemon.passcode, after: .random(in: 0..<80_000, using: &random))
      #expect(error == nil || error == "NoFlow")
      #expect(try state(client) == (error == nil ? "locked" : "absent"))
      if error == nil { #expect(try unlocks(client, TestDaemon.passcode)) }
    }
  }

  @Test("SC-38: a lock while a recovery sets its passcode leaves the store locked, with the new passcode or with the old one")
  func recover() throws {
    var random = SplitMix64.announced()
    let test = try TestDaemon()
    let client = try test.createStore()
    var passcode = TestDaemon.passcode
    for round in 0..<12 {
      let made = try client.call("Passcode.CreateRecoveryKey", ["passcode": .string(passcode)])
      let key = try #require(made.reply?["key"]?.text)
      if round.isMultiple(of: 2) { try client.call("Passcode.Lock") }
      let new = "another horse battery staple \(round)"
      try client.call("Passcode.StartFlow", ["flow": .string("recover"), "recoveryKey": .string(key)])
      try client.call("Passcode.EnterPasscode", ["passcode": .string(new)])
      let error = try race(test, client, new, after: .random(in: 0..<80_000, using: &random))
      #expect(error == nil || error == "NoFlow")
      #expect(try state(client) == "locked")
      #expect(try unlocks(client, new) == (error == nil))
      if error == nil { passcode = new }
      #expect(try unlocks(client, passcode))
    }
  }
}
