import PasscodeWire
import SecretMemory
import StrictJSON
import TestSupport
import Testing

@Suite struct SecretTests {
  static let canary = "correct-horse-Öß-battery"

  @Test("a passcode of escapes and Unicode comes out byte for byte, out of any spelling")
  func passcode() throws {
    for spelling in [
      #"a\"\\/é\u0000ß"#, #"\u0061\u0022\u005C\/\u00e9\u0000\u00DF"#, #"a\"\\\/e\#u{301}\u0000ß"#, #"\uD83D\uDE00"#,
    ] {
      let expected = try JSONDocument.parse("\"\(spelling)\"".utf8Span.span)
      let server = TestServer { _, call, _ throws(WireError) in
        let got = copy(call.bytes(.passcode))
        if case .string(let text) = expected.value, text.utf8.elementsEqual(got.utf8) { return }
        throw .cancelled
      }
      let call = #"{"method":"org.passcoded.Passcode.Verify","parameters":{"passcode":"\#(spelling)"}}¶"#
      #expect(text(try server.run(wire(call)).output) == "{}¶")
    }
  }

  @Test("a message is wiped when it is dropped, and a reply when it was sent")
  func wiped() throws {
    var inbox = try MessageBuffer()
    let message = wire(#"{"passcode":"\#(Self.canary)"}¶{"#)
    // SAFETY: the slot stays mapped as long as the buffer lives, and the bytes are only compared.
    nonisolated(unsafe) var start: UnsafeMutableRawPointer?
    unsafe inbox.withFreeSpace { space in
      unsafe start = space.baseAddress
      unsafe space.copyBytes(from: message)
      return message.count
    }
    try #require(try inbox.findMessage())
    #expect(unsafe contains(start, message.count))
    inbox.dropMessage()
    #expect(unsafe !contains(start, message.count))

    var messages = try MessageWriter()
    messages.beginCall(.verify)
    try messages.passcode(.passcode, Self.canary.utf8Span.span)
    try messages.endCall()
    var count = 0
    messages.drain { span in
      count = span.count
      unsafe span.withUnsafeBytes { unsafe start = UnsafeMutableRawPointer(mutating: $0.baseAddress) }
    }
    #expect(unsafe !contains(start, count))
    let left = messages.byteCount
    #expect(left == 0)
  }

  private func contains(_ start: UnsafeMutableRawPointer?, _ count: Int) -> Bool {
    let bytes = unsafe Array(UnsafeRawBufferPointer(start: start, count: count))
    let pattern = Array(Self.canary.utf8)
    return (0...bytes.count - pattern.count).contains { bytes[$0..<$0 + pattern.count].elementsEqual(pattern) }
  }

  @Test(
    "no error, no reason, no layout and no reply holds what was sent as a secret",
    arguments: [
      #"{"method":"org.passcoded.Passcode.Verify","parameters":{"passcode":"CANARY"}}¶"#,
      #"{"method":"org.passcoded.Passcode.Verify","parameters":{"passcode":["CANARY"]}}¶"#,
      #"{"method":"org.passcoded.Passcode.Verify","parameters":{"CANARY":1}}¶"#,
      #"{"method":"org.passcoded.Passcode.Verify","parameters":"CANARY"}¶"#,
      #"{"method":"org.passcoded.Passcode.Verify","parameters":{"passcode":"CANARY"¶"#,
      #"{"method":"org.passcoded.Passcode.Verify","CANARY":1}¶"#,
      #"CANARY¶"#,
      #"{"method":"org.passcoded.Credentials.Put","parameters":{"name":"n","secret":"CANARY"}}¶"#,
      #"{"method":"org.passcoded.Credentials.Put","parameters":{"name":"n","secret":"AAAA","secret":"CANARY"}}¶"#,
    ])
  func redaction(template: String) throws {
    let message = wire(template.split(separator: "CANARY", omittingEmptySubsequences: false).joined(separator: Self.canary))
    let server = TestServer { layout, call, reply throws(WireError) in
      #expect(!told(layout).contains("horse"))
      let secret = try call.secret(layout.method == .put ? .secret : .passcode)
      throw .tooLarge(limit: secret.count)
    }
    let result = try server.run(message)
    #expect(!text(result.output).contains("horse"))
    #expect(!told(result.closed as Any).contains("horse"))
    var inbox = try received(message)
    try #require(try inbox.findMessage())
    let parsed = try? inbox.withMutableMessage { message throws(CloseReason) in try WireCatalog.standard.parse(&message) }
    #expect(!told(parsed as Any).contains("horse"))
  }

  /// All that printing and dumping a value gives.
  private func told(_ value: Any) -> String {
    var output = ""
    dump(value, to: &output)
    return output + String(describing: value) + String(reflecting: value)
  }
}
