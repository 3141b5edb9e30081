import PasscodeWire
import StrictJSON
import TestSupport
import Testing

@testable import PasscodeService

extension LockedMemoryTests {
  @Suite struct CredentialTests {
    private func put(_ client: RawClient, _ name: String, _ secret: [UInt8] = [1]) throws -> JSONNode {
      try client.call("Credentials.Put", ["name": .string(name), "secret": .string(base64(secret))])
    }

    @Test("SC-5: a locked store answers Locked to every method, never NotFound")
    func lockedNeverNotFound() throws {
      let test = try TestDaemon()
      let client = try test.createStore()
      _ = try put(client, "there")
      try client.call("Passcode.Lock")
      for name in ["there", "absent"] {
        let named: KeyValuePairs<String, RawClient.Value> = ["name": .string(name)]
        #expect(try client.error("Credentials.Get", named) == "Locked")
        #expect(try client.error("Credentials.Show", named) == "Locked")
        #expect(try client.error("Credentials.Delete", named) == "Locked")
        #expect(try client.error("Credentials.History", named) == "Locked")
        #expect(try put(client, name).errorName == "Locked")
      }
      #expect(try client.error("Credentials.List") == "Locked")
    }

    @Test("each error of the interface tells what it is about")
    func errors() throws {
      let test = try TestDaemon()
      let client = try test.createStore()
      _ = try put(client, "a")
      _ = try put(client, "b")
      let missing = try client.call("Credentials.Get", ["name": .string("no")])
      #expect(missing.errorName == "NotFound" && missing.reply?["name"]?.text == "no")
      let version = try client.call("Credentials.Get", ["name": .string("a"), "version": .integer(99)])
      #expect(version.errorName == "VersionNotFound" && version.reply?["version"]?.number == 99)
      #expect(try client.error("Credentials.Get", ["name": .string("no"), "version": .integer(1)]) == "NotFound")
      let taken = try client.call("Credentials.Rename", ["name": .string("a"), "newName": .string("b")])
      #expect(taken.errorName == "Exists" && taken.reply?["name"]?.text == "b")
      let kept = try client.call(
        "Credentials.Put", ["name": .string("a"), "secret": .string(""), "replace": .bool(false)])
      #expect(kept.errorName == "Exists" && kept.reply?["name"]?.text == "a")
      let dots = try client.call("Credentials.Get", ["name": .string("a/../b")])
      #expect(dots.errorName == "InvalidName" && dots.reply?["reason"]?.text == "dotPart")
      let noPairs = try client.call("Credentials.Find", ["attributes": .map([:])])
      #expect(noPairs.errorName == "InvalidMetadata" && noPairs.reply?["reason"]?.text == "noPairs")
      #expect(
        try client.error("Credentials.Put", ["name": .string("a"), "secret": .string("no base64")]) == "InvalidParameter")
    }

    @Test("values, versions, attributes and names as they were given")
    func lifeOfACredential() throws {
      let test = try TestDaemon()
      let client = try test.createStore()
      let first = try client.call(
        "Credentials.Put",
        [
          "name": .string("work/aws"), "secret": .string("AQ=="), "type": .string("text/plain"),
          "attributes": .map(["user": "ada", "host": "x"]),
        ])
      #expect(first.reply?["created"]?.isTrue == true)
      let one = try #require(first.reply?["version"]?.number)
      #expect(try put(client, "work/aws", [2]).reply?["created"]?.isTrue == false)
      let get = try client.call("Credentials.Get", ["name": .string("work/aws")])
      #expect(get.reply?["secret"]?.text == "Ag==" && get.reply?["type"]?.text == "text/plain")
      let old = try client.call("Credentials.Get", ["name": .string("work/aws"), "version": .integer(one)])
      #expect(old.reply?["secret"]?.text == "AQ==" && old.reply?["version"]?.number == one)
      let changed = try client.call(
        "Credentials.SetAttributes",
        ["name": .string("work/aws"), "set": .map(["user": "bob"]), "unset": .strings(["host", "none"])])
      #expect(changed.reply?["credential"]?.map(.attributes) == ["user": "bob"])
      #expect(try client.call("Credentials.Find", ["attributes": .map(["user": "bob"])]).reply?["credentials"]?.list.count == 1)
      #expect(try client.call("Credentials.Find", ["attributes": .map(["user": "ada"])]).reply?["credentials"]?.list.count == 0)
      try client.call("Credentials.Delete", ["name": .string("work/aws")])
      #expect(try client.error("Credentials.Get", ["name": .string("work/aws")]) == "NotFound")
      #expect(
        try client.error("Credentials.Restore", ["name": .string("work/aws"), "version": .integer(one)]) == nil)
      #expect(try client.call("Credentials.Get", ["name": .string("work/aws")]).reply?["secret"]?.text == "AQ==")
      try client.call("Credentials.Delete", ["name": .string("work/aws"), "purge": .bool(true)])
      #expect(try client.error("Credentials.History", ["name": .string("work/aws")]) == "NotFound")
    }

    @Test("SC-19: 0 bytes to 1 MiB come back whole; one byte more is refused with the limit")
    func sizes() throws {
      let test = try TestDaemon()
      let client = try test.createStore()
      for count in [0, 1, 16 << 10, (16 << 10) + 1, (64 << 10) - 1, 64 << 10, 1 << 20] {
        let secret = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        #expect(try put(client, "big", secret).errorName == nil)
        #expect(try client.call("Credentials.Get", ["name": .string("big")]).reply?["secret"]?.text == base64(secret))
      }
      let refused = try put(client, "big", [UInt8](repeating: 0, count: (1 << 20) + 1))
      #expect(refused.errorName == "TooLarge" && refused.reply?["limit"]?.number == 1 << 20)
      #expect(try client.call("Credentials.Show", ["name": .string("big")]).reply?["credential"]?["size"]?.number == 1 << 20)
    }

    @Test("a list comes in the byte order of the names, in one reply up to 1,000, in pages with more")
    func list() throws {
      let test = try TestDaemon()
      let client = try test.createStore()
      var names = (0..<1001).map { "folder/\($0)" } + ["folder/é", "folder/Z", "other"]
      for name in names { #expect(try put(client, name, []).errorName == nil) }
      #expect(try client.error("Credentials.List") == "ExpectedMore")
      let one = try client.call("Credentials.List", ["folder": .string("folder/nothing")])
      #expect(one.reply?["credentials"]?.list.count == 0)
      names.removeLast()
      names.sort { $0.utf8.lexicographicallyPrecedes($1.utf8) }
      try client.send("Credentials.List", ["folder": .string("folder")], flag: "more")
      var pages: [[String?]] = []
      var goesOn = true
      while goesOn {
        let reply = try client.receive()
        pages.append(reply.reply?["credentials"]?.list.map { $0["name"]?.text } ?? [])
        goesOn = reply["continues"]?.isTrue == true
      }
      #expect(pages.count > 3 && pages.flatMap { $0 } == names)
    }

    @Test("calls may come at once: replies come in their order, none to those that want none")
    func pipelining() throws {
      let test = try TestDaemon()
      let client = try test.createStore()
      var all: [UInt8] = []
      for number in 0..<50 {
        all += RawClient.message("Credentials.Put", ["name": .string("n\(number)"), "secret": .string("")], flag: "oneway")
        all += RawClient.message("Credentials.Show", ["name": .string("n\(number)")])
        all += RawClient.message("Credentials.Show", ["name": .string("no")], flag: "oneway")
      }
      try client.send(bytes: all)
      for number in 0..<50 {
        #expect(try client.receive().reply?["credential"]?["name"]?.text == "n\(number)")
      }
    }
  }
}
