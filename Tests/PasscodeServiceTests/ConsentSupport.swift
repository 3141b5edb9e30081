import PasscodePlatform
import PasscodeWire
import StrictJSON
import TestSupport

@testable import PasscodeService

/// A daemon with consent forms.
enum ConsentFixture {
  static let terms = #"""
    {"id": "terms", "version": "1.0", "kind": "terms", "required": true, "order": 1, "defaultLocale": "en",
     "locales": {"en": {"title": "Terms", "pages": [{"title": "One", "body": "Be kind."}, {"body": "Be honest."}]},
                 "de": {"title": "Bedingungen", "pages": [{"title": "Eins", "body": "Sei gut."}, {"body": "Sei ehrlich."}]}}}
    """#
  static let study = #"""
    {"id": "study", "version": "2.1", "kind": "consent", "required": false, "order": 2, "defaultLocale": "en",
     "processing": {"privacyNotice": "https://example.org/privacy",
       "purposes": [{"description": "Research", "personalData": ["name"]}],
       "controllers": [{"name": "Example", "address": "1 Road", "contact": "privacy@example.org"}],
       "storageLocations": ["here"], "retention": "one year", "jurisdiction": "DE"},
     "locales": {"en": {"title": "Study", "document": {"title": "A study",
       "sections": [{"type": "overview", "content": "We look into things."}],
       "signatures": [{"id": "p", "role": "Participant"}, {"id": "w", "role": "Witness", "names": "any"}]}}}}
    """#

  /// A daemon with these forms of the administrator's and these gates.
  static func daemon(
    forms: [String] = [terms, study], user: [String] = [], gates: String = "{}", more: String = "",
    in directory: TemporaryDirectory? = nil, clock: TurnedClock = TurnedClock(),
    adjusting: (inout ServiceConfiguration) -> Void = { _ in }
  ) throws -> TestDaemon {
    let directory = try directory ?? TemporaryDirectory()
    for (folder, texts) in [("consent-administrator", forms), ("consent-user", user)] {
      let path = directory.file(folder)
      if try Files.status(of: path) == nil { try Files.makeDirectory(path) }
      for (index, text) in texts.enumerated() { try directory.write("\(folder)/\(index).json", text.utf8) }
    }
    let helper = ConsentHelper(executable: try binary(named: "passcode-consent"))
    return try TestDaemon(
      in: directory, administratorPolicy: #"{"consent": {"gates": \#(gates)\#(more)}}"#, clock: clock
    ) {
      $0.consentHelper = helper
      adjusting(&$0)
    }
  }

  /// A daemon whose store has a record of three entries that Python did something to.
  static func faultyDaemon(_ code: String, gates: String = #"{"terms": ["unlock"]}"#) throws -> TestDaemon {
    let test = try daemon()
    let client = try test.connect()
    try client.answer("terms", "agreed")
    try test.createStore()
    try client.call("Consent.Withdraw", ["form": .string("terms")])
    try client.answer("terms", "agreed")
    test.stop()
    try test.tamper(code)
    return try daemon(gates: gates, in: test.directory)
  }
}

extension TestDaemon {
  /// Runs Python with the store's file opened as `d`. The daemon has to have ended.
  func tamper(_ code: String) throws {
    let program = "import sqlite3,sys; d=sqlite3.connect(sys.argv[1]); \(code); d.commit()"
    let result = try Command("/usr/bin/python3", ["-c", program, directory.file("store.db")]).run()
    guard result.status == .exited(0) else { throw TestFailure(result.errorText) }
  }
}

extension RawClient {
  /// The form of this id, as `ListForms` tells it.
  func form(_ id: String) throws -> JSONNode? {
    try call("Consent.ListForms").reply?["forms"]?.list.first { $0["id"]?.text == id }
  }

  /// Answers a form as it is in force; the short name of the error, nil for none.
  @discardableResult
  func answer(_ id: String, _ choice: String, more: String = "") throws -> String? {
    guard let form = try form(id), let version = form["version"]?.text, let sha256 = form["sha256"]?.text else {
      throw TestFailure("there is no form \(id)")
    }
    return try answer(#""form": "\#(id)", "version": "\#(version)", "sha256": "\#(sha256)", "choice": "\#(choice)"\#(more)"#)
  }

  /// Answers with these members.
  func answer(_ members: String) throws -> String? {
    try send(text: #"{"method": "org.passcoded.Consent.Answer", "parameters": {"answers": [{\#(members)}]}}"# + "\0")
    return try receive().errorName
  }

  /// All parts of what `Read` reads.
  func readConsent(_ what: String, of form: String? = nil, locale: String? = nil, sequence: Int? = nil) throws -> String {
    var members = [#""what": "\#(what)""#]
    if let form { members.append(#""form": "\#(form)""#) }
    if let locale { members.append(#""locale": "\#(locale)""#) }
    if let sequence { members.append(#""sequence": \#(sequence)"#) }
    let parameters = members.joined(separator: ", ")
    try send(text: #"{"method": "org.passcoded.Consent.Read", "more": true, "parameters": {\#(parameters)}}"# + "\0")
    var all: [String] = []
    while true {
      let reply = try receive()
      if let error = reply.errorName { throw TestFailure(error) }
      all.append(reply.reply?["part"]?.text ?? "")
      guard case .bool(true)? = reply["continues"]?.value else { return all.joined() }
    }
  }
}
