internal import PasscodePlatform

/// Counts who holds a large message in memory, so that a few clients can't use up all of what can be locked.
final class LargeMessages: Sendable {
  private let held = Monitor(0)
  private let limit: Int

  init(limit: Int) { self.limit = limit }

  /// Takes a place, waiting for one at most this long.
  ///
  /// - Returns: nil where all are taken; the place is given back when its owner ends.
  func take(within wait: Duration = .seconds(5)) -> Place? {
    let isTaken: Void? = held.wait(within: wait) { [limit] held in
      guard held < limit else { return nil }
      held += 1
      return ()
    }
    return isTaken == nil ? nil : Place(of: self)
  }

  struct Place: ~Copyable {
    private let messages: LargeMessages

    fileprivate init(of messages: LargeMessages) { self.messages = messages }

    deinit { messages.held.signal { $0 -= 1 } }
  }
}
