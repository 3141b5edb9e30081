import PasscodeCore
import SecretMemory
import Testing

/// An app in the place of the store, as small as it gets.
private final class App: PasscodeFlowDelegate {
  let policyEngine: PolicyEngine
  var error: PasscodeFlowError?
  var taken: [(PasscodeInputMode, [UInt8])] = []

  init() throws { policyEngine = try PolicyEngine(policy: PasscodePolicy()) }

  func shouldTryPasscode(_ passcode: borrowing SecretBytes, mode: PasscodeInputMode) throws(PasscodeFlowError) {
    if let error { throw error }
    taken.append((mode, plain(passcode)))
  }
}

@Suite("Flow delegate") struct FlowDelegateTests {
  @Test("an app gets the finished passcode of each flow with its mode") func modes() throws {
    let app = try App()
    let create = CreateFlow(authority: app)
    for _ in 0..<2 { try create.enter(secret("first passcode")) }
    try VerifyFlow(authority: app).enter(secret("first passcode"))
    let change = ChangeFlow(authority: app)
    for text in ["first passcode", "second passcode", "second passcode"] { try change.enter(secret(text)) }
    #expect(app.taken.map(\.0) == [.create, .match, .matchForChange, .change])
    #expect(app.taken.map(\.1) == ["first", "first", "first", "second"].map { Array("\($0) passcode".utf8) })
  }

  @Test(
    "an error while matching is a wrong try with the tries left; -1 is no limit",
    arguments: [
      (PasscodeFlowError.invalidPasscode(code: "mismatch", triesRemaining: 4), "mismatch", 4),
      (.failedToMatch(message: "Not this one.", triesRemaining: 1), "Not this one.", 1),
      (.failedToMatch(message: "Not this one.", triesRemaining: passcodePolicyNoLimit), "Not this one.", nil),
    ] as [(PasscodeFlowError, String, Int?)]) func wrongTry(_ error: PasscodeFlowError, _ text: String, _ left: Int?) throws
  {
    let app = try App()
    app.error = error
    for step in [
      try VerifyFlow(authority: app).enter(secret("some passcode")),
      try ChangeFlow(authority: app).enter(secret("some passcode")),
    ] {
      let facts = try #require(step.match)
      #expect(facts.finding == .wrong(WrongTry(message: text, triesRemaining: left)))
      #expect(facts.finding?.text == text)
      #expect(facts.triesRemaining == left)
    }
  }

  @Test("no tries left closes the door") func noTriesLeft() throws {
    let app = try App()
    app.error = .failedToMatch(message: "Not this one.", triesRemaining: 0)
    #expect(try VerifyFlow(authority: app).enter(secret("some passcode")).end == .lockedOut(retryAfterSeconds: nil))
  }

  @Test("failed to meet the policy consumes no try and asks again") func belowPolicy() throws {
    let app = try App()
    app.error = .failedToMeetPolicy(message: "Not our company's name.")
    let verify = try VerifyFlow(authority: app).enter(secret("some passcode"))
    #expect(verify.match?.finding == .turnedAway(message: "Not our company's name."))
    let create = CreateFlow(authority: app)
    try create.enter(secret("some passcode"))
    let step = try create.enter(secret("some passcode"))
    #expect(step.entry?.finding?.text == "Not our company's name.")
    app.error = nil
    for _ in 0..<2 { try create.enter(secret("another passcode")) }
    #expect(create.step.name == "done")
  }

  @Test(
    "an error while setting ends the flow with the app's code",
    arguments: [
      (PasscodeFlowError.invalidPasscode(code: "storeClosed", triesRemaining: -1), "storeClosed"),
      (.failedToMatch(message: "Not this one.", triesRemaining: 3), "failedToMatch"),
    ]) func failsToSet(_ error: PasscodeFlowError, _ code: String) throws
  {
    let app = try App()
    app.error = error
    let flow = CreateFlow(authority: app)
    try flow.enter(secret("some passcode"))
    guard case .failed(let failure)? = try flow.enter(secret("some passcode")).end else {
      Issue.record("\(flow.step)")
      return
    }
    #expect(failure.code == code)
  }

  @Test("a flow and its steps can be described and dumped without telling a passcode") func redaction() throws {
    let canary = "canary-7Q2x-passcode"
    var told = ""
    func tell(_ value: Any) {
      told += "\(value)" + String(reflecting: value)
      dump(value, to: &told)
    }
    let app = try App()
    let create = CreateFlow(authority: app)
    let change = ChangeFlow(authority: app)
    let verify = VerifyFlow(authority: app)
    app.error = .failedToMatch(message: "Not this one.", triesRemaining: 3)
    try verify.enter(secret(canary))
    app.error = nil
    try change.enter(secret(canary))
    for text in [canary, canary + "2"] {
      try create.enter(secret(text))
      try change.enter(secret(canary + "3"))
      tell(create)
      tell(change)
      tell(verify)
      tell(create.step)
      tell(change.step)
      tell(verify.step)
    }
    #expect(told.contains("CreateFlow(confirm)"))
    #expect(!told.contains("canary"))
  }
}
