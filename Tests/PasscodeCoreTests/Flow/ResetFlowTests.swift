import PasscodeCore
import Testing

@Suite("Reset flow") struct ResetFlowTests {
  private final class FakeStore: ResettableStore {
    let storeID = "b7d1-42"
    var failure: FlowFailure?
    var interruption: (() -> Void)?
    var calls: [String] = []

    func reset(_ manner: ResetManner) throws(FlowFailure) {
      interruption?()
      if let failure { throw failure }
      calls.append("\(manner)")
    }
    func didCancel() { calls.append("cancel") }
  }

  @Test("SC-62: anything but the store's exact id only asks again", arguments: ["", "b7d1-4", "b7d1-42 ", "B7D1-42", "yes"])
  func mistyped(_ typed: String) throws {
    let store = FakeStore()
    let flow = ResetFlow(store: store)
    guard case .confirmReset(let facts) = try flow.confirm(typed, manner: .erase) else {
      Issue.record("\(flow.step)")
      return
    }
    #expect(facts == ResetFacts(storeID: "b7d1-42", isMistyped: true))
    #expect(store.calls.isEmpty)
  }

  @Test(
    "the id resets the store in the manner asked for, once, and turns quick unlock off (SC-63)", arguments: ResetManner.allCases
  )
  func resets(_ manner: ResetManner) throws {
    let store = FakeStore()
    let quickUnlock = FakeQuickUnlock()
    quickUnlock.isEnabled = true
    let flow = ResetFlow(store: store, quickUnlock: quickUnlock)
    #expect(try flow.confirm("b7d1-42", manner: manner).end == .done(.unchanged))
    #expect(store.calls == ["\(manner)"])
    #expect(!quickUnlock.isEnabled)
    #expect(throws: FlowRefusal.ended) { try flow.confirm("b7d1-42", manner: manner) }
  }

  @Test("a reset that fails ends the flow and leaves quick unlock on") func fails() throws {
    let store = FakeStore()
    let failure = FlowFailure(code: "io", message: "The directory is read-only.")
    store.failure = failure
    let quickUnlock = FakeQuickUnlock()
    quickUnlock.isEnabled = true
    let flow = ResetFlow(store: store, quickUnlock: quickUnlock)
    #expect(try flow.confirm("b7d1-42", manner: .setAside).end == .failed(failure))
    #expect(quickUnlock.isEnabled)
  }

  @Test("quick unlock that can't be turned off is reported") func leftBehind() throws {
    let quickUnlock = FakeQuickUnlock()
    quickUnlock.failure = FlowFailure(code: "noKeyring", message: "The keyring does not answer.")
    let flow = ResetFlow(store: FakeStore(), quickUnlock: quickUnlock)
    #expect(try flow.confirm("b7d1-42", manner: .setAside).end == .done(.failed(quickUnlock.failure!)))
  }

  @Test("a cancel leaves the store as it was, and is refused while it is being reset") func cancel() throws {
    let store = FakeStore()
    let flow = ResetFlow(store: store)
    try flow.cancel()
    #expect(flow.step.name == "cancelled" && store.calls == ["cancel"])
    #expect(throws: FlowRefusal.ended) { try flow.confirm("b7d1-42", manner: .erase) }

    let late = ResetFlow(store: store)
    var refusal: FlowRefusal?
    store.interruption = { do throws(FlowRefusal) { try late.cancel() } catch { refusal = error } }
    #expect(try late.confirm("b7d1-42", manner: .erase).name == "done")
    #expect(refusal == .notNow)
  }
}
