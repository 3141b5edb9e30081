import PasscodeCore
import SecretMemory
import TestSupport
import Testing

@testable import PasscodeStore

@Suite struct TamperTests {
  private func setSlot(_ fixture: StoreFixture, _ row: [UInt8]) throws {
    try tamper(fixture.path, "UPDATE slot SET body = \(literal(row))")
  }

  private func ledger(_ fixture: StoreFixture) throws -> [UInt8] { try query(fixture.path, "SELECT body FROM ledger") }

  /// A slot row with another body and the checksum that belongs to it.
  private func reChecked(_ row: [UInt8], _ store: StoreID, _ change: (inout [UInt8]) -> Void) -> [UInt8] {
    var body = Array(row.dropLast(32))
    change(&body)
    let input = store.bytes + body
    return body + BLAKE2b.unkeyed(input.span).bytes
  }

  @Test("any changed byte of a slot row is corruption, told before a try is charged")
  func slotBytes() throws {
    try withClosedStore { fixture in
      let row = try query(fixture.path, "SELECT body FROM slot")
      #expect(row.count == Slot.byteCount)
      let ledgerBefore = try ledger(fixture)
      for index in stride(from: 0, to: row.count, by: 7) {
        var bad = row
        bad[index] ^= 1
        try setSlot(fixture, bad)
        let store = try fixture.open()
        #expect(throws: StoreError.corrupt(.slot)) { try store.verify(secret(StoreFixture.passcode)) }
        #expect(try store.attempts().triesRemaining == 10)
        try store.close()
        withExtendedLifetime(store) {}
      }
      #expect(try ledger(fixture) == ledgerBefore)
      try setSlot(fixture, row)
      #expect(try fixture.openers(among: [StoreFixture.passcode]) == [StoreFixture.passcode])
    }
  }

  @Test("derivation parameters out of bounds are refused before anything is derived or charged")
  func parameterBounds() throws {
    try withClosedStore { fixture in
      let row = try query(fixture.path, "SELECT body FROM slot")
      let id = try fixture.open().id
      // Passes stand at 20, memory in KiB at 24.
      let bad: [(Int, UInt32)] = [
        (20, 1), (20, 17), (20, .max), (24, 19 * 1024 - 1), (24, (1 << 20) + 1), (24, .max), (16, 2), (16, 0), (44, 1), (0, 2),
        (0, 0x0101_0201),
      ]
      for (offset, value) in bad {
        let changed = reChecked(row, id) { body in
          for byte in 0..<4 { body[offset + byte] = UInt8(truncatingIfNeeded: value >> (8 * byte)) }
        }
        try setSlot(fixture, changed)
        let store = try fixture.open()
        #expect(throws: StoreError.corrupt(.slot)) { try store.verify(secret(StoreFixture.passcode)) }
        #expect(try store.attempts().triesRemaining == 10)
        try store.close()
        withExtendedLifetime(store) {}
      }
    }
  }

  @Test("a slot that was rewritten with care opens for nobody: a wrong passcode, charged; never for another store's passcode")
  func rewrittenSlot() throws {
    try withClosedStore { fixture in
      let row = try query(fixture.path, "SELECT body FROM slot")
      let id = try fixture.open().id
      // Id, generation, salt, commitment, and two places of the wrapped key.
      for offset in [4, 8, 30, 70, 100, 150] {
        try setSlot(fixture, reChecked(row, id) { $0[offset] ^= 1 })
        let store = try fixture.open()
        if offset < 92 {
          try store.guess(StoreFixture.passcode)
        } else {
          // The commitment holds, so that the passcode was right: the try is given back.
          #expect(throws: StoreError.corrupt(.slot)) { try store.verify(secret(StoreFixture.passcode)) }
          #expect(try store.attempts().triesRemaining == 10)
        }
        try setSlotBack(store)
        withExtendedLifetime(store) {}
      }
      try withClosedStore { other in
        try setSlot(fixture, try query(other.path, "SELECT body FROM slot"))
        let store = try fixture.open()
        #expect(throws: StoreError.corrupt(.slot)) { try store.verify(secret(StoreFixture.passcode)) }
      }
    }
  }

  private func setSlotBack(_ store: CredentialStore) throws {
    try store.storage.writeLedger(AttemptLedger().encoded(for: store.id))
    try store.close()
  }

  @Test("an older slot row that is written back opens nothing")
  func olderSlot() throws {
    try withClosedStore { fixture in
      let old = try query(fixture.path, "SELECT body FROM slot")
      try close(try fixture.open()) { try $0.changePasscode(to: StoreFixture.otherPasscode) }
      try setSlot(fixture, old)
      #expect(try fixture.openers(among: [StoreFixture.passcode, StoreFixture.otherPasscode]) == [])
      // Beside the one in force neither.
      let current = try query(fixture.path, "SELECT body FROM slot")
      try tamper(fixture.path, "INSERT INTO slot VALUES (0, \(literal(current)))")
      #expect(try fixture.openers(among: [StoreFixture.passcode]) == [])
    }
  }

  @Test("a damaged, emptied or missing ledger is the longest wait, never a wipe and never fewer tries than are charged")
  func ledgerDamage() throws {
    var policy = PasscodePolicy()
    policy.retryLimit = 3
    policy.onRetryLimit = .wipe
    try withClosedStore(policy) { fixture in
      let row = try ledger(fixture)
      var damages = stride(from: 0, to: row.count, by: 23).map { index in
        var bad = row
        bad[index] ^= 0x10
        return "UPDATE ledger SET body = \(literal(bad))"
      }
      damages += ["UPDATE ledger SET body = x''", "DELETE FROM ledger", "UPDATE ledger SET body = zeroblob(216)"]
      for damage in damages {
        try tamper(fixture.path, damage)
        let store = try fixture.open(policy)
        #expect(try store.attempts() == AttemptFacts(triesRemaining: 0, retryAfterSeconds: 3600))
        #expect(throws: StoreError.lockedOut(retryAfterSeconds: 3600)) { try store.verify(secret(StoreFixture.passcode)) }
        fixture.clock.pass(seconds: 3600)
        try store.guess("one wrong passcode is no wipe")
        #expect(throws: StoreError.lockedOut(retryAfterSeconds: 3600)) { try store.guess("charged") }
        fixture.clock.pass(seconds: 3600)
        #expect(try store.verify(secret(StoreFixture.passcode)) == .right(isBelowPolicy: false))
        try store.close()
        withExtendedLifetime(store) {}
      }
    }
  }

  @Test("whatever a careful hand writes into the ledger, the arithmetic holds")
  func hostileLedger() throws {
    try withClosedStore { fixture in
      let id = try fixture.open().id
      var random = SplitMix64.announced()
      for round in 0..<40 {
        let row = reChecked(try ledger(fixture), id) { body in
          for index in 4..<body.count { body[index] = round == 0 ? 0xFF : UInt8.random(in: .min ... .max, using: &random) }
          (body[2], body[3]) = (UInt8.random(in: 0...64, using: &random), 0)
        }
        try tamper(fixture.path, "UPDATE ledger SET body = \(literal(row))")
        let store = try fixture.open()
        #expect(try store.attempts().retryAfterSeconds >= 0)
        do { try store.guess() } catch let error as StoreError {
          guard case .lockedOut = error else { throw error }
        }
        try store.close()
        withExtendedLifetime(store) {}
      }
    }
  }

  @Test("a damaged state row is told, the try is given back, and nothing is overwritten")
  func stateDamage() throws {
    try withClosedStore(fill: { _ = try $0.put("a", "1") }) { fixture in
      let row = try query(fixture.path, "SELECT sealed FROM state")
      for damage in [
        "UPDATE state SET sealed = \(literal(Array(row.dropLast()) + [row[row.count - 1] ^ 1]))",
        "UPDATE state SET sealed = x''",
        "DELETE FROM state", "UPDATE state SET sealed = zeroblob(2000000)",
      ] {
        try tamper(fixture.path, damage)
        let store = try fixture.open()
        let failure = #expect(throws: StoreError.self) { try store.unlock(secret(StoreFixture.passcode)) }
        #expect(failure == .corrupt(.state), "\(damage.prefix(40))")
        #expect(try store.attempts().triesRemaining == 10)
        #expect(store.condition == .locked)
        try store.close()
        withExtendedLifetime(store) {}
      }
      try tamper(fixture.path, "INSERT OR REPLACE INTO state VALUES (1, \(literal(row)))")
      #expect(try fixture.openUnlocked().value("a") == Array("1".utf8))
    }
  }

  /// Nobody can say that it is not there.
  private static let misplaced: StoreError = {
    var damage = StoreDamage()
    damage.note(.record, .changed)
    return .damaged(damage)
  }()

  /// A damage to the row of `work/a`, and what asking for it says then.
  private static let recordDamages: [(String, StoreError)] = [
    ("metadata = x''", .corrupt(.record)), ("secret = x''", .corrupt(.record)),
    ("metadata = zeroblob(length(metadata))", .corrupt(.record)), ("secret = zeroblob(length(secret))", .corrupt(.record)),
    ("metadata_tag = zeroblob(16)", .corrupt(.record)), ("secret_tag = zeroblob(16)", .corrupt(.record)),
    ("secret_tag = x''", .corrupt(.record)), ("metadata_revision = metadata_revision + 1", .corrupt(.record)),
    ("secret_revision = secret_revision + 1", .corrupt(.record)), ("id = zeroblob(16)", .corrupt(.record)),
    ("id = x'00'", .corrupt(.record)), ("metadata = secret, metadata_tag = secret_tag", .corrupt(.record)),
    ("secret = metadata, secret_tag = metadata_tag", .corrupt(.record)), ("tag = zeroblob(16)", misplaced),
    ("secret = zeroblob(3000000)", .corrupt(.file)),
  ]

  @Test("a damaged part of a record is told, and every other record is read", arguments: recordDamages)
  func recordDamage(_ damage: String, _ expected: StoreError) throws {
    try withClosedStore(fill: { store in
      _ = try store.put("work/a", "secret of a", PutOptions(attributes: [AttributePair(key: "k", value: "v")]))
      _ = try store.put("work/b", "secret of b")
    }) { fixture in
      let tag = try tag(of: "work/a", fixture)
      try tamper(fixture.path, "UPDATE record SET \(damage) WHERE tag = \(literal(tag))")
      let store = try fixture.openUnlocked()
      #expect(throws: expected) { try store.value("work/a") }
      #expect(try store.value("work/b") == Array("secret of b".utf8))
      withExtendedLifetime(store) {}
    }
  }

  private func tag(of name: String, _ fixture: StoreFixture) throws -> [UInt8] {
    let store = try fixture.openUnlocked()
    let tag = try store.vault.withSession { $0.keys.tag(ofName: Array(name.utf8).span).bytes }
    try store.close()
    withExtendedLifetime(store) {}
    return tag
  }

  @Test("rows, secrets and lookups that were swapped between two credentials give neither's secret for the other")
  func swaps() throws {
    let swap = { (column: String, a: [UInt8], b: [UInt8]) in
      """
      CREATE TEMP TABLE t AS SELECT tag, \(column) FROM record;
      UPDATE record SET (\(column)) = (SELECT \(column) FROM t WHERE t.tag = CASE record.tag WHEN \(literal(a)) THEN \(literal(b)) \
      ELSE \(literal(a)) END)
      """
    }
    for column in [
      "secret, secret_tag", "secret, secret_tag, secret_revision", "metadata, metadata_tag, metadata_revision", "id",
    ] {
      try withTwo { fixture, a, b in
        try tamper(fixture.path, swap(column, a, b))
        let store = try fixture.openUnlocked()
        #expect(throws: StoreError.corrupt(.record), "\(column)") { try store.value("work/a") }
        #expect(throws: StoreError.corrupt(.record), "\(column)") { try store.value("home/b") }
        withExtendedLifetime(store) {}
      }
    }
    try withTwo { fixture, a, b in
      try tamper(
        fixture.path,
        """
        UPDATE record SET tag = zeroblob(16) WHERE tag = \(literal(a)); UPDATE record SET tag = \(literal(a)) WHERE tag = \(literal(b));
        UPDATE record SET tag = \(literal(b)) WHERE tag = zeroblob(16)
        """)
      let store = try fixture.openUnlocked()
      for name in ["work/a", "home/b"] {
        #expect(throws: StoreError.corrupt(.record)) { try store.value(name) }
        let damage = try #require(store.damage)
        #expect(throws: StoreError.damaged(damage)) { try store.put(name, "over it") }
        #expect(throws: StoreError.damaged(damage)) { try store.delete(name) }
      }
      withExtendedLifetime(store) {}
    }
    try withTwo { fixture, a, b in
      try tamper(
        fixture.path, "UPDATE folder SET name = CASE name WHEN \(literal(a)) THEN \(literal(b)) ELSE \(literal(a)) END")
      try tamper(fixture.path, "UPDATE attribute SET name = \(literal(b))")
      let store = try fixture.openUnlocked()
      #expect(throws: StoreError.corrupt(.record)) { try store.names(in: "work") }
      #expect(throws: StoreError.corrupt(.record)) { try store.found([("k", "v")]) }
      #expect(try store.value("work/a") == Array("secret of a".utf8))
      withExtendedLifetime(store) {}
    }
  }

  private func withTwo(_ body: (StoreFixture, _ a: [UInt8], _ b: [UInt8]) throws -> Void) throws {
    try withClosedStore(fill: { store in
      _ = try store.put("work/a", "secret of a", PutOptions(attributes: [AttributePair(key: "k", value: "v")]))
      _ = try store.put("home/b", "secret of b")
    }) { fixture in try body(fixture, try tag(of: "work/a", fixture), try tag(of: "home/b", fixture)) }
  }
}
