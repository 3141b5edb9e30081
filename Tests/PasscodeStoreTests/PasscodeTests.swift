import PasscodeCore
import SecretMemory
import TestSupport
import Testing

@testable import PasscodeStore

@Suite struct PasscodeTests {
  @Test("SC-61: a policy made stricter asks for a change at the next unlock, and the store is open for that only")
  func stricter() throws {
    try withStore { fixture, store in
      _ = try store.put("a", "1")
      var policy = PasscodePolicy()
      policy.minLength = 20
      store.update(engine: try PolicyEngine(policy: policy))
      // An open store stays open; the next unlock judges.
      #expect(try store.value("a") == Array("1".utf8))
      store.lock()
      #expect(try store.verify(secret(StoreFixture.passcode)) == .mustChange(.belowPolicy))
      #expect(store.condition == .locked)
      #expect(try store.unlock(secret(StoreFixture.passcode)) == .mustChange(.belowPolicy))
      #expect(store.condition == .mustChange(.belowPolicy))
      #expect(throws: StoreError.mustChange(.belowPolicy)) { try store.value("a") }
      #expect(throws: StoreError.mustChange(.belowPolicy)) { try store.put("b", "2") }
      #expect(try store.attempts().triesRemaining == 10, "that was no wrong try")
      try store.changePasscode(to: "a passcode of over twenty")
      #expect(store.condition == .unlocked)
      #expect(try store.value("a") == Array("1".utf8))
      store.lock()
      #expect(try store.unlock(secret("a passcode of over twenty")) == .right(isBelowPolicy: false))
      withExtendedLifetime(fixture) {}
    }
  }

  @Test("SC-61: where the policy only warns, the store opens and says so")
  func warning() throws {
    try withStore { fixture, store in
      var policy = PasscodePolicy()
      policy.minLength = 20
      policy.onTightenedPolicy = .warn
      store.update(engine: try PolicyEngine(policy: policy))
      store.lock()
      #expect(try store.unlock(secret(StoreFixture.passcode)) == .right(isBelowPolicy: true))
      #expect(store.condition == .unlocked)
      withExtendedLifetime(fixture) {}
    }
  }

  @Test("a passcode expires to the second, a clock set back does not expire it, and a change sets it anew")
  func expiry() throws {
    var policy = PasscodePolicy()
    policy.expirationDays = 30
    try withStore(policy) { fixture, store in
      fixture.clock.change { $0.wallSeconds += 30 * 86_400 - 1 }
      #expect(try store.unlock(secret(StoreFixture.passcode)) == .right(isBelowPolicy: false))
      fixture.clock.change { $0.wallSeconds += 1 }
      #expect(try store.unlock(secret(StoreFixture.passcode)) == .mustChange(.expired))
      fixture.clock.change { $0.wallSeconds -= 400 * 86_400 }
      #expect(try store.verify(secret(StoreFixture.passcode)) == .right(isBelowPolicy: false))
      fixture.clock.change { $0.wallSeconds += 500 * 86_400 }
      try store.changePasscode(to: StoreFixture.otherPasscode)
      #expect(try store.verify(secret(StoreFixture.otherPasscode)) == .right(isBelowPolicy: false))
    }
  }

  @Test("the last passcodes can't come back, as many as the policy says, the one in force never")
  func history() throws {
    var policy = PasscodePolicy()
    policy.historyDepth = 2
    try withClosedStore(policy) { fixture in
      let passcodes = ["passcode number 0", "passcode number 1", "passcode number 2", "passcode number 3"]
      do {
        let store = try fixture.open(policy)
        try store.changePasscode(to: passcodes[0])
        for index in 1..<4 { try store.changePasscode(from: passcodes[index - 1], to: passcodes[index]) }
        try store.close()
        withExtendedLifetime(store) {}
      }
      let store = try fixture.open(policy)
      guard case .right(let proof) = try store.prove(secret(passcodes[3])) else { throw TestFailure("wrong") }
      #expect(try passcodes.map { try store.isReuse(of: secret($0), proof) } == [false, true, true, true])
      // Kept beyond what is asked for today, and asked for as today's policy says.
      policy.historyDepth = 4
      store.update(engine: try PolicyEngine(policy: policy))
      #expect(try store.isReuse(of: secret(passcodes[0]), proof))
      #expect(try store.isReuse(of: secret(StoreFixture.passcode), proof))
      policy.historyDepth = 0
      store.update(engine: try PolicyEngine(policy: policy))
      #expect(try !store.isReuse(of: secret(passcodes[2]), proof))
      #expect(try store.isReuse(of: secret(passcodes[3]), proof))
    }
  }

  @Test("café in one form is the same passcode, and the same earlier passcode, in the other")
  func normalForms() throws {
    var policy = PasscodePolicy()
    policy.historyDepth = 1
    let (composed, decomposed) = ("caf\u{E9} au lait", "cafe\u{301} au lait")
    let fixture = try StoreFixture()
    defer { withExtendedLifetime(fixture) {} }
    let store = try fixture.create(policy, passcode: composed)
    #expect(try store.unlock(secret(decomposed)) == .right(isBelowPolicy: false))
    try store.changePasscode(from: decomposed, to: StoreFixture.otherPasscode)
    guard case .right(let proof) = try store.prove(secret(StoreFixture.otherPasscode)) else { throw TestFailure("wrong") }
    #expect(try store.isReuse(of: secret(composed), proof) && store.isReuse(of: secret(decomposed), proof))
  }

  @Test("of two who have proved the same passcode, only the first one changes it")
  func staleProof() throws {
    try withStore { fixture, store in
      let third = try secret("a third passcode")
      guard case .right(let first) = try store.prove(secret(StoreFixture.passcode)),
        case .right(let second) = try store.prove(secret(StoreFixture.passcode))
      else { throw TestFailure("wrong") }
      try store.replacePasscode(with: secret(StoreFixture.otherPasscode), first)
      var failure: StoreError?
      do throws(StoreError) { try store.replacePasscode(with: third, second) } catch { failure = error }
      #expect(failure == .passcodeChanged)
      #expect(try store.proves(StoreFixture.otherPasscode))
      withExtendedLifetime(fixture) {}
    }
  }

  @Test("a change writes the same bytes at 10 credentials and at 5,000: one slot row")
  func changeCost() throws {
    try withStore(withFaults: true) { fixture, store in
      let faults = try #require(fixture.faults)
      func put(_ range: Range<Int>) throws {
        let writers = (0..<16).map { thread in
          Background { () -> (any Error)? in
            do { for index in range where index % 16 == thread { _ = try store.put("f\(index % 7)/\(index)", "value") } } catch
            {
              return error
            }
            return nil
          }
        }
        for writer in writers { if let error = writer.value() { throw error } }
      }
      func cost() throws -> UInt64 {
        guard case .right(let proof) = try store.prove(secret(StoreFixture.passcode)) else { throw TestFailure("wrong") }
        try store.storage.checkpoint()
        let before = faults.bytesWritten
        try store.replacePasscode(with: secret(StoreFixture.passcode), proof)
        return faults.bytesWritten - before
      }
      try put(0..<10)
      let small = try cost()
      try put(10..<5000)
      let large = try cost()
      #expect(small == large)
      #expect(small < 64 << 10)
      #expect(try store.value("f3/4994") == Array("value".utf8))
    }
  }

  @Test("a device key is made where the policy wants one; without it, or with another, no try is charged")
  func deviceKey() throws {
    var policy = PasscodePolicy()
    policy.deviceKey = true
    try withClosedStore(policy) { fixture in
      let keyPath = fixture.directory.file("device.key")
      let key = try content(keyPath)
      #expect(key.count == 32)
      let store = try fixture.open(policy)
      for wrong in [nil, [UInt8](repeating: 3, count: 32), Array(key.dropLast()), key + [0]] as [[UInt8]?] {
        remove(keyPath)
        if let wrong { try overwrite(keyPath, wrong) }
        #expect(throws: StoreError.deviceKeyMissing) { try store.verify(secret(StoreFixture.passcode)) }
      }
      #expect(try store.attempts().triesRemaining == 10)
      remove(keyPath)
      try overwrite(keyPath, key)
      #expect(try store.verify(secret(StoreFixture.passcode)) == .right(isBelowPolicy: false))
      // A change under a policy that does not ask for one takes no protection away.
      store.update(engine: try PolicyEngine(policy: PasscodePolicy()))
      try store.changePasscode(to: StoreFixture.otherPasscode)
      remove(keyPath)
      #expect(throws: StoreError.deviceKeyMissing) { try store.verify(secret(StoreFixture.otherPasscode)) }
    }
  }

  @Test("a new passcode is never derived more cheaply than the one it replaces")
  func costStays() throws {
    let fixture = try StoreFixture()
    defer { withExtendedLifetime(fixture) {} }
    let dear = try #require(Argon2Parameters(passes: 3, memoryKiB: 24 << 10))
    var options = fixture.options
    options.derivation = dear
    let engine = try PolicyEngine(policy: PasscodePolicy())
    try close(
      try CredentialStore.create(at: fixture.path, passcode: secret(StoreFixture.passcode), engine: engine, options: options))
    let store = try fixture.open()
    try store.changePasscode(to: StoreFixture.otherPasscode)
    let slot = try #require(Slot(try store.storage.slotRows()[0], of: store.id))
    guard case .argon2id(let parameters, _, _) = slot.header.derivation else { throw TestFailure("not Argon2id") }
    #expect(parameters == dear)
    #expect(slot.header.generation == 2)
  }

  @Test("a store that needs more memory than there is says so: no wrong passcode, no try charged")
  func outOfMemory() async throws {
    let fixture = try StoreFixture()
    defer { withExtendedLifetime(fixture) {} }
    var options = fixture.options
    options.derivation = Argon2Parameters(passes: 2, memoryKiB: 512 << 10)
    let engine = try PolicyEngine(policy: PasscodePolicy())
    try close(
      try CredentialStore.create(at: fixture.path, passcode: secret(StoreFixture.passcode), engine: engine, options: options))
    let path = fixture.path
    await #expect(processExitsWith: .success) { [path = path as String] in
      let store = try CredentialStore.open(
        at: path, engine: PolicyEngine(policy: PasscodePolicy()), options: StoreOptions(clock: TestClock()))
      let limit = try limitAddressSpace(toMoreMiB: 300)
      #expect(throws: StoreError.outOfMemory(neededKiB: 512 << 10)) { try store.unlock(secret(StoreFixture.passcode)) }
      #expect(try store.attempts().triesRemaining == 10)
      try restoreAddressSpace(limit)
      #expect(try store.unlock(secret(StoreFixture.passcode)) == .right(isBelowPolicy: false))
    }
  }
}
