/// Current → new → confirm → commit: how a passcode is replaced.
///
/// `commit` follows only on a current passcode that the store took and a new one that met the policy, is not the current or an
/// earlier one, and was entered twice. The quick-unlock choice stays as it is: it is not asked about.
package enum ChangeMachine: FlowMachine {
  /// Where the flow stands.
  package enum State: Hashable, Sendable {
    /// The current passcode is asked for.
    case current
    /// The driver has the current passcode tried. Too late for a cancel: the try is charged already.
    case tryingCurrent
    /// The new passcode is asked for.
    case enter
    /// The driver judges the new passcode.
    case judging
    /// The new passcode is asked for again.
    case confirm
    /// The driver compares the two entries.
    case comparing
    /// The driver hands both passcodes over. Too late for a cancel: the new one may be in force already.
    case committing
    /// The new passcode is in force.
    case finished
    /// No try of the current passcode is taken now; nothing was changed.
    case lockedOut
    /// That was the last wrong try of the current passcode: the store is gone.
    case erased
    /// It could not be done, for a reason that is not the passcode's; the current one is in force.
    case failed
    /// The person gave up; the current passcode is in force.
    case cancelled
    /// The person has forgotten the current passcode and asks for a reset.
    case resetAsked
  }

  /// What a person did, or what an effect resulted in.
  package enum Event: Hashable, Sendable {
    /// A text was entered.
    case entered
    /// What was entered is no text that a passcode can be made of.
    case unreadable
    /// Result of `tryCurrent`.
    case tried(TryResult)
    /// Result of `judge`.
    case judged(isMet: Bool)
    /// Result of `compare`.
    case compared(isEqual: Bool)
    /// Result of `judge`: it could not be found out.
    case failed
    /// Result of `commit`, which tries the current passcode once more.
    case committed(TryResult)
    /// The person gives up.
    case cancel
    /// The person asks for a reset.
    case askReset
  }

  /// What the driver has to do.
  package enum Effect: Hashable, Sendable {
    /// Have the entry tried as the current passcode, and keep it.
    case tryCurrent
    /// Judge the entry, which becomes the candidate: the policy, then that it is neither the current passcode nor an earlier one.
    case judge
    /// Compare the entry with the candidate.
    case compare
    /// Hand the current passcode and the candidate over.
    case commit
    /// Renew quick unlock where it is on. Its failure is reported, and the new passcode is in force all the same.
    case keepQuickUnlock
    /// Wipe the candidate and the entry, and keep the current passcode.
    case wipeCandidate
    /// Wipe everything.
    case wipe
    /// Tell the app that the person gave up.
    case tellCancelled
    /// Tell the app that a reset is asked for.
    case tellResetAsked
    /// Refuse the event.
    case refuse(FlowRefusal)
  }

  package static let start = State.current
  /// Where a change begins whose current passcode is forgotten: another way in was proved in its place.
  package static let startOfRecovery = State.enter

  package static func isEnd(_ state: State) -> Bool {
    switch state {
    case .current, .tryingCurrent, .enter, .judging, .confirm, .comparing, .committing: false
    case .finished, .lockedOut, .erased, .failed, .cancelled, .resetAsked: true
    }
  }

  package static func next(_ state: State, _ event: Event) -> (State, [Effect]) {
    switch (state, event) {
    case (_, _) where isEnd(state): (state, [.refuse(.ended)])
    case (.current, .entered): (.tryingCurrent, [.tryCurrent])
    case (.current, .unreadable): (.current, [.wipe])
    case (.current, .askReset): (.resetAsked, [.wipe, .tellResetAsked])
    case (.tryingCurrent, .tried(let result)): afterTry(result)
    case (.enter, .entered): (.judging, [.judge])
    case (.enter, .unreadable), (.confirm, .unreadable): (.enter, [.wipeCandidate])
    case (.judging, .judged(isMet: true)): (.confirm, [])
    case (.judging, .judged(isMet: false)): (.enter, [.wipeCandidate])
    case (.confirm, .entered): (.comparing, [.compare])
    case (.comparing, .compared(isEqual: true)): (.committing, [.commit])
    case (.comparing, .compared(isEqual: false)): (.enter, [.wipeCandidate])
    case (.judging, .failed): (.failed, [.wipe])
    case (.committing, .committed(let result)): afterCommit(result)
    case (.committing, .cancel), (.tryingCurrent, .cancel): (state, [.refuse(.notNow)])
    case (_, .cancel): (.cancelled, [.wipe, .tellCancelled])
    default: (state, [.refuse(.notNow)])
    }
  }

  private static func afterTry(_ result: TryResult) -> (State, [Effect]) {
    switch result {
    // A passcode that must be changed is why one comes here.
    case .right, .mustChange: (.enter, [])
    case .wrong, .untried: (.current, [.wipe])
    case .lockedOut: (.lockedOut, [.wipe])
    case .erased: (.erased, [.wipe])
    case .failed: (.failed, [.wipe])
    }
  }

  private static func afterCommit(_ result: TryResult) -> (State, [Effect]) {
    switch result {
    case .right, .mustChange: (.finished, [.keepQuickUnlock, .wipe])
    case .untried: (.enter, [.wipeCandidate])
    case .lockedOut: (.lockedOut, [.wipe])
    case .erased: (.erased, [.wipe])
    // It was right a moment ago: somebody else has changed it since.
    case .wrong, .failed: (.failed, [.wipe])
    }
  }
}
