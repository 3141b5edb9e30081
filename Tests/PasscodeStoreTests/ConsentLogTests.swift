import PasscodeCore
import SecretMemory
import TestSupport
import Testing

@testable import PasscodeStore

@Suite struct ConsentLogTests {
  private static let log = SHA256.digest([1].span)

  /// What adds entries of these texts.
  private func addition(_ texts: [String], after rows: ConsentRows?) -> ConsentAddition {
    let entries = texts.map { Array($0.utf8) }
    let last = entries.last ?? []
    let digest = SHA256.digest(last.span)
    return ConsentAddition(
      log: Self.log, firstSequence: (rows?.entries.count ?? 0) + 1, entries: entries,
      texts: Dictionary(uniqueKeysWithValues: entries.map { (SHA256.digest($0.span), $0) }), digest: digest,
      message: Array("message \(texts)".utf8))
  }

  @discardableResult
  private func add(_ texts: [String], to store: CredentialStore) throws -> Bool {
    let rows = try store.consentRows()
    return try store.recordConsent { _ in addition(texts, after: rows) }
  }

  @Test("what is recorded while the store is open is signed with a key of its own, the same one each time")
  func signed() throws {
    func fill(_ store: CredentialStore) throws {
      #expect(try store.consentRows() == nil)
      #expect(try store.isConsentIntact(nil) == true)
      #expect(try add(["a", "b"], to: store))
      #expect(try add(["c"], to: store))
    }
    try withClosedStore(fill: fill) { fixture in
      let store = try fixture.open()
      let rows = try #require(try store.consentRows())
      #expect(rows.entries == ["a", "b", "c"].map { Array($0.utf8) } && rows.texts.count == 3)
      let signature = try #require(rows.signature)
      guard let key = Ed25519.PublicKey(signature.publicKey.span) else { throw TestFailure("no key") }
      #expect(signature.count == 3 && signature.digest == SHA256.digest(Array("c".utf8).span))
      let message = Array("message [\"c\"]".utf8)
      let isGood = key.isSignature(signature.signature.span, of: message.span)
      #expect(isGood)
      #expect(try store.isConsentIntact(rows) == nil)
      _ = try store.unlock(secret(StoreFixture.passcode))
      #expect(try store.isConsentIntact(rows) == true)
      try add(["d"], to: store)
      #expect(try store.consentRows()?.signature?.publicKey == signature.publicKey)
      try store.noteConsentDeposited(4)
      #expect(try store.consentRows()?.depositedCount == 4)
      _ = try store.put("n", "credentials go on")
    }
  }

  @Test("what is recorded while the store is locked is on the disk, and signed over with what follows")
  func locked() throws {
    try withStore { fixture, store in
      store.lock()
      #expect(try add(["a"], to: store) == false)
      #expect(try add(["b"], to: store) == false)
      #expect(try store.consentRows()?.signature == nil && store.consentRows()?.entries.count == 2)
      _ = try store.unlock(secret(StoreFixture.passcode))
      #expect(try store.isConsentIntact(store.consentRows()) == true)
      #expect(try add([], to: store))
      #expect(try store.consentRows()?.signature?.count == 2 && store.isConsentIntact(store.consentRows()) == true)
    }
  }

  @Test(
    "whatever is done to the signed part of the log is found when the store is unlocked",
    arguments: [
      "DELETE FROM consent_entry WHERE sequence = 3", "DELETE FROM consent_entry WHERE sequence = 1",
      "UPDATE consent_entry SET entry = x'78' WHERE sequence = 2", "DELETE FROM consent_log; DELETE FROM consent_entry",
      "UPDATE consent_log SET signed = 2",
      "UPDATE consent_log SET signature = x'', digest = x'', signed = 0", "UPDATE consent_log SET signed = -1",
      "UPDATE consent_log SET public_key = randomblob(32)", "UPDATE consent_log SET sealed_seed = randomblob(72)",
      "UPDATE consent_log SET sealed_seed = x''",
      "UPDATE consent_entry SET sequence = 9 WHERE sequence = 1",
    ])
  func tampered(statement: String) throws {
    try withClosedStore(fill: { try add(["a", "b", "c"], to: $0) }) { fixture in
      try tamper(fixture.path, statement)
      let store = try fixture.openUnlocked()
      #expect(try store.isConsentIntact(store.consentRows()) == false)
    }
  }

  @Test("entries without their log's row are no log", arguments: [false, true])
  func headless(isUnlocked: Bool) throws {
    try withClosedStore(fill: { try add(["a"], to: $0) }) { fixture in
      try tamper(fixture.path, "DELETE FROM consent_log")
      let store = try isUnlocked ? fixture.openUnlocked() : fixture.open()
      #expect(throws: StoreError.corrupt(.consent)) { try store.consentRows() }
    }
  }

  @Test("an earlier log that was put back with its own signature is found when the store is unlocked")
  func putBack() throws {
    try withClosedStore(fill: { try add(["a"], to: $0) }) { fixture in
      let before = try ["digest", "signature"].map { try query(fixture.path, "SELECT \($0) FROM consent_log") }
      try close(try fixture.openUnlocked()) { try add(["b"], to: $0) }
      try tamper(
        fixture.path,
        "DELETE FROM consent_entry WHERE sequence = 2; UPDATE consent_log SET signed = 1, "
          + "digest = \(literal(before[0])), signature = \(literal(before[1]))")
      let store = try fixture.openUnlocked()
      let rows = try #require(try store.consentRows())
      #expect(rows.signature?.count == 1 && rows.entries.count == 1)
      #expect(try store.isConsentIntact(rows) == false)
    }
  }

  @Test("a signing key that is not this store's signs nothing more")
  func foreignKey() throws {
    try withClosedStore(fill: { try add(["a"], to: $0) }) { fixture in
      try tamper(fixture.path, "UPDATE consent_log SET sealed_seed = randomblob(72)")
      let store = try fixture.openUnlocked()
      #expect(throws: StoreError.corrupt(.consent)) { try add(["b"], to: store) }
      #expect(try store.consentRows()?.entries.count == 1)
    }
  }

  @Test("what the disk does not take is not recorded, and the log is as it was")
  func fullDisk() throws {
    try withStore(withFaults: true) { fixture, store in
      try add(["a"], to: store)
      let faults = try #require(fixture.faults)
      for isLocked in [false, true] {
        if isLocked { store.lock() }
        let before = try store.consentRows()
        faults.fail(.write, after: 0, lasting: true)
        #expect(throws: StoreError.self) { try add(["b"], to: store) }
        faults.clear()
        #expect(try store.consentRows() == before)
      }
    }
  }

  @Test("a restart puts a new log in the place of the old one, wherever the process ends: one or the other is there, and sound")
  func restart() throws {
    try withClosedStore(withFaults: true, fill: { try add(["a", "b"], to: $0) }) { fixture in
      let faults = try #require(fixture.faults)
      try tamper(fixture.path, "DELETE FROM consent_entry WHERE sequence = 2")
      let template = try content(fixture.path)
      var outcomes: Set<Bool> = []
      for position in 0..<60 {
        remove(fixture.path + "-wal")
        try overwrite(fixture.path, template)
        var isAnswered = false
        do {
          let store = try fixture.open()
          guard case .right(let proof) = try store.prove(secret(StoreFixture.passcode)) else { throw TestFailure("wrong") }
          faults.stop(after: position)
          do throws(StoreError) {
            try store.restartConsent(proof) { (finding) throws(StoreError) in
              #expect(!finding.isIntact)
              return addition(["new"], after: nil)
            }
            isAnswered = true
          } catch {}
          withExtendedLifetime(store) {}
        }
        faults.clear()
        let store = try fixture.openUnlocked()
        let rows = try #require(try store.consentRows())
        let isNew = rows.entries == [Array("new".utf8)]
        #expect(isNew || rows.entries == [Array("a".utf8)])
        #expect(try store.isConsentIntact(rows) == isNew)
        #expect(!isAnswered || isNew)
        outcomes.insert(isNew)
        try store.close()
      }
      #expect(outcomes == [true, false])
    }
  }
}
