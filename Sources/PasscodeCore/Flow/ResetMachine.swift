/// The way out of a forgotten passcode: the store's id is typed, then the store is set aside or erased.
///
/// No passcode is asked for, so nothing is opened; the typed id keeps it from happening by one slip.
package enum ResetMachine: FlowMachine {
  /// Where the flow stands.
  package enum State: Hashable, Sendable {
    /// The store's id is asked for.
    case confirm
    /// The driver has the store reset. Too late for a cancel.
    case resetting
    /// The store is set aside or erased.
    case finished
    /// It could not be done.
    case failed
    /// The person gave up; the store is as it was.
    case cancelled
  }

  /// What a person did, or what an effect resulted in.
  package enum Event: Hashable, Sendable {
    /// An id was typed, with the way that was chosen.
    case confirmed(isStoreID: Bool, manner: ResetManner)
    /// Result of `reset`: it is done.
    case done
    /// Result of `reset`: it could not be done.
    case failed
    /// The person gives up.
    case cancel
  }

  /// What the driver has to do.
  package enum Effect: Hashable, Sendable {
    /// Reset the store.
    case reset(ResetManner)
    /// Turn quick unlock off, so that no item of the old store stays in the keyring.
    case disableQuickUnlock
    /// Tell the app that the person gave up.
    case tellCancelled
    /// Refuse the event.
    case refuse(FlowRefusal)
  }

  package static let start = State.confirm

  package static func isEnd(_ state: State) -> Bool {
    switch state {
    case .confirm, .resetting: false
    case .finished, .failed, .cancelled: true
    }
  }

  package static func next(_ state: State, _ event: Event) -> (State, [Effect]) {
    switch (state, event) {
    case (_, _) where isEnd(state): (state, [.refuse(.ended)])
    case (.confirm, .confirmed(isStoreID: true, let manner)): (.resetting, [.reset(manner)])
    case (.confirm, .confirmed(isStoreID: false, _)): (.confirm, [])
    case (.confirm, .cancel): (.cancelled, [.tellCancelled])
    case (.resetting, .done): (.finished, [.disableQuickUnlock])
    case (.resetting, .failed): (.failed, [])
    default: (state, [.refuse(.notNow)])
    }
  }
}

/// How a store is reset.
public enum ResetManner: Hashable, Sendable, CaseIterable {
  /// The sealed file is kept for a while and can be taken back with its passcode.
  case setAside
  /// The slots are overwritten: nobody opens it again.
  case erase
}
