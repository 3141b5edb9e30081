import PasscodeWire
import SecretMemory
import StrictJSON
import TestSupport
import Testing

@Suite struct RoundTripTests {
  @Test("what a client writes is what the daemon reads: every method, random values", arguments: WireMethod.allCases)
  func calls(method: WireMethod) throws {
    var generator = SplitMix64.announced("calls \(method)")
    var messages = try MessageWriter()
    for _ in 0..<200 {
      let values = method.spec.parameters.map { TestValue.random($0.type, &generator) }
      messages.beginCall(method)
      for (field, value) in zip(method.spec.parameters, values) { try field.write(value, into: &messages) }
      let flag: CallFlag? = method.spec.replies == .stream ? .more : [nil, .more, .oneway].randomElement(using: &generator)!
      try messages.endCall(flag)
      try expectCall(drained(&messages), method, values, flag)
    }
  }

  private func expectCall(_ bytes: [UInt8], _ method: WireMethod, _ values: [TestValue], _ flag: CallFlag?) throws {
    var inbox = try received(bytes)
    try #require(try inbox.findMessage())
    let parsed = try inbox.withMutableMessage { message throws(CloseReason) in try WireCatalog.standard.parse(&message) }
    guard case .call(let layout) = parsed else {
      Issue.record("refused: \(parsed) of \(text(bytes))")
      return
    }
    #expect(layout.method == method)
    #expect(layout.isOneway == (flag == .oneway))
    #expect(layout.wantsMore == (flag == .more))
    let fields = layout.fields(in: inbox.message, of: .standard)
    for (field, value) in zip(method.spec.parameters, values) {
      let read = try field.read(fields)
      #expect(read == value, "\(method).\(field.field) of \(text(bytes))")
    }
  }

  @Test("what the daemon writes is what a client reads: every reply, random values", arguments: WireMethod.allCases)
  func replies(method: WireMethod) throws {
    var generator = SplitMix64.announced("replies \(method)")
    var messages = try MessageWriter()
    for _ in 0..<200 {
      let values = method.spec.reply.map { TestValue.random($0.type, &generator) }
      let continues = Bool.random(using: &generator)
      messages.begin(method.spec)
      for (field, value) in zip(method.spec.reply, values) { try field.write(value, into: &messages) }
      try messages.end(continues: continues)
      var inbox = try received(drained(&messages))
      try #require(try inbox.findMessage())
      let spec = method.spec
      let parsed = try inbox.withMutableMessage { message throws(CloseReason) in try spec.parseReply(&message) }
      guard case .reply(let layout) = parsed else {
        Issue.record("not read: \(parsed)")
        continue
      }
      #expect(layout.continues == continues)
      let fields = layout.fields(in: inbox.message)
      for (field, value) in zip(spec.reply, values) {
        let read = try field.read(fields)
        #expect(read == value, "\(method).\(field.field)")
      }
    }
  }

  static let errors: [WireError] =
    [
      .interfaceNotFound("a.b"), .methodNotFound("a.b.C"), .methodNotImplemented("a.b.C"), .invalidParameter("name"),
      .permissionDenied, .expectedMore, .expectedUpgrade, .noStore, .storeExists, .locked, .lockedOut(retryAfterSeconds: 30),
      .mustChange(.expired), .mustChange(.belowPolicy), .consentRequired(forms: []), .consentRequired(forms: ["a", "b\"\n"]),
      .wrongPasscode(triesRemaining: nil, retryAfterSeconds: nil), .wrongPasscode(triesRemaining: 0, retryAfterSeconds: 5),
      .policyUnmet([WireRequirement(id: "minLength", text: "At least 8 characters", isSatisfied: false)]), .policyUnmet([]),
      .noFlow, .passcodeChanged, .policyFault(file: "/etc/é", line: nil, column: nil, message: "m"),
      .policyFault(file: "f", line: 3, column: 1, message: "unknown key \"x\""), .quickUnlockUnavailable(reason: "r"),
      .recoveryKeyMistyped, .recoveryKeyWrong, .noRecoveryKey,
      .deviceKeyMissing(path: "/p"), .confirmationMismatch, .resetNotFound(id: "i"), .notAStore,
      .damaged([]), .damaged(["1 credential is missing", "\"\n"]), .unsupportedFormat(found: 2, supported: 1), .inUse,
      .replaced, .wiped, .olderThanLastSeen, .busy,
      .tooLarge(limit: 1 << 20), .outOfMemory(neededMiB: 256), .noPrompt(), .noPrompt(.crashed, reason: "pinentry ended"),
      .cancelled, .promptTimedOut, .internalFault,
      .notFound(name: "wörk/\u{1}"), .versionNotFound(name: "n", version: .max), .exists(name: "n"),
    ]
    + WireTextFault.allCases.map { .invalidText($0) } + WireFlowStep.allCases.map { .wrongStep($0) }
    + WireStorePart.allCases.map { .corrupt($0) } + WireStorageKind.allCases.map { .storage($0, message: "write: …") }
    + WireNameFault.allCases.map { .invalidName($0) } + WireMetadataFault.allCases.map { .invalidMetadata($0) }
    + [
      .unknownForm("f"), .formChanged(form: "f", version: "1.0"), .improperAnswer(form: "f", reason: "r"),
      .nothingRecorded(form: "f"), .recordFaulty(reason: "r"), .recordSound,
    ]

  @Test("every error comes back as it was, in place of the reply that was begun")
  func errors() throws {
    #expect(Set(Self.errors.map(\.name)) == Set(WireErrorName.allCases))
    var messages = try MessageWriter()
    for error in Self.errors {
      messages.begin(WireMethod.put.spec)
      messages.integer(.version, 5)
      messages.fail(error)
      var inbox = try received(drained(&messages))
      try #require(try inbox.findMessage())
      let parsed = try inbox.withMutableMessage { message throws(CloseReason) in try WireMethod.put.spec.parseReply(&message) }
      guard case .failed(let read) = parsed else {
        Issue.record("not read: \(error)")
        continue
      }
      #expect(read == error)
    }
  }

  @Test("the structs of the interfaces come back as they were")
  func messages() throws {
    var status = WireStatus(state: .mustChange, storePath: "/s", socketPath: "/k", version: "1.2.3", pid: 7)
    status.triesRemaining = 0
    status.retryAfterSeconds = 30
    status.locksAt = 1_800_000_000
    status.quickUnlock = true
    status.recovery = true
    status.deviceKey = true
    status.consentPending = ["terms"]
    status.storeID = "id"
    status.memoryLocked = true
    status.policyFiles = [
      WirePolicyFile(path: "/a", role: .administrator, state: .faulty, fault: "line 3"),
      WirePolicyFile(path: "/b", role: .user, state: .absent),
    ]
    #expect(
      try roundTrip(.status) {
        status.write(into: &$0)
      } read: {
        WireStatus($0)
      } == status)
    var step = WireStep(flow: .create, step: .enter)
    #expect(
      try roundTrip(.startFlow) {
        $0.message(.step, step)
      } read: {
        $0.message(.step)
      } == step)
    step.requirements = [WireRequirement(id: "a", text: "A", isSatisfied: true)]
    step.unmet = []
    step.strength = WireStrength(score: 2, bits: 33)
    step.mismatch = true
    step.triesRemaining = 4
    step.quickUnlockAvailable = false
    step.quickUnlockReason = "no keyring"
    #expect(
      try roundTrip(.enterPasscode) {
        $0.message(.step, step)
      } read: {
        $0.message(.step)
      } == step)
    let aside = [WireSetAside(id: "1", storeID: "s", setAsideAt: 1, expiresAt: 2)]
    #expect(
      try roundTrip(.listResets) {
        $0.messages(.resets, aside)
      } read: {
        $0.messages(.resets)
      } == aside)
    let versions = [
      WireVersion(version: 2, storedAt: 3, size: 0, type: nil, isCurrent: true),
      WireVersion(version: 1, storedAt: 2, size: 5, type: "text/plain", isCurrent: false),
    ]
    #expect(
      try roundTrip(.history) {
        $0.messages(.versions, versions)
      } read: {
        $0.messages(.versions)
      } == versions)
  }

  private func roundTrip<R>(
    _ method: WireMethod, write: (inout MessageWriter) -> Void, read: (borrowing WireFields) -> R
  ) throws -> R? {
    var messages = try MessageWriter()
    messages.begin(method.spec)
    write(&messages)
    try messages.end()
    var inbox = try received(drained(&messages))
    try #require(try inbox.findMessage())
    let parsed = try inbox.withMutableMessage { message throws(CloseReason) in try method.spec.parseReply(&message) }
    guard case .reply(let layout) = parsed else { return nil }
    return read(layout.fields(in: inbox.message))
  }

  @Test("a client takes replies of a newer daemon: unknown fields, keys, words and errors")
  func newerDaemon() throws {
    func parse(_ text: String, _ method: WireMethod = .show) throws -> ParsedReply {
      var inbox = try received(wire(text + "¶"))
      try #require(try inbox.findMessage())
      return try inbox.withMutableMessage { message throws(CloseReason) in try method.spec.parseReply(&message) }
    }
    guard case .reply = try parse(#"{"new":1,"parameters":{"more":[{}],"state":"melting"}}"#, .monitor) else {
      Issue.record("refused")
      return
    }
    guard case .failedOtherwise("org.passcoded.Passcode.Melting") = try parse(#"{"error":"org.passcoded.Passcode.Melting"}"#)
    else {
      Issue.record("not told")
      return
    }
    guard case .failed(.locked) = try parse(#"{"parameters":{"why":"x"},"error":"org.passcoded.Passcode.Locked"}"#) else {
      Issue.record("not read")
      return
    }
    #expect(throws: CloseReason.wrongType) { try parse(#"{"parameters":{}}"#) }
    #expect(throws: CloseReason.wrongType) { try parse(#"{"parameters":{"version":1.0}}"#, .restore) }
    #expect(throws: CloseReason.wrongType) { try parse(#"{"parameters":{"version":9223372036854775808}}"#, .restore) }
    #expect(throws: CloseReason.wrongType) { try parse(#"{"parameters":{"credential":[]}}"#) }
    #expect(throws: CloseReason.conflictingFlags) { try parse(#"{"error":"a.B","continues":true}"#) }
  }
}
