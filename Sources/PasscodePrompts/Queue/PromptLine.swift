/// Who waits for which prompt, in order of arrival: one place for each subject, and only the first is ever shown.
///
/// Pure; the queue's lock is around it. Operations are O(places + waiters), which are few.
struct PromptLine<Subject: Hashable> {
  private struct Place {
    let subject: Subject
    /// In order of arrival, all of whom share the outcome.
    var waiters: [UInt64]
    /// The waiter in whose surroundings it is shown; he may have left.
    var shownFor: UInt64?
    /// The last waiter left while it was shown: it is ending, and nobody may join it.
    var isAbandoned = false
  }

  private var places: [Place] = []
  private var lastID: UInt64 = 0

  /// How many wait.
  var waiterCount: Int { places.reduce(0) { $0 + $1.waiters.count } }

  /// Whether a prompt is shown.
  var isShowing: Bool { places.first?.shownFor != nil }

  /// Adds a waiter: to those who wait for the same, else at the end.
  mutating func join(_ subject: Subject) -> UInt64 {
    lastID += 1
    if let index = places.firstIndex(where: { $0.subject == subject && !$0.isAbandoned }) {
      places[index].waiters.append(lastID)
    } else {
      places.append(Place(subject: subject, waiters: [lastID]))
    }
    return lastID
  }

  /// Takes a waiter away.
  ///
  /// - Returns: true where nobody is left for the prompt that is shown: it has to be ended.
  mutating func leave(_ waiter: UInt64) -> Bool {
    guard let index = places.firstIndex(where: { $0.waiters.contains(waiter) }) else { return false }
    places[index].waiters.removeAll { $0 == waiter }
    guard places[index].waiters.isEmpty else { return false }
    guard places[index].shownFor != nil else {
      places.remove(at: index)
      return false
    }
    places[index].isAbandoned = true
    return true
  }

  /// Takes everybody away who waits in line for one of these subjects; a prompt that is shown goes on.
  ///
  /// - Returns: who waited.
  mutating func leave(where isOver: (Subject) -> Bool) -> [UInt64] {
    let over = places.filter { $0.shownFor == nil && isOver($0.subject) }.flatMap(\.waiters)
    places.removeAll { $0.shownFor == nil && isOver($0.subject) }
    return over
  }

  /// Takes everybody away.
  ///
  /// - Returns: who waited; a prompt that is shown has to be ended.
  mutating func leaveAll() -> [UInt64] {
    let waiters = places.flatMap(\.waiters)
    places.removeAll { $0.shownFor == nil }
    for index in places.indices {
      places[index].waiters = []
      places[index].isAbandoned = true
    }
    return waiters
  }

  /// Shows the first place.
  ///
  /// - Returns: the waiter in whose surroundings it is shown, or nil where nobody waits.
  /// - Precondition: nothing is shown.
  mutating func show() -> UInt64? {
    precondition(!isShowing, "one prompt at a time")
    guard let waiter = places.first?.waiters.first else { return nil }
    places[0].shownFor = waiter
    return waiter
  }

  /// Ends what is shown.
  ///
  /// - Parameter isShared: whether the outcome is for all who wait; else only for the waiter that it was shown for, and the
  ///   others stay at the front.
  /// - Returns: who is given the outcome.
  /// - Precondition: a prompt is shown.
  mutating func finish(isShared: Bool) -> [UInt64] {
    guard let shown = places.first?.shownFor else { preconditionFailure("no prompt is shown") }
    let given = isShared ? places[0].waiters : places[0].waiters.filter { $0 == shown }
    places[0].waiters.removeAll { given.contains($0) }
    places[0].shownFor = nil
    if places[0].waiters.isEmpty { places.removeFirst() }
    return given
  }
}
