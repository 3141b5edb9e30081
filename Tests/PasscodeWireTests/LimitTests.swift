import PasscodeWire
import SecretMemory
import StrictJSON
import TestSupport
import Testing

@Suite struct LimitTests {
  static let lock = "org.passcoded.Passcode.Lock"

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
    try messages.end()
    #expect(sizes == sizes.sorted() && sizes[99] > 4096)
    let whole = messages.byteCount
    #expect(whole > sizes[99])
  }
}
