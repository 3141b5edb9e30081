import ConsentCore
import Glibc
import PasscodePlatform
import SecretMemory
import StrictJSON
import TestSupport
import Testing

@testable import PasscodeService

@Suite(.serialized) struct ConsentTests {
  @Test("a store is made only after each required form was agreed to, and what was agreed before it is signed by it")
  func creation() throws {
    let test = try ConsentFixture.daemon()
    let client = try test.connect()
    #expect(try client.call("Passcode.Status").reply?["consentPending"]?.list.map(\.text) == ["terms"])
    let refused = try client.call("Passcode.StartFlow", ["flow": .string("create")])
    #expect(refused.errorName == "ConsentRequired" && refused.reply?["forms"]?.list.map(\.text) == ["terms"])
    #expect(try client.answer("terms", "agreed") == nil)
    #expect(try client.answer("study", "notNow") == nil)
    #expect(try client.form("terms")?["state"]?.text == "given")
    try test.createStore()
    let records = try #require(try client.call("Consent.Records").reply?["records"]?.list)
    #expect(records.map { $0["event"]?.text } == ["given", "deferred"])
    #expect(records.allSatisfy { $0["recording"]?.text == "beforeStore" && isTrue($0["isSigned"]) })
    let check = try client.call("Consent.VerifyRecord").reply
    #expect(check?["signedCount"]?.number == 2 && check?["recordFault"] == nil && isTrue(check?["isComplete"]))
    #expect(!directoryEntries(test.directory.path).contains("store.db.consent"))
    #expect(try client.call("Passcode.Status").reply?["consentPending"]?.list.isEmpty == true)
  }

  @Test("S26: an answer names the version and the text that was read, else it is refused")
  func headless() throws {
    let test = try ConsentFixture.daemon()
    let client = try test.connect()
    let form = try #require(try client.form("terms"))
    let sha256 = try #require(form["sha256"]?.text)
    let other = String(sha256.reversed())
    for members in [
      #""form": "terms", "version": "1.1", "sha256": "\#(sha256)", "choice": "agreed""#,
      #""form": "terms", "version": "1.0", "sha256": "\#(other)", "choice": "agreed""#,
      #""form": "terms", "version": "1.0", "sha256": "", "choice": "agreed""#,
    ] {
      #expect(try client.answer(members) == "FormChanged")
    }
    #expect(try client.answer(#""form": "terms", "version": "1.0", "choice": "agreed""#) == "InvalidParameter")
    #expect(
      try client.answer(#""form": "none", "version": "1.0", "sha256": "\#(sha256)", "choice": "agreed""#) == "UnknownForm")
    #expect(try client.answer("terms", "notNow") == "ImproperAnswer")
    #expect(try client.answer("study", "denied") == "ImproperAnswer")
    #expect(try client.call("Consent.Records").reply?["records"]?.list.isEmpty == true)
    let text = try client.readConsent("text", of: "terms", locale: "de")
    let german = SHA256.digest(Array(text.utf8).span).hex
    #expect(try client.answer(#""form": "terms", "version": "1.0", "sha256": "\#(german)", "choice": "agreed""#) == nil)
    #expect(try client.call("Consent.Records").reply?["records"]?.list.first?["locale"]?.text == "de")
  }

  @Test("S4: a denied required form leaves its refusal's record, and no store can be made")
  func denial() throws {
    let test = try ConsentFixture.daemon()
    let client = try test.connect()
    #expect(try client.answer("terms", "denied") == nil)
    #expect(try client.error("Passcode.StartFlow", ["flow": .string("create")]) == "ConsentRequired")
    #expect(try client.form("terms")?["state"]?.text == "refused")
    #expect(directoryEntries(test.directory.path).filter { $0.hasPrefix("store.db") } == ["store.db.consent"])
    #expect(try client.answer("terms", "agreed") == nil)
    try test.createStore()
  }

  @Test("S30: a withdrawal locks at once what the form gates, and an answer that is given while locked opens it")
  func withdrawal() throws {
    let test = try ConsentFixture.daemon(gates: #"{"terms": ["unlock"]}"#)
    let client = try test.connect()
    try client.answer("terms", "agreed")
    try test.createStore()
    #expect(try client.error("Credentials.Put", ["name": .string("a"), "secret": .string("AQ==")]) == nil)
    #expect(try client.call("Consent.Withdraw", ["form": .string("terms")]).reply?["record"]?["event"]?.text == "withdrawn")
    #expect(try client.call("Passcode.Status").reply?["state"]?.text == "locked")
    #expect(try client.error("Credentials.Get", ["name": .string("a")]) == "Locked")
    #expect(try client.error("Passcode.Unlock", ["passcode": .string(TestDaemon.passcode)]) == "ConsentRequired")
    #expect(try client.error("Passcode.StartFlow", ["flow": .string("change")]) == "ConsentRequired")
    #expect(try client.error("Passcode.Verify", ["passcode": .string(TestDaemon.passcode)]) == nil)
    #expect(try client.error("Consent.Withdraw", ["form": .string("terms")]) == "NothingRecorded")
    #expect(try client.answer("terms", "agreed") == nil)
    var last = try client.call("Consent.Records").reply?["records"]?.list.last
    #expect(last?["recording"]?.text == "whileLocked" && !isTrue(last?["isSigned"]))
    #expect(try client.error("Passcode.Unlock", ["passcode": .string(TestDaemon.passcode)]) == nil)
    #expect(try client.call("Credentials.Get", ["name": .string("a")]).reply?["secret"]?.text == "AQ==")
    last = try client.call("Consent.Records").reply?["records"]?.list.last
    #expect(last?["recording"]?.text == "whileLocked" && isTrue(last?["isSigned"]))
  }

  @Test("a folder that a form gates answers ConsentRequired, never NotFound, and can be deleted from all the same")
  func folders() throws {
    let test = try ConsentFixture.daemon(gates: #"{"study": ["work/"]}"#)
    let client = try test.connect()
    try client.answer("terms", "agreed")
    try test.createStore()
    #expect(try client.error("Credentials.Put", ["name": .string("home/a"), "secret": .string("AQ==")]) == nil)
    for method in ["Get", "Show", "History"] {
      #expect(try client.error("Credentials." + method, ["name": .string("work/none")]) == "ConsentRequired")
    }
    #expect(try client.error("Credentials.Put", ["name": .string("work/a"), "secret": .string("AQ==")]) == "ConsentRequired")
    #expect(
      try client.error("Credentials.Rename", ["name": .string("home/a"), "newName": .string("work/a")]) == "ConsentRequired")
    for folder in ["work", "work/", "work/deep"] {
      #expect(try client.error("Credentials.List", ["folder": .string(folder)]) == "ConsentRequired")
    }
    #expect(try client.error("Credentials.List") == nil)
    #expect(try client.error("Credentials.Get", ["name": .string("workshop")]) == "NotFound")
    #expect(try client.error("Credentials.Delete", ["name": .string("work/none")]) == "NotFound")
    let signature = #", "signature": {"id": "p", "givenName": "Zoë", "familyName": "Ö", "image": "\#(Self.dot)"}"#
    #expect(try client.answer("study", "agreed") == "ImproperAnswer")
    #expect(try client.answer("study", "agreed", more: signature) == nil)
    #expect(try client.error("Credentials.Put", ["name": .string("work/a"), "secret": .string("AQ==")]) == nil)
    try client.call("Consent.Withdraw", ["form": .string("study")])
    #expect(try client.error("Credentials.Get", ["name": .string("work/a")]) == "ConsentRequired")
    #expect(try client.error("Credentials.Delete", ["name": .string("work/a")]) == nil)
  }

  @Test("S17, S18, S22: a major revision asks again and says so, a minor one does not")
  func revisions() throws {
    let test = try ConsentFixture.daemon(gates: #"{"terms": ["unlock"]}"#)
    let client = try test.connect()
    try client.answer("terms", "agreed")
    try test.createStore()
    func revise(_ version: String, _ body: String = "Be kind.") throws {
      let text = ConsentFixture.terms.replacing("\"1.0\"", with: "\"\(version)\"").replacing("Be kind.", with: body)
      try test.write("consent-administrator/0.json", text)
    }
    try revise("1.1", "Be kind!")
    #expect(try client.form("terms")?["state"]?.text == "given")
    #expect(try client.error("Credentials.List") == nil)
    try revise("2.0")
    let form = try client.form("terms")
    #expect(form?["state"]?.text == "superseded" && form?["agreedBefore"]?.text == "1.0")
    // It was locked when the form was read.
    #expect(try client.error("Credentials.List") == "Locked")
    #expect(try client.error("Passcode.Unlock", ["passcode": .string(TestDaemon.passcode)]) == "ConsentRequired")
    #expect(try client.answer("terms", "agreed") == nil)
    #expect(try client.call("Consent.Records").reply?["records"]?.list.last?["event"]?.text == "renewed")
    #expect(try client.error("Passcode.Unlock", ["passcode": .string(TestDaemon.passcode)]) == nil)
    try revise("2.0", "Be rich.")
    #expect(try client.form("terms")?["state"]?.text == "superseded")
  }

  @Test("a user's form gates the creation of a store and nothing else, and gives way to the administrator's of its id")
  func usersForms() throws {
    let own = ConsentFixture.terms.replacing("\"terms\", \"version\"", with: "\"own\", \"version\"")
    let test = try ConsentFixture.daemon(
      user: [own, ConsentFixture.terms.replacing("\"1.0\"", with: "\"9.0\"")],
      gates: #"{"own": ["unlock", "create"]}"#)
    let client = try test.connect()
    #expect(try client.form("terms")?["version"]?.text == "1.0")
    #expect(try client.form("own")?["gates"]?.list.map(\.text) == ["create"])
    try client.answer("terms", "agreed")
    #expect(try client.error("Passcode.StartFlow", ["flow": .string("create")]) == "ConsentRequired")
    try client.answer("own", "agreed")
    try test.createStore()
    // The administrator's gate is not opened by a form that is not his.
    #expect(try client.form("own")?["state"]?.text == "given")
    #expect(try client.error("Credentials.List") == "Locked")
    #expect(try client.error("Passcode.Unlock", ["passcode": .string(TestDaemon.passcode)]) == "ConsentRequired")
    try test.write("administrator.json", "{}")
    #expect(try client.error("Passcode.Unlock", ["passcode": .string(TestDaemon.passcode)]) == nil)
    try client.call("Consent.Withdraw", ["form": .string("own")])
    #expect(try client.error("Credentials.List") == nil)
  }

  @Test("an administrator's faulty form keeps stores from being made, and its last good version in force")
  func faultyForms() throws {
    let test = try ConsentFixture.daemon()
    let client = try test.connect()
    #expect(try client.form("terms") != nil)
    try test.write("consent-administrator/0.json", ConsentFixture.terms.replacing("\"kind\"", with: "\"kindd\""))
    let list = try client.call("Consent.ListForms").reply
    #expect(list?["formFaults"]?.list.contains { $0["message"]?.text?.contains("did you mean \"kind\"?") == true } == true)
    #expect(list?["forms"]?.list.count == 2)
    let refused = try client.call("Passcode.StartFlow", ["flow": .string("create")])
    #expect(refused.errorName == "PolicyFault" && refused.reply?["line"]?.number == 1)
  }

  @Test("a gate whose form is not there stays closed")
  func missingForm() throws {
    let test = try ConsentFixture.daemon(forms: [], gates: #"{"gone": ["create"]}"#)
    #expect(try test.connect().error("Passcode.StartFlow", ["flow": .string("create")]) == "ConsentRequired")
  }

  @Test("S1, S16: the document on paper has the signatures of all who signed, and the receipt names what it follows")
  func papers() throws {
    let test = try ConsentFixture.daemon()
    let client = try test.connect()
    #expect(throws: TestFailure.self) { try client.readConsent("document", of: "study") }
    let signature = #", "signature": {"id": "p", "givenName": "Zoë", "familyName": "Ö", "image": "\#(Self.dot)"}"#
    try client.answer("study", "agreed", more: signature)
    let witness = #"{"method": "org.passcoded.Consent.Sign", "parameters": {"form": "study", "signature": "#
    for (members, error) in [
      (#"{"id": "x", "givenName": "W"}"#, "ImproperAnswer"), (#"{"id": "w", "image": "AA"}"#, "ImproperAnswer"),
      (#"{"id": "w", "givenName": "Wu", "image": "\#(Self.dot)"}"#, nil),
    ] as [(String, String?)] {
      try client.send(text: witness + members + "}}\0")
      #expect(try client.receive().errorName == error)
    }
    let paper = try client.readConsent("document", of: "study")
    #expect(paper.contains("Zoë") && paper.contains("Wu") && paper.contains("Witness"))
    let receipt = try client.readConsent("receipt", of: "study")
    let first = try client.readConsent("receipt", sequence: 1)
    let firstID = try #require(JSONDocument.parse(Array(first.utf8).span)["receiptId"]?.text)
    #expect(try JSONDocument.parse(Array(receipt.utf8).span)["supersedes"]?.text == firstID)
    #expect(try client.readConsent("receiptPaper", of: "study").contains(firstID))
  }

  @Test("answers that were changed in the journal count for nothing, and are named")
  func journal() throws {
    let test = try ConsentFixture.daemon()
    let client = try test.connect()
    try client.answer("terms", "denied")
    let path = test.directory.file("store.db.consent")
    let text = String(decoding: try Files.read(path, limit: 1 << 20), as: UTF8.self)
    for (changed, words) in [
      (text.replacing("refused", with: "given"), nil), (text.replacing("{", with: "["), "damaged"), ("", "damaged"),
      (text.replacing("\"texts\": [", with: "\"texts\": [\"AAAA\", "), nil),
    ] as [(String, String?)] {
      try test.write("store.db.consent", changed)
      #expect(try client.error("Passcode.StartFlow", ["flow": .string("create")]) == "ConsentRequired")
      let fault = try client.call("Consent.ListForms").reply?["recordFault"]?.text
      if let words { #expect(fault?.contains(words) == true && fault?.contains(path) == true) }
    }
    try Files.remove(path)
    try client.answer("terms", "agreed")
    try test.createStore()
  }

  @Test("answers of before a store that was killed before it had taken them move into it later")
  func lateAdoption() throws {
    let test = try ConsentFixture.daemon()
    let client = try test.connect()
    try client.answer("terms", "agreed")
    let journal = try Files.read(test.directory.file("store.db.consent"), limit: 1 << 20)
    test.stop()
    let bare = try ConsentFixture.daemon(forms: [], in: TemporaryDirectory())
    try bare.createStore()
    try bare.directory.write("store.db.consent", journal)
    #expect(try bare.connect().call("Consent.Records").reply?["records"]?.list.count == 1)
    try bare.connect().call("Passcode.Lock")
    try bare.connect().call("Passcode.Unlock", ["passcode": .string(TestDaemon.passcode)])
    #expect(try bare.connect().call("Consent.VerifyRecord").reply?["signedCount"]?.number == 1)
    #expect(!directoryEntries(bare.directory.path).contains("store.db.consent"))
  }

  @Test("with no form and no gate nobody is asked, and no helper is started")
  func none() throws {
    let test = try TestDaemon { $0.consentHelper = ConsentHelper(executable: "/nonexistent/helper") }
    let client = try test.connect()
    #expect(try client.call("Consent.ListForms").reply?["forms"]?.list.isEmpty == true)
    try test.createStore()
    #expect(!test.log.text.contains("consent"))
    #expect(try client.call("Consent.VerifyRecord").reply?["count"]?.number == 0)
    #expect(throws: TestFailure.self) { try client.readConsent("text", of: "terms") }
  }

  @Test("consent that has expired closes what it gates")
  func expiry() throws {
    let clock = TurnedClock()
    let test = try ConsentFixture.daemon(
      forms: [ConsentFixture.terms.replacing("\"order\": 1", with: "\"order\": 1, \"validDays\": 10")],
      gates: #"{"terms": ["work/"]}"#, clock: clock)
    let client = try test.connect()
    try client.answer("terms", "agreed")
    try test.createStore()
    #expect(try client.error("Credentials.List", ["folder": .string("work")]) == nil)
    clock.turn(seconds: 11 * 86_400)
    try client.call("Passcode.Unlock", ["passcode": .string(TestDaemon.passcode)])
    #expect(try client.error("Credentials.List", ["folder": .string("work")]) == "ConsentRequired")
    #expect(try client.form("terms")?["state"]?.text == "expired")
  }

  private func isTrue(_ node: JSONNode?) -> Bool { if case .bool(true)? = node?.value { true } else { false } }

  /// The smallest PNG.
  static let dot =
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
}

@Suite(
  "Receipts that are handed on", .serialized, .enabled(if: geteuid() == 0, "the command has to be root's"))
struct ConsentDepositTests {
  private let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory(in: "/var/lib", mode: 0o755) }

  @Test("each signed receipt is offered until the command takes it, in order, and once")
  func deposit() throws {
    let taken = directory.file("taken")
    try directory.writeProgram(
      "deposit", "#!/bin/sh\ntest -e \(directory.path)/closed && exit 1\n{ cat; printf '\\n--\\n'; } >> \(taken)\n")
    try directory.write("closed", "".utf8)
    let test = try ConsentFixture.daemon(more: #", "depositCommand": "\#(directory.file("deposit"))""#)
    let client = try test.connect()
    try client.answer("terms", "agreed")
    try test.createStore()
    test.log.wait(for: "receipt 1: ")
    #expect(try Files.status(of: taken) == nil)
    try Files.remove(directory.file("closed"))
    try client.call("Consent.Withdraw", ["form": .string("terms")])
    while ((try? Files.read(taken, limit: 1 << 20)) ?? []).split(separator: UInt8(ascii: "\n")).count(where: {
      $0.elementsEqual("--".utf8)
    }) < 2 {
      usleep(20_000)
    }
    let receipts = String(decoding: try Files.read(taken, limit: 1 << 20), as: UTF8.self).split(separator: "\n--\n")
    #expect(receipts.count == 2 && receipts[0].contains("\"given\"") && receipts[1].contains("\"withdrawn\""))
    #expect(receipts.allSatisfy { $0.contains("keyFingerprint") })
  }
}
