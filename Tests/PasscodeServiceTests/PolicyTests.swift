import PasscodeCore
import StrictJSON
import TestSupport
import Testing

@testable import PasscodeService

@Suite struct PolicyTests {
  private func file(_ client: RawClient, _ index: Int) throws -> JSONNode? {
    try client.call("Passcode.Status").reply?["policyFiles"]?.list[index]
  }

  @Test("a faulty user file: the last good version counts, and Status says where the fault is")
  func faultyUser() throws {
    let test = try TestDaemon(userPolicy: #"{"minLength": 30}"#)
    let client = try test.connect()
    func minimum() throws -> Int? { try client.call("Passcode.Policy").reply?["policy"]?["minLength"]?.number }
    #expect(try minimum() == 30)
    try test.write("user.json", "{\"minLength\": 30,\n  \"minLenght\": 4}")
    #expect(try minimum() == 30)
    let report = try #require(try file(client, 1))
    #expect(report["state"]?.text == "faulty" && report["role"]?.text == "user")
    let fault = try #require(report["fault"]?.text)
    #expect(fault.contains("line 2") && fault.contains("did you mean"))
    #expect(try client.error("Passcode.StartFlow", ["flow": .string("create")]) == nil)
    try test.write("user.json", #"{"minLength": 31}"#)
    #expect(try minimum() == 31)
    #expect(try file(client, 1)?["state"]?.text == "inForce")
  }

  @Test("a user file that was never good: the defaults count")
  func neverGood() throws {
    let test = try TestDaemon(userPolicy: "no JSON")
    let client = try test.createStore()
    #expect(try client.call("Passcode.Policy").reply?["policy"]?["minLength"]?.number == 8)
    #expect(test.log.text.contains("policy file"))
  }

  @Test("a faulty administrator file: setting a passcode is refused, using the store is not")
  func faultyAdministrator() throws {
    let test = try TestDaemon()
    let client = try test.createStore()
    try client.call("Credentials.Put", ["name": .string("a"), "secret": .string("AQ==")])
    try test.write("administrator.json", "{\n \"minLength\": \"long\"}")
    let refused = try client.call("Passcode.StartFlow", ["flow": .string("change")])
    #expect(refused.errorName == "PolicyFault" && refused.reply?["line"]?.number == 2)
    #expect(refused.reply?["file"]?.text == test.directory.file("administrator.json"))
    #expect(try client.error("Passcode.Check", ["passcode": .string("x")]) == "PolicyFault")
    try client.call("Passcode.Lock")
    #expect(try client.error("Passcode.Unlock", ["passcode": .string(TestDaemon.passcode)]) == nil)
    #expect(try client.error("Credentials.Get", ["name": .string("a")]) == nil)
    try test.write("administrator.json", "{}")
    #expect(try client.error("Passcode.StartFlow", ["flow": .string("change")]) == nil)
  }

  @Test("a policy file that others can write to is faulty; a group may write to a user's own")
  func strangers() throws {
    let test = try TestDaemon()
    let client = try test.connect()
    try test.directory.write("user.json", #"{"minLength": 20}"#.utf8, mode: 0o664)
    #expect(try client.error("Passcode.StartFlow", ["flow": .string("create")]) == nil)
    #expect(try file(client, 1)?["state"]?.text == "inForce")
    try test.directory.write("user.json", #"{"minLength": 21}"#.utf8, mode: 0o606)
    #expect(try file(client, 1)?["fault"]?.text?.contains("others can write") == true)
    for mode: UInt32 in [0o620, 0o602, 0o666] {
      try test.directory.write("administrator.json", #"{"minLength": 2}"#.utf8, mode: mode)
      #expect(try client.error("Passcode.Check", ["passcode": .string("x")]) == "PolicyFault")
    }
  }

  @Test("a validator that is not there makes the file that names it faulty")
  func missingList() throws {
    let list = #"{"validators": [{"type": "blocklist", "path": "/nonexistent/list"}]}"#
    let user = try TestDaemon(userPolicy: list)
    let client = try user.createStore()
    #expect(try file(client, 1)?["state"]?.text == "faulty")
    let administrator = try TestDaemon(administratorPolicy: list)
    #expect(try administrator.connect().error("Passcode.StartFlow", ["flow": .string("create")]) == "PolicyFault")
  }

  @Test("the user's file can only tighten the administrator's")
  func floor() throws {
    let test = try TestDaemon(administratorPolicy: #"{"minLength": 20}"#, userPolicy: #"{"minLength": 5, "historyDepth": 2}"#)
    let reply = try test.connect().call("Passcode.Policy").reply
    #expect(reply?["policy"]?["minLength"]?.number == 20 && reply?["origins"]?["minLength"]?.text == "administrator")
    #expect(reply?["policy"]?["historyDepth"]?.number == 2 && reply?["origins"]?["historyDepth"]?.text == "user")
  }

  @Test("SC-61: a policy made stricter counts for the passcode already set, at the next unlock; a change ends that")
  func tightened() throws {
    let test = try TestDaemon()
    let client = try test.createStore()
    try client.call("Credentials.Put", ["name": .string("a"), "secret": .string("AQ==")])
    try test.write("user.json", #"{"minLength": 40}"#)
    #expect(try client.error("Credentials.Get", ["name": .string("a")]) == nil)
    try client.call("Passcode.Lock")
    #expect(try client.error("Passcode.Verify", ["passcode": .string(TestDaemon.passcode)]) == "MustChange")
    let unlock = try client.call("Passcode.Unlock", ["passcode": .string(TestDaemon.passcode)])
    #expect(unlock.reply?["state"]?.text == "mustChange")
    let refused = try client.call("Credentials.Get", ["name": .string("a")])
    #expect(refused.errorName == "MustChange" && refused.reply?["reason"]?.text == "belowPolicy")
    try client.call("Passcode.StartFlow", ["flow": .string("change")])
    let new = "another much longer horse battery staple and more"
    for passcode in [TestDaemon.passcode, new, new] {
      try client.call("Passcode.EnterPasscode", ["passcode": .string(passcode)])
    }
    #expect(try client.error("Credentials.Get", ["name": .string("a")]) == nil)
  }

  @Test("SC-54: neither SIGHUP nor another policy touches the count of wrong tries")
  func reloadKeepsCount() throws {
    let test = try TestDaemon()
    let client = try test.createStore()
    for _ in 0..<3 { try client.call("Passcode.Verify", ["passcode": .string("wrong")]) }
    test.daemon.reloadPolicy()
    #expect(test.log.text.contains("policy files read"))
    #expect(try client.call("Passcode.Status").reply?["triesRemaining"]?.number == 7)
    try test.write("user.json", #"{"retryLimit": 8}"#)
    test.daemon.reloadPolicy()
    #expect(try client.call("Passcode.Status").reply?["triesRemaining"]?.number == 5)
  }

  @Test("SC-62: the user's own policy wipes only where the word was typed when the store was made", arguments: [true, false])
  func wipe(isAccepted: Bool) throws {
    let test = try TestDaemon(userPolicy: #"{"onRetryLimit": "wipe", "retryLimit": 2}"#)
    let client = try test.connect()
    try client.call("Passcode.StartFlow", ["flow": .string("create"), "acceptWipe": .bool(isAccepted)])
    for _ in 0..<2 { try client.call("Passcode.EnterPasscode", ["passcode": .string(TestDaemon.passcode)]) }
    #expect(try client.error("Passcode.Verify", ["passcode": .string("wrong 1")]) == "WrongPasscode")
    #expect(
      try client.error("Passcode.Verify", ["passcode": .string("wrong 2")]) == (isAccepted ? "Wiped" : "WrongPasscode"))
    #expect(
      try client.error("Passcode.Verify", ["passcode": .string("wrong 3")]) == (isAccepted ? "NoStore" : "LockedOut"))
    let state = try client.call("Passcode.Status").reply?["state"]?.text
    #expect(state == (isAccepted ? "absent" : "unlocked"))
  }

  @Test("what the policy asks for each time is read with the passcode in the same call only; a wrong one costs a try")
  func askEachTime() throws {
    let test = try TestDaemon(userPolicy: #"{"askEachTime": ["bank/", "kind=otp"]}"#)
    let client = try test.createStore()
    for (name, kind) in [("bank/pin", "x"), ("other", "otp"), ("bank", "x"), ("free", "otp2")] {
      try client.call(
        "Credentials.Put", ["name": .string(name), "secret": .string("AQ=="), "attributes": .map(["kind": kind])])
    }
    func get(_ name: String, _ passcode: String?) throws -> JSONNode {
      guard let passcode else { return try client.call("Credentials.Get", ["name": .string(name)]) }
      return try client.call("Credentials.Get", ["name": .string(name), "passcode": .string(passcode)])
    }
    for name in ["bank/pin", "other"] {
      #expect(try get(name, nil).errorName == "NoPrompt")
      #expect(try get(name, "wrong").errorName == "WrongPasscode")
      #expect(try get(name, "").errorName == "InvalidText")
      #expect(try get(name, TestDaemon.passcode).reply?["secret"]?.text == "AQ==")
      #expect(try client.error("Credentials.Show", ["name": .string(name)]) == nil)
    }
    for name in ["bank", "free"] { #expect(try get(name, nil).reply?["secret"]?.text == "AQ==") }
    #expect(try get("absent", nil).errorName == "NotFound")
  }

  @Test("an earlier value is asked about as the credential is that has its name today")
  func askAboutEarlierValue() throws {
    let test = try TestDaemon(userPolicy: #"{"askEachTime": ["bank/", "kind=otp"]}"#)
    let client = try test.createStore()
    let first = try client.call("Credentials.Put", ["name": .string("plain"), "secret": .string("AQ==")]).reply?["version"]
    let version = try #require(first?.number)
    try client.call("Credentials.Put", ["name": .string("plain"), "secret": .string("Ag==")])
    func get(_ name: String) throws -> JSONNode {
      try client.call("Credentials.Get", ["name": .string(name), "version": .integer(version)])
    }
    #expect(try get("plain").reply?["secret"]?.text == "AQ==")
    try client.call(
      "Credentials.SetAttributes", ["name": .string("plain"), "set": .map(["kind": "otp"]), "unset": .strings([])])
    #expect(try get("plain").errorName == "NoPrompt")
    try client.call(
      "Credentials.SetAttributes", ["name": .string("plain"), "set": .map([:]), "unset": .strings(["kind"])])
    try client.call("Credentials.Rename", ["name": .string("plain"), "newName": .string("bank/plain")])
    #expect(try get("bank/plain").errorName == "NoPrompt")
    try client.call("Credentials.Delete", ["name": .string("bank/plain")])
    #expect(try get("bank/plain").reply?["secret"]?.text == "AQ==")
  }

  @Test("a policy that asks only to warn of a weak passcode says so at unlock")
  func warning() throws {
    let test = try TestDaemon()
    let client = try test.createStore()
    func unlock() throws -> JSONNode? {
      try client.call("Passcode.Unlock", ["passcode": .string(TestDaemon.passcode)]).reply
    }
    #expect(try unlock()?["belowPolicy"] == nil)
    try test.write("user.json", #"{"minLength": 40, "onTightenedPolicy": "warn"}"#)
    let reply = try unlock()
    #expect(reply?["state"]?.text == "unlocked" && reply?["belowPolicy"]?.isTrue == true)
  }

  @Test("a policy file is looked through without being put in force")
  func validation() throws {
    let directory = try TemporaryDirectory()
    func report(_ text: String, asAdministrator: Bool = false) throws -> (JSONNode, Int32) {
      let path = try directory.write("p.json", text.utf8)
      let report = PolicyValidation.report(on: path, asAdministrator: asAdministrator)
      return (try JSONDocument.parse(report.json.utf8Span.span), report.exitCode)
    }
    let good = try report(#"{"minLength": 9}"#)
    #expect(good.1 == 0 && good.0["valid"]?.isTrue == true && good.0["role"]?.text == "user")
    let bad = try report("{\"minLenght\": 9,\n\"maxLength\": \"x\"}", asAdministrator: true)
    let faults = try #require(bad.0["faults"]?.list)
    #expect(bad.1 == 78 && faults.count == 2 && bad.0["role"]?.text == "administrator")
    #expect(faults[0]["line"]?.number == 1 && faults[1]["line"]?.number == 2)
    let unavailable = try report(#"{"validators": [{"type": "blocklist", "path": "/nonexistent"}]}"#)
    #expect(unavailable.1 == 78 && unavailable.0["faults"]?.list.count == 1)
    #expect(PolicyValidation.report(on: "/nonexistent.json", asAdministrator: false).exitCode == 66)
  }
}
