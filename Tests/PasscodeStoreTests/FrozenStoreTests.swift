import PasscodeCore
import SecretMemory
import TestSupport
import Testing

@testable import PasscodeStore

/// A store file of format 1, made once and never again: whatever changes, it has to open. Its content stands in
/// `Tests/Vectors/store-v1/README.md`.
@Suite struct FrozenStoreTests {
  private static let directory =
    String(#filePath.split(separator: "/").dropLast(2).reduce("") { $0 + "/" + $1 }) + "/Vectors/store-v1"
  private static let first = "frozen passcode one"
  private static let second = "frozen passcode two \u{E9}"

  private static var policy: PasscodePolicy {
    var policy = PasscodePolicy()
    policy.historyDepth = 3
    return policy
  }

  @Test("a store of format 1 opens, and holds what was put into it")
  func opens() throws {
    let fixture = try StoreFixture()
    defer { withExtendedLifetime(fixture) {} }
    try overwrite(fixture.path, try content(Self.directory + "/store.db"))
    try overwrite(fixture.directory.file("device.key"), try content(Self.directory + "/device.key"))
    let store = try fixture.open(Self.policy)
    #expect(store.id.description == String(decoding: try content(Self.directory + "/store-id").prefix(32), as: UTF8.self))

    // Five wrong tries were charged, and 30 seconds are to be waited.
    #expect(try store.attempts() == AttemptFacts(triesRemaining: 5, retryAfterSeconds: 30))
    #expect(throws: StoreError.lockedOut(retryAfterSeconds: 30)) { try store.unlock(secret(Self.second)) }
    fixture.clock.pass(seconds: 30)
    guard case .wrong = try store.verify(secret(Self.first)) else { throw TestFailure("the first passcode still opens it") }
    fixture.clock.pass(seconds: 60)
    // The other normal form of the same text.
    #expect(try store.unlock(secret("frozen passcode two e\u{301}")) == .right(isBelowPolicy: false))

    try expectContent(store)
    guard case .right(let proof) = try store.prove(secret(Self.second)) else { throw TestFailure("wrong") }
    #expect(try store.isReuse(of: secret(Self.first), proof) && !store.isReuse(of: secret("another passcode"), proof))
    try expectConsistent(store, names: Self.names)
    _ = try store.put("work/new", "goes on")
    try expectConsistent(store, names: Self.names + ["work/new"])
  }

  private static let names = ["work/aws/prod", "work/mail", "empty", "large", "gone", "old name"]

  private func expectContent(_ store: CredentialStore) throws {
    #expect(try store.names() == ["empty", "large", "work/aws/prod", "work/mail"])
    #expect(try store.names(in: "work/aws") == ["work/aws/prod"])
    #expect(try store.value("work/aws/prod") == Array("third\n".utf8))
    #expect(try store.versions("work/aws/prod").map(\.isCurrent) == [true, false, false])
    let versions = try store.versions("work/aws/prod").map(\.version)
    #expect(try store.value("work/aws/prod", version: versions[1]) == Array("second".utf8))
    #expect(try store.value("work/aws/prod", version: versions[2]) == Array("first".utf8))
    #expect(try store.value("work/mail") == [0, 0xFF, 0xFE, 0x0A])
    #expect(try store.value("empty") == [])
    #expect(try store.value("large") == Self.large)
    #expect(try store.found([("user", "ann"), ("host", "example.org")]) == ["work/aws/prod"])
    #expect(try store.found([("user", "ann")]) == ["work/aws/prod", "work/mail"])
    let gone = try store.versions("gone")
    #expect(gone.map(\.isDeleted) == [true])
    #expect(try store.value("gone", version: gone[0].version) == Array("deleted value".utf8))
    #expect(throws: StoreError.notFound) { try store.value("old name") }
    try store.show(Array("work/aws/prod".utf8).span) { metadata, _ in
      #expect(bytes(metadata.type) == Array("text/plain".utf8))
      #expect(metadata.created == 1_800_000_000 && metadata.modified == 1_800_000_002)
      #expect(metadata.secretByteCount == 6)
    }
  }

  private static let large = (0..<70_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }

  @Test("another reader, written from the format's text alone, reads the same", .enabled(if: exists("/usr/bin/python3")))
  func foreignReader() throws {
    var command = Command(
      "/usr/bin/python3", [Self.directory + "/read.py", Self.directory + "/store.db", Self.directory + "/device.key"],
      environment: ["PATH": "/usr/sbin:/usr/bin:/sbin:/bin"])
    command.input = Array("frozen passcode two e\u{301}".utf8)
    let result = try command.run()
    #expect(result.errorText == "")
    #expect(
      result.outputText.split(separator: "\n").prefix(5) == [
        "ledger: 5 wrong, 5 different, 30000 ms", "earlier gone: b'deleted value'", "earlier old name: b'first'",
        "earlier work/aws/prod: b'second'", "empty: b''  [] 1800000002 1800000002",
      ])
    #expect(
      result.outputText.contains(
        "work/aws/prod: b'third\\n' text/plain [(b'host', b'example.org'), (b'user', b'ann')] 1800000000"))
  }

  /// How the fixture was made: `PASSCODE_FREEZE_STORE=DIRECTORY swift test --filter FrozenStoreTests`.
  @Test("a store of format 1 is made", .enabled(if: freezeDirectory != nil))
  func freeze() throws {
    let target = try #require(Self.freezeDirectory)
    let fixture = try StoreFixture()
    defer { withExtendedLifetime(fixture) {} }
    var policy = Self.policy
    policy.deviceKey = true
    let id: StoreID
    do {
      let store = try fixture.create(policy, passcode: Self.first)
      id = store.id
      let attributes = [AttributePair(key: "user", value: "ann"), AttributePair(key: "host", value: "example.org")]
      _ = try store.put("old name", "first", PutOptions(type: "text/plain", attributes: attributes))
      fixture.clock.pass(seconds: 1)
      _ = try store.put("old name", "second")
      try store.rename("old name", to: "work/aws/prod")
      fixture.clock.pass(seconds: 1)
      _ = try store.put("work/aws/prod", "third\n")
      _ = try store.put(
        "work/mail", secret: secret([0, 0xFF, 0xFE, 0x0A]), PutOptions(attributes: Array(attributes.prefix(1))))
      _ = try store.put("empty", "")
      _ = try store.put("large", secret: secret(Self.large))
      _ = try store.put("gone", "deleted value")
      try store.delete("gone")
      try store.changePasscode(from: Self.first, to: Self.second)
      for index in 0..<5 { try store.guess("wrong candidate \(index)") }
      try store.close()
      withExtendedLifetime(store) {}
    }
    try overwrite(target + "/store.db", try content(fixture.path))
    try overwrite(target + "/device.key", try content(fixture.directory.file("device.key")))
    try overwrite(target + "/store-id", Array("\(id)\n".utf8))
  }

  private static var freezeDirectory: String? { environmentValue("PASSCODE_FREEZE_STORE") }
}
