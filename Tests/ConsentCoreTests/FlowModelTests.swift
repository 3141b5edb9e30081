import ConsentCore
import TestSupport
import Testing

/// The flow once more, as briefly as it can be told: a list of stops for each form, and a finger on it.
struct FlowModel {
  let plans: [ConsentPlan]
  let confirmations: ConsentConfirmations
  var form = 0
  var stop = 0
  var isRead = false
  var question: String?
  var choices: [String] = []
  var end: String?

  func stops(_ plan: ConsentPlan) -> [String] {
    switch plan.content {
    case .pages(let count): return (0..<count).map { "page\($0)" }
    case .document(let document):
      return (0..<document.sections).map { "section\($0)" } + ["review"] + (document.asksName ? ["name"] : [])
        + (document.asksImage ? ["image"] : []) + (document.asksSharing ? ["sharing"] : [])
    }
  }

  var here: String { stops(plans[form])[stop] }

  private var document: ConsentPlan.DocumentPlan? {
    if case .document(let document) = plans[form].content { document } else { nil }
  }

  private var isDeciding: Bool { document != nil ? here == "review" : stop == stops(plans[form]).count - 1 }

  /// True where the event was taken.
  mutating func take(_ event: ConsentMachine.Event) -> Bool {
    if end != nil { return false }
    if let question {
      if case .answer(let yes) = event {
        self.question = nil
        if yes { confirmed(question) }
        return true
      }
      return question == "deny" && event == .agree && agree()
    }
    switch event {
    case .cancel: if confirmations.cancel && plans[form].confirmations.cancel { question = "cancel" } else { end = "cancelled" }
    case .decline:
      if !isDeciding { return false }
      if !plans[form].isRequired {
        choose("notNow")
      } else if confirmations.deny && plans[form].confirmations.deny {
        question = "deny"
      } else {
        confirmed("deny")
      }
    case .agree: return agree()
    case .next: if !canStep { return false } else { advance() }
    case .back:
      if stop == 0 { return false }
      stop -= 1
    case .sawEnd: if here == "review" { isRead = true } else { return false }
    case .named: if here == "name" { advance() } else { return false }
    case .drew: if here == "image" { advance() } else { return false }
    case .shared: if here == "sharing" { advance() } else { return false }
    case .answer, .recorded: return false
    }
    return true
  }

  private var canStep: Bool { here.hasPrefix("section") || (document == nil && !isDeciding) }

  private mutating func agree() -> Bool {
    if !isDeciding { return false }
    guard let document else {
      question = nil
      choose("agreed")
      return true
    }
    if document.isGated, !isRead { return false }
    if document.confirmsAgreement { question = "agree" } else { confirmed("agree") }
    return true
  }

  private mutating func confirmed(_ asked: String) {
    question = nil
    switch asked {
    case "deny": (choices, end) = (choices + ["denied"], "denied")
    case "cancel": end = "cancelled"
    default: advance()
    }
  }

  private mutating func advance() {
    if stop + 1 < stops(plans[form]).count { stop += 1 } else { choose("agreed") }
  }

  private mutating func choose(_ choice: String) {
    choices.append(choice)
    if form + 1 == plans.count { end = "finished" } else { (form, stop, isRead) = (form + 1, 0, false) }
  }
}

/// What the machine shows, in the model's words. The recording is done by the test at once.
func described(_ state: ConsentMachine.State) -> String {
  func place(_ place: ConsentPlace) -> String {
    switch place {
    case .page(let page): "page\(page)"
    case .section(let section): "section\(section)"
    case .review: "review"
    case .name: "name"
    case .image: "image"
    case .sharing: "sharing"
    }
  }
  switch state.phase {
  case .showing(let at): return "\(state.form) \(place(at))"
  case .asking(let question, let at): return "\(state.form) \(place(at)) \(question.rawValue)?"
  case .recording(let end), .ended(let end): return end.rawValue
  case .failed: return "failed"
  }
}

@Suite("Consent flow against a model") struct FlowModelTests {
  private func plan(_ random: inout SplitMix64) -> ConsentPlan {
    var plan = bare(&random)
    plan.confirmations = ConsentConfirmations(deny: .random(using: &random), cancel: .random(using: &random))
    return plan
  }

  private func bare(_ random: inout SplitMix64) -> ConsentPlan {
    func flag() -> Bool { Bool.random(using: &random) }
    let isRequired = flag()
    if flag() { return ConsentPlan(isRequired: isRequired, content: .pages(Int.random(in: 1...3, using: &random))) }
    var steps = ConsentPlan.DocumentPlan()
    steps.sections = Int.random(in: 0...2, using: &random)
    (steps.isGated, steps.confirmsAgreement) = (flag(), flag())
    (steps.asksName, steps.asksImage, steps.asksSharing) = (flag(), flag(), flag())
    return ConsentPlan(isRequired: isRequired, content: .document(steps))
  }

  @Test("110,000 random sequences go as the model says") func sequences() {
    var random = SplitMix64.announced("consent flow model")
    // What leads on is drawn more often.
    let events: [ConsentMachine.Event] = [
      .next, .next, .next, .back, .sawEnd, .sawEnd, .agree, .agree, .agree, .decline, .cancel, .answer(true), .answer(true),
      .answer(false), .named, .named, .drew, .drew, .shared, .shared, .recorded(true), .recorded(false),
    ]
    var ends: [String: Int] = [:]
    for sequence in 0..<110_000 {
      let plans = (0..<Int.random(in: 1...3, using: &random)).map { _ in plan(&random) }
      let confirmations = ConsentConfirmations(deny: .random(using: &random), cancel: .random(using: &random))
      let machine = ConsentMachine(plans, confirmations: confirmations)
      var model = FlowModel(plans: plans, confirmations: confirmations)
      var state = machine.start
      for _ in 0..<Int.random(in: 1...30, using: &random) {
        let event = events[Int(random.next() % UInt64(events.count))]
        let isRecording = if case .recording = state.phase { true } else { false }
        if case .recorded = event, isRecording { continue }
        let (next, effects) = machine.next(state, event)
        let isTaken = model.take(event)
        let isRefused = effects.contains { if case .refuse = $0 { true } else { false } }
        let expected =
          model.end ?? "\(model.form) \(model.here)" + (model.question.map { " \($0)?" } ?? "")
        guard isTaken != isRefused, described(next) == expected, next.choices.map(\.rawValue) == model.choices,
          !isRefused || (next == state && effects.count == 1)
        else {
          Issue.record("sequence \(sequence), \(event) in \(state): \(next), \(effects); model: \(expected) \(model.choices)")
          return
        }
        state = next
      }
      ends[model.end ?? "open", default: 0] += 1
    }
    #expect(["finished", "denied", "cancelled", "open"].allSatisfy { ends[$0, default: 0] > 1000 }, "\(ends)")
  }

  @Test("every event has an answer in every state, and what is over stays over") func total() {
    var random = SplitMix64.announced("consent flow total")
    let events: [ConsentMachine.Event] = [
      .next, .back, .sawEnd, .agree, .decline, .cancel, .answer(true), .answer(false), .named, .drew, .shared,
      .recorded(true), .recorded(false),
    ]
    for _ in 0..<200 {
      let machine = ConsentMachine((0..<2).map { _ in plan(&random) })
      var known: Set<ConsentMachine.State> = [machine.start]
      var open = [machine.start]
      while let state = open.popLast() {
        for event in events {
          let (next, effects) = machine.next(state, event)
          if known.insert(next).inserted { open.append(next) }
          switch state.phase {
          case .ended, .failed: #expect(next == state && effects == [.refuse(.ended)])
          default: break
          }
          // Nothing is agreed to but by a decision, and nothing ends without a record.
          if case .ended = next.phase, next != state { #expect(event == .recorded(true)) }
        }
      }
    }
  }
}
