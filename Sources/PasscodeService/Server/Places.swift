internal import PasscodePlatform

/// Counts who holds something that there is little of, such as memory for large messages, so that a few clients can't use it up.
final class Places: Sendable {
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
    private let places: Places

    fileprivate init(of places: Places) { self.places = places }

    deinit { places.held.signal { $0 -= 1 } }
  }
}
