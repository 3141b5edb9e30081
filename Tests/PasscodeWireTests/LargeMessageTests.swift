import PasscodeWire
import SecretMemory
import StrictJSON
import TestSupport
import Testing

/// One after the other: each takes a good part of the locked memory that a process may have.
@Suite(.serialized) struct LargeMessageTests {
  /// A call of Lock with so many bytes, its NUL included.
  private func padded(to count: Int) -> [UInt8] {
    let call = wire(#"{"method":"\#(LimitTests.lock)"}"#)
    return call + [UInt8](repeating: 0x20, count: count - call.count - 1) + [0]
  }

  @Test("SC-36: a message of 2 MiB with its NUL is read, a longer or endless one closes the connection unread")
  func messageLength() throws {
    let limit = WireLimits.maximumMessageByteCount
    #expect(limit == 2 << 20)
    let server = TestServer()
    let longest = try server.run(padded(to: limit) + padded(to: 50), pieces: [65_536])
    #expect(text(longest.output) == "{}¶{}¶")
    #expect(longest.closed == nil)
    let longer = try server.run(padded(to: 50) + padded(to: limit + 1), pieces: [65_536])
    #expect(text(longer.output) == "{}¶")
    #expect(longer.closed == .tooLarge)
    let endless = try server.run([UInt8](repeating: 0x20, count: 3 << 20), pieces: [65_536])
    #expect(endless.closed == .tooLarge)
  }

  @Test("a buffer is small again when the large message has gone, and keeps what follows")
  func shrinks() throws {
    var inbox = try MessageBuffer()
    let wasEmpty = inbox.isEmpty
    #expect(wasEmpty)
    try inbox.grow()
    let large = padded(to: 1 << 20) + padded(to: 60) + wire("{")
    unsafe inbox.withFreeSpace { space in
      unsafe space.copyBytes(from: large)
      return large.count
    }
    try #require(try inbox.findMessage())
    inbox.dropMessage()
    try #require(try inbox.findMessage())
    let count = inbox.message.count
    #expect(count == 59)
    inbox.dropMessage()
    let isThere = try inbox.findMessage()
    #expect(!isThere)
    var free = 0
    unsafe inbox.withFreeSpace { space in
      free = space.count
      return 0
    }
    #expect(free == MessageBuffer.smallByteCount - 1)
  }

  @Test("a reply that is too long is refused with TooLarge, and the next one is not touched by that")
  func replyLength() throws {
    var messages = try MessageWriter()
    let chunk = String(repeating: "x", count: 1 << 20)
    messages.begin(WireMethod.getInterfaceDescription.spec)
    messages.string(.descriptionText, chunk + chunk)
    var refusal: WireError?
    do throws(WireError) { try messages.end() } catch { refusal = error }
    #expect(refusal == .tooLarge(limit: 2_097_152))
    messages.begin(WireMethod.lock.spec)
    try messages.end()
    let output = text(drained(&messages))
    #expect(output == "{}¶")
  }

  @Test("a call that is too long is refused by the writer, and nothing of it is left")
  func callLength() throws {
    var messages = try MessageWriter()
    messages.beginCall(.put)
    messages.string(.name, String(repeating: "x", count: 2 << 20))
    messages.secret(.secret, [UInt8]([1]).span)
    #expect(throws: WireError.tooLarge(limit: 2 << 20)) { try messages.endCall() }
    let left = messages.byteCount
    #expect(left == 0)
    messages.beginCall(.lock)
    try messages.endCall()
    #expect(text(drained(&messages)) == #"{"method":"org.passcoded.Passcode.Lock"}¶"#)
  }

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
    try messages.end()
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
}
