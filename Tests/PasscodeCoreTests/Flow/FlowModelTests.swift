import PasscodeCore
import SecretMemory
import TestSupport
import Testing

/// What a person can do.
enum Act: Hashable, CaseIterable {
  case enterA, enterADecomposed, enterB, enterEarlier, enterWeak, enterGarbage, acceptQuick, declineQuick, cancel, skip,
    askReset

  var bytes: [UInt8]? {
    switch self {
    case .enterA: Array("caf\u{e9} au lait".utf8)
    case .enterADecomposed: Array("cafe\u{301} au lait".utf8)
    case .enterB: Array("other passcode".utf8)
    case .enterEarlier: Array("earlier passcode".utf8)
    case .enterWeak: Array("short".utf8)
    case .enterGarbage: [0x63, 0xff, 0x66]
    case .acceptQuick, .declineQuick, .cancel, .skip, .askReset: nil
    }
  }
}

enum FlowKind: CaseIterable { case create, verify, change }

/// How the surroundings of one sequence behave.
struct Surroundings {
  let kind: FlowKind
  let allowsSkip: Bool
  let hasQuickUnlock: Bool
  let refusesFirstCommit: Bool
  let failsToCommit: Bool
}

/// The flows once more, as briefly as they can be told. A passcode is its letter; nil is no text at all.
struct Model {
  let around: Surroundings
  var place: String
  var first: String?
  var passcode: String?
  var tries = 3
  var refusesCommit: Bool

  mutating func take(_ act: Act) -> FlowRefusal? {
    if ["done", "failed", "lockedOut", "cancelled", "skipped", "resetAsked"].contains(place) { return .ended }
    let isMatching = place == "match" || place == "current"
    switch act {
    case .cancel: place = "cancelled"
    case .skip:
      if place == "quickUnlock" { return .notNow }
      if !around.allowsSkip { return .mandatory }
      place = "skipped"
    case .askReset: if isMatching { place = "resetAsked" } else { return .notNow }
    case .acceptQuick, .declineQuick: if place == "quickUnlock" { commit() } else { return .notNow }
    default: if place == "quickUnlock" { return .notNow } else { enter(act, isMatching) }
    }
    return nil
  }
  private mutating func enter(_ act: Act, _ isMatching: Bool) {
    let letters: [Act: String] = [.enterA: "A", .enterADecomposed: "A", .enterB: "B", .enterEarlier: "E", .enterWeak: "W"]
    let letter = letters[act]
    if isMatching {
      if letter == nil { return }
      if tries == 0 {
        place = "lockedOut"
      } else if letter != "A" {
        tries -= 1
      } else {
        place = place == "match" ? "done" : "enter"
      }
    } else if place == "enter" {
      let isReused = around.kind == .change && (letter == "A" || letter == "E")
      if letter != nil, letter != "W", !isReused { (first, place) = (letter, "confirm") }
    } else if letter != first {
      place = "enter"
    } else if around.kind == .create, around.hasQuickUnlock {
      place = "quickUnlock"
    } else {
      commit()
    }
  }
  private mutating func commit() {
    if refusesCommit {
      (place, refusesCommit) = ("enter", false)
    } else if around.failsToCommit {
      place = "failed"
    } else {
      (place, passcode) = ("done", first)
    }
  }
}

/// A flow with its authority, driven by acts.
struct DrivenFlow {
  enum Flow {
    case create(CreateFlow)
    case verify(VerifyFlow)
    case change(ChangeFlow)
  }
  let flow: Flow
  let authority: FakeAuthority

  init(_ around: Surroundings, policy: PolicyEngine) throws {
    let isNew = around.kind == .create
    authority = try FakeAuthority(passcode: isNew ? nil : "caf\u{e9} au lait")
    authority.policyEngine = policy
    authority.allowsSkip = around.allowsSkip
    authority.earlier = [Act.enterEarlier.bytes!]
    let quickUnlock = FakeQuickUnlock()
    if !around.hasQuickUnlock { quickUnlock.availability = .unavailable(.notProvided) }
    flow =
      switch around.kind {
      case .create: .create(CreateFlow(authority: authority, quickUnlock: quickUnlock))
      case .verify: .verify(VerifyFlow(authority: authority))
      case .change: .change(ChangeFlow(authority: authority, quickUnlock: quickUnlock))
      }
  }

  var step: FlowStep {
    switch flow {
    case .create(let flow): flow.step
    case .verify(let flow): flow.step
    case .change(let flow): flow.step
    }
  }

  var holdsPasscode: Bool {
    switch flow {
    case .create(let flow): flow.holdsPasscode
    case .verify(let flow): flow.holdsPasscode
    case .change(let flow): flow.holdsPasscode
    }
  }

  /// Makes the next hand-over go as the model expects it.
  func planCommit(_ model: Model) {
    authority.plannedCommit =
      if model.refusesCommit {
        .belowPolicy(message: "not this one")
      } else if model.around.failsToCommit {
        .failed(FlowFailure(code: "io", message: "The disk is full."))
      } else {
        nil
      }
  }

  func perform(_ act: Act) throws(FlowRefusal) {
    switch (flow, act) {
    case (.create(let flow), .acceptQuick): try flow.answerQuickUnlock(true)
    case (.create(let flow), .declineQuick): try flow.answerQuickUnlock(false)
    case (.create(let flow), .cancel): try flow.cancel()
    case (.create(let flow), .skip): try flow.skip()
    case (.create(let flow), _): try flow.enter(act.secret)
    case (.verify(let flow), .cancel): try flow.cancel()
    case (.verify(let flow), .askReset): try flow.askReset()
    case (.verify(let flow), _): try flow.enter(act.secret)
    case (.change(let flow), .cancel): try flow.cancel()
    case (.change(let flow), .askReset): try flow.askReset()
    case (.change(let flow), _): try flow.enter(act.secret)
    }
  }
}

extension Act {
  var secret: SecretBytes {
    let bytes = bytes!
    // There is always room for one more test text.
    return try! SecretBytes(copying: bytes.span)
  }

  static func acts(of kind: FlowKind) -> [Act] {
    let others: [Act] = kind == .create ? [.acceptQuick, .declineQuick, .skip] : [.askReset]
    // The same twice in a row is what leads on, so the right ones are drawn more often.
    return [.enterA, .enterA, .enterADecomposed, .enterB, .enterB, .enterEarlier, .enterWeak, .enterGarbage, .cancel] + others
  }
}

@Suite("Flows against a model") struct FlowModelTests {
  @Test("34,000 random sequences of each kind go as the model says", arguments: FlowKind.allCases) func sequences(
    _ kind: FlowKind
  ) throws {
    var random = SplitMix64.announced("flow model \(kind)")
    let policy = try PolicyEngine(policy: PasscodePolicy())
    let acts = Act.acts(of: kind)
    let letters: [Act: String] = [.enterA: "A", .enterB: "B", .enterEarlier: "E"]
    var ends: Set<String> = []
    for sequence in 0..<34_000 {
      let draw = random.next()
      let around = Surroundings(
        kind: kind, allowsSkip: draw & 1 == 0, hasQuickUnlock: draw & 2 == 0, refusesFirstCommit: draw & 12 == 0,
        failsToCommit: draw & 48 == 0)
      let driven = try DrivenFlow(around, policy: policy)
      var model = Model(around)
      for _ in 0..<(1 + Int(draw >> 32 % 7)) {
        let act = acts[Int(random.next() % UInt64(acts.count))]
        driven.planCommit(model)
        var refusal: FlowRefusal?
        do { try driven.perform(act) } catch { refusal = error }
        let expected = model.take(act)
        let stored = letters.first { $0.key.bytes == driven.authority.passcode }?.value
        let isSame =
          refusal == expected && driven.step.name == model.place && stored == model.passcode
          && driven.authority.triesRemaining == model.tries && driven.holdsPasscode == model.holdsPasscode
        guard isSame else {
          Issue.record("sequence \(sequence), \(act): \(driven.step), \(String(describing: refusal)); model: \(model)")
          return
        }
      }
      ends.insert(model.place)
    }
    #expect(ends.isSuperset(of: kind.places))
  }
}

extension FlowKind {
  /// Where a sequence may stop: each is reached.
  var places: Set<String> {
    switch self {
    case .create: ["enter", "confirm", "quickUnlock", "done", "failed", "cancelled", "skipped"]
    case .verify: ["match", "done", "lockedOut", "cancelled", "resetAsked"]
    case .change: ["current", "enter", "confirm", "done", "failed", "lockedOut", "cancelled", "resetAsked"]
    }
  }
}

extension Model {
  init(_ around: Surroundings) {
    self.around = around
    place = around.kind == .create ? "enter" : around.kind == .verify ? "match" : "current"
    passcode = around.kind == .create ? nil : "A"
    refusesCommit = around.refusesFirstCommit
  }

  /// Only between the steps of a pair, and after the current passcode, is there anything to hold.
  var holdsPasscode: Bool {
    place == "confirm" || place == "quickUnlock" || (around.kind == .change && place == "enter")
  }
}
