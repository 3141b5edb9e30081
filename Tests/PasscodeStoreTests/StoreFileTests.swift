import Glibc
import PasscodeCore
import SecretMemory
import TestSupport
import Testing

@testable import PasscodeStore

/// Things that stand where a store should, and what is said of them.
struct Obstacle: Sendable, CustomTestStringConvertible {
  let testDescription: String
  let error: StoreError
  /// Given the file of a good store, puts the obstacle in its place.
  let place: @Sendable (StoreFixture) throws -> Void

  static let all = [
    Obstacle(testDescription: "an empty file", error: .corrupt(.file)) { try overwrite($0.path, []) },
    Obstacle(testDescription: "cut off in the first bytes", error: .corrupt(.file)) { try cut($0.path, to: 9) },
    Obstacle(testDescription: "cut off in the header", error: .corrupt(.file)) { try cut($0.path, to: 99) },
    Obstacle(testDescription: "cut off after the header", error: .corrupt(.file)) { try cut($0.path, to: 100) },
    Obstacle(testDescription: "cut off in the middle", error: .corrupt(.file)) { try cut($0.path, to: 4096 * 5 + 17) },
    Obstacle(testDescription: "cut off by a page", error: .corrupt(.file)) {
      try cut($0.path, to: try content($0.path).count - 4096)
    },
    Obstacle(testDescription: "cut off within its last page", error: .corrupt(.file)) {
      try cut($0.path, to: try content($0.path).count - 4000)
    },
    Obstacle(testDescription: "of two names", error: .storage(.linked)) { try hardLink($0.path, $0.path + ".second") },
    Obstacle(testDescription: "a text file", error: .notAStore) { try overwrite($0.path, Array("passwords\n".utf8)) },
    Obstacle(testDescription: "another program's database", error: .notAStore) {
      remove($0.path)
      try overwrite($0.path, [])
      try tamper($0.path, "CREATE TABLE moz_places(id INTEGER); INSERT INTO moz_places VALUES (1)")
    },
    Obstacle(testDescription: "a directory", error: .notAStore) {
      remove($0.path)
      try $0.directory.makeDirectory("store.db")
    },
    Obstacle(testDescription: "a link to a store", error: .notAStore) {
      unsafe rename($0.path, $0.path + ".real")
      unsafe symlink($0.path + ".real", $0.path)
    },
    Obstacle(testDescription: "a link to nothing", error: .notAStore) {
      remove($0.path)
      unsafe symlink("/nonexistent/store.db", $0.path)
    },
    Obstacle(testDescription: "a newer format", error: .formatTooNew(found: 7, supported: 2)) {
      try tamper($0.path, "PRAGMA user_version = 7")
    },
    Obstacle(testDescription: "an unknown older format", error: .corrupt(.schema)) {
      try tamper($0.path, "PRAGMA user_version = 0")
    },
    Obstacle(testDescription: "a trigger", error: .corrupt(.schema)) {
      try tamper($0.path, "CREATE TRIGGER t AFTER INSERT ON record BEGIN SELECT 1; END")
    },
    Obstacle(testDescription: "an index", error: .corrupt(.schema)) { try tamper($0.path, "CREATE INDEX i ON record(id)") },
    Obstacle(testDescription: "a table missing", error: .corrupt(.schema)) { try tamper($0.path, "DROP TABLE folder") },
    Obstacle(testDescription: "no id", error: .corrupt(.header)) { try tamper($0.path, "DELETE FROM store") },
    Obstacle(testDescription: "only its log", error: .storage(.missing)) {
      remove($0.path)
      try overwrite($0.path + "-wal", [1, 2, 3])
    },
  ]

  static func cut(_ path: String, to count: Int) throws { try overwrite(path, Array(try content(path).prefix(count))) }
}

@Suite struct StoreFileTests {
  @Test(
    "SC-3: what is no good store is refused with what is wrong, left as it is, and never made anew", arguments: Obstacle.all)
  func obstacles(_ obstacle: Obstacle) throws {
    try withClosedStore(fill: { _ = try $0.put("a", "1") }) { fixture in
      try obstacle.place(fixture)
      let before = try? content(fixture.path)
      #expect(throws: obstacle.error) { try fixture.open() }
      #expect(throws: StoreError.self) { try fixture.create() }
      #expect((try? content(fixture.path)) == before)
      #expect(!directoryEntries(fixture.directory.path).contains { $0.contains(".new-") })
    }
  }

  @Test("SC-3: noStore is said only where nothing is, and nothing is made by asking")
  func missing() throws {
    let fixture = try StoreFixture()
    defer { withExtendedLifetime(fixture) {} }
    #expect(throws: StoreError.noStore) { try fixture.open() }
    #expect(directoryEntries(fixture.directory.path) == [])
    #expect(throws: StoreError.noStore) { try open(fixture.path + "/nothing/store.db") }
    #expect(throws: StoreError.noStore) { try open("/nonexistent/deeper/store.db") }
  }

  @Test("SC-3: a link that leads nowhere on the way to the store is a disk that is not there, not a missing store")
  func danglingDirectory() throws {
    let directory = try TemporaryDirectory()
    defer { withExtendedLifetime(directory) {} }
    unsafe symlink("/nonexistent/disk", directory.file("disk"))
    #expect(throws: StoreError.storage(.inputOutput(code: ENOENT))) { try open(directory.file("disk/store.db")) }
    #expect(throws: StoreError.storage(.inputOutput(code: ENOENT))) { try open(directory.file("disk/deeper/store.db")) }
    try directory.write("file", [])
    #expect(throws: StoreError.storage(.inputOutput(code: ENOTDIR))) { try open(directory.file("file/store.db")) }
    unsafe symlink("loop", directory.file("loop"))
    #expect(throws: StoreError.storage(.denied)) { try open(directory.file("loop/store.db")) }
  }

  private func open(_ path: String) throws -> CredentialStore {
    try CredentialStore.open(at: path, engine: PolicyEngine(policy: PasscodePolicy()), options: StoreOptions())
  }

  @Test("SC-3: a store that may not be read is not taken for a missing one", .enabled(if: geteuid() == 0))
  func unreadable() async throws {
    let fixture = try StoreFixture()
    defer { withExtendedLifetime(fixture) {} }
    try close(try fixture.create())
    remove(fixture.path + ".lock")
    // The directory is open to all, the file is not.
    unsafe chmod(fixture.directory.path, 0o777)
    let path = fixture.path
    await #expect(processExitsWith: .success) { [path = path as String] in
      try #require(setgid(65_534) == 0 && setuid(65_534) == 0)
      let engine = try PolicyEngine(policy: PasscodePolicy())
      #expect(throws: StoreError.storage(.denied)) { try CredentialStore.open(at: path, engine: engine) }
      remove(path + ".lock")
    }
    unsafe chmod(fixture.directory.path, 0o700)
    #expect(try fixture.openers(among: [StoreFixture.passcode]) == [StoreFixture.passcode])
  }

  @Test("SC-3: whatever bytes of the file are changed, it is refused or it opens; it is never missing and nothing crashes")
  func mutations() throws {
    var random = SplitMix64.announced()
    try withClosedStore(fill: { store in for index in 0..<20 { _ = try store.put("f/\(index)", "v\(index)") } }) { fixture in
      let good = try content(fixture.path)
      for _ in 0..<150 {
        var bad = good
        for _ in 0..<Int.random(in: 1...40, using: &random) {
          // Half of them where the structure is.
          let limit = Bool.random(using: &random) ? bad.count : 4096 * 3
          bad[Int.random(in: 100..<limit, using: &random)] = UInt8.random(in: .min ... .max, using: &random)
        }
        remove(fixture.path + "-wal")
        try overwrite(fixture.path, bad)
        do {
          let store = try fixture.open()
          guard case .right = try store.unlock(secret(StoreFixture.passcode)) else { continue }
          for index in 0..<20 {
            do { #expect(try store.value("f/\(index)") == Array("v\(index)".utf8)) } catch let error as StoreError {
              // No row goes missing without a trace, and another row's value never comes in its place.
              if case .damaged = error { continue }
              #expect(
                [.corrupt(.record), .corrupt(.file)].contains(error) || error == .notFound && store.damage != nil, "\(error)")
            }
          }
        } catch let error as StoreError {
          #expect(error != .noStore && error != .wiped)
        }
      }
    }
  }

  @Test("a store has one owner at a time, and the next one finds it free")
  func oneOwner() throws {
    try withStore { fixture, store in
      #expect(throws: StoreError.inUse) { try fixture.open() }
      #expect(throws: StoreError.inUse) { try fixture.create() }
      #expect(throws: StoreError.inUse) { try StoreReset.setAside(at: fixture.path, confirming: store.id, now: 0) }
      // The refused ones have not taken anything from the owner.
      _ = try store.put("a", "1")
      #expect(try store.value("a") == Array("1".utf8))
      withExtendedLifetime(store) {}
    }
  }

  @Test("a creation that was cut off leaves nothing that is taken for a store, and its remains are removed")
  func remains() throws {
    let fixture = try StoreFixture()
    defer { withExtendedLifetime(fixture) {} }
    let remains = fixture.path + ".new-" + String(repeating: "0a", count: 16)
    try overwrite(remains, [1])
    try overwrite(remains + "-wal", [1])
    try overwrite(fixture.path + ".new-mine", [1])
    #expect(throws: StoreError.noStore) { try fixture.open() }
    try close(try fixture.create())
    #expect(!exists(remains) && !exists(remains + "-wal"))
    #expect(exists(fixture.path + ".new-mine"))
  }

  @Test("a store is for its owner only, whatever the umask", arguments: [0o000, 0o022, 0o777] as [UInt32])
  func modes(_ mask: UInt32) async throws {
    let fixture = try StoreFixture()
    defer { withExtendedLifetime(fixture) {} }
    let path = fixture.path
    await #expect(processExitsWith: .success) { [path = path as String, mask = mask as UInt32] in
      umask(mask)
      let store = try CredentialStore.create(
        at: path, passcode: secret("correct horse 1"), engine: PolicyEngine(policy: PasscodePolicy()),
        options: StoreOptions(derivation: .floor))
      _ = try store.put("a", "1")
      withExtendedLifetime(store) {}
    }
    for suffix in ["", "-wal", ".lock"] {
      var status = stat()
      try #require(unsafe stat(path + suffix, &status) == 0)
      #expect(status.st_mode & 0o177 == 0, "\(suffix)")
    }
  }
}
