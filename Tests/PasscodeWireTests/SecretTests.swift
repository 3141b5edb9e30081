import PasscodeWire
import SecretMemory
import StrictJSON
import TestSupport
import Testing

@Suite struct SecretTests {
  static let canary = "correct-horse-Öß-battery"

  private struct Refused: Error {}

  /// The secret as it comes out of a call.
  private func called(_ secret: borrowing SecretBytes) throws -> SecretBytes {
    var messages = try MessageWriter()
    messages.beginCall(.put)
    messages.string(.name, "n")
    messages.secret(.secret, secret.bytes)
    try messages.endCall()
    var inbox = try received(drained(&messages))
    guard try inbox.findMessage() else { throw Refused() }
    let parsed = try inbox.withMutableMessage { message throws(CloseReason) in try WireCatalog.standard.parse(&message) }
    guard case .call(let layout) = parsed else { throw Refused() }
    let fields = layout.fields(in: inbox.message, of: .standard)
    return try fields.secret(.secret)
  }

  /// The secret as it comes out of a reply.
  private func replied(_ secret: borrowing SecretBytes) throws -> SecretBytes {
    var messages = try MessageWriter()
    messages.begin(WireMethod.get.spec)
    messages.integer(.version, 1)
    messages.secret(.secret, secret.bytes)
    messages.end()
    var inbox = try received(drained(&messages))
    guard try inbox.findMessage() else { throw Refused() }
    let parsed = try inbox.withMutableMessage { message throws(CloseReason) in try WireMethod.get.spec.parseReply(&message) }
    guard case .reply(let layout) = parsed else { throw Refused() }
    let fields = layout.fields(in: inbox.message)
    return try fields.secret(.secret)
  }

  @Test(
    "SC-19: secrets of 0 B, 64 KiB − 1, 64 KiB and 1 MiB go through whole, both ways", arguments: [0, 65_535, 65_536, 1 << 20])
  func sizes(count: Int) throws {
    let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) }
    let secret = try SecretBytes(copying: bytes.span)
    let inCall = try called(secret)
    let isCalled = SecretBytes.isEqual(inCall, secret)
    #expect(isCalled)
    let inReply = try replied(secret)
    let isReplied = SecretBytes.isEqual(inReply, secret)
    #expect(isReplied)
  }

  private func decoded(_ base64: String) throws -> WireError? {
    let server = TestServer { _, call, reply throws(WireError) in
      let secret = try call.secret(.secret)
      reply.integer(.version, secret.count)
      reply.bool(.created, true)
    }
    let call = #"{"method":"org.passcoded.Credentials.Put","parameters":{"name":"n","secret":"\#(base64)"}}¶"#
    let output = text(try server.run(wire(call)).output)
    if output.contains("InvalidParameter") { return .invalidParameter("secret") }
    return output.contains("TooLarge") ? .tooLarge(limit: 1 << 20) : nil
  }

  @Test("SC-19: 1 MiB + 1 gets a size error, and nothing is cut")
  func tooLarge() throws {
    let exact = String(repeating: "AAAA", count: (1 << 20) / 3) + "AA=="
    #expect(try decoded(exact) == nil)
    #expect(try decoded(String(exact.dropLast(2)) + "A=") == .tooLarge(limit: 1 << 20))
    #expect(try decoded(String(exact.dropLast(4)) + "A=AA") == .invalidParameter("secret"))
    #expect(try decoded(String(repeating: "AAAA", count: 400_000)) == .tooLarge(limit: 1 << 20))
  }

  @Test(
    "what is not base64 with padding is InvalidParameter",
    arguments: ["A", "AA", "AAA", "AA=A", "=AAA", "AA==AA==", "AAA_", "AA A", "AA\\u000a=", "A===", "é==="])
  func notBase64(text: String) throws { #expect(try decoded(text) == .invalidParameter("secret")) }

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
