import TestSupport
import Testing

@testable import PasscodeService

@Suite struct AttemptTests {
  @Test("SC-54: wrong passcodes from 20 clients at once: exactly as many are charged as were sent")
  func parallel() throws {
    let test = try TestDaemon(userPolicy: #"{"retryLimit": 100, "lockOut": {"afterTries": 1000}}"#)
    let client = try test.createStore()
    let tries = 3
    let guessers = (0..<20).map { number in
      Background { () -> [Int?] in
        guard let client = try? test.connect() else { return [] }
        return (0..<tries).map { _ in
          let reply = try? client.call("Passcode.Verify", ["passcode": .string("wrong \(number)")])
          return reply?.errorName == "WrongPasscode" ? reply?.reply?["triesRemaining"]?.number : nil
        }
      }
    }
    let remaining = guessers.flatMap { $0.value() }
    #expect(remaining.compactMap { $0 }.sorted() == Array(40..<100))
    #expect(try client.call("Passcode.Status").reply?["triesRemaining"]?.number == 40)
    #expect(try client.error("Passcode.Verify", ["passcode": .string(TestDaemon.passcode)]) == nil)
    #expect(try client.call("Passcode.Status").reply?["triesRemaining"]?.number == 100)
  }

  @Test("SC-54: guesses are counted together, over verify, unlock and the change screen; a lock-out refuses them all, untried")
  func together() throws {
    let test = try TestDaemon(userPolicy: #"{"lockOut": {"afterTries": 3, "firstSeconds": 600}}"#)
    let client = try test.createStore()
    let other = try test.connect()
    try other.call("Passcode.StartFlow", ["flow": .string("change")])
    let wrong: KeyValuePairs<String, RawClient.Value> = ["passcode": .string("wrong")]
    #expect(try client.error("Passcode.Verify", wrong) == "WrongPasscode")
    #expect(try client.error("Passcode.Unlock", wrong) == "WrongPasscode")
    let third = try other.call("Passcode.EnterPasscode", wrong)
    #expect(third.errorName == "WrongPasscode" && third.reply?["triesRemaining"]?.number == 7)
    #expect((590...600).contains(third.reply?["retryAfterSeconds"]?.number ?? 0))
    for method in ["Passcode.Verify", "Passcode.Unlock"] {
      let refused = try client.call(method, ["passcode": .string(TestDaemon.passcode)])
      #expect(refused.errorName == "LockedOut" && (590...600).contains(refused.reply?["retryAfterSeconds"]?.number ?? 0))
    }
    #expect(try other.error("Passcode.EnterPasscode", ["passcode": .string(TestDaemon.passcode)]) == "LockedOut")
    #expect(try client.error("Passcode.StartFlow", ["flow": .string("change")]) == "LockedOut")
    #expect(try client.error("Credentials.List") == nil)
    test.stop()
    let next = try TestDaemon(in: test.directory)
    let status = try next.connect().call("Passcode.Status").reply
    #expect(status?["triesRemaining"]?.number == 7 && (580...600).contains(status?["retryAfterSeconds"]?.number ?? 0))
  }
}
