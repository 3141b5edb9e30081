import PasscodeCore
import PasscodeStore
import SecretMemory
import Synchronization
import TestSupport

/// A clock that tests turn.
final class TestClock: StoreClock {
  private let reading = Mutex(
    ClockReading(
      bootID: [UInt8](repeating: 1, count: 16), timeNamespace: 7, sinceBoot: 1_000_000_000, wallSeconds: 1_800_000_000))

  func now() -> ClockReading { reading.withLock { $0 } }
  func change(_ body: (inout ClockReading) -> Void) { reading.withLock { body(&$0) } }
  func pass(seconds: UInt64) {
    change {
      $0.sinceBoot += seconds * 1_000_000_000
      $0.wallSeconds += Int64(seconds)
    }
  }
}

/// A store in a directory of its own, at the cheapest derivation.
final class StoreFixture {
  static let passcode = "correct horse 1"
  let directory: TemporaryDirectory
  let clock = TestClock()
  var path: String { directory.path + "/store.db" }
  var options: StoreOptions {
    StoreOptions(deviceKeyPath: directory.path + "/device.key", clock: clock, derivation: .floor)
  }

  init() throws { directory = try TemporaryDirectory() }

  func create(_ policy: PasscodePolicy = PasscodePolicy(), passcode: String = passcode) throws -> CredentialStore {
    try CredentialStore.create(at: path, passcode: secret(passcode), engine: PolicyEngine(policy: policy), options: options)
  }

  func open(_ policy: PasscodePolicy = PasscodePolicy()) throws -> CredentialStore {
    try CredentialStore.open(at: path, engine: PolicyEngine(policy: policy), options: options)
  }
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

  func put(_ name: String, _ value: String, _ options: PutOptions = PutOptions()) throws -> PutOutcome {
    try put(name, secret: secret(value), options)
  }
}
