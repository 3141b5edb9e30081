internal import Synchronization

/// How many lines a minute clients can bring about in the log, so that none fills the disk.
final class LogBudget: Sendable {
  /// The most lines in a minute.
  static let limit = 30

  /// What becomes of a line.
  enum Outcome {
    case noted
    /// It is the last one of this minute.
    case lastNoted
    case leftOut
  }

  private struct State {
    var minute: UInt64 = 0
    var count = 0
  }

  private let state = Mutex(State())
  private let clock: ServiceClock

  init(clock: ServiceClock) { self.clock = clock }

  func spend() -> Outcome {
    let minute = clock.sinceBoot() / 60_000_000_000
    return state.withLock { state in
      if state.minute != minute { state = State(minute: minute) }
      state.count += 1
      if state.count == Self.limit { return .lastNoted }
      return state.count < Self.limit ? .noted : .leftOut
    }
  }
}
