import PasscodeCore
import PasscodePlatform
import PasscodeStore
import SecretMemory

@testable import PasscodeService

/// A keyring in this process, which counts its calls, and can be out of reach or hang.
final class FakeKeyring: QuickUnlockMethod {
  private struct State {
    var kept: [StoreID: [UInt8]] = [:]
    var obstacle: String?
    var isHanging = false
    var calls = 0
    var waiting = 0
  }

  let kind = SlotKind.keyring
  private let state = Monitor(State())

  init(obstacle: String? = nil) { state.withLock { $0.obstacle = obstacle } }

  var calls: Int { state.withLock { $0.calls } }
  var isEmpty: Bool { state.withLock { $0.kept.isEmpty } }

  /// Puts it out of reach, with the reason; nil: within reach.
  func obstruct(_ obstacle: String?) { state.withLock { $0.obstacle = obstacle } }

  /// Loses all that it keeps, as another tool would have it.
  func lose() { state.withLock { $0.kept = [:] } }

  /// Has every call from now on wait until ``resume()``.
  func hang() { state.withLock { $0.isHanging = true } }

  func resume() { state.broadcast { $0.isHanging = false } }

  /// Returns when a call is waiting.
  func waitForCall() { state.wait { $0.waiting > 0 ? () : nil } }

  // MARK: - QuickUnlockMethod

  func probe() throws(UnlockMethodFault) { try enter() }

  func enroll(for store: StoreID, generation: UInt64) throws(UnlockMethodFault) -> SlotKey {
    try enter()
    let secret = SecureRandom.bytes(32)
    state.withLock { $0.kept[store] = secret }
    return try Self.key(secret)
  }

  func recall(for store: StoreID, generation: UInt64) throws(UnlockMethodFault) -> SlotKey {
    try enter()
    guard let secret = state.withLock({ $0.kept[store] }) else { throw UnlockMethodFault("it is empty") }
    return try Self.key(secret)
  }

  func withdraw(from store: StoreID) throws(UnlockMethodFault) {
    try enter()
    state.withLock { $0.kept[store] = nil }
  }

  private func enter() throws(UnlockMethodFault) {
    state.broadcast {
      $0.calls += 1
      $0.waiting += 1
    }
    state.wait { $0.isHanging ? nil : () }
    let obstacle = state.withLock {
      $0.waiting -= 1
      return $0.obstacle
    }
    if let obstacle { throw UnlockMethodFault(obstacle) }
  }

  private static func key(_ secret: [UInt8]) throws(UnlockMethodFault) -> SlotKey {
    do { return try SlotKey(secret: secret.span) } catch { throw UnlockMethodFault("no memory") }
  }
}

/// The clock of a store, turned together with the daemon's.
struct TurnedStoreClock: StoreClock {
  let clock: TurnedClock

  func now() -> ClockReading {
    var reading = SystemClock().now()
    reading.sinceBoot = clock.clock.sinceBoot()
    reading.wallSeconds = clock.clock.wallSeconds()
    return reading
  }
}
