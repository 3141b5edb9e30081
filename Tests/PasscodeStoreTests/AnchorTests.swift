import PasscodeCore
import PasscodePlatform
import SecretMemory
import TestSupport
import Testing

@testable import PasscodeStore

/// An older copy of the file, in its place.
@Suite struct AnchorTests {
  /// Runs a test on a closed store that has the value "new", with an older copy of its file that has the value "old".
  private func withCopy(_ body: (StoreFixture, _ older: [UInt8], _ newer: [UInt8]) throws -> Void) throws {
    let fixture = try StoreFixture()
    defer { withExtendedLifetime(fixture) {} }
    fixture.anchors = fixture.directory.path
    try close(try fixture.create()) { _ = try $0.put("a", "old") }
    let older = try content(fixture.path)
    try close(try fixture.openUnlocked()) { _ = try $0.put("a", "new") }
    try body(fixture, older, try content(fixture.path))
  }

  private func unlocks(_ fixture: StoreFixture, acceptsOlder: Bool = false) throws -> String {
    let store = try fixture.open()
    defer { try? store.close() }
    guard case .right = try store.unlock(secret(StoreFixture.passcode), acceptsOlder: acceptsOlder) else { return "wrong" }
    return String(decoding: try store.value("a"), as: UTF8.self)
  }

  @Test("an older copy is not opened, costs no try, and is opened with an explicit word; it goes on as a branch of its own")
  func older() throws {
    try withCopy { fixture, older, newer in
      #expect(try unlocks(fixture) == "new")
      try overwrite(fixture.path, older)
      #expect(throws: StoreError.olderThanLastSeen) { try unlocks(fixture) }
      #expect(try fixture.open().attempts().triesRemaining == 10)
      #expect(try content(fixture.path) == older)
      #expect(try unlocks(fixture, acceptsOlder: true) == "old")
      #expect(try unlocks(fixture) == "old")
      // From here on the other one is the foreign one, however many changes it has seen.
      try overwrite(fixture.path, newer)
      #expect(throws: StoreError.olderThanLastSeen) { try unlocks(fixture) }
    }
  }

  @Test("nothing is proved or changed in an older copy without that word")
  func proof() throws {
    try withCopy { fixture, older, _ in
      try overwrite(fixture.path, older)
      let store = try fixture.open()
      #expect(throws: StoreError.olderThanLastSeen) { try store.changePasscode(to: StoreFixture.otherPasscode) }
      #expect(try store.verify(secret(StoreFixture.passcode)) == .right(isBelowPolicy: false))
      #expect(store.condition == .locked)
    }
  }

  @Test("a recovery key sets a new passcode in an older copy with that word only, which is told before one is chosen")
  func recovery() throws {
    let fixture = try StoreFixture()
    defer { withExtendedLifetime(fixture) {} }
    fixture.anchors = fixture.directory.path
    let method = RecoveryMethod(try RecoveryKey.random())
    try close(try fixture.create()) { store in
      guard case .right(let proof) = try store.prove(secret(StoreFixture.passcode)) else { throw TestFailure("wrong passcode") }
      try store.add(method, proof)
    }
    let older = try content(fixture.path)
    try close(try fixture.openUnlocked()) { _ = try $0.put("a", "new") }
    try overwrite(fixture.path, older)
    try close(try fixture.open()) { store in
      var refusal: StoreError?
      do throws(StoreError) { _ = try store.prove(with: method) } catch { refusal = error }
      #expect(refusal == .olderThanLastSeen)
      let proof = try store.prove(with: method, acceptsOlder: true)
      try store.replacePasscode(with: secret(StoreFixture.otherPasscode), proof)
    }
    #expect(try fixture.openUnlocked(passcode: StoreFixture.otherPasscode).damage == nil)
  }

  @Test("a store that ended without a lock goes on")
  func killed() throws {
    try withCopy { fixture, _, _ in
      do {
        let store = try fixture.openUnlocked()
        for index in 0..<20 { _ = try store.put("n\(index)", "x") }
      }
      #expect(try unlocks(fixture) == "new")
    }
  }

  @Test("while the store is in use, what was seen is noted at most once a minute")
  func minute() throws {
    try withCopy { fixture, _, _ in
      let store = try fixture.openUnlocked()
      let file = try #require(try anchorFile(fixture))
      let atUnlock = try content(file)
      _ = try store.put("b", "x")
      #expect(try content(file) == atUnlock)
      fixture.clock.pass(seconds: 61)
      _ = try store.put("b", "y")
      let noted = try content(file)
      #expect(noted != atUnlock)
      _ = try store.put("b", "z")
      #expect(try content(file) == noted)
      store.lock()
      #expect(try content(file) != noted)
    }
  }

  @Test("where nothing was seen, or what was seen is damaged or of another key, the store opens")
  func unseen() throws {
    try withCopy { fixture, older, _ in
      let file = try #require(try anchorFile(fixture))
      let seen = try content(file)
      try overwrite(fixture.path, older)
      for index in [0, 1, 20, 34, 41, 72] {
        var bad = seen
        bad[index] ^= 1
        try overwrite(file, bad)
        #expect(try unlocks(fixture) == "old", "byte \(index)")
        try overwrite(fixture.path, older)
      }
      try overwrite(file, [])
      #expect(try unlocks(fixture) == "old")
    }
  }

  @Test("a copy in another place has its own history")
  func elsewhere() throws {
    try withCopy { fixture, older, _ in
      let path = fixture.directory.path + "/copy.db"
      try overwrite(path, older)
      let engine = try PolicyEngine(policy: PasscodePolicy())
      let copy = try CredentialStore.open(at: path, engine: engine, options: fixture.options)
      #expect(try copy.unlock(secret(StoreFixture.passcode)) == .right(isBelowPolicy: false))
      try copy.close()
      #expect(try unlocks(fixture) == "new")
    }
  }

  @Test("where a new branch is expected, whatever is there is opened and goes on from there")
  func expected() throws {
    try withCopy { fixture, older, newer in
      let id = try fixture.open().id
      try overwrite(fixture.path, older)
      try RollbackAnchor.expectNewBranch(in: fixture.directory.path, for: fixture.path, id)
      #expect(try unlocks(fixture) == "old")
      try overwrite(fixture.path, newer)
      #expect(throws: StoreError.olderThanLastSeen) { try unlocks(fixture) }
    }
  }

  @Test("a state directory that is missing keeps nobody out")
  func noDirectory() throws {
    let fixture = try StoreFixture()
    defer { withExtendedLifetime(fixture) {} }
    fixture.anchors = fixture.directory.path + "/missing"
    try close(try fixture.create()) { _ = try $0.put("a", "x") }
    #expect(try unlocks(fixture) == "x")
  }

  private func anchorFile(_ fixture: StoreFixture) throws -> String? {
    try Files.names(in: fixture.directory.path, limit: 100).first { $0.hasPrefix("anchor-") }.map {
      fixture.directory.path + "/" + $0
    }
  }
}
