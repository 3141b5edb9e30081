import StrictJSON
import TestSupport
import Testing

@testable import PasscodeService

private let year: Int64 = 365 * 86_400

/// Clocks that jump between answers.
@Suite(.serialized) struct ConsentClockTests {
  private static let lasting = ConsentFixture.terms.replacing("\"order\": 1", with: "\"order\": 1, \"validDays\": 10")
  private static let optional = ConsentFixture.terms.replacing("\"required\": true", with: "\"required\": false")

  @Test("the record keeps its order over a clock that goes back and forth by years, stays sound, and verify says so")
  func order() throws {
    let clock = TurnedClock()
    let test = try ConsentFixture.daemon(clock: clock)
    let client = try test.connect()
    try client.answer("terms", "agreed")
    try test.createStore()
    #expect(try client.call("Consent.VerifyRecord").reply?["clockSetBackAt"] == nil)
    for jump in [-5 * year, 8 * year, -3 * year] {
      clock.setWall(by: jump)
      try client.call("Consent.Withdraw", ["form": .string("terms")])
      try client.answer("terms", "agreed")
    }
    let records = try #require(try client.call("Consent.Records").reply?["records"]?.list)
    #expect(records.compactMap { $0["sequence"]?.number } == Array(1...7))
    #expect(records.map { $0["event"]?.text } == ["given"] + Array(repeating: ["withdrawn", "given"], count: 3).joined())
    let check = try #require(try client.call("Consent.VerifyRecord").reply)
    #expect(check["recordFault"] == nil && check["signedCount"]?.number == 7 && check["clockSetBackAt"]?.number == 2)
    #expect(try client.form("terms")?["state"]?.text == "given")
    let record = try #require(
      try client.call("Passcode.Diagnose").reply?["findings"]?.list.first { $0["id"]?.text == "record" })
    #expect(record["state"]?.text == "good" && record["text"]?.text?.contains("clock was set back") == true)
  }

  @Test(
    "what expires closes when the clock passes its end, at once; a clock that is set back long before the answer opens nothing")
  func expiry() throws {
    let clock = TurnedClock()
    let test = try ConsentFixture.daemon(forms: [Self.lasting], gates: #"{"terms": ["work/"]}"#, clock: clock)
    let client = try test.connect()
    try client.answer("terms", "agreed")
    try test.createStore()
    func isOpen() throws -> Bool { try client.error("Credentials.List", ["folder": .string("work")]) == nil }
    #expect(try isOpen())
    clock.setWall(by: 3600)
    clock.setWall(by: -2 * 3600)
    #expect(try isOpen(), "an hour back is no wrong clock")
    clock.setWall(by: 2 * year)
    #expect(try !isOpen())
    #expect(try client.form("terms")?["state"]?.text == "expired")
    clock.setWall(by: -4 * year)
    #expect(try !isOpen())
    #expect(try client.form("terms")?["state"]?.text == "expired")
    // Agreed to under the wrong clock: that holds under it.
    try client.answer("terms", "agreed")
    #expect(try isOpen())
    clock.setWall(by: 2 * year + 3600)
    #expect(try !isOpen())
  }

  @Test("a form that was put off under a clock years ahead is asked again when that is set right, and not for ever")
  func deferral() throws {
    let clock = TurnedClock()
    let test = try ConsentFixture.daemon(forms: [Self.optional], more: #", "maxDeferrals": 2"#, clock: clock)
    let client = try test.connect()
    func isAsked() throws -> Bool { if case .bool(true)? = try client.form("terms")?["isAsked"]?.value { true } else { false } }
    clock.setWall(by: 5 * year)
    try client.answer("terms", "notNow")
    #expect(try !isAsked())
    clock.setWall(by: -5 * year)
    #expect(try isAsked())
    try client.answer("terms", "notNow")
    #expect(try !isAsked())
    clock.setWall(by: 5 * year)
    #expect(try !isAsked(), "it was put off as often as it may be")
  }
}
