import CFaultVFS
import Glibc
import PasscodeCore
import SecretMemory
import TestSupport
import Testing

@testable import PasscodeStore

@Suite struct DiskTests {
  /// Fills a file system to its last byte.
  private static func fill(_ directory: String) throws {
    let file = unsafe open(directory + "/filler", O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
    guard file >= 0 else { throw TestFailure("open: errno \(errno)") }
    defer { close(file) }
    for size in [1 << 16, 4096, 1] {
      let chunk = [UInt8](repeating: 7, count: size)
      while unsafe write(file, chunk, size) == size {}
    }
    guard errno == ENOSPC else { throw TestFailure("write: errno \(errno)") }
  }

  /// Runs on a thread that has a small disk of its own.
  private static func onSmallDisk(_ body: @escaping @Sendable (String) throws -> Void) throws {
    let directory = try TemporaryDirectory()
    let path = directory.path
    let failure = Background { () -> String? in
      let result = unsafe fault_mount_small(path, 3 << 20)
      if result != 0 { return "no small disk: errno \(-result)" }
      do { try body(path) } catch { return "\(error)" }
      return nil
    }.value()
    withExtendedLifetime(directory) {}
    if let failure { throw TestFailure(failure) }
  }

  private static func options(_ clock: TestClock) -> StoreOptions { StoreOptions(clock: clock, derivation: .floor) }

  @Test("SC-1: a put on a full disk fails as full; the old values are there, and the store opens", .enabled(if: geteuid() == 0))
  func fullDisk() throws {
    try Self.onSmallDisk { directory in
      let path = directory + "/store.db"
      let clock = TestClock()
      let engine = try PolicyEngine(policy: PasscodePolicy())
      let large = [UInt8](repeating: 9, count: 1 << 20)
      do {
        let store = try CredentialStore.create(
          at: path, passcode: secret(StoreFixture.passcode), engine: engine, options: Self.options(clock))
        _ = try store.put("a", "old")
        try store.storage.checkpoint()
        try Self.fill(directory)
        // What fits into the log's own room may go through; what does not fails as full.
        #expect(throws: StoreError.storage(.full)) { try store.put("b", secret: secret(large)) }
        #expect(throws: StoreError.storage(.full)) { for index in 0..<100 { _ = try store.put("c\(index)", "x") } }
        #expect(try store.value("a") == Array("old".utf8))
        #expect(throws: StoreError.notFound) { try store.value("b") }
        try? store.close()
        withExtendedLifetime(store) {}
      }
      let store = try CredentialStore.open(at: path, engine: engine, options: Self.options(clock))
      // Tries are charged and the passcode opens it, on a disk that is still full.
      for _ in 0..<3 { try store.guess() }
      #expect(try store.unlock(secret(StoreFixture.passcode)) == .right(isBelowPolicy: false))
      #expect(try store.value("a") == Array("old".utf8))
      remove(directory + "/filler")
      _ = try store.put("a", secret: secret(large))
      #expect(try store.value("a") == large)
    }
  }

  @Test("SC-1: a store that there is no room for is not made, and nothing is left of it", .enabled(if: geteuid() == 0))
  func noRoom() throws {
    try Self.onSmallDisk { directory in
      try Self.fill(directory)
      let engine = try PolicyEngine(policy: PasscodePolicy())
      #expect(throws: StoreError.storage(.full)) {
        try CredentialStore.create(
          at: directory + "/store.db", passcode: secret(StoreFixture.passcode), engine: engine,
          options: Self.options(TestClock()))
      }
      #expect(directoryEntries(directory).filter { !$0.hasSuffix(".lock") } == ["filler"])
    }
  }

  @Test("SC-1: a disk that stays full, or stays broken, keeps the old values and says which", arguments: [ENOSPC, EIO])
  func lastingFault(_ error: Int32) throws {
    try withStore(withFaults: true) { fixture, store in
      let faults = try #require(fixture.faults)
      _ = try store.put("a", "old")
      faults.fail(.write, after: 0, with: error, lasting: true)
      for _ in 0..<3 {
        let failure = #expect(throws: StoreError.self) { try store.put("a", "new") }
        #expect(failure?.isOfStorage == true)
        #expect((failure == .storage(.full)) == (error == ENOSPC))
        #expect(throws: StoreError.self) { try store.delete("a") }
        // No try is learnt anything from that could not be charged.
        #expect(throws: StoreError.self) { try store.verify(secret(StoreFixture.passcode)) }
        #expect(try store.value("a") == Array("old".utf8))
      }
      faults.clear()
      _ = try store.put("a", "new")
      #expect(try store.value("a") == Array("new".utf8))
      try expectConsistent(store, names: ["a"])
      store.lock()
    }
  }

  @Test("SC-4: killed at any moment of a passcode change, exactly one of the two passcodes opens everything")
  func killed() async throws {
    try await withKilledStore(rounds: 12) { path, round in
      await #expect(processExitsWith: .signal(SIGKILL)) { [path = path as String, round = round as Int] in
        let store = try CredentialStore.open(
          at: path, engine: PolicyEngine(policy: PasscodePolicy()),
          options: StoreOptions(clock: TestClock(), derivation: .floor))
        let isEven = try store.proves(StoreFixture.passcode)
        let passcodes =
          isEven ? [StoreFixture.passcode, StoreFixture.otherPasscode] : [StoreFixture.otherPasscode, StoreFixture.passcode]
        _ = Background {
          // A change takes some 60 ms; the blow falls anywhere in it.
          usleep(20_000 + UInt32(round) * 9_000)
          kill(getpid(), SIGKILL)
        }
        for index in 0... { try store.changePasscode(from: passcodes[index % 2], to: passcodes[(index + 1) % 2]) }
      }
    }
  }

  private func withKilledStore(rounds: Int, _ kill: (String, Int) async throws -> Void) async throws {
    let fixture = try StoreFixture()
    defer { withExtendedLifetime(fixture) {} }
    try close(try fixture.create()) { _ = try $0.put("a", "1") }
    for round in 0..<rounds {
      try await kill(fixture.path, round)
      fixture.clock.pass(seconds: 3600)
      let openers = try fixture.openers(among: [StoreFixture.passcode, StoreFixture.otherPasscode])
      try #require(openers.count == 1)
      let store = try fixture.openUnlocked(passcode: openers[0])
      #expect(try store.value("a") == Array("1".utf8))
      try expectConsistent(store, names: ["a"])
      try store.close()
    }
  }
}
