import PasscodeCore
import PasscodePlatform
import SecretMemory
import TestSupport
import Testing

@testable import PasscodeStore

/// A way in that can be stopped in the middle of a call, and notes what it keeps.
private final class SlowMethod: UnlockMethod {
  private struct State {
    var kept: [UInt8]?
    var isHanging = false
    var waiting = 0
    var calls = 0
  }

  let kind = SlotKind.keyring
  private let state = Monitor(State())

  var isEmpty: Bool { state.withLock { $0.kept == nil } }
  var calls: Int { state.withLock { $0.calls } }

  func hang() { state.withLock { $0.isHanging = true } }
  func resume() { state.broadcast { $0.isHanging = false } }
  func waitForCall() { state.wait { $0.waiting > 0 ? () : nil } }

  func enroll(for store: StoreID, generation: UInt64) throws(UnlockMethodFault) -> SlotKey {
    // Kept first: a caller that breaks off here leaves it behind.
    let secret = SecureRandom.bytes(32)
    state.withLock { $0.kept = secret }
    enter()
    return try Self.key(secret)
  }

  func recall(for store: StoreID, generation: UInt64) throws(UnlockMethodFault) -> SlotKey {
    enter()
    guard let secret = state.withLock({ $0.kept }) else { throw UnlockMethodFault("it is empty") }
    return try Self.key(secret)
  }

  func withdraw(from store: StoreID) throws(UnlockMethodFault) {
    enter()
    state.withLock { $0.kept = nil }
  }

  private func enter() {
    state.broadcast {
      $0.calls += 1
      $0.waiting += 1
    }
    state.wait { $0.isHanging ? nil : () }
    state.withLock { $0.waiting -= 1 }
  }

  private static func key(_ secret: [UInt8]) throws(UnlockMethodFault) -> SlotKey {
    do { return try SlotKey(secret: secret.span) } catch { throw UnlockMethodFault("no memory") }
  }
}

/// What a method keeps and the store's slot belong together, whoever comes between; and nobody waits for a method who need not.
@Suite struct MethodTurnTests {
  private let fixture: StoreFixture
  private let store: CredentialStore
  private let method = SlowMethod()
  private let new = "another horse 22"

  init() throws {
    fixture = try StoreFixture()
    store = try fixture.create()
  }

  private func turnOn() throws {
    switch try store.prove(secret(StoreFixture.passcode)) {
    case .right(let proof): try store.add(method, proof)
    case .wrong: throw TestFailure("wrong passcode")
    }
  }

  /// What a call on a thread of its own comes to: nil, or its error.
  private func background(
    _ body: @escaping @Sendable (CredentialStore, SlowMethod) throws(StoreError) -> Void
  ) -> Background<StoreError?> {
    Background { [store, method] in
      do throws(StoreError) { try body(store, method) } catch { return error }
      return nil
    }
  }

  private static func passcode(_ text: String) -> SecretBytes {
    do { return try secret(text) } catch { preconditionFailure("no memory") }
  }

  @Test("SC-45: a method that hangs while it is renewed holds up no passcode")
  func renewalOutsideTheGate() throws {
    defer { withExtendedLifetime(fixture) {} }
    try turnOn()
    method.hang()
    let unlock = background { (store, method) throws(StoreError) in
      _ = try store.unlock(Self.passcode(StoreFixture.passcode), renewing: [method])
    }
    method.waitForCall()
    #expect(store.condition == .unlocked)
    #expect(try store.verify(secret(StoreFixture.passcode)) == .right(isBelowPolicy: false))
    try store.guess()
    // A second one does not wait for the same.
    let calls = method.calls
    #expect(try store.unlock(secret(StoreFixture.passcode), renewing: [method]) == .right(isBelowPolicy: false))
    #expect(method.calls == calls)
    store.lock()
    #expect(unlock.finished == nil)
    method.resume()
    #expect(unlock.value() == nil)
    #expect(store.condition == .locked)
    #expect(try store.unlock(with: method) == .right(isBelowPolicy: false))
  }

  @Test("SC-63: taken away while it is renewed, added or put back, it is off and nothing is kept", arguments: 0..<3)
  func removedMeanwhile(kind: Int) throws {
    defer { withExtendedLifetime(fixture) {} }
    if kind != 1 { try turnOn() }
    method.hang()
    let new = new
    let work = background { (store, method) throws(StoreError) in
      switch kind {
      case 0: _ = try store.unlock(Self.passcode(StoreFixture.passcode), renewing: [method])
      case 1:
        if case .right(let proof) = try store.prove(Self.passcode(StoreFixture.passcode)) { try store.add(method, proof) }
      default:
        if case .right(let proof) = try store.prove(Self.passcode(StoreFixture.passcode)) {
          try store.replacePasscode(with: Self.passcode(new), proof, renewing: [method])
        }
      }
    }
    method.waitForCall()
    let removal = background { (store, method) throws(StoreError) in try store.remove(method) }
    while store.turns.removals(of: .keyring) == 0 {}
    method.resume()
    #expect(work.value() == nil && removal.value() == nil)
    #expect(try !store.hasSlot(.keyring))
    #expect(method.isEmpty)
  }

  @Test("SC-63: what was left behind without a slot is removed when the way in is taken away")
  func leftBehind() throws {
    defer { withExtendedLifetime(fixture) {} }
    _ = try method.enroll(for: store.id, generation: 7)
    try store.remove(method)
    #expect(method.isEmpty)
  }

  @Test("a proof notes when the passcode was given and the policy that it was judged by")
  func proofNotes() throws {
    defer { withExtendedLifetime(fixture) {} }
    store.lock()
    var stricter = PasscodePolicy()
    stricter.minLength = 9
    store.update(engine: try PolicyEngine(policy: stricter))
    fixture.clock.pass(seconds: 7200)
    try turnOn()
    #expect(store.condition == .locked)
    #expect(try store.unlock(with: method, maximumAgeSeconds: 3600) == .right(isBelowPolicy: false))
  }
}

/// A clock that does something when it is looked at: in the middle of a try.
private final class TrippedClock: StoreClock {
  private let clock = TestClock()
  private let action = Monitor<(@Sendable () -> Void)?>(nil)

  func trip(_ body: @escaping @Sendable () -> Void) { action.withLock { $0 = body } }

  func now() -> ClockReading {
    action.withLock { $0.take() }?()
    return clock.now()
  }
}

/// Whoever locks finds the store locked, and not opened again by what began before.
@Suite struct LockedMeanwhileTests {
  private let fixture: StoreFixture
  private let store: CredentialStore
  private let clock = TrippedClock()

  init() throws {
    fixture = try StoreFixture()
    store = try CredentialStore.create(
      at: fixture.path, passcode: secret(StoreFixture.passcode), engine: PolicyEngine(policy: PasscodePolicy()),
      options: StoreOptions(clock: clock, derivation: .floor))
  }

  @Test("SC-51: locked in the middle of a try the store stays locked, right as the passcode was", arguments: [true, false])
  func whileTrying(wasOpen: Bool) throws {
    defer { withExtendedLifetime(fixture) {} }
    if !wasOpen { store.lock() }
    clock.trip { [store] in store.lock() }
    #expect(throws: StoreError.locked) { try store.unlock(secret(StoreFixture.passcode)) }
    #expect(store.condition == .locked)
    #expect(try store.attempts().triesRemaining == 10)
    #expect(try store.unlock(secret(StoreFixture.passcode)) == .right(isBelowPolicy: false))
  }

  @Test("SC-51: a try that waited for its turn when the store was locked is not made, and costs nothing")
  func whileWaiting() throws {
    defer { withExtendedLifetime(fixture) {} }
    let isHeld = Monitor(true)
    let holder = Background { [store] in
      try? store.gate.run { isHeld.wait { $0 ? nil : () } }
    }
    while store.gate.isFree {}
    let waiting = Background { [store] () -> StoreError? in
      guard let wrong = try? secret("no such passcode") else { return nil }
      do throws(StoreError) { _ = try store.unlock(wrong) } catch { return error }
      return nil
    }
    while store.gate.waiting == 0 {}
    store.lock()
    isHeld.broadcast { $0 = false }
    #expect(waiting.value() == .locked)
    _ = holder.value()
    #expect(try store.attempts().triesRemaining == 10)
  }

  @Test("a change that was under way counts, and leaves the store locked")
  func whileChanging() throws {
    defer { withExtendedLifetime(fixture) {} }
    let new = try secret("another horse 22")
    guard case .right(let proof) = try store.prove(secret(StoreFixture.passcode)) else { throw TestFailure("wrong passcode") }
    let before = store.vault.lockCount
    clock.trip { [store] in
      // It waits for the change.
      _ = startThread { store.lock() }
      while store.vault.lockCount == before {}
    }
    try store.replacePasscode(with: new, proof)
    #expect(store.condition == .locked)
    #expect(try store.unlock(new) == .right(isBelowPolicy: false))
  }
}
