import Glibc
import PasscodePlatform
import TestSupport
import Testing

@testable import PasscodeService

@Suite struct ResetTests {
  @Test("SC-62: a reset needs the store's id, sets the sealed file aside, lets nobody in, and can be undone")
  func reset() throws {
    let test = try TestDaemon()
    let client = try test.createStore()
    try client.call("Credentials.Put", ["name": .string("a"), "secret": .string("AQ==")])
    let id = try #require(try client.call("Passcode.Status").reply?["storeId"]?.text)
    for wrong in ["", "yes", String(id.reversed()), String(repeating: "0", count: 32)] {
      #expect(try client.error("Passcode.Reset", ["confirm": .string(wrong)]) == "ConfirmationMismatch")
    }
    #expect(try client.error("Credentials.Get", ["name": .string("a")]) == nil)
    let aside = try client.call("Passcode.Reset", ["confirm": .string(id)]).reply?["setAside"]
    #expect(aside?["storeId"]?.text == id)
    #expect(try client.call("Passcode.Status").reply?["state"]?.text == "absent")
    #expect(try client.error("Credentials.Get", ["name": .string("a")]) == "NoStore")
    try test.createStore("the second horse battery staple")
    let listed = try #require(try client.call("Passcode.ListResets").reply?["resets"]?.list)
    let resetID = try #require(listed.first?["id"]?.text)
    #expect(listed.count == 1 && listed[0]["expiresAt"]?.number == (listed[0]["setAsideAt"]?.number ?? 0) + 7 * 86_400)
    #expect(try client.error("Passcode.UndoReset", ["id": .string(resetID)]) == "StoreExists")
    let second = try #require(try client.call("Passcode.Status").reply?["storeId"]?.text)
    #expect(try client.error("Passcode.Reset", ["confirm": .string(second), "erase": .bool(true)]) == nil)
    #expect(try client.error("Passcode.UndoReset", ["id": .string("nothing")]) == "ResetNotFound")
    #expect(try client.error("Passcode.UndoReset", ["id": .string(resetID)]) == nil)
    #expect(try client.error("Credentials.Get", ["name": .string("a")]) == "Locked")
    #expect(try client.error("Passcode.Unlock", ["passcode": .string(TestDaemon.passcode)]) == nil)
    #expect(try client.call("Credentials.Get", ["name": .string("a")]).reply?["secret"]?.text == "AQ==")
  }

  @Test("a store that was set aside long enough ago is removed when the daemon starts")
  func expired() throws {
    let test = try TestDaemon()
    let client = try test.createStore()
    let id = try #require(try client.call("Passcode.Status").reply?["storeId"]?.text)
    try client.call("Passcode.Reset", ["confirm": .string(id)])
    test.stop()
    func asides() -> Int { directoryEntries(test.directory.path).filter { $0.contains(".aside-") }.count }
    let early = try TestDaemon(in: test.directory) { $0.clock = turned(days: 6) }
    try early.connect().call("Passcode.Status")
    early.stop()
    #expect(asides() == 1)
    let late = try TestDaemon(in: test.directory) { $0.clock = turned(days: 8) }
    late.log.wait(for: "serves")
    late.stop()
    #expect(asides() == 0)
  }

  private func turned(days: UInt64) -> ServiceClock {
    let clock = TurnedClock()
    clock.turn(seconds: days * 86_400)
    return clock.clock
  }

  @Test(
    "SC-3: something that is no store, or a damaged one, is refused with what is wrong and stays as it is",
    arguments: [0, 1, 100, 5000])
  func damaged(byteCount: Int) throws {
    let test = try TestDaemon()
    let content = (0..<byteCount).map { UInt8(truncatingIfNeeded: $0 &* 7) }
    let path = try test.directory.write("store.db", content)
    let client = try test.connect()
    let refused: Set = ["NotAStore", "Corrupt"]
    #expect(try refused.contains(client.error("Credentials.Get", ["name": .string("a")]) ?? ""))
    #expect(try refused.contains(client.error("Passcode.StartFlow", ["flow": .string("create")]) ?? ""))
    #expect(try refused.contains(client.error("Passcode.Unlock", ["passcode": .string("x")]) ?? ""))
    let status = try client.call("Passcode.Status").reply
    #expect(status?["state"]?.text == "locked" && status?["storeFault"]?.text?.isEmpty == false)
    #expect(try Files.read(path, limit: 10_000) == content)
  }

  @Test("SC-3: a store that can't be read for a while is neither missing nor replaced, and is there again afterwards")
  func unreadable() throws {
    let test = try TestDaemon()
    try test.createStore()
    test.stop()
    let path = test.directory.file("store.db")
    try Files.rename(path, to: path + ".away")
    try Files.makeDirectory(path)
    let next = try TestDaemon(in: test.directory)
    let client = try next.connect()
    let error = try client.error("Passcode.StartFlow", ["flow": .string("create")])
    #expect(error != nil && error != "NoStore")
    #expect(try client.error("Credentials.Get", ["name": .string("a")]) == error)
    unsafe rmdir(path)
    try Files.rename(path + ".away", to: path)
    #expect(try client.error("Passcode.Unlock", ["passcode": .string(TestDaemon.passcode)]) == nil)
  }

  @Test("SC-12: another file in the store's place is noticed, not overwritten, and looked at anew")
  func replaced() throws {
    let test = try TestDaemon()
    let client = try test.createStore()
    let other = try TestDaemon()
    try other.createStore("the second horse battery staple")
    other.stop()
    try Files.rename(other.directory.file("store.db"), to: test.directory.file("store.db"))
    for suffix in ["-wal"] { try Files.remove(test.directory.file("store.db" + suffix)) }
    #expect(try client.error("Credentials.Put", ["name": .string("a"), "secret": .string("")]) == "Replaced")
    #expect(try client.error("Credentials.Put", ["name": .string("a"), "secret": .string("")]) == "Locked")
    #expect(try client.error("Passcode.Unlock", ["passcode": .string("the second horse battery staple")]) == nil)
  }

  @Test("SC-3, SC-5: a store whose file is gone while it is open is missed, none is made in its place, and put back it opens")
  func gone() throws {
    let test = try TestDaemon()
    let client = try test.createStore()
    try client.call("Credentials.Put", ["name": .string("a"), "secret": .string("AQ==")])
    let path = test.directory.file("store.db")
    let aside = try TemporaryDirectory()
    for suffix in ["", "-wal"] { try Files.rename(path + suffix, to: aside.file("store.db" + suffix)) }
    #expect(try client.error("Credentials.Get", ["name": .string("a")]) == "Replaced")
    for _ in 1...2 {
      #expect(try client.error("Credentials.Get", ["name": .string("a")]) == "Storage")
      #expect(try client.error("Passcode.StartFlow", ["flow": .string("create")]) == "Storage")
    }
    #expect(!directoryEntries(test.directory.path).contains("store.db"))
    for suffix in ["", "-wal"] { try Files.rename(aside.file("store.db" + suffix), to: path + suffix) }
    #expect(try client.error("Passcode.Unlock", ["passcode": .string(TestDaemon.passcode)]) == nil)
    #expect(try client.call("Credentials.Get", ["name": .string("a")]).reply?["secret"]?.text == "AQ==")
  }
}
