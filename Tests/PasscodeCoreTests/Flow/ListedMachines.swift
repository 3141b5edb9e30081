import PasscodeCore

extension CreateMachine: ListedMachine {
  static var states: [State] {
    [
      .enter, .judging, .confirm, .comparing, .probing, .quickUnlock, .committing(enablesQuickUnlock: false),
      .committing(enablesQuickUnlock: true), .finished, .failed, .cancelled, .skipped,
    ]
  }
  static var events: [Event] {
    [.entered, .unreadable, .stored, .belowPolicy, .failed, .cancel]
      + [true, false].flatMap { flag -> [Event] in
        [
          .judged(isMet: flag), .compared(isEqual: flag), .probed(isAvailable: flag), .answered(enables: flag),
          .skip(isAllowed: flag),
        ]
      }
  }
  static func refusal(_ effect: Effect) -> FlowRefusal? { if case .refuse(let refusal) = effect { refusal } else { nil } }
  static func wipesAll(_ effects: [Effect]) -> Bool { effects.contains(.wipe) }
  static var cancel: Event { .cancel }
  static var cancelled: State { .cancelled }
  static func isResult(_ event: Event) -> Bool {
    switch event {
    case .judged, .compared, .probed, .stored, .belowPolicy, .failed: true
    case .entered, .unreadable, .answered, .cancel, .skip: false
    }
  }
}

extension VerifyMachine: ListedMachine {
  static var states: [State] {
    [.match, .trying, .finished, .mustChange, .lockedOut, .erased, .failed, .cancelled, .resetAsked]
  }
  static var events: [Event] { [.entered, .unreadable, .cancel, .askReset] + TryResult.allCases.map { .tried($0) } }
  static func refusal(_ effect: Effect) -> FlowRefusal? { if case .refuse(let refusal) = effect { refusal } else { nil } }
  static func wipesAll(_ effects: [Effect]) -> Bool { effects.contains(.wipe) }
  static var cancel: Event { .cancel }
  static var cancelled: State { .cancelled }
  static func isResult(_ event: Event) -> Bool { if case .tried = event { true } else { false } }
}

extension ChangeMachine: ListedMachine {
  static var states: [State] {
    [
      .current, .tryingCurrent, .enter, .judging, .confirm, .comparing, .committing, .finished, .lockedOut, .erased, .failed,
      .cancelled, .resetAsked,
    ]
  }
  static var events: [Event] {
    [.entered, .unreadable, .failed, .cancel, .askReset]
      + TryResult.allCases.flatMap { [.tried($0), .committed($0)] }
      + [true, false].flatMap { [.judged(isMet: $0), .compared(isEqual: $0)] }
  }
  static func refusal(_ effect: Effect) -> FlowRefusal? { if case .refuse(let refusal) = effect { refusal } else { nil } }
  static func wipesAll(_ effects: [Effect]) -> Bool { effects.contains(.wipe) }
  static var cancel: Event { .cancel }
  static var cancelled: State { .cancelled }
  static func isResult(_ event: Event) -> Bool {
    switch event {
    case .tried, .judged, .compared, .failed, .committed: true
    case .entered, .unreadable, .cancel, .askReset: false
    }
  }
}

extension ResetMachine: ListedMachine {
  static var states: [State] { [.confirm, .resetting, .finished, .failed, .cancelled] }
  static var events: [Event] {
    [.done, .failed, .cancel]
      + ResetManner.allCases.flatMap { manner in [true, false].map { .confirmed(isStoreID: $0, manner: manner) } }
  }
  static func refusal(_ effect: Effect) -> FlowRefusal? { if case .refuse(let refusal) = effect { refusal } else { nil } }
  static func wipesAll(_ effects: [Effect]) -> Bool { true }
  static var cancel: Event { .cancel }
  static var cancelled: State { .cancelled }
  static func isResult(_ event: Event) -> Bool { event == .done || event == .failed }
}
