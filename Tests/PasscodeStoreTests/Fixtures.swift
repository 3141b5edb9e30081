import PasscodeCore
import SecretMemory
import Synchronization
import TestSupport

@testable import PasscodeStore

/// A clock that tests turn.
final class TestClock: StoreClock {
  private let reading = Mutex(
    ClockReading(
      bootID: [UInt8](repeating: 1, count: 16), timeNamespace: 7, sinceBoot: 1_000_000_000_000, wallSeconds: 1_800_000_000))

  func now() -> ClockReading { reading.withLock { $0 } }
  func change(_ body: (inout ClockReading) -> Void) { reading.withLock { body(&$0) } }
  func pass(seconds: UInt64) {
    change {
      $0.sinceBoot += seconds * 1_000_000_000
      $0.wallSeconds += Int64(seconds)
    }
  }
  func reboot() {
    change {
      $0.bootID = $0.bootID.map { $0 &+ 1 }
      $0.sinceBoot = 20_000_000_000
    }
  }
}

/// A store in a directory of its own, at the cheapest derivation. The directory is removed when this ends.
final class StoreFixture {
  static let passcode = "correct horse 1"
  static let otherPasscode = "battery staple 2"
  let directory: TemporaryDirectory
  let clock = TestClock()
  let faults: FaultVFS?
  /// Where what was last seen is kept; nil: nowhere.
  var anchors: String?
  var path: String { directory.path + "/store.db" }
  var options: StoreOptions {
    StoreOptions(
      deviceKeyPath: directory.path + "/device.key", anchorDirectory: anchors, clock: clock, derivation: .floor,
      vfs: faults?.name)
  }

  init(withFaults: Bool = false) throws {
    directory = try TemporaryDirectory()
    faults = withFaults ? try FaultVFS() : nil
  }

  func create(_ policy: PasscodePolicy = PasscodePolicy(), passcode: String = passcode) throws -> CredentialStore {
    try CredentialStore.create(at: path, passcode: secret(passcode), engine: PolicyEngine(policy: policy), options: options)
  }

  func open(_ policy: PasscodePolicy = PasscodePolicy()) throws -> CredentialStore {
    try CredentialStore.open(at: path, engine: PolicyEngine(policy: policy), options: options)
  }

  func openUnlocked(_ policy: PasscodePolicy = PasscodePolicy(), passcode: String = passcode) throws -> CredentialStore {
    let store = try open(policy)
    guard case .right = try store.unlock(secret(passcode)) else { throw TestFailure("wrong passcode") }
    return store
  }

  /// Which of some passcodes opens the store, as it lies on the disk.
  func openers(among passcodes: [String]) throws -> [String] {
    try passcodes.filter { passcode in
      let store = try open()
      defer { try? store.close() }
      if case .right = try store.verify(secret(passcode)) { return true }
      return false
    }
  }
}

/// Runs a test on a store of its own.
func withStore(
  _ policy: PasscodePolicy = PasscodePolicy(), withFaults: Bool = false,
  _ body: (StoreFixture, CredentialStore) throws -> Void
) throws {
  let fixture = try StoreFixture(withFaults: withFaults)
  defer { withExtendedLifetime(fixture) {} }
  try body(fixture, try fixture.create(policy))
}

/// Runs a test on the file of a store that was made, filled and closed.
func withClosedStore(
  _ policy: PasscodePolicy = PasscodePolicy(), withFaults: Bool = false, fill: (CredentialStore) throws -> Void = { _ in },
  _ body: (StoreFixture) throws -> Void
) throws {
  let fixture = try StoreFixture(withFaults: withFaults)
  defer { withExtendedLifetime(fixture) {} }
  try close(try fixture.create(policy), after: fill)
  try body(fixture)
}

/// Closes a store, whose file and lock are free then.
func close(_ store: consuming CredentialStore, after body: (CredentialStore) throws -> Void = { _ in }) throws {
  try body(store)
  try store.close()
}

func secret(_ text: String) throws -> SecretBytes { try secret(Array(text.utf8)) }

func secret(_ bytes: [UInt8]) throws -> SecretBytes { try SecretBytes(copying: bytes.span) }

func bytes(_ span: Span<UInt8>) -> [UInt8] { span.indices.map { span[$0] } }

extension CredentialStore {
  func value(_ name: String, version: Int64? = nil) throws -> [UInt8] {
    var value: [UInt8] = []
    try withSecret(name, version: version) { value = bytes($0) }
    return value
  }

  /// The value; nil where there is no such credential.
  func valueIfAny(_ name: String) throws -> [UInt8]? {
    do { return try value(name) } catch StoreError.notFound { return nil }
  }

  func put(_ name: String, _ value: String, _ options: PutOptions = PutOptions()) throws -> PutOutcome {
    try put(name, secret: secret(value), options)
  }

  /// One wrong try.
  @discardableResult
  func guess(_ passcode: String = "no such passcode") throws -> AttemptFacts {
    guard case .wrong(let facts) = try verify(secret(passcode)) else { throw TestFailure("the passcode was right") }
    return facts
  }

  func changePasscode(from old: String = StoreFixture.passcode, to new: String) throws {
    switch try prove(secret(old)) {
    case .wrong: throw TestFailure("wrong passcode")
    case .right(let proof): try replacePasscode(with: secret(new), proof)
    }
  }

  /// The names found by attributes.
  func found(_ pairs: [(String, String)]) throws -> [String] {
    var names: [String] = []
    var next: LookupTag?
    repeat {
      next = try find(pairs.map { AttributePair(key: $0.0, value: $0.1) }, after: next, limit: 3) { metadata, _ in
        names.append(String(decoding: bytes(metadata.name), as: UTF8.self))
      }
    } while next != nil
    return names.sorted()
  }

  /// The versions known under a name, newest first.
  func versions(_ name: String) throws -> [VersionFacts] {
    var facts: [VersionFacts] = []
    do { try history(Array(name.utf8).span) { version, _ in facts.append(version) } } catch StoreError.notFound { return [] }
    return facts
  }
}
