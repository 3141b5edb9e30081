import PasscodeWire
import TestSupport
import Testing

@Suite struct CertificationTests {
  @Test("the certification's table is its IDL file's")
  func table() throws {
    let interface = Certification.interface
    let members = try IDLParser.members(of: String(decoding: interface.description, as: UTF8.self)).map(\.text)
    let expected =
      ["interface \(interface.name)"] + interface.types.map { "type \($0.name) \($0.type.idl)" }
      + interface.methods.map(\.idl) + interface.errors.map(\.idl)
    #expect(members == expected)
  }

  /// What the official client sends: each test gets what the one before replied.
  static let calls: [(method: String, parameters: String)] = [
    ("Start", "{}"), ("Test01", ""), ("Test02", #","bool":true"#), ("Test03", #","int":1"#), ("Test04", #","float":1.0"#),
    ("Test05", #","string":"ping""#),
    ("Test06", #","bool":false,"int":2,"float":3.141592653589793,"string":"a lot of string""#),
    ("Test07", #","struct":{"string":"a lot of string","bool":false,"int":2,"float":3.141592653589793}"#),
    ("Test08", #","map":{"bar":"Bar","foo":"Foo"}"#), ("Test09", #","set":{"three":{},"one":{},"two":{}}"#),
    (
      "Test10",
      #","mytype":{"object":{"method":"org.varlink.certification.Test09","parameters":{"map":{"foo":"Foo","bar":"Bar"}}},"#
        + #""enum":"two","struct":{"first":1,"second":"2"},"array":["one","two","three"],"dictionary":{"foo":"Foo","bar":"Bar"},"#
        + #""stringset":{"one":{},"two":{},"three":{}},"interface":{"foo":[null,{"foo":"foo","bar":"bar"},null,"#
        + #"{"one":"foo","two":"bar"}],"anon":{"foo":true,"bar":false}}}"#
    ),
    ("Test11", #","last_more_replies":["# + (1...10).map { "\"Reply number \($0)\"" }.joined(separator: ",") + "]"),
    ("End", ""),
  ]

  private func message(_ call: (method: String, parameters: String)) -> String {
    let parameters = call.method == "Start" ? "{}" : #"{"client_id":"client-0"\#(call.parameters)}"#
    let flag = call.method == "Test10" ? #","more":true"# : call.method == "Test11" ? #","oneway":true"# : ""
    return #"{"method":"org.varlink.certification.\#(call.method)","parameters":\#(parameters)\#(flag)}¶"#
  }

  private func run(_ calls: [String]) throws -> [Substring] {
    let service = Certification()
    let server = TestServer(Certification.catalog) { layout, call, reply throws(WireError) in
      try service.answer(layout, call, &reply)
    }
    return text(try server.run(wire(calls.joined())).output).split(separator: "¶")
  }

  @Test("an added interface is served by the same code: the certification passes")
  func passes() throws {
    let replies = try run(Self.calls.map(message))
    #expect(!replies.contains { $0.contains("error") })
    #expect(replies.count == 21)
    #expect(replies.last == #"{"parameters":{"all_ok":true}}"#)
  }

  @Test("a value that is not the one before fails the certification", arguments: 1...11)
  func fails(number: Int) throws {
    var calls = Self.calls
    calls[number].parameters =
      [
        "", "", #","bool":false"#, #","int":2"#, #","float":1.5"#, #","string":"pong""#,
        #","bool":false,"int":2,"float":3.14,"string":"a lot of string""#,
        #","struct":{"string":"a lot","bool":false,"int":2,"float":3.141592653589793}"#, #","map":{"bar":"Bar"}"#,
        #","set":{"three":{},"one":{}}"#, calls[10].parameters.split(separator: ":\"two\"").joined(separator: ":\"one\""),
        #","last_more_replies":[]"#,
      ][number]
    if number == 1 { calls.remove(at: 1) }
    let replies = try run(calls.map(message))
    #expect(number == 11 || replies[number].contains("InvalidParameter"))
    #expect(replies.last?.contains("all_ok") == false)
  }

  @Test("a float that is too large for one is InvalidParameter")
  func infinity() throws {
    let call = #","float":1e999"#
    let replies = try run([message(("Test04", call))])
    #expect(replies.first?.contains(#"{"parameter":"float"}"#) == true)
  }
}
