import PasscodeWire
import StrictJSON
import TestSupport
import Testing

@Suite struct TranscriptTests {
  static let server = TestServer()
  static let information =
    #"{"parameters":{"vendor":"The makers","product":"passcoded","version":"1","url":"https://example.org","#
    + #""interfaces":["org.varlink.service","org.passcoded.Passcode","org.passcoded.Credentials","org.passcoded.Consent"]}}¶"#

  /// Calls and the replies to them.
  static let transcript: [(call: String, reply: String)] = [
    (#"{"method":"org.varlink.service.GetInfo"}¶"#, information),
    (
      #"{"method":"org.varlink.service.GetInterfaceDescription","parameters":{"interface":"a.b"}}¶"#,
      #"{"error":"org.varlink.service.InterfaceNotFound","parameters":{"interface":"a.b"}}¶"#
    ),
    (
      #"{"method":"org.passcoded.Passcode.Monitor","more":true}¶"#,
      #"{"parameters":{"state":"locked"},"continues":true}¶{"parameters":{"state":"unlocked","locksAt":5}}¶"#
    ),
    (#"{"method":"org.passcoded.Passcode.Monitor"}¶"#, #"{"error":"org.varlink.service.ExpectedMore"}¶"#),
    (#"{"method":"org.passcoded.Passcode.Lock","oneway":true}¶"#, ""),
    (#"{"method":"org.passcoded.Passcode.Nothing","oneway":true}¶"#, ""),
    (#"{"method":"org.passcoded.Passcode.Lock","parameters":{},"more":false}¶"#, "{}¶"),
    (#" { "parameters" : null , "method":"org.passcoded.Passcode.Loc\u006b" } ¶"#, "{}¶"),
    (#"{"method":"org.passcoded.Passcode.Lock","com.vendor":{"a":[1,{}]},"\u0061.b":2}¶"#, "{}¶"),
    (
      #"{"method":"org.passcoded.Credentials.Get","parameters":{"name":"a\"\u00e9/\\b","version":null}}¶"#,
      #"{"parameters":{"version":7,"secret":"YSLDqS9cYg=="}}¶"#
    ),
    (
      #"{"parameters":{"version":-9223372036854775808,"name":"x"},"method":"org.passcoded.Credentials.Get"}¶"#,
      #"{"parameters":{"version":-9223372036854775808,"secret":"eA=="}}¶"#
    ),
    (
      #"{"method":"org.passcoded.Credentials.Get","parameters":{"name":"none"}}¶"#,
      #"{"error":"org.passcoded.Credentials.NotFound","parameters":{"name":"none"}}¶"#
    ),
    (
      #"{"method":"org.passcoded.Nothing.Get"}¶"#,
      #"{"error":"org.varlink.service.InterfaceNotFound","parameters":{"interface":"org.passcoded.Nothing"}}¶"#
    ),
    (#"{"method":"Get"}¶"#, #"{"error":"org.varlink.service.InterfaceNotFound","parameters":{"interface":"Get"}}¶"#),
    (
      #"{"method":"org.passcoded.Credentials.Steal"}¶"#,
      #"{"error":"org.varlink.service.MethodNotFound","parameters":{"method":"org.passcoded.Credentials.Steal"}}¶"#
    ),
    (
      #"{"method":"org.passcoded.Passcode.Lock","upgrade":true}¶"#,
      #"{"error":"org.varlink.service.MethodNotImplemented","parameters":{"method":"org.passcoded.Passcode.Lock"}}¶"#
    ),
  ]

  @Test("each call gets the reply of the transcript", arguments: transcript.indices)
  func replies(index: Int) throws {
    let (call, reply) = Self.transcript[index]
    let (output, closed) = try Self.server.run(wire(call))
    #expect(text(output) == reply)
    #expect(closed == nil)
  }

  @Test("the transcript is the same however it is split, down to single bytes, and all in one")
  func splits() throws {
    let calls = wire(Self.transcript.map(\.call).joined())
    let replies = Self.transcript.map(\.reply).joined()
    var generator = SplitMix64.announced()
    var ways: [[Int]] = [[.max], [1], [2], [3], [7], [4096]]
    for _ in 0..<50 { ways.append((0..<20).map { _ in Int.random(in: 1...200, using: &generator) }) }
    for pieces in ways {
      let (output, closed) = try Self.server.run(calls, pieces: pieces)
      #expect(text(output) == replies, "\(pieces)")
      #expect(closed == nil)
    }
  }

  @Test("a split at any byte of a call changes nothing", arguments: [0, 2, 9])
  func everySplit(index: Int) throws {
    let (call, reply) = Self.transcript[index]
    let bytes = wire(call)
    for place in 1..<bytes.count {
      let (output, _) = try Self.server.run(bytes, pieces: [place, .max])
      #expect(text(output) == reply, "split at \(place)")
    }
  }

  @Test(
    "what is no call closes the connection without a reply",
    arguments: [
      ("notjson¶", .notJSON(.expectedValue)),
      ("¶", .notJSON(.unexpectedEnd)),
      ("[]¶", .notAnObject),
      ("1¶", .notAnObject),
      ("{}¶", .noMethod),
      (#"{"method":null}¶"#, .wrongType),
      (#"{"method":5}¶"#, .wrongType),
      (#"{"method":"a.B","more":1}¶"#, .wrongType),
      (#"{"method":"a.B","oneway":null}¶"#, .wrongType),
      (#"{"method":"a.B","parameters":[]}¶"#, .wrongType),
      (#"{"method":"a.B","parameters":"x"}¶"#, .wrongType),
      (#"{"method":"a.B","more":true,"oneway":true}¶"#, .conflictingFlags),
      (#"{"method":"a.B","more":true,"upgrade":true}¶"#, .conflictingFlags),
      (#"{"method":"a.B","extra":1}¶"#, .unknownKey),
      (#"{"method":"a.B","method":"a.B"}¶"#, .duplicateKey),
      (#"{"method":"a.B","m\u0065thod":"a.B"}¶"#, .duplicateKey),
      (#"{"method":"a.B","x.y":{"k":1,"k":2}}¶"#, .duplicateKey),
      (#"{"method":"a.B","parameters":{"k":[{"n":1},{"n":1,"n":2}]}}¶"#, .duplicateKey),
      (#"{"method":"a.B"}{}¶"#, .notJSON(.trailingBytes)),
      (#"{"method":"a.B","parameters":{"k":01}}¶"#, .notJSON(.leadingZero)),
      ("{\"method\":\"a.\u{1}B\"}¶", .notJSON(.controlCharacter)),
    ] as [(String, CloseReason)])
  func closes(call: String, reason: CloseReason) throws {
    let (output, closed) = try Self.server.run(wire(call + #"{"method":"org.varlink.service.GetInfo"}¶"#))
    #expect(output.isEmpty)
    #expect(closed == reason)
  }

  @Test(
    "a wrong parameter is named, and one that can't be a name is not sent back",
    arguments: [
      (#"Get","parameters":{}"#, "name"),
      (#"Get""#, "name"),
      (#"Get","parameters":{"name":null}"#, "name"),
      (#"Get","parameters":{"name":5}"#, "name"),
      (#"Get","parameters":{"name":["a"]}"#, "name"),
      (#"Get","parameters":{"name":"a","version":"1"}"#, "version"),
      (#"Get","parameters":{"name":"a","version":1.0}"#, "version"),
      (#"Get","parameters":{"name":"a","version":9223372036854775808}"#, "version"),
      (#"Get","parameters":{"name":"a","other":1}"#, "other"),
      (#"Get","parameters":{"name":"a","hunter2 is mine":1}"#, "parameters"),
      (#"Get","parameters":{"name":"a","hunt\u00652":1}"#, "parameters"),
      (#"Get","parameters":{"name":"a","":1}"#, "parameters"),
      (#"Put","parameters":{"name":"a","secret":"","attributes":{"k":1}}"#, "attributes"),
      (#"Put","parameters":{"name":"a","secret":"","attributes":{"k":{"l":"m"}}}"#, "attributes"),
      (#"Put","parameters":{"name":"a","secret":"","attributes":["k"]}"#, "attributes"),
      (#"Put","parameters":{"name":"a","secret":"","replace":"true"}"#, "replace"),
      (#"SetAttributes","parameters":{"name":"a","unset":["k",1]}"#, "unset"),
      (#"SetAttributes","parameters":{"name":"a","unset":{"k":"v"}}"#, "unset"),
    ])
  func wrongParameters(call: String, parameter: String) throws {
    let (output, closed) = try Self.server.run(wire(#"{"method":"org.passcoded.Credentials.\#(call)}¶"#))
    #expect(text(output) == #"{"error":"org.varlink.service.InvalidParameter","parameters":{"parameter":"\#(parameter)"}}¶"#)
    #expect(closed == nil)
  }

  @Test("one of the words of an enumeration, or InvalidParameter")
  func words() throws {
    for (flow, reply) in [
      ("create", "{}"), ("ch\\u0061nge", "{}"), ("reset", nil), ("", nil), ("Create", nil),
    ] as [(String, String?)] {
      let server = TestServer { _, call, reply throws(WireError) in
        reply.message(.step, WireStep(flow: call.word(.flow, as: WireFlow.self), step: .enter))
      }
      let (output, _) = try server.run(
        wire(#"{"method":"org.passcoded.Passcode.StartFlow","parameters":{"flow":"\#(flow)"}}¶"#))
      #expect(text(output).contains("InvalidParameter") == (reply == nil), "\(flow)")
    }
  }
}
