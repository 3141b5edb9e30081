import PasscodeCore
import SecretMemory
import TestSupport
import Testing

@testable import PasscodeStore

/// The store as a whole, compared with what was sealed.
@Suite struct IntegrityTests {
  /// Three credentials in folders and with attributes, one of them with an earlier value.
  private static func fill(_ store: CredentialStore) throws {
    for name in ["work/a", "work/b", "home/c"] {
      _ = try store.put(name, "value of \(name)", PutOptions(attributes: [AttributePair(key: "kind", value: name)]))
    }
    _ = try store.put("work/a", "second value of work/a")
  }

  private func damage(_ fixture: StoreFixture) throws -> [StorePart: StoreDamage.Finding]? {
    let store = try fixture.openUnlocked()
    defer { try? store.close() }
    return store.damage?.findings
  }

  @Test("a store as it was sealed has no damage, after every kind of change")
  func sound() throws {
    try withClosedStore(PasscodePolicy()) { store in
      try Self.fill(store)
      try store.rename("home/c", to: "home/d")
      try store.delete("work/b")
      try store.delete("home/d", purges: true)
      try store.changePasscode(to: StoreFixture.otherPasscode)
    } _: { fixture in
      try close(try fixture.openUnlocked(passcode: StoreFixture.otherPasscode)) { store in
        #expect(store.damage == nil)
        _ = try store.put("work/a", "third value")
      }
      let again = try fixture.openUnlocked(passcode: StoreFixture.otherPasscode)
      #expect(again.damage == nil)
    }
  }

  /// What a hand behind the store's back does, and what is found.
  static let deeds: [(deed: String, part: StorePart, finding: StoreDamage.Finding)] = [
    ("DELETE FROM record WHERE tag = (SELECT max(tag) FROM record)", .record, .missing(1)),
    ("DELETE FROM record", .record, .missing(3)),
    ("DELETE FROM version", .version, .missing(1)),
    ("DELETE FROM folder WHERE (tag, name) = (SELECT tag, name FROM folder LIMIT 1)", .lookup, .missing(1)),
    ("DELETE FROM attribute", .lookup, .missing(3)),
    ("INSERT INTO folder SELECT randomblob(16), tag FROM record LIMIT 1", .lookup, .surplus(1)),
    ("INSERT INTO attribute SELECT randomblob(16), tag FROM record LIMIT 1", .lookup, .surplus(1)),
    ("UPDATE folder SET tag = randomblob(16) WHERE tag = (SELECT max(tag) FROM folder)", .lookup, .changed),
    ("UPDATE record SET id = randomblob(16) WHERE tag = (SELECT max(tag) FROM record)", .record, .changed),
    ("UPDATE record SET tag = randomblob(16) WHERE tag = (SELECT max(tag) FROM record)", .record, .changed),
    ("UPDATE record SET folders = cast(folders || x'00' AS BLOB) WHERE tag = (SELECT max(tag) FROM record)", .record, .changed),
    ("UPDATE record SET attributes = x''", .record, .changed),
    ("UPDATE record SET secret_revision = secret_revision + 1", .record, .changed),
    ("UPDATE record SET metadata_tag = secret_tag", .record, .changed),
    ("UPDATE version SET secret_revision = secret_revision + 40", .version, .changed),
    ("UPDATE record SET id = x'00' WHERE tag = (SELECT max(tag) FROM record)", .record, .unreadable),
    (
      """
      INSERT INTO version SELECT randomblob(16), secret_revision, id, metadata_revision, metadata_tag, secret_tag, metadata, \
      secret FROM record LIMIT 1
      """, .version, .surplus(1)
    ),
    (
      """
      INSERT INTO record SELECT randomblob(16), randomblob(16), 1, 1, x'', x'', metadata_tag, secret_tag, metadata, secret \
      FROM record LIMIT 1
      """, .record, .surplus(1)
    ),
    ("INSERT INTO passcode_history VALUES (1, randomblob(200))", .history, .changed),
  ]

  @Test(
    "rows that are taken away, added, moved or changed behind the store's back are found at unlock", arguments: deeds.indices)
  func tampering(_ index: Int) throws {
    let (deed, part, finding) = Self.deeds[index]
    try withClosedStore(fill: Self.fill) { fixture in
      try tamper(fixture.path, deed)
      #expect(try damage(fixture)?[part] == finding, "\(deed)")
    }
  }

  @Test("a credential whose earlier value was put back, every seal intact, is found")
  func replay() throws {
    try withClosedStore(fill: Self.fill) { fixture in
      try tamper(
        fixture.path,
        """
        UPDATE record SET (secret_revision, metadata_revision, metadata_tag, secret_tag, metadata, secret) = (SELECT \
        v.secret_revision, v.metadata_revision, v.metadata_tag, v.secret_tag, v.metadata, v.secret FROM version v WHERE \
        v.name = record.tag) WHERE tag IN (SELECT name FROM version)
        """)
      let store = try fixture.openUnlocked()
      #expect(store.damage?.findings[.record] == .changed)
      #expect(try store.value("work/a") == Array("value of work/a".utf8))
    }
  }

  @Test("an older history of passcodes that was put back is found")
  func history() throws {
    var policy = PasscodePolicy()
    policy.historyDepth = 5
    try withClosedStore(policy) { store in
      try store.changePasscode(to: StoreFixture.otherPasscode)
    } _: { fixture in
      let older = try query(fixture.path, "SELECT sealed FROM passcode_history")
      try close(try fixture.openUnlocked(policy, passcode: StoreFixture.otherPasscode)) { store in
        try store.changePasscode(from: StoreFixture.otherPasscode, to: StoreFixture.passcode)
      }
      try tamper(fixture.path, "UPDATE passcode_history SET sealed = \(literal(older))")
      try close(try fixture.openUnlocked(policy)) { store in
        #expect(store.damage?.findings == [.history: .changed])
        try store.changePasscode(to: "another otter 3")
      }
      // A change of the passcode does not make it good.
      let store = try fixture.openUnlocked(policy, passcode: "another otter 3")
      #expect(store.damage?.findings == [.history: .changed])
    }
  }

  @Test("a damaged store is read, what is intact of it, and not written; its damage stays to be seen")
  func readOnly() throws {
    try withClosedStore(fill: Self.fill) { fixture in
      try tamper(fixture.path, "DELETE FROM version")
      let damage = try #require(try damageWhileUsed(fixture))
      let again = try fixture.openUnlocked(passcode: StoreFixture.otherPasscode)
      #expect(again.damage == damage)
      #expect(try again.value("home/c") == Array("value of home/c".utf8))
    }
  }

  /// Uses a damaged store, and closes it.
  private func damageWhileUsed(_ fixture: StoreFixture) throws -> StoreDamage? {
    let store = try fixture.openUnlocked()
    let damage = try #require(store.damage)
    #expect(try store.value("work/b") == Array("value of work/b".utf8))
    #expect(try store.names() == ["home/c", "work/a", "work/b"])
    #expect(throws: StoreError.damaged(damage)) { try store.put("new", "value") }
    #expect(throws: StoreError.damaged(damage)) { try store.delete("work/b") }
    #expect(throws: StoreError.damaged(damage)) { try store.rename("work/b", to: "x") }
    // The passcode can still be changed: that is what somebody does who finds his store tampered with.
    try store.changePasscode(to: StoreFixture.otherPasscode)
    try store.close()
    return damage
  }

  @Test("a page that can't be read is damage, and what lies elsewhere is read")
  func page() throws {
    try withClosedStore { store in
      for index in 0..<200 { _ = try store.put("n\(index)", String(repeating: "x", count: 200)) }
    } _: { fixture in
      let root = try query(
        fixture.path, "SELECT cast(max(pageno) as text) FROM dbstat WHERE name = 'record' AND pagetype = 'leaf'")
      let page = try #require(Int(String(decoding: root, as: UTF8.self)))
      var file = try content(fixture.path)
      file.replaceSubrange((page - 1) * 4096..<(page - 1) * 4096 + 64, with: [UInt8](repeating: 0xFF, count: 64))
      try overwrite(fixture.path, file)
      let store = try fixture.openUnlocked()
      #expect(store.damage?.findings == [.file: .unreadable])
      var readable = 0
      for index in 0..<200 where (try? store.value("n\(index)")) != nil { readable += 1 }
      #expect(readable > 150 && readable < 200)
    }
  }
}
