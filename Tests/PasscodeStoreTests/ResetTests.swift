import Glibc
import PasscodeCore
import SecretMemory
import TestSupport
import Testing

@testable import PasscodeStore

@Suite struct ResetTests {
  private static let now: Int64 = 1_800_000_000

  @Test("SC-62: a store that is set aside opens nothing for anybody, and comes back whole with its own passcode")
  func setAsideAndBack() throws {
    try withClosedStore(fill: { _ = try $0.put("a", "1") }) { fixture in
      let id = try fixture.open().id
      let aside = try StoreReset.setAside(at: fixture.path, confirming: id, now: Self.now)
      #expect(aside.storeID == id && aside.expires == Self.now + 7 * 86_400)
      #expect(throws: StoreError.noStore) { try fixture.open() }
      #expect(try StoreReset.list(at: fixture.path) == [aside])

      // A new start is possible, and in the way of the old one.
      try close(try fixture.create(passcode: StoreFixture.otherPasscode))
      #expect(throws: StoreError.storeExists) { try StoreReset.undo(at: fixture.path, aside.id) }
      #expect(try fixture.openers(among: [StoreFixture.passcode, StoreFixture.otherPasscode]) == [StoreFixture.otherPasscode])
      let second = try StoreReset.setAside(at: fixture.path, confirming: try fixture.open().id, now: Self.now + 5)
      #expect(try StoreReset.list(at: fixture.path) == [aside, second])

      try StoreReset.undo(at: fixture.path, aside.id)
      #expect(try StoreReset.list(at: fixture.path) == [second])
      let store = try fixture.openUnlocked()
      #expect(try store.value("a") == Array("1".utf8))
      try expectConsistent(store, names: ["a"])
    }
  }

  @Test("SC-62: a reset that names another store changes nothing")
  func confirmation() throws {
    try withClosedStore(fill: { _ = try $0.put("a", "1") }) { fixture in
      let before = try content(fixture.path)
      #expect(throws: StoreError.notFound) { try StoreReset.setAside(at: fixture.path, confirming: .random(), now: Self.now) }
      #expect(throws: StoreError.notFound) { try StoreReset.erase(at: fixture.path, confirming: .random()) }
      #expect(throws: StoreError.notFound) { try StoreReset.undo(at: fixture.path, "none") }
      #expect(try content(fixture.path) == before)
    }
  }

  @Test("SC-62: what was acknowledged before a killed daemon's store is set aside is set aside with it")
  func killedBefore() throws {
    let fixture = try StoreFixture()
    defer { withExtendedLifetime(fixture) {} }
    let id: StoreID
    do {
      let store = try fixture.create()
      id = store.id
      _ = try store.put("a", "1")
      // Not closed: the value is in the log only.
      withExtendedLifetime(store) {}
    }
    let aside = try StoreReset.setAside(at: fixture.path, confirming: id, now: Self.now)
    try StoreReset.undo(at: fixture.path, aside.id)
    #expect(try fixture.openUnlocked().value("a") == Array("1".utf8))
  }

  @Test("what was set aside is removed after seven days, and not before, nor where its date lies ahead")
  func expiry() throws {
    try withClosedStore { fixture in
      let aside = try StoreReset.setAside(at: fixture.path, confirming: try fixture.open().id, now: Self.now)
      for time in [0, Self.now - 1, Self.now, aside.expires - 1] {
        try StoreReset.removeExpired(at: fixture.path, now: time)
        #expect(try StoreReset.list(at: fixture.path) == [aside])
      }
      // Names that only look like one are neither listed nor removed.
      for name in ["aside-1", "aside-1-x", "aside--5-x-\(aside.storeID)", "aside-9223372036854775807-x-\(aside.storeID)"] {
        try overwrite(fixture.path + "." + name, [])
      }
      try StoreReset.removeExpired(at: fixture.path, now: aside.expires)
      #expect(directoryEntries(fixture.directory.path).count { $0.contains("aside") } == 4)
    }
  }

  @Test("SC-62: an erased store is gone, its slots are overwritten before it is unlinked, and a new start is possible")
  func erase() throws {
    try withClosedStore(fill: { _ = try $0.put("a", "1") }) { fixture in
      let slot = try query(fixture.path, "SELECT body FROM slot")
      let id = try fixture.open().id
      // An open descriptor keeps the file's blocks to be looked at.
      let file = unsafe open(fixture.path, O_RDONLY | O_CLOEXEC)
      defer { close(file) }
      try StoreReset.erase(at: fixture.path, confirming: id)
      #expect(!exists(fixture.path) && !exists(fixture.path + "-wal"))
      #expect(!contains(try content("/proc/self/fd/\(file)"), Array(slot[60..<164])))
      #expect(throws: StoreError.noStore) { try fixture.open() }
      try close(try fixture.create())
      #expect(try fixture.openers(among: [StoreFixture.passcode]) == [StoreFixture.passcode])
    }
  }
}
