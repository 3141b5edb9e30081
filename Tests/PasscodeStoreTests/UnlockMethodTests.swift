import PasscodeCore
import PasscodeStore
import SecretMemory
import Synchronization
import Testing

/// A way in that keeps its secret in this process: what a keyring, a TPM or a token would do.
private final class PocketMethod: UnlockMethod {
  let kind = SlotKind.keyring
  let kept = Mutex<(secret: [UInt8], generation: UInt64)?>(nil)
  let isOutOfReach = Mutex(false)

  func enroll(for store: StoreID, generation: UInt64) throws(UnlockMethodFault) -> SlotKey {
    if isOutOfReach.withLock({ $0 }) { throw UnlockMethodFault("the pocket is sewn up") }
    let secret = SecureRandom.bytes(32)
    kept.withLock { $0 = (secret, generation) }
    return try key(secret)
  }

  func recall(for store: StoreID, generation: UInt64) throws(UnlockMethodFault) -> SlotKey {
    guard let kept = kept.withLock({ $0 }) else { throw UnlockMethodFault("the pocket is empty") }
    return try key(kept.secret)
  }

  func withdraw(from store: StoreID) throws(UnlockMethodFault) { kept.withLock { $0 = nil } }

  private func key(_ secret: [UInt8]) throws(UnlockMethodFault) -> SlotKey {
    do { return try SlotKey(secret: secret.span) } catch { throw UnlockMethodFault("no memory") }
  }
}

@Suite struct UnlockMethodTests {
  private func proof(_ store: CredentialStore, _ passcode: String = StoreFixture.passcode) throws -> PasscodeProof {
    switch try store.prove(secret(passcode)) {
    case .right(let proof): return proof
    case .wrong: throw StoreError.locked
    }
  }

  private func fault(_ body: () throws -> Void) -> StoreError? {
    do { try body() } catch { return error as? StoreError }
    return nil
  }

  @Test("another way in unlocks without a try, a derivation or the passcode, until it is taken away")
  func addAndRemove() throws {
    let fixture = try StoreFixture()
    defer { withExtendedLifetime(fixture) {} }
    let store = try fixture.create()
    _ = try store.put("a", "1")
    let method = PocketMethod()
    #expect(try !store.hasSlot(.keyring))
    try store.add(method, try proof(store))
    #expect(try store.hasSlot(.keyring))
    store.lock()
    #expect(try store.unlock(with: method) == .right(isBelowPolicy: false))
    #expect(try store.value("a") == Array("1".utf8))
    store.lock()
    try store.remove(method)
    #expect(try !store.hasSlot(.keyring))
    #expect(throws: StoreError.unlockMethod(UnlockMethodFault("it is not turned on"))) { try store.unlock(with: method) }
    #expect(store.condition == .locked)
  }

  @Test("SC-48: a passcode changed while the other way in is out of reach leaves nothing that the old item opens")
  func changeOutOfReach() throws {
    let fixture = try StoreFixture()
    defer { withExtendedLifetime(fixture) {} }
    let store = try fixture.create()
    let method = PocketMethod()
    try store.add(method, try proof(store))
    method.isOutOfReach.withLock { $0 = true }
    try store.replacePasscode(with: secret("another horse 22"), try proof(store), renewing: [method])
    store.lock()
    #expect(throws: StoreError.unlockMethod(UnlockMethodFault("it is not turned on"))) { try store.unlock(with: method) }
    #expect(try store.unlock(secret("another horse 22")) == .right(isBelowPolicy: false))
  }

  @Test("a change renews the other way in, and what was kept before opens nothing")
  func changeRenews() throws {
    let fixture = try StoreFixture()
    defer { withExtendedLifetime(fixture) {} }
    let store = try fixture.create()
    let method = PocketMethod()
    try store.add(method, try proof(store))
    let stale = PocketMethod()
    let before = method.kept.withLock { $0 }
    stale.kept.withLock { $0 = before }
    try store.replacePasscode(with: secret("another horse 22"), try proof(store), renewing: [method])
    store.lock()
    #expect(throws: StoreError.unlockMethod(UnlockMethodFault("its key does not open this store"))) {
      try store.unlock(with: stale)
    }
    #expect(try store.unlock(with: method) == .right(isBelowPolicy: false))
  }

  @Test("another way in asks for the passcode after its age, after a clock set back, and after the policy has changed")
  func ageAndPolicy() throws {
    let fixture = try StoreFixture()
    defer { withExtendedLifetime(fixture) {} }
    let store = try fixture.create()
    let method = PocketMethod()
    try store.add(method, try proof(store))
    store.lock()
    fixture.clock.pass(seconds: 3601)
    let tooLong = StoreError.unlockMethod(UnlockMethodFault("the passcode was last given too long ago"))
    #expect(throws: tooLong) { try store.unlock(with: method, maximumAgeSeconds: 3600) }
    #expect(try store.unlock(with: method, maximumAgeSeconds: 7200) == .right(isBelowPolicy: false))
    store.lock()
    fixture.clock.change { $0.wallSeconds -= 10_000 }
    let setBack = StoreError.unlockMethod(UnlockMethodFault("the clock was set back since the passcode was last given"))
    #expect(throws: setBack) { try store.unlock(with: method, maximumAgeSeconds: 7200) }
    fixture.clock.change { $0.wallSeconds += 10_000 }
    var stricter = PasscodePolicy()
    stricter.minLength = 9
    store.update(engine: try PolicyEngine(policy: stricter))
    #expect(fault { _ = try store.unlock(with: method) } != nil)
    #expect(try store.unlock(secret(StoreFixture.passcode)) == .right(isBelowPolicy: false))
    store.lock()
    #expect(try store.unlock(with: method) == .right(isBelowPolicy: false))
  }

  @Test("an expired passcode must be changed, whichever way opened the store")
  func expiry() throws {
    let fixture = try StoreFixture()
    defer { withExtendedLifetime(fixture) {} }
    var policy = PasscodePolicy()
    policy.expirationDays = 1
    let store = try fixture.create(policy)
    let method = PocketMethod()
    try store.add(method, try proof(store))
    store.lock()
    fixture.clock.pass(seconds: 2 * 86_400)
    #expect(try store.unlock(with: method) == .mustChange(.expired))
    #expect(throws: StoreError.mustChange(.expired)) { try store.value("a") }
  }

  @Test("SC-62: a recovery key sets a new passcode after the old one was forgotten, and a foreign one opens nothing")
  func recovery() throws {
    let fixture = try StoreFixture()
    defer { withExtendedLifetime(fixture) {} }
    let store = try fixture.create()
    _ = try store.put("a", "1")
    let key = try RecoveryKey.random()
    let printed = try key.printed()
    try store.add(RecoveryMethod(key), try proof(store))
    store.lock()
    let foreign = RecoveryMethod(try RecoveryKey.random())
    #expect(
      fault { _ = try store.prove(with: foreign) } == .unlockMethod(UnlockMethodFault("its key does not open this store")))
    let typed = RecoveryMethod(try RecoveryKey.read(printed.bytes))
    try store.replacePasscode(with: secret("another horse 22"), try store.prove(with: typed))
    #expect(try store.value("a") == Array("1".utf8))
    #expect(try store.verify(secret("another horse 22")) == .right(isBelowPolicy: false))
    guard case .wrong = try store.verify(secret(StoreFixture.passcode)) else {
      Issue.record("the forgotten passcode still counts")
      return
    }
  }

  @Test("an app's flow has a way in as its third step: tried out, turned on with the passcode, turned off")
  func provider() throws {
    let fixture = try StoreFixture()
    defer { withExtendedLifetime(fixture) {} }
    let store = try fixture.create()
    let method = PocketMethod()
    let provider = StoreQuickUnlock(
      method,
      probe: { () throws(UnlockMethodFault) in
        if method.isOutOfReach.withLock({ $0 }) { throw UnlockMethodFault("the pocket is sewn up") }
      }, store: { store })
    #expect(provider.availability == .available && !provider.isEnabled)
    #expect(throws: FlowFailure.self) { try provider.enable(with: secret("another horse 22")) }
    try provider.enable(with: secret(StoreFixture.passcode))
    #expect(provider.isEnabled)
    store.lock()
    #expect(try store.unlock(with: method) == .right(isBelowPolicy: false))
    try provider.disable()
    #expect(!provider.isEnabled && method.kept.withLock { $0 == nil })
    method.isOutOfReach.withLock { $0 = true }
    #expect(provider.availability == .unavailable(.notWorking("the pocket is sewn up")))
    #expect(throws: FlowFailure(code: "quickUnlock", message: "Quick unlock: the pocket is sewn up.")) {
      try provider.enable(with: secret(StoreFixture.passcode))
    }
  }

  @Test("a recovery key that was revoked after it was proved sets no passcode any more")
  func revokedMeanwhile() throws {
    let fixture = try StoreFixture()
    defer { withExtendedLifetime(fixture) {} }
    let store = try fixture.create()
    let method = RecoveryMethod(try RecoveryKey.random())
    try store.add(method, try proof(store))
    let recovered = try store.prove(with: method)
    try store.remove(method)
    let new = try secret("another horse 22")
    var fault: StoreError?
    do throws(StoreError) { try store.replacePasscode(with: new, recovered) } catch { fault = error }
    #expect(fault == .passcodeChanged)
    #expect(try store.verify(secret(StoreFixture.passcode)) == .right(isBelowPolicy: false))
  }

  @Test("a slot that was taken away while the store was locked counts no more once the passcode was given")
  func removedWhileLocked() throws {
    let fixture = try StoreFixture()
    defer { withExtendedLifetime(fixture) {} }
    let store = try fixture.create()
    let method = PocketMethod()
    try store.add(method, try proof(store))
    let kept = method.kept.withLock { $0 }
    store.lock()
    try store.remove(method)
    _ = try store.unlock(secret(StoreFixture.passcode))
    store.lock()
    method.kept.withLock { $0 = kept }
    #expect(fault { _ = try store.unlock(with: method) } != nil)
  }
}
