import PasscodeCore
import Testing

/// Every state and every event of a machine, so that each pair can be asked.
protocol ListedMachine: FlowMachine {
  static var states: [State] { get }
  static var events: [Event] { get }
  static func refusal(_ effect: Effect) -> FlowRefusal?
  static func wipesAll(_ effects: [Effect]) -> Bool
  static var cancel: Event { get }
  static var cancelled: State { get }
  /// What only the driver may send.
  static func isResult(_ event: Event) -> Bool
}

@Suite("Flow machines") struct FlowMachineTests {
  @Test("every event in every state has an answer") func totality() {
    checkTotality(CreateMachine.self)
    checkTotality(VerifyMachine.self)
    checkTotality(ChangeMachine.self)
    checkTotality(ResetMachine.self)
  }

  @Test("every state can be reached, and an end can be reached from every state") func reachability() {
    checkReachability(CreateMachine.self)
    checkReachability(VerifyMachine.self)
    checkReachability(ChangeMachine.self)
    checkReachability(ResetMachine.self)
  }

  @Test("every way into an end wipes everything") func endsWipe() {
    checkEndsWipe(CreateMachine.self)
    checkEndsWipe(VerifyMachine.self)
    checkEndsWipe(ChangeMachine.self)
  }

  @Test("a cancel ends a flow, or is refused while the store is at work") func cancel() {
    #expect(
      CreateMachine.statesThatRefuseCancel == [
        .committing(enablesQuickUnlock: false), .committing(enablesQuickUnlock: true),
      ])
    #expect(VerifyMachine.statesThatRefuseCancel == [.trying])
    #expect(ChangeMachine.statesThatRefuseCancel == [.tryingCurrent, .committing])
    #expect(ResetMachine.statesThatRefuseCancel == [.resetting])
  }

  @Test("a first passcode is handed over only after it was met, confirmed and quick unlock was settled") func createCommits() {
    let commits = CreateMachine.transitions.filter { $0.effects.contains(.commit) }
    #expect(Set(commits.map(\.from)) == [.probing, .quickUnlock])
    #expect(CreateMachine.waysInto(.probing) == [.init(.comparing, .compared(isEqual: true))])
    #expect(CreateMachine.waysInto(.confirm).contains(.init(.judging, .judged(isMet: true))))
    #expect(CreateMachine.waysInto(.finished).allSatisfy { $0.event == .stored })
  }

  @Test("a new passcode is handed over only after the current one was taken and the pair was the same") func changeCommits() {
    let commits = ChangeMachine.transitions.filter { $0.effects.contains(.commit) }
    #expect(commits.map(\.from) == [.comparing])
    #expect(commits.map(\.event) == [.compared(isEqual: true)])
    let intoEnter = ChangeMachine.waysInto(.enter).filter { $0.from == .tryingCurrent }
    #expect(Set(intoEnter.map(\.event)) == [.tried(.right), .tried(.mustChange)])
    #expect(ChangeMachine.waysInto(.enter).allSatisfy { $0.from != .current })
  }

  @Test("a store is reset only where its own id was typed") func resetNeedsID() {
    let resets = ResetMachine.transitions.filter { $0.to == .resetting }
    #expect(Set(resets.map(\.event)) == Set(ResetManner.allCases.map { .confirmed(isStoreID: true, manner: $0) }))
    for reset in resets {
      guard case .confirmed(_, let manner) = reset.event else { continue }
      #expect(reset.effects == [.reset(manner)])
    }
  }

  @Test("a mismatch starts the pair again") func mismatch() {
    #expect(CreateMachine.next(.comparing, .compared(isEqual: false)) == (.enter, [.wipe]))
    #expect(ChangeMachine.next(.comparing, .compared(isEqual: false)) == (.enter, [.wipeCandidate]))
  }
}

// MARK: - Checks

struct Way<Machine: FlowMachine>: Hashable {
  let from: Machine.State
  let event: Machine.Event
  init(_ from: Machine.State, _ event: Machine.Event) {
    self.from = from
    self.event = event
  }
}

struct Transition<Machine: FlowMachine> {
  let from: Machine.State
  let event: Machine.Event
  let to: Machine.State
  let effects: [Machine.Effect]
}

extension ListedMachine {
  /// Every pair, answered; without what is refused.
  static var transitions: [Transition<Self>] {
    answers.filter { answer in answer.effects.allSatisfy { refusal($0) == nil } }
  }

  static var answers: [Transition<Self>] {
    states.flatMap { state in
      events.map { event in
        let (to, effects) = next(state, event)
        return Transition(from: state, event: event, to: to, effects: effects)
      }
    }
  }

  static func waysInto(_ state: State) -> Set<Way<Self>> {
    Set(transitions.filter { $0.to == state && $0.from != state }.map { Way($0.from, $0.event) })
  }

  static var statesThatRefuseCancel: [State] {
    states.filter { state in !isEnd(state) && next(state, cancel).0 != cancelled }
  }

  static func reachable(from start: State) -> Set<State> {
    var seen: Set<State> = [start]
    var queue = [start]
    while let state = queue.popLast() {
      for transition in transitions where transition.from == state && seen.insert(transition.to).inserted {
        queue.append(transition.to)
      }
    }
    return seen
  }
}

private func checkTotality<Machine: ListedMachine>(_ machine: Machine.Type) {
  for answer in Machine.answers {
    let refusals = answer.effects.compactMap(Machine.refusal)
    if refusals.isEmpty {
      #expect(!Machine.isEnd(answer.from), "\(answer)")
    } else {
      #expect(answer.effects.count == 1 && answer.to == answer.from, "\(answer)")
      #expect((refusals == [.ended]) == Machine.isEnd(answer.from), "\(answer)")
    }
    // A result that nobody asked for is refused: only the state that asked for it takes it.
    if Machine.isResult(answer.event), refusals.isEmpty {
      #expect(Machine.transitions.contains { $0.to == answer.from && !$0.effects.isEmpty }, "\(answer)")
    }
  }
}

private func checkReachability<Machine: ListedMachine>(_ machine: Machine.Type) {
  #expect(Machine.reachable(from: Machine.start) == Set(Machine.states))
  for state in Machine.states {
    #expect(Machine.reachable(from: state).contains(where: Machine.isEnd), "\(state)")
  }
}

private func checkEndsWipe<Machine: ListedMachine>(_ machine: Machine.Type) {
  let ends = Machine.transitions.filter { Machine.isEnd($0.to) }
  #expect(!ends.isEmpty)
  for transition in ends { #expect(Machine.wipesAll(transition.effects), "\(transition)") }
}
