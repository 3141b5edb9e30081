import ConsentCore
import PasscodePlatform
import SecretMemory
import StrictJSON
import TestSupport
import Testing

@testable import PasscodeService

/// The way out of a record that was tampered with.
@Suite(.serialized) struct ConsentRestartTests {
  static let faults = [
    "d.execute(\"UPDATE consent_entry SET entry=CAST(replace(CAST(entry AS TEXT),'withdrawn','renewed') AS BLOB) WHERE sequence=2\")",
    "d.execute('UPDATE consent_entry SET entry=randomblob(100) WHERE sequence=3')",
    "d.execute('DELETE FROM consent_entry WHERE sequence=2')",
    "d.execute('DELETE FROM consent_entry WHERE sequence=3')",
    "d.execute('DELETE FROM consent_entry')",
    "[d.execute('UPDATE consent_entry SET sequence=? WHERE sequence=?', p) for p in [(9,1),(1,2),(2,9)]]",
    "d.execute('INSERT INTO consent_entry SELECT 4, entry FROM consent_entry WHERE sequence=3')",
    "d.execute('DELETE FROM consent_text')",
    "d.execute('UPDATE consent_text SET bytes=randomblob(5)')",
    "d.execute(\"UPDATE consent_text SET digest=x'00' WHERE digest=(SELECT max(digest) FROM consent_text)\")",
    "d.execute('DELETE FROM consent_log')",
    "d.execute('UPDATE consent_log SET signature=randomblob(64)')",
    "d.execute('UPDATE consent_log SET sealed_seed=randomblob(72)')",
    "d.execute('UPDATE consent_log SET public_key=randomblob(32)')",
    "d.execute('UPDATE consent_log SET log=randomblob(32)')",
    "d.execute(\"UPDATE consent_log SET log=x'01'\")",
  ]

  @Test(
    "whatever was done to a record: it is set aside whole, the new one names it, and every gate asks again", arguments: faults)
  func restart(fault: String) throws {
    let test = try ConsentFixture.faultyDaemon(fault)
    let client = try test.connect()
    #expect(try client.unlockError() == "ConsentRequired")
    let found = try client.call("Consent.VerifyRecord").reply?["recordFault"]?.text ?? ""
    #expect(found.contains("; passcode consent restart "), "\(found)")
    #expect(try client.call("Consent.ListForms").reply?["recordFault"]?.text == found)
    #expect(try client.answer("terms", "agreed") == "RecordFaulty")

    let reply = try #require(try client.restart().reply)
    try expectEvidence(of: reply, test)
    #expect(try client.call("Passcode.Status").reply?["state"]?.text == "locked")
    #expect(try client.unlockError() == "ConsentRequired")
    #expect(try client.form("terms")?["state"]?.text == "neverAsked")
    let records = try #require(try client.call("Consent.Records").reply?["records"]?.list)
    #expect(records.map { $0["event"]?.text } == ["restarted"])
    #expect(try client.restartError() == "RecordSound")

    #expect(try client.answer("terms", "agreed") == nil)
    #expect(try client.unlockError() == nil)
    let check = try #require(try client.call("Consent.VerifyRecord").reply)
    #expect(check["recordFault"] == nil && check["count"]?.number == 2 && check["signedCount"]?.number == 2)
    #expect(try client.restartError() == "RecordSound")
  }

  /// The faulty record lies in the file that the reply names, and the new one says so, in its text and its receipt.
  private func expectEvidence(of reply: JSONNode, _ test: TestDaemon) throws {
    let path = try #require(reply["path"]?.text)
    #expect(try Files.status(of: path)?.mode == 0o600)
    let bytes = try Files.read(path, limit: 1 << 20)
    let sha256 = SHA256.digest(bytes.span).hex
    #expect(reply["sha256"]?.text == sha256 && path == test.directory.file("store.db.consent-faulty-" + sha256))
    let reason = try #require(reply["reason"]?.text)
    let fault = FaultyConsentRecord(bytes.span)?.fault
    #expect(fault == reason && !reason.contains("restart"))
    #expect(reply["record"]?["event"]?.text == "restarted")
    let client = try test.connect()
    let receipt = try client.readConsent("receipt", sequence: 1)
    #expect(receipt.contains(sha256) && receipt.contains("restart of the record"))
  }

  @Test("a record that is gone whole is missed as soon as the key is there, and the way out is the same")
  func gone() throws {
    let test = try ConsentFixture.faultyDaemon(
      "[d.execute('DELETE FROM consent_'+t) for t in ('log','entry','text')]")
    let client = try test.connect()
    #expect(try client.answer("terms", "agreed") == nil)
    #expect(try client.unlockError() == "ConsentRequired")
    #expect(try client.call("Passcode.Status").reply?["state"]?.text == "locked")
    #expect(try client.call("Consent.VerifyRecord").reply?["recordFault"]?.text?.contains("a part of it is gone") == true)
    #expect(try client.answer("terms", "agreed") == "RecordFaulty")
    #expect(try client.restartError() == nil)
    #expect(try client.form("terms")?["state"]?.text == "neverAsked")
    #expect(try client.answer("terms", "agreed") == nil)
    #expect(try client.unlockError() == nil)
  }

  @Test("the file holds every row as it was found, what is no text too")
  func whole() throws {
    let test = try ConsentFixture.faultyDaemon(
      "d.execute(\"UPDATE consent_entry SET entry=x'ff00' WHERE sequence=2\"); d.execute('UPDATE consent_log SET deposited=7')")
    let path = try #require(try test.connect().restart().reply?["path"]?.text)
    let bytes = try Files.read(path, limit: 1 << 20)
    let root = try JSONDocument.parse(bytes.span)
    let entries = try #require(root["entries"]?.list)
    #expect(entries.compactMap { $0["sequence"]?.number } == [1, 2, 3])
    #expect(entries[0]["entry"]?.text?.contains("\"given\"") == true && entries[1]["bytes"]?.text == "/wA=")
    #expect(root["log"]?["deposited"]?.number == 7 && root["log"]?["signed"]?.number == 3)
    #expect(root["texts"]?.list.count == 2)
  }

  @Test("a wrong passcode changes nothing and costs a try; a sound record is not set aside")
  func refusals() throws {
    let test = try ConsentFixture.faultyDaemon("d.execute('DELETE FROM consent_text')")
    let client = try test.connect()
    #expect(try client.error("Consent.Restart", ["passcode": .string("wrong")]) == "WrongPasscode")
    #expect(try client.error("Consent.Restart", ["passcode": .string("")]) == "InvalidText")
    #expect(try client.call("Consent.VerifyRecord").reply?["recordFault"] != nil)
    #expect(!directoryEntries(test.directory.path).contains { $0.contains("faulty") })
    let sound = try ConsentFixture.daemon()
    #expect(try sound.connect().restartError() == "NoStore")
    try sound.connect().answer("terms", "agreed")
    try sound.createStore()
    #expect(try sound.connect().restartError() == "RecordSound")
  }

  @Test("a restart in an open store closes its folders at once, and the next receipt is of the new record")
  func open() throws {
    let test = try ConsentFixture.faultyDaemon("d.execute('DELETE FROM consent_text')", gates: #"{"terms": ["work/"]}"#)
    let client = try test.connect()
    #expect(try client.unlockError() == nil)
    #expect(try client.error("Credentials.List", ["folder": .string("work")]) == "ConsentRequired")
    #expect(try client.restartError() == nil)
    #expect(try client.call("Passcode.Status").reply?["state"]?.text == "unlocked")
    #expect(try client.error("Credentials.List", ["folder": .string("work")]) == "ConsentRequired")
    #expect(try client.answer("terms", "agreed") == nil)
    #expect(try client.error("Credentials.List", ["folder": .string("work")]) == nil)
    #expect(try client.call("Consent.Records").reply?["records"]?.list.compactMap { $0["sequence"]?.number } == [1, 2])
  }

  @Test("no form can have the id of the record itself")
  func reserved() throws {
    let test = try ConsentFixture.daemon(forms: [
      ConsentFixture.terms.replacing(#""id": "terms""#, with: #""id": "passcoded.record""#)
    ])
    let reply = try test.connect().call("Consent.ListForms").reply
    #expect(reply?["forms"]?.list.isEmpty == true && reply?["formFaults"]?.list.count == 1)
  }
}

extension RawClient {
  /// Sets the record aside; the short name of the error, nil for none.
  fileprivate func restartError() throws -> String? { try restart().errorName }

  fileprivate func restart() throws -> JSONNode { try call("Consent.Restart", ["passcode": .string(TestDaemon.passcode)]) }

  fileprivate func unlockError() throws -> String? { try error("Passcode.Unlock", ["passcode": .string(TestDaemon.passcode)]) }
}
