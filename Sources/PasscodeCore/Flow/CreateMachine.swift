/// Enter → confirm → quick unlock → commit: how a first passcode is set.
///
/// Nothing is stored before `commit`, and `commit` follows only on an entry that met the policy and was entered twice.
package enum CreateMachine: FlowMachine {
  /// Where the flow stands.
  package enum State: Hashable, Sendable {
    /// A passcode is asked for.
    case enter
    /// The driver judges the entry.
    case judging
    /// The same passcode is asked for again.
    case confirm
    /// The driver compares the two entries.
    case comparing
    /// The driver asks whether quick unlock can be offered.
    case probing
    /// Quick unlock is offered.
    case quickUnlock
    /// The driver hands the passcode over. Too late for a cancel: it may be stored already.
    case committing(enablesQuickUnlock: Bool)
    /// The passcode is set.
    case finished
    /// It could not be stored, for a reason that is not the passcode's; nothing was stored.
    case failed
    /// The person gave up; nothing was stored.
    case cancelled
    /// The person goes on without a passcode; nothing was stored.
    case skipped
  }

  /// What a person did, or what an effect resulted in.
  package enum Event: Hashable, Sendable {
    /// A text was entered.
    case entered
    /// What was entered is no text that a passcode can be made of.
    case unreadable
    /// Result of `judge`.
    case judged(isMet: Bool)
    /// Result of `compare`.
    case compared(isEqual: Bool)
    /// Result of `probeQuickUnlock`.
    case probed(isAvailable: Bool)
    /// The answer to the offer of quick unlock.
    case answered(enables: Bool)
    /// Result of `commit`: the passcode is set.
    case stored
    /// Result of `commit`: the store wants another passcode.
    case belowPolicy
    /// Result of `commit`: it could not be stored.
    case failed
    /// The person gives up.
    case cancel
    /// The person wants to go on without a passcode.
    case skip(isAllowed: Bool)
  }

  /// What the driver has to do.
  package enum Effect: Hashable, Sendable {
    /// Judge the entry, which becomes the candidate.
    case judge
    /// Compare the entry with the candidate.
    case compare
    /// Find out whether quick unlock can be offered.
    case probeQuickUnlock
    /// Hand the candidate over.
    case commit
    /// Turn quick unlock on with the candidate. Its failure is reported, and the passcode is set all the same.
    case enableQuickUnlock
    /// Wipe the candidate and the entry.
    case wipe
    /// Tell the app that the person gave up.
    case tellCancelled
    /// Tell the app that the person goes on without a passcode.
    case tellSkipped
    /// Refuse the event.
    case refuse(FlowRefusal)
  }

  package static let start = State.enter

  package static func isEnd(_ state: State) -> Bool {
    switch state {
    case .finished, .failed, .cancelled, .skipped: true
    case .enter, .judging, .confirm, .comparing, .probing, .quickUnlock, .committing: false
    }
  }

  package static func next(_ state: State, _ event: Event) -> (State, [Effect]) {
    switch (state, event) {
    case (_, _) where isEnd(state): (state, [.refuse(.ended)])
    case (.enter, .entered): (.judging, [.judge])
    case (.judging, .judged(isMet: true)): (.confirm, [])
    case (.judging, .judged(isMet: false)): (.enter, [.wipe])
    case (.confirm, .entered): (.comparing, [.compare])
    case (.comparing, .compared(isEqual: true)): (.probing, [.probeQuickUnlock])
    case (.comparing, .compared(isEqual: false)): (.enter, [.wipe])
    case (.enter, .unreadable), (.confirm, .unreadable): (.enter, [.wipe])
    case (.probing, .probed(isAvailable: true)): (.quickUnlock, [])
    case (.probing, .probed(isAvailable: false)): (.committing(enablesQuickUnlock: false), [.commit])
    case (.quickUnlock, .answered(let enables)): (.committing(enablesQuickUnlock: enables), [.commit])
    case (.committing(enablesQuickUnlock: true), .stored): (.finished, [.enableQuickUnlock, .wipe])
    case (.committing(enablesQuickUnlock: false), .stored): (.finished, [.wipe])
    case (.committing, .belowPolicy): (.enter, [.wipe])
    case (.committing, .failed): (.failed, [.wipe])
    case (.committing, .cancel): (state, [.refuse(.notNow)])
    case (_, .cancel): (.cancelled, [.wipe, .tellCancelled])
    case (.enter, .skip(isAllowed: true)), (.confirm, .skip(isAllowed: true)): (.skipped, [.wipe, .tellSkipped])
    case (.enter, .skip(isAllowed: false)), (.confirm, .skip(isAllowed: false)): (state, [.refuse(.mandatory)])
    default: (state, [.refuse(.notNow)])
    }
  }
}
