import StrictJSON
import Testing

@testable import SecretMemory

@Suite("XChaCha20-Poly1305")
struct XChaCha20Poly1305Tests {
  /// One test of Wycheproof.
  struct Vector: Sendable {
    let id: Int64
    let key: [UInt8], nonce: [UInt8], associatedData: [UInt8], plaintext: [UInt8], sealed: [UInt8]
    let isValid: Bool
  }

  static func vectors() throws -> [Vector] {
    let text = try Vectors.bytes("xchacha20_poly1305_test.json")
    let groups = try #require(try JSONDocument.parse(text.span)["testGroups"]).elements
    return try groups.flatMap { $0["tests"]?.elements ?? [] }.map { test in
      func field(_ name: String) throws -> [UInt8] { hex(try #require(test[name]?.text)) }
      let nonce = try field("iv")
      return Vector(
        id: try #require(test["tcId"]?.integer), key: try field("key"), nonce: nonce, associatedData: try field("aad"),
        plaintext: try field("msg"), sealed: nonce + (try field("ct")) + (try field("tag")),
        isValid: try #require(test["result"]?.text) == "valid")
    }
  }

  /// Opens into `plaintext` and gives the error.
  private func open(
    _ sealed: [UInt8], _ key: borrowing SymmetricKey<First>, _ associatedData: [UInt8], into plaintext: inout SecretBytes
  ) -> SecretMemoryError? {
    do throws(SecretMemoryError) {
      try XChaCha20Poly1305.open(sealed.span, using: key, authenticating: associatedData.span, into: &plaintext)
      return nil
    } catch {
      return error
    }
  }

  @Test("valid vectors open, and seal to the same bytes under the same nonce")
  func valid() throws {
    let vectors = try Self.vectors().filter(\.isValid)
    #expect(vectors.count == 246)
    for vector in vectors {
      let key = try SymmetricKey<First>(copying: vector.key.span)
      var plaintext = try SecretBytes(capacity: vector.plaintext.count)
      let error = open(vector.sealed, key, vector.associatedData, into: &plaintext)
      let bytes = array(plaintext.bytes)
      #expect(error == nil && bytes == vector.plaintext, "tcId \(vector.id)")
      let sealed = unsafe XChaCha20Poly1305.seal(
        vector.plaintext.span, using: key, authenticating: vector.associatedData.span
      ) { nonce in
        for index in vector.nonce.indices { unsafe nonce[index] = vector.nonce[index] }
      }
      #expect(sealed == vector.sealed, "tcId \(vector.id)")
      let fresh = XChaCha20Poly1305.seal(plaintext.bytes, using: key, authenticating: vector.associatedData.span)
      plaintext.removeAll()
      let again = open(fresh, key, vector.associatedData, into: &plaintext)
      let reopened = array(plaintext.bytes)
      #expect(again == nil && reopened == vector.plaintext, "tcId \(vector.id)")
    }
  }

  @Test("invalid vectors are refused, and leave nothing behind")
  func invalid() throws {
    let vectors = try Self.vectors().filter { !$0.isValid }
    #expect(vectors.count == 69)
    for vector in vectors {
      let key = try SymmetricKey<First>(copying: vector.key.span)
      var plaintext = try SecretBytes(capacity: 4096)
      let error = open(vector.sealed, key, vector.associatedData, into: &plaintext)
      // A nonce of another length may leave too few bytes for a sealed message.
      let isTooShort = vector.sealed.count < XChaCha20Poly1305.overhead
      #expect(error == (isTooShort ? .invalidLength : .authenticationFailed), "tcId \(vector.id)")
      let (count, isZero) = (plaintext.count, isTailZero(&plaintext))
      #expect(count == 0 && isZero, "tcId \(vector.id)")
    }
  }

  @Test("a changed byte in nonce, ciphertext, tag, associated data or key is refused")
  func flips() throws {
    var plaintext = try SecretBytes(capacity: 4096)
    for vector in try Self.vectors() where vector.isValid {
      let key = try SymmetricKey<First>(copying: vector.key.span)
      var accepted: [String] = []
      func flip(_ bytes: [UInt8], _ what: String, _ attempt: ([UInt8]) -> SecretMemoryError?) {
        for index in bytes.indices {
          var changed = bytes
          changed[index] ^= 1 << UInt8(index % 8)
          if attempt(changed) != .authenticationFailed { accepted.append("\(what) \(index)") }
        }
      }
      flip(vector.sealed, "sealed") { open($0, key, vector.associatedData, into: &plaintext) }
      flip(vector.associatedData, "associated data") { open(vector.sealed, key, $0, into: &plaintext) }
      #expect(accepted == [], "tcId \(vector.id)")
      let (count, isZero) = (plaintext.count, isTailZero(&plaintext))
      #expect(count == 0 && isZero, "tcId \(vector.id)")
    }
    let vector = try #require(try Self.vectors().first)
    for index in vector.key.indices {
      var changed = vector.key
      changed[index] ^= 1 << UInt8(index % 8)
      let other = try SymmetricKey<First>(copying: changed.span)
      #expect(open(vector.sealed, other, vector.associatedData, into: &plaintext) == .authenticationFailed)
    }
  }

  @Test("a tag that is kept apart opens the same messages, and no others")
  func detached() throws {
    for vector in try Self.vectors() {
      let key = try SymmetricKey<First>(copying: vector.key.span)
      var plaintext = try SecretBytes(capacity: vector.plaintext.count)
      func open(_ sealed: [UInt8], _ tag: [UInt8]) -> SecretMemoryError? {
        failure { () throws(SecretMemoryError) in
          try XChaCha20Poly1305.open(
            sealed.span, tag: tag.span, using: key, authenticating: vector.associatedData.span, into: &plaintext)
        }
      }
      let (sealed, tag) = (Array(vector.sealed.dropLast(16)), Array(vector.sealed.suffix(16)))
      let isValid = open(sealed, tag) == nil
      let bytes = array(plaintext.bytes)
      #expect(isValid == vector.isValid && (!isValid || bytes == vector.plaintext), "tcId \(vector.id)")
      plaintext.removeAll()
      guard vector.isValid else { continue }
      for index in tag.indices {
        var changed = tag
        changed[index] ^= 0x80
        #expect(open(sealed, changed) == .authenticationFailed, "tcId \(vector.id)")
      }
      #expect(open(sealed, Array(tag.dropLast())) == .invalidLength && open(sealed, tag + [0]) == .invalidLength)
      #expect(open(Array(sealed.prefix(23)), tag) == .invalidLength)
    }
  }

  @Test("a cut or lengthened message is refused")
  func lengths() throws {
    let key = try key(1, for: First.self)
    let sealed = XChaCha20Poly1305.seal([UInt8](0..<100).span, using: key, authenticating: [UInt8]().span)
    var plaintext = try SecretBytes(capacity: 200)
    for count in sealed.indices {
      let error = open(Array(sealed[..<count]), key, [], into: &plaintext)
      #expect(error == (count < 40 ? .invalidLength : .authenticationFailed))
    }
    #expect(open(sealed + [0], key, [], into: &plaintext) == .authenticationFailed)
  }

  @Test("what is opened is appended, and what does not fit is refused without a change")
  func appends() throws {
    let key = try key(1, for: First.self)
    let bytes = [UInt8](0..<100)
    let sealed = XChaCha20Poly1305.seal(bytes.span, using: key, authenticating: bytes.span)
    #expect(sealed.count == 100 + XChaCha20Poly1305.overhead)
    var plaintext = try secret([7], capacity: 100)
    #expect(open(sealed, key, bytes, into: &plaintext) == .tooLong(limit: 100))
    plaintext.removeAll()
    #expect(open(sealed, key, bytes, into: &plaintext) == nil)
    #expect(open(sealed, key, bytes, into: &plaintext) == .tooLong(limit: 100))
    let held = array(plaintext.bytes)
    #expect(held == bytes)
  }

  @Test("no two messages share a nonce, equal as they may be")
  func freshNonces() throws {
    let key = try key(1, for: First.self)
    let sealed = (0..<1000).map { _ in XChaCha20Poly1305.seal([UInt8](0..<8).span, using: key, authenticating: [UInt8]().span) }
    #expect(Set(sealed.map { $0.prefix(24) }).count == 1000 && Set(sealed).count == 1000)
  }
}
