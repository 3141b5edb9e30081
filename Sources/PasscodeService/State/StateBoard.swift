internal import PasscodePlatform

/// Tells those who watch the store's state that it may have changed.
final class StateBoard: Sendable {
  private struct State {
    var generation: UInt64 = 0
    var isStopped = false
  }

  /// Why a wait has ended.
  enum News {
    /// Something has changed since.
    case changed(UInt64)
    /// Nothing has; look whether anybody still watches.
    case nothing
    /// The daemon ends.
    case stopped
  }

  private let state = Monitor(State())

  /// The number of changes so far.
  var generation: UInt64 { state.withLock { $0.generation } }

  /// The state has changed, or may have.
  func change() { state.broadcast { $0.generation += 1 } }

  /// Nobody shall wait any more.
  func stop() { state.broadcast { $0.isStopped = true } }

  /// Waits for a change after `seen`, at most for `limit`.
  func wait(after seen: UInt64, within limit: Duration) -> News {
    state.wait(within: limit) { (state) -> News? in
      if state.isStopped { return .stopped }
      return state.generation != seen ? .changed(state.generation) : nil
    } ?? .nothing
  }
}
