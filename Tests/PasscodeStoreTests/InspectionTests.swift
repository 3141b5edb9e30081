import PasscodeCore
import SecretMemory
import TestSupport
import Testing

@testable import PasscodeStore

/// What a look at every value finds.
struct Findings {
  struct Hurt: Equatable {
    var name: String?
    var harm: Harm
    var isCurrent = true
    var hasIntactVersion = false
  }

  var tally = InspectionTally()
  var hurt: [Hurt] = []
  /// What an export that salvages would take out.
  var taken: [String: [UInt8]] = [:]

  /// - Parameter inspection: nil is one of the open store.
  init(_ store: CredentialStore, _ inspection: consuming StoreInspection? = nil) throws {
    var inspection = try inspection ?? store.inspection()
    while let value = try inspection.next(of: store) { take(value) }
    tally = inspection.tally
  }

  private mutating func take(_ value: borrowing InspectedValue) {
    if let harm = value.harm {
      hurt.append(
        Hurt(
          name: name(of: value), harm: harm, isCurrent: value.isCurrent, hasIntactVersion: value.intactVersion != nil))
    }
    guard value.isCurrent, value.harm?.isWhole != false else { return }
    switch value.metadata {
    case .none: break
    case .some(let metadata):
      switch value.secret {
      case .none: break
      case .some(let secret): taken[text(metadata.name)] = bytes(secret.bytes)
      }
    }
  }

  private func name(of value: borrowing InspectedValue) -> String? {
    switch value.name {
    case .none: nil
    case .some(let name): text(name.bytes)
    }
  }
}

/// The store row by row.
@Suite struct InspectionTests {
  private static func fill(_ store: CredentialStore) throws {
    for name in ["work/a", "work/b", "home/c"] {
      _ = try store.put(name, "value of \(name)", PutOptions(attributes: [AttributePair(key: "kind", value: name)]))
    }
    _ = try store.put("work/a", "second value of work/a")
  }

  private static let work = "tag IN (SELECT name FROM version)"

  /// What a hand behind the store's back does, and which values are hurt then.
  static let deeds: [(deed: String, hurt: [Findings.Hurt])] = [
    (
      "UPDATE record SET secret = randomblob(length(secret)) WHERE \(work)",
      [.init(name: "work/a", harm: .secretUnreadable, hasIntactVersion: true)]
    ),
    (
      "UPDATE record SET metadata = randomblob(length(metadata)) WHERE \(work)",
      [.init(name: "work/a", harm: .unreadable, hasIntactVersion: true)]
    ),
    (
      "UPDATE record SET metadata = randomblob(length(metadata)) WHERE NOT \(work) AND tag = (SELECT max(tag) FROM record WHERE NOT \(work))",
      [.init(name: nil, harm: .unreadable)]
    ),
    (
      "UPDATE record SET secret_revision = secret_revision + 1 WHERE \(work)",
      [.init(name: "work/a", harm: .secretUnreadable, hasIntactVersion: true)]
    ),
    (
      "UPDATE version SET secret = randomblob(length(secret))",
      [.init(name: "work/a", harm: .secretUnreadable, isCurrent: false)]
    ),
    ("UPDATE version SET metadata_tag = secret_tag", [.init(name: "work/a", harm: .unreadable, isCurrent: false)]),
    ("UPDATE record SET tag = randomblob(16) WHERE \(work)", [.init(name: "work/a", harm: .misplaced)]),
    ("UPDATE record SET folders = x'' WHERE \(work)", [.init(name: "work/a", harm: .unlisted)]),
    ("UPDATE record SET attributes = folders WHERE \(work)", [.init(name: "work/a", harm: .unlisted)]),
    ("DELETE FROM folder WHERE name IN (SELECT name FROM version)", [.init(name: "work/a", harm: .unlisted)]),
    ("DELETE FROM attribute WHERE name IN (SELECT name FROM version)", [.init(name: "work/a", harm: .unlisted)]),
    (
      "INSERT INTO record SELECT randomblob(16), id, metadata_revision, secret_revision, folders, attributes, metadata_tag, secret_tag, "
        + "metadata, secret FROM record WHERE \(work)", [.init(name: "work/a", harm: .stray)]
    ),
    (
      "UPDATE record SET (secret_revision, metadata_revision, metadata_tag, secret_tag, metadata, secret) = (SELECT v.secret_revision, "
        + "v.metadata_revision, v.metadata_tag, v.secret_tag, v.metadata, v.secret FROM version v WHERE v.name = record.tag) WHERE \(work)",
      [.init(name: "work/a", harm: .replayed)]
    ),
    ("DELETE FROM record WHERE \(work)", []),
  ]

  @Test(
    "each value that is hurt is named, with the earlier value that is intact, and all others are taken out",
    arguments: deeds.indices)
  func harm(_ index: Int) throws {
    let (deed, hurt) = Self.deeds[index]
    try withClosedStore(fill: Self.fill) { fixture in
      try tamper(fixture.path, deed)
      let store = try fixture.openUnlocked()
      let findings = try Findings(store)
      #expect(findings.hurt == hurt, "\(deed)")
      #expect(findings.tally.gaps == 0)
      for (name, value) in findings.taken {
        let isReplayed = hurt.contains { $0.harm == .replayed && $0.name == name }
        let right = name == "work/a" && !isReplayed ? "second value of work/a" : "value of \(name)"
        #expect(value == Array(right.utf8), "\(deed)")
      }
      let isLost =
        hurt.contains { $0.isCurrent && !$0.harm.isWhole && $0.harm != .stray } || deed.hasPrefix("DELETE FROM record")
      #expect(findings.taken.count == (isLost ? 2 : 3), "\(deed)")
      try store.close()
    }
  }

  @Test("of a sound store nothing is hurt, after every kind of change")
  func sound() throws {
    try withStore { _, store in
      try Self.fill(store)
      try store.rename("work/a", to: "play/a")
      try store.delete("work/b")
      try store.changeAttributes(of: Array("home/c".utf8).span, set: [AttributePair(key: "k", value: "v")])
      let findings = try Findings(store)
      #expect(findings.tally.isSound && findings.tally.intactCredentials == 2 && findings.tally.intactVersions == 2)
    }
  }

  @Test("a secret on pages that can't be read is hurt by name, and so is nothing else")
  func overflow() throws {
    try withClosedStore(PasscodePolicy()) { store in
      for index in 0..<40 { _ = try store.put("n\(index)", String(repeating: "x", count: 200)) }
      _ = try store.put("large", String(repeating: "small", count: 10))
      _ = try store.put("large", String(repeating: "large", count: 100_000))
    } _: { fixture in
      try scratch(fixture, "name = 'record' AND pagetype = 'overflow'", bytes: 0..<8)
      let store = try fixture.openUnlocked()
      let findings = try Findings(store)
      #expect(findings.hurt == [.init(name: "large", harm: .secretUnreadable, hasIntactVersion: true)])
      #expect(findings.tally.intactCredentials == 40)
    }
  }

  @Test("a page that can't be read is a gap, and everything beside it is found", arguments: ["record", "version"])
  func gap(_ table: String) throws {
    try withClosedStore(PasscodePolicy()) { store in
      for round in 0..<2 {
        for index in 0..<200 { _ = try store.put("n\(index)", String(repeating: "\(round)", count: 200)) }
      }
    } _: { fixture in
      let lost = try scratch(fixture, "name = '\(table)' AND pagetype = 'leaf'", bytes: 0..<64)
      let store = try fixture.openUnlocked()
      let tally = try Findings(store).tally
      #expect(tally.gaps == 1)
      #expect(lost > 0 && tally.hurtCredentials == 0 && tally.hurtVersions == 0)
      #expect(tally.intactCredentials == (table == "record" ? 200 - lost : 200))
      #expect(tally.intactVersions == (table == "version" ? 200 - lost : 200))
    }
  }

  @Test("a tag that has lost its order hides its neighbours from nobody who takes everything out")
  func disorder() throws {
    try withClosedStore(PasscodePolicy()) { store in
      for index in 0..<100 { _ = try store.put("n\(index)", "value \(index)") }
    } _: { fixture in
      let good = try content(fixture.path)
      let tags = try query(fixture.path, "SELECT group_concat(hex(tag), '') FROM record")
      let all = String(decoding: tags, as: UTF8.self)
      for position in [3, 50, 97] {
        let start = all.utf8.index(all.utf8.startIndex, offsetBy: position * 32)
        let tag = bytes(hex: String(all[start...].prefix(32)))
        var file = good
        // Its place in the table, not in the lookups: there is none.
        let offset = try #require(firstOffset(of: tag, in: file))
        file[offset] ^= 0xFF
        try overwrite(fixture.path, file)
        let store = try fixture.openUnlocked()
        let findings = try Findings(store)
        #expect(!findings.hurt.isEmpty && findings.hurt.allSatisfy { $0.harm == .misplaced }, "\(position)")
        #expect(findings.taken.count == 100)
        for (name, value) in findings.taken { #expect(value == Array("value \(name.dropFirst())".utf8)) }
        for index in 0..<100 {
          do { #expect(try store.value("n\(index)") == Array("value \(index)".utf8)) } catch {
            #expect(error as? StoreError != .notFound)
            #expect(findings.hurt.contains { $0.name == "n\(index)" })
          }
        }
        try store.close()
        withExtendedLifetime(store) {}
      }
    }
  }

  @Test("a tag that has become a text of the same bytes is found at unlock, though it sums up to the same")
  func text() throws {
    try withClosedStore(PasscodePolicy()) { store in
      for index in 0..<30 { _ = try store.put("n\(index)", "value \(index)") }
    } _: { fixture in
      let tag = try query(fixture.path, "SELECT tag FROM record ORDER BY tag LIMIT 1 OFFSET 7")
      var file = try content(fixture.path)
      // Before its first column stands a row's header: its length, then the type of each column, the tag's first.
      let start = try #require(firstOffset(of: tag, in: file))
      let type = try #require((start - 14..<start).first { file[$0 - 1] == 13 && file[$0] == 44 && file[$0 + 1] == 44 })
      file[type] = 45
      try overwrite(fixture.path, file)
      let store = try fixture.openUnlocked()
      #expect(store.damage?.findings == [.record: .unreadable])
      let findings = try Findings(store)
      #expect(findings.taken.count == 30 && !findings.hurt.isEmpty)
      for index in 0..<30 {
        do { #expect(try store.value("n\(index)") == Array("value \(index)".utf8)) } catch {
          #expect(error as? StoreError != .notFound)
        }
      }
    }
  }

  @Test("everything is taken out with the passcode of a locked store, which stays locked; locking ends it")
  func export() throws {
    try withStore { _, store in
      try Self.fill(store)
      store.lock()
      let findings = try Findings(store, try begin(store))
      #expect(findings.taken.count == 3 && findings.tally.intactVersions == 0)
      #expect(store.condition == .locked)
      var half = try begin(store)
      #expect(try half.next(of: store) != nil)
      store.lock()
      var failure: StoreError?
      do throws(StoreError) { _ = try half.next(of: store) } catch { failure = error }
      #expect(failure == .locked)
    }
  }

  private func begin(_ store: CredentialStore) throws -> StoreInspection {
    switch try store.prove(secret(StoreFixture.passcode)) {
    case .right(let proof): return try store.export(proof)
    case .wrong: throw TestFailure("wrong passcode")
    }
  }

  /// Spoils one page of a kind.
  ///
  /// - Returns: how many rows were in it.
  @discardableResult
  private func scratch(_ fixture: StoreFixture, _ kind: String, bytes range: Range<Int>) throws -> Int {
    let of = "FROM dbstat WHERE \(kind)"
    let page = "pageno = (SELECT pageno \(of) ORDER BY pageno LIMIT 1 OFFSET (SELECT count(*) / 2 \(of)))"
    let number = try query(fixture.path, "SELECT cast(pageno AS text) FROM dbstat WHERE \(page)")
    let rows = try query(fixture.path, "SELECT cast(ncell AS text) FROM dbstat WHERE \(page)")
    let index = try #require(Int(String(decoding: number, as: UTF8.self)))
    var file = try content(fixture.path)
    for offset in range { file[(index - 1) * 4096 + offset] = 0xFF }
    try overwrite(fixture.path, file)
    return Int(String(decoding: rows, as: UTF8.self)) ?? 0
  }

  private func bytes(hex: String) -> [UInt8] {
    let digits = Array(hex.utf8).map { $0 < 65 ? $0 - 48 : $0 - 55 }
    return stride(from: 0, to: digits.count, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
  }

  private func firstOffset(of needle: [UInt8], in hay: [UInt8]) -> Int? {
    (0..<hay.count - needle.count).first { start in
      hay[start] == needle[0] && hay[start..<start + needle.count].elementsEqual(needle)
    }
  }
}
