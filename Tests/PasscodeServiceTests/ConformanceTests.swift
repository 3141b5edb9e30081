import PasscodeWire
import StrictJSON
import TestSupport
import Testing

@testable import PasscodeService

/// What the daemon really answers, against the table that the interface files are checked against.
@Suite struct ConformanceTests {
  /// Calls each method once, in an order in which each is answered with a reply.
  private func replies(_ test: TestDaemon) throws -> [WireMethod: JSONNode] {
    let client = try test.connect()
    var replies: [WireMethod: JSONNode] = [:]
    func call(_ method: WireMethod, _ parameters: KeyValuePairs<String, RawClient.Value> = [:]) throws {
      replies[method] = try client.call(method.fullName, parameters)
    }
    let passcode: KeyValuePairs<String, RawClient.Value> = ["passcode": .string(TestDaemon.passcode)]
    let name: KeyValuePairs<String, RawClient.Value> = ["name": .string("a")]
    try consentReplies(client, &replies)
    try call(.getInfo)
    try call(.getInterfaceDescription, ["interface": .string("org.passcoded.Passcode")])
    try call(.check, passcode)
    try call(.startFlow, ["flow": .string("create")])
    try call(.cancelFlow)
    try call(.startFlow, ["flow": .string("create")])
    for _ in 0..<2 { try call(.enterPasscode, passcode) }
    try call(.answerQuickUnlock, ["enable": .bool(false)])
    for method in [WireMethod.enableQuickUnlock, .createRecoveryKey] { try call(method, passcode) }
    for method in [WireMethod.disableQuickUnlock, .revokeRecoveryKey] { try call(method) }
    for method in [WireMethod.status, .policy, .diagnose, .report] { try call(method) }
    try call(.verify, passcode)
    try call(.unlock, passcode)
    let put =
      ["name": RawClient.Value.string("a"), "secret": .string("AQ=="), "type": .string("t"), "attributes": .map(["k": "v"])]
      as KeyValuePairs
    for _ in 0..<2 { try call(.put, put) }
    for method in [WireMethod.get, .show, .history] { try call(method, name) }
    try call(.inspect)
    try client.send(WireMethod.export.fullName, passcode, flag: "more")
    replies[.export] = try client.receive()
    #expect(try client.receive().reply?["count"]?.number == 1)
    try call(.list)
    try call(.find, ["attributes": .map(["k": "v"])])
    try call(.setAttributes, ["name": .string("a"), "set": .map(["k": "w"])])
    let version = replies[.history]?.reply?["versions"]?.list.last?["version"]?.number ?? 0
    try call(.restore, ["name": .string("a"), "version": .integer(version)])
    try call(.rename, ["name": .string("a"), "newName": .string("b")])
    try call(.delete, ["name": .string("b")])
    try call(.lock)
    try client.send(WireMethod.monitor.fullName, flag: "more")
    replies[.monitor] = try client.receive()
    let other = try test.connect()
    let id = replies[.status]?.reply?["storeId"]?.text ?? ""
    replies[.reset] = try other.call(WireMethod.reset.fullName, ["confirm": .string(id)])
    replies[.listResets] = try other.call(WireMethod.listResets.fullName)
    let aside = replies[.reset]?.reply?["setAside"]?["id"]?.text ?? ""
    replies[.undoReset] = try other.call(WireMethod.undoReset.fullName, ["id": .string(aside)])
    replies[.stop] = try other.call(WireMethod.stop.fullName)
    return replies
  }

  /// The calls about consent, with a record in every field that a reply can have.
  private func consentReplies(
    _ client: RawClient, _ replies: inout [WireMethod: JSONNode]
  ) throws {
    for method in [WireMethod.listForms, .records, .verifyRecord] {
      replies[method] = try client.call(method.fullName)
    }
    try client.send(WireMethod.read.fullName, ["what": .string("text"), "form": .string("terms")], flag: "more")
    replies[.read] = try client.receive()
    let form = try client.form("study")
    let answer =
      #""form": "study", "version": "2.1", "sha256": "\#(form?["sha256"]?.text ?? "")", "choice": "agreed""#
      + #", "signature": {"id": "p", "givenName": "A", "familyName": "B", "image": "\#(ConsentTests.dot)"}"#
    try client.send(text: #"{"method": "org.passcoded.Consent.Answer", "parameters": {"answers": [{\#(answer)}]}}"# + "\0")
    replies[.answer] = try client.receive()
    try client.send(
      text: #"{"method": "org.passcoded.Consent.Sign", "parameters": {"form": "study", "signature": "#
        + #"{"id": "w", "givenName": "C", "image": "\#(ConsentTests.dot)"}}}"# + "\0")
    replies[.sign] = try client.receive()
    replies[.withdraw] = try client.call(WireMethod.withdraw.fullName, ["form": .string("study")])
  }

  @Test("every method is answered with the fields of the table, and with no others")
  func fields() throws {
    let keyring = FakeKeyring()
    let optional = ConsentFixture.terms.replacing("\"required\": true", with: "\"required\": false")
    let test = try ConsentFixture.daemon(forms: [optional, ConsentFixture.study]) {
      $0.makeQuickUnlockMethod = { _ in keyring }
    }
    var replies = try replies(test)
    let faulty = try ConsentFixture.faultyDaemon("d.execute('DELETE FROM consent_text')")
    replies[.restart] = try faulty.connect().call(
      WireMethod.restart.fullName, ["passcode": .string(TestDaemon.passcode), "zone": .string("UTC"), "utcOffset": .integer(0)])
    #expect(Set(WireMethod.allCases).subtracting(replies.keys) == [])
    for (method, reply) in replies {
      #expect(reply.errorName == nil, "\(method.fullName): \(reply.errorName ?? "")")
      check(reply.reply, method.spec.reply, "\(method.fullName)")
    }
  }

  private func check(_ value: JSONNode?, _ fields: [FieldSpec], _ place: String) {
    let members: [JSONMember]
    if case .object(let found)? = value?.value { members = found } else { members = [] }
    let known = fields.map { $0.field.text }
    for member in members { #expect(known.contains(member.key), "\(place).\(member.key) is not in the table") }
    for field in fields {
      let found = members.first { $0.key == field.field.text }?.node
      #expect(found != nil || field.isOptional, "\(place).\(field.field) is missing")
      if let found { check(found, field.type, "\(place).\(field.field)") }
    }
  }

  private func check(_ value: JSONNode, _ type: WireType, _ place: String) {
    switch (type, value.value) {
    case (.optional(let wrapped), _): check(value, wrapped, place)
    case (.named(let named), _): check(value, named.type, place)
    case (.structure(let fields), .object): check(value, fields, place)
    case (.array(let element), .array(let nodes)): for node in nodes { check(node, element, place) }
    case (.map(let element), .object(let members)): for member in members { check(member.node, element, place) }
    case (.enumeration(let words), .string(let word)): #expect(words.contains(word), "\(place) is \(word)")
    case (.bool, .bool), (.int, .integer), (.float, .number), (.float, .integer), (.string, .string), (.object, .object): break
    default: Issue.record("\(place) is not of its type")
    }
  }

  @Test("a one-way call gets no reply, not even an error; an unknown method and parameter get theirs")
  func oneway() throws {
    let test = try TestDaemon()
    let client = try test.connect()
    try client.send("Passcode.Status", flag: "oneway")
    try client.send("Credentials.Get", ["name": .string("a")], flag: "oneway")
    try client.send("Passcode.Nothing", flag: "oneway")
    try client.send("Passcode.Monitor", flag: "oneway")
    let reply = try client.call("Passcode.Nothing")
    #expect(reply.errorName == "MethodNotFound" && reply.reply?["method"]?.text == "org.passcoded.Passcode.Nothing")
    #expect(try client.error("org.nobody.Nothing") == "InterfaceNotFound")
    let surplus = try client.call("Passcode.Status", ["surplus": .bool(true)])
    #expect(surplus.errorName == "InvalidParameter" && surplus.reply?["parameter"]?.text == "surplus")
    #expect(try client.error("Credentials.Get") == "InvalidParameter")
    #expect(
      try client.error("org.varlink.service.GetInterfaceDescription", ["interface": .string("no.such")]) == "InterfaceNotFound")
  }
}
