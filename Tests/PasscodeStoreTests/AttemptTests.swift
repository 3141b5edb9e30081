import PasscodeCore
import SecretMemory
import TestSupport
import Testing

@testable import PasscodeStore

@Suite struct AttemptTests {
  private static let longest = 3600

  private static var wipes: PasscodePolicy {
    var policy = PasscodePolicy()
    policy.retryLimit = 3
    policy.onRetryLimit = .wipe
    policy.lockOut.afterTries = 100
    return policy
  }

  @Test("tries count down, the wait grows, and from the limit on every wait is the longest")
  func growingWait() throws {
    try withStore { fixture, store in
      for expected in [(9, 0), (8, 0), (7, 0), (6, 0), (5, 30), (4, 60), (3, 120), (2, 240), (1, 480), (0, 3600), (0, 3600)] {
        let facts = try store.guess()
        #expect(facts == AttemptFacts(triesRemaining: expected.0, retryAfterSeconds: expected.1))
        #expect(try store.attempts() == facts)
        if expected.1 > 0 {
          let wait = UInt64(expected.1)
          fixture.clock.pass(seconds: wait - 1)
          #expect(throws: StoreError.lockedOut(retryAfterSeconds: 1)) { try store.verify(secret(StoreFixture.passcode)) }
          fixture.clock.pass(seconds: 1)
        }
      }
      #expect(try store.verify(secret(StoreFixture.passcode)) == .right(isBelowPolicy: false))
      #expect(try store.attempts() == AttemptFacts(triesRemaining: 10, retryAfterSeconds: 0))
    }
  }

  @Test("SC-54: the count and the wait survive a restart, whether the daemon was closed or killed", arguments: [true, false])
  func restart(_ isClosed: Bool) throws {
    try withClosedStore { fixture in
      do {
        let store = try fixture.open()
        for _ in 0..<6 {
          try store.guess()
          fixture.clock.pass(seconds: UInt64(try store.attempts().retryAfterSeconds))
        }
        try store.guess()
        fixture.clock.pass(seconds: 20)
        if isClosed { try store.close() }
        withExtendedLifetime(store) {}
      }
      let store = try fixture.open()
      #expect(try store.attempts() == AttemptFacts(triesRemaining: 3, retryAfterSeconds: 100))
      #expect(throws: StoreError.lockedOut(retryAfterSeconds: 100)) { try store.unlock(secret(StoreFixture.passcode)) }
    }
  }

  @Test("SC-54: a reboot begins what was left of the wait anew, from when the store is opened")
  func reboot() throws {
    try withClosedStore { fixture in
      try close(try fixture.open()) { store in
        for _ in 0..<5 { try store.guess() }
        fixture.clock.pass(seconds: 10)
      }
      fixture.clock.reboot()
      do {
        let store = try fixture.open()
        #expect(try store.attempts() == AttemptFacts(triesRemaining: 5, retryAfterSeconds: 20))
        fixture.clock.pass(seconds: 15)
        #expect(throws: StoreError.lockedOut(retryAfterSeconds: 5)) { try store.verify(secret(StoreFixture.passcode)) }
        // Killed: nothing was noted since it was opened.
        withExtendedLifetime(store) {}
      }
      fixture.clock.reboot()
      let store = try fixture.open()
      #expect(try store.attempts().retryAfterSeconds == 20)
      fixture.clock.pass(seconds: 20)
      #expect(try store.verify(secret(StoreFixture.passcode)) == .right(isBelowPolicy: false))
    }
  }

  @Test("SC-54: setting the clock forward or back shortens no wait")
  func clocks() throws {
    try withStore { fixture, store in
      for _ in 0..<5 { try store.guess() }
      for shift in [-10_000_000_000, 10_000_000_000, 100] as [Int64] {
        fixture.clock.change { $0.wallSeconds += shift }
        #expect(try store.attempts().retryAfterSeconds == 30)
      }
      // Another time namespace may show another boot-time clock; one that runs back shows nothing.
      fixture.clock.pass(seconds: 10)
      fixture.clock.change {
        $0.timeNamespace += 1
        $0.sinceBoot += 1_000_000_000_000_000
      }
      #expect(throws: StoreError.lockedOut(retryAfterSeconds: 30)) { try store.verify(secret(StoreFixture.passcode)) }
      fixture.clock.pass(seconds: 10)
      #expect(try store.attempts().retryAfterSeconds == 20)
      fixture.clock.change { $0.sinceBoot = 5 }
      #expect(throws: StoreError.lockedOut(retryAfterSeconds: 30)) { try store.verify(secret(StoreFixture.passcode)) }
    }
  }

  @Test("SC-54: of 40 guesses from 20 threads exactly those before the wait are charged, one derivation at a time")
  func parallel() throws {
    try withStore { fixture, store in
      let guessers = (0..<20).map { thread in
        Background { () -> [Bool] in
          (0..<2).map { index in (try? store.guess("guess \(thread) \(index)")) != nil }
        }
      }
      let charged = guessers.flatMap { $0.value() }.count { $0 }
      let remaining = try store.attempts().triesRemaining
      #expect(charged == 5 && remaining == 5)
      withExtendedLifetime(fixture) {}
    }
  }

  @Test("SC-54: without a wait, N guesses from 20 threads are exactly N tries")
  func parallelWithoutWait() throws {
    var policy = PasscodePolicy()
    policy.retryLimit = 1000
    policy.lockOut.afterTries = 1000
    try withStore(policy) { fixture, store in
      let guessers = (0..<20).map { thread in
        Background { (0..<3).map { try? store.guess("guess \(thread) \($0)").triesRemaining } }
      }
      let remaining = guessers.flatMap { $0.value() }.compactMap { $0 }
      let atLast = try store.attempts().triesRemaining
      #expect(Set(remaining) == Set(940..<1000) && atLast == 940)
      withExtendedLifetime(fixture) {}
    }
  }

  @Test("SC-54: the change screen, unlock and verify charge the same count")
  func everyDoor() throws {
    try withStore { fixture, store in
      guard case .wrong(let first) = try store.prove(secret("wrong one")) else { throw TestFailure("right") }
      #expect(first.triesRemaining == 9)
      #expect(try store.unlock(secret("wrong two")) == .wrong(AttemptFacts(triesRemaining: 8, retryAfterSeconds: 0)))
      #expect(try store.guess().triesRemaining == 7)
      #expect(try store.proves(StoreFixture.passcode))
      #expect(try store.attempts().triesRemaining == 10)
      withExtendedLifetime(fixture) {}
    }
  }

  @Test("SC-54: a policy reload touches no count; a looser one does not end a wait")
  func reload() throws {
    try withStore { fixture, store in
      for _ in 0..<6 {
        try store.guess()
        if try store.attempts().retryAfterSeconds == 30 { fixture.clock.pass(seconds: 30) }
      }
      var policy = PasscodePolicy()
      policy.lockOut.firstSeconds = 1
      policy.lockOut.maxSeconds = 1
      policy.retryLimit = 20
      store.update(engine: try PolicyEngine(policy: policy))
      #expect(try store.attempts() == AttemptFacts(triesRemaining: 14, retryAfterSeconds: 60))
    }
  }

  @Test("a text that can't be a passcode, a busy store and a lock-out cost no try")
  func uncharged() throws {
    try withStore { fixture, store in
      #expect(throws: StoreError.invalidPasscode(.text(.notUTF8))) { try store.verify(secret([0xFF, 0xFE])) }
      #expect(throws: StoreError.invalidPasscode(.text(.containsNUL))) { try store.unlock(secret("a\0b")) }
      #expect(throws: StoreError.invalidPasscode(.tooLong(limit: 1024))) {
        try store.verify(secret(String(repeating: "x", count: 1025)))
      }
      #expect(try store.attempts().triesRemaining == 10)
      for _ in 0..<5 { try store.guess() }
      for _ in 0..<3 { #expect(throws: StoreError.self) { try store.guess() } }
      #expect(try store.attempts().triesRemaining == 5)
      withExtendedLifetime(fixture) {}
    }
  }

  @Test("a try is charged before it is answered: wherever the daemon dies, none is given back")
  func unsettled() throws {
    try withClosedStore(withFaults: true) { fixture in
      let faults = try #require(fixture.faults)
      let template = try content(fixture.path)
      var remaining: [Int?] = []
      for position in 0..<40 {
        remove(fixture.path + "-wal")
        try overwrite(fixture.path, template)
        var isAnswered = false
        do {
          let store = try fixture.open()
          faults.stop(after: position)
          isAnswered = (try? store.guess()) != nil
          withExtendedLifetime(store) {}
        }
        faults.clear()
        remaining.append(try fixture.open().attempts().triesRemaining)
        if isAnswered { #expect(remaining.last == 9) }
      }
      // Not charged and not tried, up to one point; charged from there on.
      let charged = try #require(remaining.firstIndex(of: 9))
      #expect(remaining == Array(repeating: 10, count: charged) + Array(repeating: 9, count: 40 - charged))
    }
  }

  @Test("SC-62: a wipe counts different candidates: a script that repeats one wrong passcode wipes nothing")
  func repeatedCandidate() throws {
    try withStore(Self.wipes) { fixture, store in
      _ = try store.put("a", "1")
      for _ in 0..<10 {
        fixture.clock.pass(seconds: 3600)
        try store.guess("the same")
      }
      fixture.clock.pass(seconds: 3600)
      try store.guess("another")
      fixture.clock.pass(seconds: 3600)
      #expect(try store.verify(secret(StoreFixture.passcode)) == .right(isBelowPolicy: false))
    }
  }

  @Test("the candidates of a wipe are told apart beyond the first 64")
  func manyCandidates() {
    var ledger = AttemptLedger()
    let policy = AttemptPolicy(retryLimit: 100, wipesAtLimit: true)
    let now = ClockReading(bootID: [UInt8](repeating: 1, count: 16), timeNamespace: 0, sinceBoot: 0, wallSeconds: 0)
    for candidate in 0..<70 {
      ledger.charge(under: policy, at: now)
      let isWipeDue = ledger.settleWrong(fingerprint: UInt16(candidate), under: policy, at: now)
      #expect(!isWipeDue)
    }
    for _ in 0..<200 {
      ledger.charge(under: policy, at: now)
      let isWipeDue = ledger.settleWrong(fingerprint: 69, under: policy, at: now)
      #expect(!isWipeDue)
    }
    #expect(ledger.distinctFailures == 70)
  }

  @Test("SC-62: at the limit of different candidates the store is gone: the file, and in memory every key")
  func wipe() throws {
    try withStore(Self.wipes) { fixture, store in
      _ = try store.put("a", "1")
      for index in 0..<2 {
        try store.guess("wrong \(index)")
        fixture.clock.pass(seconds: 3600)
      }
      #expect(throws: StoreError.wiped) { try store.guess("wrong 2") }
      #expect(store.condition == .locked)
      #expect(throws: StoreError.locked) { try store.value("a") }
      #expect(throws: StoreError.replaced) { try store.unlock(secret(StoreFixture.passcode)) }
      #expect(!exists(fixture.path) && !exists(fixture.path + "-wal"))
      #expect(try StoreReset.list(at: fixture.path).isEmpty)
    }
  }

  @Test("SC-62: a wipe that is cut off anywhere either counts on, or has taken every way in away")
  func wipeInterrupted() throws {
    try withClosedStore(withFaults: true) { fixture in
      let faults = try #require(fixture.faults)
      let template = try content(fixture.path)
      for position in 0... {
        remove(fixture.path + "-wal")
        try overwrite(fixture.path, template)
        var isReached = false
        do {
          let store = try fixture.open(Self.wipes)
          for index in 0..<2 {
            try store.guess("wrong \(index)")
            fixture.clock.pass(seconds: 3600)
          }
          faults.stop(after: position)
          #expect(throws: StoreError.self) { try store.guess("wrong 2") }
          isReached = faults.failures > 0
          withExtendedLifetime(store) {}
        }
        faults.clear()
        fixture.clock.pass(seconds: 3600)
        do {
          let store = try fixture.open(Self.wipes)
          #expect(throws: StoreError.wiped) { try store.guess("wrong 3") }
        } catch StoreError.noStore {}
        if !isReached { break }
      }
    }
  }

  @Test("SC-38: a wrong passcode never unlocks; locked and unlocked again, it works as before")
  func lockAndUnlock() throws {
    try withStore { fixture, store in
      _ = try store.put("a", "1")
      for _ in 0..<3 {
        store.lock()
        #expect(store.condition == .locked)
        #expect(throws: StoreError.locked) { try store.value("a") }
        #expect(try store.unlock(secret("wrong one")) != .right(isBelowPolicy: false))
        #expect(store.condition == .locked)
        #expect(try store.verify(secret(StoreFixture.passcode)) == .right(isBelowPolicy: false))
        #expect(store.condition == .locked, "verify leaves the lock state alone")
        #expect(try store.unlock(secret(StoreFixture.passcode)) == .right(isBelowPolicy: false))
        #expect(try store.value("a") == Array("1".utf8))
      }
      withExtendedLifetime(fixture) {}
    }
  }
}
