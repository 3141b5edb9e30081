import PasscodeCore
import PasscodeStore
import SecretMemory
import Testing

@Suite struct CredentialTests {
  @Test("a stored secret comes back after the store was closed and opened again")
  func roundTrip() throws {
    let fixture = try StoreFixture()
    do {
      let store = try fixture.create()
      _ = try store.put("work/aws/prod", "s3cret\n")
      try store.close()
      #expect(throws: StoreError.locked) { try store.value("work/aws/prod") }
    }
    let store = try fixture.open()
    #expect(store.condition == .locked)
    #expect(throws: StoreError.locked) { try store.value("work/aws/prod") }
    #expect(try store.unlock(secret(StoreFixture.passcode)) == .right(isBelowPolicy: false))
    #expect(try store.value("work/aws/prod") == Array("s3cret\n".utf8))
  }

  @Test("an overwritten value is kept, can be read and put back, and the oldest is forgotten")
  func versions() throws {
    let fixture = try StoreFixture()
    defer { withExtendedLifetime(fixture) {} }
    let store = try fixture.create()
    var versions: [Int64] = []
    for index in 0..<8 { versions.append(try store.put("a", "value \(index)").version) }
    var seen: [Int64] = []
    let name = Array("a".utf8)
    try store.history(name.span) { facts, _ in seen.append(facts.version) }
    #expect(seen == versions.suffix(6).reversed())
    #expect(try store.value("a", version: versions[3]) == Array("value 3".utf8))
    _ = try store.restore(name.span, version: versions[3])
    #expect(try store.value("a") == Array("value 3".utf8))
    #expect(throws: StoreError.notFound) { try store.value("a", version: versions[0]) }
  }

  @Test("a deleted credential is not found, its values are, until they are purged")
  func deletion() throws {
    let fixture = try StoreFixture()
    defer { withExtendedLifetime(fixture) {} }
    let store = try fixture.create()
    let version = try store.put("a", "1").version
    try store.delete("a")
    #expect(throws: StoreError.notFound) { try store.value("a") }
    #expect(try store.value("a", version: version) == Array("1".utf8))
    #expect(try store.put("a", "2").isNew)
    try store.delete("a", purges: true)
    #expect(throws: StoreError.notFound) { try store.value("a", version: version) }
    #expect(throws: StoreError.notFound) { try store.delete("a") }
  }

  @Test("a rename keeps value, history and attributes, and finds its new folder")
  func rename() throws {
    let fixture = try StoreFixture()
    defer { withExtendedLifetime(fixture) {} }
    let store = try fixture.create()
    let version = try store.put("old/a", "1", PutOptions(attributes: [AttributePair(key: "user", value: "ann")])).version
    _ = try store.put("old/a", "2")
    _ = try store.put("taken", "3")
    #expect(throws: StoreError.exists) { try store.rename("old/a", to: "taken") }
    try store.rename("old/a", to: "new/deep/a")
    #expect(try store.value("new/deep/a") == Array("2".utf8))
    #expect(try store.value("new/deep/a", version: version) == Array("1".utf8))
    #expect(throws: StoreError.notFound) { try store.value("old/a") }
    #expect(try store.names() == ["new/deep/a", "taken"])
    #expect(try store.names(in: "old") == [])
    #expect(try store.names(in: "new/") == ["new/deep/a"])
    var found = 0
    _ = try store.find([AttributePair(key: "user", value: "ann")]) { _, _ in found += 1 }
    #expect(found == 1)
  }

  @Test("twenty threads put and get at once, and nothing is lost")
  func threads() async throws {
    let fixture = try StoreFixture()
    defer { withExtendedLifetime(fixture) {} }
    let store = try fixture.create()
    try await withThrowingTaskGroup(of: Void.self) { group in
      for thread in 0..<20 {
        group.addTask {
          for index in 0..<10 { _ = try store.put("t\(thread)/\(index)", "\(thread)-\(index)") }
        }
      }
      try await group.waitForAll()
    }
    #expect(try store.names().count == 200)
    #expect(try store.value("t7/3") == Array("7-3".utf8))
  }
}
