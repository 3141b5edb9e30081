import ConsentCore
import Glibc
import PasscodePlatform
import SecretMemory
import StrictJSON
import TestSupport
import Testing

@testable import PasscodeService

/// What was tried to get past a gate, or to lose a record.
@Suite(.serialized) struct ConsentBreakTests {
  @Test("consent that is taken back while a store is being made keeps it from being made")
  func lateWithdrawal() throws {
    let test = try ConsentFixture.daemon()
    let client = try test.connect()
    try client.answer("terms", "agreed")
    let other = try test.connect()
    let passcode = RawClient.Value.string(TestDaemon.passcode)
    for _ in 0..<2 {
      try client.answer("terms", "agreed")
      try other.call("Passcode.StartFlow", ["flow": .string("create")])
      try other.call("Passcode.EnterPasscode", ["passcode": passcode])
      try client.call("Consent.Withdraw", ["form": .string("terms")])
      #expect(try other.error("Passcode.EnterPasscode", ["passcode": passcode]) == "ConsentRequired")
      #expect(try client.call("Passcode.Status").reply?["state"]?.text == "absent")
    }
  }

  @Test("a journal that a store has taken in already counts for nothing more")
  func staleJournal() throws {
    let test = try ConsentFixture.daemon()
    let client = try test.connect()
    try client.answer("terms", "agreed")
    let journal = try Files.read(test.directory.file("store.db.consent"), limit: 1 << 20)
    try test.createStore()
    try client.call("Consent.Withdraw", ["form": .string("terms")])
    try test.directory.write("store.db.consent", journal)
    let id = try #require(try client.call("Passcode.Status").reply?["storeId"]?.text)
    try client.call("Passcode.Reset", ["confirm": .string(id)])
    #expect(try client.error("Passcode.StartFlow", ["flow": .string("create")]) == "ConsentRequired")
    #expect(try client.form("terms")?["state"]?.text == "neverAsked")
  }

  @Test("what was answered while the store was set aside is in its record when it is back")
  func undo() throws {
    let test = try ConsentFixture.daemon()
    let client = try test.connect()
    try client.answer("terms", "agreed")
    try test.createStore()
    let id = try #require(try client.call("Passcode.Status").reply?["storeId"]?.text)
    let aside = try client.call("Passcode.Reset", ["confirm": .string(id)]).reply?["setAside"]?["id"]?.text ?? ""
    try client.answer("terms", "agreed")
    try client.call("Consent.Withdraw", ["form": .string("terms")])
    #expect(try client.error("Passcode.UndoReset", ["id": .string(aside)]) == nil)
    #expect(try client.form("terms")?["state"]?.text == "withdrawn")
    #expect(
      try client.call("Consent.Records").reply?["records"]?.list.map { $0["event"]?.text } == ["given", "given", "withdrawn"])
    #expect(!directoryEntries(test.directory.path).contains("store.db.consent"))
    try client.call("Passcode.Unlock", ["passcode": .string(TestDaemon.passcode)])
    #expect(try client.call("Consent.VerifyRecord").reply?["signedCount"]?.number == 3)
  }

  @Test("an offset from UTC that no zone has is refused", arguments: [Int.min, Int.max, 64_801, -64_801])
  func offsets(offset: Int) throws {
    let test = try ConsentFixture.daemon()
    let client = try test.connect()
    #expect(
      try client.error("Consent.Withdraw", ["form": .string("terms"), "utcOffset": .integer(offset)]) == "InvalidParameter")
    #expect(try client.error("Passcode.Status") == nil)
  }

  @Test("what is no file in the journal's place is refused, and nobody waits for it") func noJournal() throws {
    let test = try ConsentFixture.daemon()
    let path = test.directory.file("store.db.consent")
    #expect(unsafe mkfifo(path, 0o600) == 0)
    let client = try test.connect()
    #expect(try client.call("Consent.ListForms").reply?["recordFault"]?.text?.contains(path) == true)
    #expect(try client.answer("terms", "agreed") == "RecordFaulty")
  }

  @Test("a log has room for what adds no text, and for no more text than is read back") func room() throws {
    let id = SHA256.digest([1].span)
    let small = ConsentLog(id: id, entries: [[1]], attachments: [id: [UInt8](repeating: 0, count: 100)])
    let other = SHA256.digest([2].span)
    let large = ConsentLog(
      id: id, entries: [[1], [2]], attachments: small.attachments.merging([other: [UInt8](repeating: 0, count: 100)]) { $1 })
    try ConsentRecords.requireRoom(large, textsBefore: 1, texts: 200, entries: 2)
    #expect(throws: ConsentRefused.log(.full)) { try ConsentRecords.requireRoom(large, textsBefore: 1, texts: 199, entries: 2) }
    #expect(throws: ConsentRefused.log(.full)) { try ConsentRecords.requireRoom(large, textsBefore: 1, texts: 200, entries: 1) }
    try ConsentRecords.requireRoom(large, textsBefore: 2, texts: 10, entries: 2)
  }

  @Test("an earlier record that was put back is named, also while the store is locked, and its gate stays closed")
  func putBack() throws {
    let test = try ConsentFixture.daemon(gates: #"{"terms": ["unlock"]}"#)
    let client = try test.connect()
    try client.answer("terms", "agreed")
    try test.createStore()
    test.stop()
    func run(_ code: String) throws {
      let arguments = ["-c", "import sqlite3,sys; d=sqlite3.connect(sys.argv[1]); " + code, test.directory.file("store.db")]
      #expect(try Command("/usr/bin/python3", arguments).run().status == .exited(0))
    }
    try run(
      "d.execute('CREATE TEMP TABLE t AS SELECT 1'); open(sys.argv[1]+'.head','w').write(repr(d.execute('SELECT signed,digest,signature FROM consent_log').fetchone()))"
    )
    let second = try ConsentFixture.daemon(gates: "{}", in: test.directory)
    try second.connect().call("Passcode.Unlock", ["passcode": .string(TestDaemon.passcode)])
    try second.connect().call("Consent.Withdraw", ["form": .string("terms")])
    second.stop()
    try run(
      "d.execute('DELETE FROM consent_entry WHERE sequence=2'); "
        + "d.execute('UPDATE consent_log SET signed=?,digest=?,signature=?', eval(open(sys.argv[1]+'.head').read())); d.commit()"
    )
    let third = try ConsentFixture.daemon(gates: #"{"terms": ["unlock"]}"#, in: test.directory)
    let last = try third.connect()
    #expect(try last.error("Passcode.Unlock", ["passcode": .string(TestDaemon.passcode)]) == "ConsentRequired")
    #expect(try last.call("Passcode.Status").reply?["state"]?.text == "locked")
    #expect(try last.call("Consent.ListForms").reply?["recordFault"]?.text?.contains("put back") == true)
    #expect(try last.call("Consent.VerifyRecord").reply?["recordFault"]?.text?.contains("put back") == true)
    #expect(try last.answer("terms", "agreed") == "RecordFaulty")
    #expect(try last.error("Passcode.Unlock", ["passcode": .string(TestDaemon.passcode)]) == "ConsentRequired")
  }

  @Test("a store that is made behind a closed gate is made, locked, and keeps nobody waiting") func madeLocked() throws {
    let test = try ConsentFixture.daemon(gates: #"{"study": ["unlock"]}"#)
    let client = try test.connect()
    try client.answer("terms", "agreed")
    try test.createStore()
    #expect(try client.call("Passcode.Status").reply?["state"]?.text == "locked")
    #expect(try client.error("Passcode.Unlock", ["passcode": .string(TestDaemon.passcode)]) == "ConsentRequired")
  }
}
