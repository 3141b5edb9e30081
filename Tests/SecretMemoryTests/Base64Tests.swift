import SecretMemory
import Testing

@Suite("Base64")
struct Base64Tests {
  private func encoded(_ bytes: [UInt8]) throws -> [UInt8] {
    var text = try SecretBytes(capacity: Base64.encodedCount(bytes.count) + 1)
    try Base64.encode(bytes.span, into: &text)
    return array(text.bytes)
  }

  private func decoded(_ text: [UInt8], capacity: Int = 4096) -> Result<[UInt8], SecretMemoryError> {
    do throws(SecretMemoryError) {
      var bytes = try SecretBytes(capacity: capacity)
      try Base64.decode(text.span, into: &bytes)
      return .success(array(bytes.bytes))
    } catch {
      return .failure(error)
    }
  }

  @Test("the vectors are encoded and decoded, what is not base64 is refused")
  func vectors() throws {
    for fields in try Vectors.lines("base64.txt") {
      let text = fields[2] == "-" ? [] : Array(fields[2].utf8)
      if fields[0] == "ok" {
        #expect(try encoded(hex(fields[1])) == text)
        #expect(decoded(text) == .success(hex(fields[1])))
      } else {
        #expect(decoded(text) == .failure(.invalidEncoding), "\(fields[2])")
      }
    }
  }

  @Test("what is encoded decodes to what it was")
  func roundTrip() throws {
    var random = Seeded("base64 round trip")
    for count in 0..<260 {
      let bytes = random.bytes(count)
      let text = try encoded(bytes)
      #expect(text.count == Base64.encodedCount(count) && decoded(text, capacity: count) == .success(bytes))
    }
  }

  @Test("each text that decodes is the one encoding of its bytes")
  func canonical() throws {
    let alphabet = Array("ABQgw09+/=\n -_".utf8)
    for first in alphabet {
      for second in alphabet {
        for third in alphabet {
          for fourth in alphabet {
            let text = [first, second, third, fourth]
            if case .success(let bytes) = decoded(text) { #expect(try encoded(bytes) == text) }
          }
        }
      }
    }
  }

  @Test("what does not fit is refused without a change", arguments: [1, 2, 3, 4, 5, 6])
  func room(count: Int) throws {
    let bytes = [UInt8](repeating: 0xff, count: count)
    let text = try encoded(bytes)
    #expect(decoded(text, capacity: count - 1) == .failure(.tooLong(limit: count - 1)))
    var exact = try SecretBytes(capacity: text.count)
    let error = failure { () throws(SecretMemoryError) in try Base64.encode(bytes.span, into: &exact) }
    let (held, isZero) = (exact.count, isTailZero(&exact))
    #expect(error == .tooLong(limit: text.count) && held == 0 && isZero)
  }

  @Test("a refused text leaves what was there, and nothing of itself")
  func refusedLeavesNothing() throws {
    var bytes = try secret([1, 2], capacity: 4096)
    let text = Array("Zm9vYmFyZm9vYmF*".utf8)
    let error = failure { () throws(SecretMemoryError) in try Base64.decode(text.span, into: &bytes) }
    let (held, isZero) = (array(bytes.bytes), isTailZero(&bytes))
    #expect(error == .invalidEncoding && held == [1, 2] && isZero)
  }

  @Test("encoding into a large buffer touches no more than its text")
  func touchesNoMore() throws {
    var text = try secret(Array("head".utf8), capacity: 4096)
    let end = address(text) + 4 + 8 + 1
    unsafe UnsafeMutablePointer<UInt8>(bitPattern: end)!.pointee = 0x5a
    let bytes = Array("foobar".utf8)
    try Base64.encode(bytes.span, into: &text)
    let held = array(text.bytes)
    #expect(held == Array("headZm9vYmFy".utf8) && memory(at: end, count: 1) == [0x5a])
  }
}
