internal import SecretMemory

/// Runs a machine: performs the effects of each transition and feeds their results back until a person has to act.
protocol FlowDriver: AnyObject {
  associatedtype Machine: FlowMachine
  var state: Machine.State { get set }

  /// Does what the machine wants done.
  ///
  /// - Returns: the result as an event; nil for an effect without one.
  /// - Throws: the refusal that the effect is.
  func perform(_ effect: Machine.Effect) throws(FlowRefusal) -> Machine.Event?
}

extension FlowDriver {
  /// Sends an event to the machine, and the results of its effects.
  ///
  /// The state moves before the effects run, so that whoever is called by an effect and calls the flow back meets the new state.
  func send(_ event: Machine.Event) throws(FlowRefusal) {
    var pending: Machine.Event? = event
    while let event = pending {
      pending = nil
      let (next, effects) = Machine.next(state, event)
      state = next
      for effect in effects {
        if let result = try perform(effect) { pending = result }
      }
    }
  }
}

/// An entry as a flow goes on with it.
enum FlowEntry: ~Copyable {
  /// Normalised text.
  case text(SecretBytes)
  /// No text that a passcode can be made of.
  case unreadable(TextFinding)

  /// Normalises what was entered. The caller's owner wipes the raw bytes.
  ///
  /// - Throws: `busy` where there is no locked memory.
  static func read(_ raw: borrowing SecretBytes) throws(FlowRefusal) -> FlowEntry {
    do {
      return .text(try PasscodeText.normalize(raw.bytes))
    } catch {
      guard let finding = TextFinding(error) else { throw .busy }
      return .unreadable(finding)
    }
  }
}

/// What a candidate is worth, told while it is still being typed.
public enum CandidateAssessment: Sendable {
  /// It can't be a passcode at all.
  case unreadable(TextFinding)
  /// The policy's verdict.
  case judged(PolicyVerdict)
}

extension PasscodeAuthority {
  /// Judges an entry that is still being typed; nothing moves and no try is consumed.
  func assess(_ typed: borrowing SecretBytes) throws(FlowRefusal) -> CandidateAssessment {
    switch try FlowEntry.read(typed) {
    case .text(let text): .judged(policyEngine.judge(text.bytes, isBeingSet: false))
    case .unreadable(let finding): .unreadable(finding)
    }
  }

  /// The verdict on an entry of the policy in force now.
  func judge(_ entry: borrowing SecretBytes) -> PolicyVerdict { policyEngine.judge(entry.bytes) }

  /// What to show where a new passcode is asked for, after `finding`.
  func entryFacts(after finding: EntryFinding?) -> EntryFacts {
    if case .belowPolicy(let verdict)? = finding { return EntryFacts(requirements: verdict.requirements, finding: finding) }
    return EntryFacts(requirements: policyEngine.requirements, finding: finding)
  }
}
