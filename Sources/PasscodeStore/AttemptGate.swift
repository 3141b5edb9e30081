internal import PasscodeCore
internal import PasscodePlatform

/// Lets one passcode try through at a time: derivations never run beside each other, however many clients guess, and the ledger is
/// never read and written by two.
final class AttemptGate: Sendable {
  /// How many tries may wait; more are told to come back.
  static let waitingLimit = 64

  private struct State {
    var isBusy = false
    var waiting = 0
  }

  private let state = Monitor(State())

  /// Whether nobody is inside.
  var isFree: Bool { state.withLock { !$0.isBusy } }

  /// How many wait.
  var waiting: Int { state.withLock { $0.waiting } }

  /// Runs `body` as the only one.
  ///
  /// - Parameter always: waits in any case, for what is half done and must not be left so.
  /// - Throws: `busy` where too many wait already; what `body` throws.
  func run<R: ~Copyable>(always: Bool = false, _ body: () throws(StoreError) -> R) throws(StoreError) -> R {
    let enters = state.withLock { (state: inout State) -> Bool in
      guard always || state.waiting < Self.waitingLimit else { return false }
      state.waiting += 1
      return true
    }
    guard enters else { throw .busy }
    state.wait { (state: inout State) -> Void? in
      guard !state.isBusy else { return nil }
      state.isBusy = true
      state.waiting -= 1
      return ()
    }
    defer { state.signal { $0.isBusy = false } }
    return try body()
  }
}
