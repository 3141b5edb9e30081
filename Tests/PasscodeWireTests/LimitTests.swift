import PasscodeWire
import SecretMemory
import StrictJSON
import TestSupport
import Testing

@Suite struct LimitTests {
  static let lock = "org.passcoded.Passcode.Lock"

  /// A call of Lock with so many bytes, its NUL included.
  private func padded(to count: Int) -> [UInt8] {
    let call = wire(#"{"method":"\#(Self.lock)"}"#)
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

  @Test("a scanner looks at each byte once and finds the NUL wherever the bytes are split")
  func scanner() throws {
    var scanner = FrameScanner()
    let bytes = wire("ab¶c¶")
    #expect(try scanner.end(in: bytes.span.extracting(first: 1)) == nil)
    #expect(try scanner.end(in: bytes.span.extracting(first: 2)) == nil)
    #expect(try scanner.end(in: bytes.span) == 2)
    scanner.reset()
    #expect(try scanner.end(in: bytes.span.extracting(3...)) == 1)
    scanner.reset()
    #expect(try scanner.end(in: bytes.span.extracting(5...)) == nil)
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

  @Test("nesting of 16 is read, deeper closes the connection")
  func depth() throws {
    for (depth, closed) in [(16, nil), (17, .notJSON(.tooDeep))] as [(Int, CloseReason?)] {
      let inner = String(repeating: "[", count: depth - 1) + String(repeating: "]", count: depth - 1)
      let result = try TestServer().run(wire(#"{"method":"\#(Self.lock)","a.b":\#(inner)}¶"#))
      #expect(result.closed == closed)
      #expect(result.output.isEmpty == (closed != nil))
    }
  }

  @Test("256 keys that are open at once are read, one more closes the connection; closed ones do not count")
  func keys() throws {
    func members(_ count: Int, _ prefix: String = "k") -> String {
      (0..<count).map { #""\#(prefix)\#($0)":1"# }.joined(separator: ",")
    }
    func closed(_ value: String) throws -> CloseReason? {
      try TestServer().run(wire(#"{"method":"\#(Self.lock)","a.b":\#(value)}¶"#)).closed
    }
    #expect(try closed("{\(members(254))}") == nil)
    #expect(try closed("{\(members(255))}") == .tooManyKeys)
    let some = "{\(members(200))}"
    #expect(try closed("[\(some),\(some),\(some)]") == nil)
    #expect(try closed("{\(members(100)),\"n\":{\(members(153))}}") == nil)
    #expect(try closed("{\(members(100)),\"n\":{\(members(154))}}") == .tooManyKeys)
  }

  @Test("a method's name of 255 bytes is looked for, a longer one closes the connection")
  func methodName() throws {
    let name = String(repeating: "a", count: 255)
    #expect(text(try TestServer().run(wire(#"{"method":"\#(name)"}¶"#)).output).contains("InterfaceNotFound"))
    #expect(try TestServer().run(wire(#"{"method":"\#(name)a"}¶"#)).closed == .noMethod)
    #expect(text(try TestServer().run(wire(#"{"method":""}¶"#)).output).contains("InterfaceNotFound"))
    #expect(text(try TestServer().run(wire(#"{"method":"."}¶"#)).output).contains("InterfaceNotFound"))
  }

  @Test("more parameters than any method has name the first unknown one")
  func manyParameters() throws {
    let many = (0..<100).map { #""p\#($0)":1"# }.joined(separator: ",")
    let result = try TestServer().run(wire(#"{"method":"\#(Self.lock)","parameters":{\#(many)}}¶"#))
    #expect(text(result.output).contains(#"{"parameter":"p0"}"#))
  }

  @Test("a reply that is too long becomes TooLarge, and the next one is not touched by that")
  func replyLength() throws {
    var messages = try MessageWriter()
    let chunk = String(repeating: "x", count: 1 << 20)
    messages.begin(WireMethod.getInterfaceDescription.spec)
    messages.string(.descriptionText, chunk + chunk)
    let isWhole = messages.end()
    #expect(!isWhole)
    messages.begin(WireMethod.lock.spec)
    messages.end()
    let output = text(drained(&messages))
    #expect(output == #"{"error":"org.passcoded.Passcode.TooLarge","parameters":{"limit":2097152}}¶{}¶"#)
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

  @Test("a passcode that is no UTF-8 is refused by the writer")
  func passcodeText() throws {
    var messages = try MessageWriter()
    messages.beginCall(.verify)
    #expect(throws: WireError.invalidText(.notUTF8)) { try messages.passcode(.passcode, [UInt8]([0x61, 0xFF]).span) }
    messages.abandon()
    let left = messages.byteCount
    #expect(left == 0)
  }

  @Test("a list that fits is written whole with its page size known on the way")
  func pages() throws {
    var messages = try MessageWriter()
    messages.begin(WireMethod.listResets.spec)
    var sizes: [Int] = []
    messages.array(.resets) { reply in
      for number in 0..<100 {
        reply.element { WireSetAside(id: "\(number)", storeID: "s", setAsideAt: 1, expiresAt: 2).write(into: &$0) }
        sizes.append(reply.messageByteCount)
      }
    }
    messages.end()
    #expect(sizes == sizes.sorted() && sizes[99] > 4096)
    let whole = messages.byteCount
    #expect(whole > sizes[99])
  }
}
