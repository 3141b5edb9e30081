import PasscodeClient
import PasscodeWire
import SecretMemory
import StrictJSON
import TestSupport
import Testing

@testable import PasscodeService

extension LockedMemoryTests {
  /// Everything taken out, and everything looked at.
  @Suite struct ExportTests {
    private func export(
      _ client: RawClient, _ passcode: String = TestDaemon.passcode, salvage: Bool = false
    ) throws -> (secrets: [String: String], last: JSONNode) {
      try client.send(
        "Credentials.Export", ["passcode": .string(passcode), "salvage": .bool(salvage)], flag: "more")
      var secrets: [String: String] = [:]
      while true {
        let reply = try client.receive()
        guard reply["continues"]?.isTrue == true else { return (secrets, reply) }
        secrets[reply.reply?["credential"]?["name"]?.text ?? ""] = reply.reply?["secret"]?.text
      }
    }

    private func fill(_ client: RawClient) throws {
      for (name, secret) in [("a", "AQ=="), ("work/b", "Ag=="), ("work/c", "Aw==")] {
        try client.call("Credentials.Put", ["name": .string(name), "secret": .string(secret)])
      }
    }

    @Test("everything is taken out with the passcode, one secret a reply, from a locked store too, which stays locked")
    func all() throws {
      let test = try TestDaemon()
      let client = try test.createStore()
      try fill(client)
      let large = try base64([UInt8](repeating: 7, count: 1 << 20))
      try client.call("Credentials.Put", ["name": .string("large"), "secret": .string(large)])
      for isLocked in [false, true] {
        if isLocked { try client.call("Passcode.Lock") }
        let (secrets, last) = try export(client)
        #expect(secrets == ["a": "AQ==", "work/b": "Ag==", "work/c": "Aw==", "large": large])
        #expect(last.reply?["count"]?.number == 4 && last.reply?["hurtCount"]?.number == 0)
        #expect(try client.call("Passcode.Status").reply?["state"]?.text == (isLocked ? "locked" : "unlocked"))
      }
      #expect(test.log.text.contains("credentials taken out with the passcode: 4"))
    }

    @Test("a wrong passcode takes nothing out and costs a try, though the store is open")
    func wrong() throws {
      let test = try TestDaemon()
      let client = try test.createStore()
      try fill(client)
      let (secrets, last) = try export(client, "no such passcode")
      #expect(secrets.isEmpty && last.errorName == "WrongPasscode")
      #expect(try client.call("Passcode.Status").reply?["triesRemaining"]?.number == 9)
      #expect(try client.error("Credentials.Export", ["passcode": .string(TestDaemon.passcode)]) == "ExpectedMore")
    }

    @Test("a consent that is missing closes the store, and never the way out")
    func consent() throws {
      let gates = #"{"terms": ["unlock", "work/"]}"#
      let test = try ConsentFixture.daemon(forms: [ConsentFixture.terms], gates: gates)
      let client = try test.connect()
      #expect(try client.answer("terms", "agreed") == nil)
      _ = try test.createStore()
      try fill(client)
      try client.call("Consent.Withdraw", ["form": .string("terms")])
      #expect(try client.error("Passcode.Unlock", ["passcode": .string(TestDaemon.passcode)]) == "ConsentRequired")
      #expect(try export(client).secrets.count == 3)
    }

    @Test("a look at a sound store counts what there is; a locked one says Locked")
    func inspect() throws {
      let test = try TestDaemon()
      let client = try test.createStore()
      try fill(client)
      try fill(client)
      let reply = try client.call("Passcode.Inspect").reply
      #expect(reply?["intact"]?.number == 3 && reply?["intactVersions"]?.number == 3)
      #expect(reply?["hurt"]?.list.count == 0 && reply?["gaps"]?.number == 0 && reply?["damage"]?.list.count == 0)
      try client.call("Passcode.Lock")
      #expect(try client.error("Passcode.Inspect") == "Locked")
    }
  }
}
