/// One passcode, tried until it is right, the store closes the door, or the person gives up.
///
/// Counting and charging are the store's: a machine that counted could be started anew.
package enum VerifyMachine: FlowMachine {
  /// Where the flow stands.
  package enum State: Hashable, Sendable {
    /// The passcode is asked for.
    case match
    /// The driver has it tried. Too late for a cancel: the try is charged already.
    case trying
    /// It was the right one.
    case finished
    /// It was the right one, and has to be changed before it is of use.
    case mustChange
    /// No try is taken now.
    case lockedOut
    /// That was the last wrong try: the store is gone.
    case erased
    /// It could not be tried, for a reason that is not the passcode's.
    case failed
    /// The person gave up.
    case cancelled
    /// The person has forgotten the passcode and asks for a reset.
    case resetAsked
  }

  /// What a person did, or what an effect resulted in.
  package enum Event: Hashable, Sendable {
    /// A text was entered.
    case entered
    /// What was entered is no text that a passcode can be made of.
    case unreadable
    /// Result of `tryPasscode`.
    case tried(TryResult)
    /// The person gives up.
    case cancel
    /// The person asks for a reset.
    case askReset
  }

  /// What the driver has to do.
  package enum Effect: Hashable, Sendable {
    /// Have the entry tried.
    case tryPasscode
    /// Wipe the entry.
    case wipe
    /// Tell the app that the person gave up.
    case tellCancelled
    /// Tell the app that a reset is asked for.
    case tellResetAsked
    /// Refuse the event.
    case refuse(FlowRefusal)
  }

  package static let start = State.match

  package static func isEnd(_ state: State) -> Bool {
    switch state {
    case .match, .trying: false
    case .finished, .mustChange, .lockedOut, .erased, .failed, .cancelled, .resetAsked: true
    }
  }

  package static func next(_ state: State, _ event: Event) -> (State, [Effect]) {
    switch (state, event) {
    case (_, _) where isEnd(state): (state, [.refuse(.ended)])
    case (.match, .entered): (.trying, [.tryPasscode])
    case (.match, .unreadable): (.match, [.wipe])
    case (.match, .cancel): (.cancelled, [.wipe, .tellCancelled])
    case (.match, .askReset): (.resetAsked, [.wipe, .tellResetAsked])
    case (.trying, .tried(let result)): (after(result), [.wipe])
    default: (state, [.refuse(.notNow)])
    }
  }

  private static func after(_ result: TryResult) -> State {
    switch result {
    case .right: .finished
    case .mustChange: .mustChange
    case .wrong, .untried: .match
    case .lockedOut: .lockedOut
    case .erased: .erased
    case .failed: .failed
    }
  }
}

/// What became of a try, without its facts.
package enum TryResult: Hashable, Sendable, CaseIterable {
  /// The right passcode.
  case right
  /// The right passcode, which has to be changed.
  case mustChange
  /// A wrong passcode, charged by the store.
  case wrong
  /// Turned away without a try.
  case untried
  /// No try is taken now.
  case lockedOut
  /// A wrong passcode, and the store is gone.
  case erased
  /// It could not be tried.
  case failed
}
