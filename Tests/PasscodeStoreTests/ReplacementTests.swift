import Glibc
import PasscodeCore
import SecretMemory
import TestSupport
import Testing

@testable import PasscodeStore

@Suite struct ReplacementTests {
  /// A store that holds `a`: `new`, open and unlocked, and a copy of its file from when that was `old`; then the fixture with the
  /// store let go.
  private func withOlderCopy(
    _ whileOpen: (StoreFixture, CredentialStore, _ copy: String) throws -> Void,
    afterwards: (StoreFixture) throws -> Void = { _ in }
  ) throws {
    try withClosedStore(fill: { _ = try $0.put("a", "old") }) { fixture in
      let copy = fixture.directory.file("copy")
      try overwrite(copy, try content(fixture.path))
      do {
        let store = try fixture.openUnlocked()
        _ = try store.put("a", "new")
        _ = try store.put("b", "more")
        try whileOpen(fixture, store, copy)
        withExtendedLifetime(store) {}
      }
      try afterwards(fixture)
    }
  }

  enum Way: CaseIterable { case renamedOver, copiedOver }
  enum First: CaseIterable { case read, write, unlock, close }

  @Test(
    "SC-12: an older copy put in place of an open store is noticed by whatever comes first, and is what is there afterwards",
    arguments: Way.allCases, First.allCases)
  func olderCopy(_ way: Way, _ first: First) throws {
    try withOlderCopy { fixture, store, copy in
      let bytes = try content(copy)
      // Beyond the tick of a file system's clock.
      usleep(20_000)
      try replace(fixture, copy, way)
      switch first {
      case .read: #expect(throws: StoreError.replaced) { try store.value("a") }
      case .write: #expect(throws: StoreError.replaced) { try store.put("a", "newest") }
      case .unlock: #expect(throws: StoreError.replaced) { try store.unlock(secret(StoreFixture.passcode)) }
      case .close: #expect(throws: StoreError.replaced) { try store.close() }
      }
      #expect(throws: StoreError.replaced) { try store.unlock(secret(StoreFixture.passcode)) }
      #expect(throws: StoreError.replaced) { try store.changePasscode(to: StoreFixture.otherPasscode) }
      #expect(throws: StoreError.replaced) { try store.attempts() }
      if store.condition == .unlocked {
        #expect(throws: StoreError.replaced) { try store.value("a") }
        #expect(throws: StoreError.replaced) { try store.put("a", "newest") }
        #expect(throws: StoreError.replaced) { try store.delete("a", purges: true) }
      }
      #expect(throws: StoreError.replaced) { try store.close() }
      #expect(store.condition == .locked)
      #expect(try content(fixture.path) == bytes)
    } afterwards: { fixture in
      let store = try fixture.openUnlocked()
      #expect(try store.names() == ["a"], "what the copy holds, unmixed")
      #expect(try store.value("a") == Array("old".utf8))
      try expectConsistent(store, names: ["a", "b"])
      _ = try store.put("c", "goes on")
      try store.close()
    }
  }

  private func replace(_ fixture: StoreFixture, _ copy: String, _ way: Way) throws {
    switch way {
    case .renamedOver: try #require(unsafe rename(copy, fixture.path) == 0)
    case .copiedOver: try overwrite(fixture.path, try content(copy))
    }
  }

  @Test("SC-12: a store that was moved away while it was open holds all that was acknowledged")
  func movedAway() throws {
    let fixture = try StoreFixture()
    defer { withExtendedLifetime(fixture) {} }
    let elsewhere = fixture.directory.file("elsewhere.db")
    do {
      let store = try fixture.create()
      _ = try store.put("a", "1")
      try #require(unsafe rename(fixture.path, elsewhere) == 0)
      #expect(throws: StoreError.replaced) { try store.put("a", "2") }
      #expect(throws: StoreError.replaced) { try store.value("a") }
      withExtendedLifetime(store) {}
    }
    #expect(throws: StoreError.noStore) { try fixture.open() }
    try #require(unsafe rename(elsewhere, fixture.path) == 0)
    let store = try fixture.openUnlocked()
    #expect(try store.value("a") == Array("1".utf8))
    try expectConsistent(store, names: ["a"])
  }

  @Test("SC-1: what was acknowledged survives a crash though the log was taken away, and nothing more is acknowledged")
  func logTakenAway() async throws {
    let fixture = try StoreFixture()
    defer { withExtendedLifetime(fixture) {} }
    let path = fixture.path
    try fixture.create().close()
    await #expect(processExitsWith: .signal(SIGKILL)) { [path = path as String] in
      let store = try CredentialStore.open(
        at: path, engine: PolicyEngine(policy: PasscodePolicy()), options: StoreOptions(derivation: .floor))
      #expect(try store.unlock(secret(StoreFixture.passcode)) == .right(isBelowPolicy: false))
      _ = try store.put("a", "1")
      remove(path + "-wal")
      #expect(throws: StoreError.replaced) { try store.put("b", "2") }
      kill(getpid(), SIGKILL)
    }
    let store = try fixture.openUnlocked()
    #expect(try store.names() == ["a"])
    #expect(try store.value("a") == Array("1".utf8))
  }

  @Test("no index of the log lies on the disk, where it could be cut off under the process")
  func noIndexFile() throws {
    let fixture = try StoreFixture()
    defer { withExtendedLifetime(fixture) {} }
    let store = try fixture.create()
    _ = try store.put("a", "1")
    #expect(try store.value("a") == Array("1".utf8))
    #expect(exists(fixture.path + "-wal") && !exists(fixture.path + "-shm"))
  }

  @Test("SC-12: a store that is moved away and back is opened anew before it is written to")
  func movedBack() throws {
    let fixture = try StoreFixture()
    defer { withExtendedLifetime(fixture) {} }
    do {
      let store = try fixture.create()
      _ = try store.put("a", "1")
      try #require(unsafe rename(fixture.path, fixture.path + ".away") == 0)
      #expect(throws: StoreError.replaced) { try store.put("a", "2") }
      try #require(unsafe rename(fixture.path + ".away", fixture.path) == 0)
      // What happened to it meanwhile is not known.
      #expect(throws: StoreError.replaced) { try store.put("a", "3") }
      withExtendedLifetime(store) {}
    }
    let store = try fixture.openUnlocked()
    #expect(try store.value("a") == Array("1".utf8))
    _ = try store.put("a", "4")
  }

  @Test("SC-3: a directory that can't be looked into for a while is an error of the moment", .enabled(if: geteuid() == 0))
  func brieflyUnreadable() async throws {
    let fixture = try StoreFixture()
    defer { withExtendedLifetime(fixture) {} }
    let path = fixture.path
    let directory = fixture.directory.path
    await #expect(processExitsWith: .success) { [path = path as String, directory = directory as String] in
      try #require(unsafe chown(directory, 65_534, 65_534) == 0 && setgid(65_534) == 0 && setuid(65_534) == 0)
      let store = try CredentialStore.create(
        at: path, passcode: secret("correct horse 1"), engine: PolicyEngine(policy: PasscodePolicy()),
        options: StoreOptions(derivation: .floor))
      _ = try store.put("a", "1")
      unsafe chmod(directory, 0o000)
      #expect(throws: StoreError.storage(.denied)) { try store.value("a") }
      #expect(throws: StoreError.storage(.denied)) { try store.put("a", "2") }
      unsafe chmod(directory, 0o700)
      #expect(try store.value("a") == Array("1".utf8))
      _ = try store.put("a", "3")
      #expect(try store.value("a") == Array("3".utf8))
    }
  }
}
