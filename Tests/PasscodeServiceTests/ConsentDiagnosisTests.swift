import StrictJSON
import TestSupport
import Testing

@testable import PasscodeService

@Suite(.serialized) struct ConsentDiagnosisTests {
  private func finding(_ id: String, _ test: TestDaemon) throws -> JSONNode? {
    try test.connect().call("Passcode.Diagnose").reply?["findings"]?.list.first { $0["id"]?.text == id }
  }

  @Test("the doctor tells what is gated and what is not agreed to, and nothing of it where there is no form")
  func gates() throws {
    let bare = try TestDaemon()
    #expect(try finding("consent", bare)?["state"]?.text == "good" && finding("record", bare) == nil)
    let test = try ConsentFixture.daemon(gates: #"{"terms": ["unlock", "work/secret/"]}"#)
    let found = try #require(try finding("consent", test))
    #expect(found["state"]?.text == "note" && found["remedy"]?.text == "passcode consent review")
    #expect(found["text"]?.text == "terms gates create, unlock, 1 folder; not agreed to: terms")
    try test.connect().answer("terms", "agreed")
    #expect(try finding("record", test) == nil)
    try test.createStore()
    #expect(try finding("consent", test)?["state"]?.text == "good")
    #expect(try finding("record", test)?["text"]?.text == "the record of consent is sound, 1 long, 1 signed")
    try test.connect().call("Passcode.Lock")
    #expect(try finding("record", test) == nil)
  }

  @Test("a gate whose form is missing or faulty is bad, with the file and the way to mend it")
  func closed() throws {
    let missing = try ConsentFixture.daemon(gates: #"{"absent": ["unlock"]}"#)
    let found = try #require(try finding("consent", missing))
    #expect(found["state"]?.text == "bad" && found["text"]?.text?.contains("\"absent\" stays closed") == true)
    #expect(found["remedy"]?.text?.contains(missing.directory.file("consent-administrator")) == true)
    let faulty = try ConsentFixture.daemon(forms: [#"{"id": "terms", "titel": 1}"#], gates: #"{"terms": ["unlock"]}"#)
    let fault = try #require(try finding("consent", faulty))
    let file = faulty.directory.file("consent-administrator/0.json")
    #expect(fault["state"]?.text == "bad" && fault["text"]?.text?.contains("the gates of terms stay closed") == true)
    #expect(fault["text"]?.text?.contains(file) == true && fault["remedy"]?.text == "passcode consent validate \(file)")
  }

  @Test("a record in which nothing counts is bad, with the way out")
  func record() throws {
    let test = try ConsentFixture.faultyDaemon("d.execute('DELETE FROM consent_text')", gates: "{}")
    try test.connect().call("Passcode.Unlock", ["passcode": .string(TestDaemon.passcode)])
    let found = try #require(try finding("record", test))
    #expect(found["state"]?.text == "bad" && found["remedy"]?.text?.hasPrefix("passcode consent restart") == true)
  }

  @Test("policy validate tells of an administrator's gate whose form is not there, at its line and column")
  func validate() throws {
    let directory = try TemporaryDirectory()
    let forms = try directory.makeDirectory("forms")
    try directory.write("forms/terms.json", ConsentFixture.terms.utf8)
    let helper = ConsentHelper(executable: try binary(named: "passcode-consent"))
    func report(_ policy: String, asAdministrator: Bool = true, in folder: String) throws -> PolicyValidation.Report {
      let file = try directory.write("policy.json", policy.utf8)
      return PolicyValidation.report(on: file, asAdministrator: asAdministrator, forms: folder, helper: helper)
    }
    let good = #"{"consent": {"gates": {"terms": "unlock"}}}"#
    #expect(try report(good, in: forms).exitCode == 0)
    let absent = "{\"consent\": {\"gates\": {\"terms\": \"unlock\",\n  \"other\": [\"work/\"]}}}"
    let found = try report(absent, in: forms)
    #expect(
      found.exitCode == 78 && found.json.contains(#""line":2,"column":3"#) && found.json.contains(#"has the id \"other\""#))
    #expect(!found.json.contains(#"id \"terms\""#))
    #expect(try report(good, in: directory.file("nowhere")).exitCode == 78)
    try directory.write("forms/terms.json", #"{"id": "terms", "titel": 1}"#.utf8)
    #expect(try report(good, in: forms).json.contains("terms.json in it is faulty"))
  }
}
