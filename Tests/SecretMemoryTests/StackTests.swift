import Glibc
import Testing

@testable import SecretMemory

/// What the primitives leave on the stack. Each fact is checked next to a control that shows that the scan can see.
///
/// The first call of a C function binds its symbol, which spills registers onto the stack: once, at a time that nobody knows.
/// The programs are linked with `-z now` and have no such first call; here, only what is left every time counts.
///
/// Not under a sanitizer, which moves local variables off the stack and forbids to read below it.
@Suite("The stack after use", .disabled(if: isSanitized))
struct StackTests {
  /// Deep enough for every primitive here.
  static let depth = 48 << 10

  /// How many pieces of `canary` stand on the stack below each time that `body` has run with it.
  private func residue(of canary: [UInt8], _ body: (Span<UInt8>) throws -> Void) rethrows -> Int {
    let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: Self.depth, alignment: 16)
    defer { unsafe copy.deallocate() }
    var fewest = Int.max
    for _ in 0..<4 where fewest > 0 {
      // Maps the stack as deep as it is read, and takes away what the scan before has left there.
      Sodium.clearStack(Self.depth + 4096)
      try body(canary.span)
      unsafe copyStack(to: copy)
      fewest = unsafe min(fewest, pieces(of: canary, in: Array(copy)))
    }
    return fewest
  }

  /// Copies what lies below this frame before anything else can overwrite it.
  @inline(never)
  private func copyStack(to copy: UnsafeMutableRawBufferPointer) {
    var marker = 0
    // SAFETY: a thread's stack stays readable below its frames; `residue` has used it deeper than this.
    unsafe withUnsafeMutablePointer(to: &marker) { top in
      _ = unsafe memcpy(copy.baseAddress!, UnsafeRawPointer(top) - copy.count, copy.count)
    }
  }

  private func canary(_ count: Int) -> [UInt8] {
    var random = Seeded("stack canary")
    return random.bytes(count)
  }

  @Test("a keyed hash leaves nothing of its input", arguments: [24, 100, 128, 300])
  func keyedHash(count: Int) throws {
    let key = try key(1, for: First.self)
    let none: [UInt8] = []
    let left = residue(of: canary(count)) { _ = BLAKE2b.keyed(label: First.label, $0, none.span, using: key) }
    #expect(left == 0)
  }

  @Test("a keyed hash leaves nothing of its key, nor of a subkey")
  func keyOfHash() throws {
    let left = try residue(of: canary(32)) {
      _ = try SymmetricKey<First>(copying: $0).derive(Second.self)
    }
    #expect(left == 0)
    let subkey = try key(3, for: First.self).derive(Second.self)
    let expected = array(subkey.bytes)
    let ofSubkey = try residue(of: expected) { _ in _ = try key(3, for: First.self).derive(Second.self) }
    #expect(ofSubkey == 0)
  }

  @Test("without the clearing, the same scan finds the input", arguments: [24, 100, 128, 300])
  func control(count: Int) {
    let key = [UInt8](repeating: 1, count: 32)
    let left = residue(of: canary(count)) { bytes in
      var out = [UInt8](repeating: 0, count: 32)
      unsafe out.withUnsafeMutableBufferPointer { out in
        unsafe key.withUnsafeBufferPointer { key in
          unsafe BLAKE2b.hash(keyedWith: key.baseAddress, into: out.baseAddress!) { $0.update(bytes) }
        }
      }
    }
    #expect(left > 0)
  }

  @Test("a derivation leaves nothing of the passcode", arguments: [24, 200])
  func derivation(count: Int) throws {
    let salt = [UInt8](repeating: 2, count: 16)
    let left = try residue(of: canary(count)) {
      _ = try Argon2id.derive($0, salt: salt.span, parameters: .floor, for: First.self)
    }
    #expect(left == 0)
  }

  @Test("a derivation leaves nothing of the key")
  func derivedKey() throws {
    let salt = [UInt8](repeating: 2, count: 16)
    let known = try Argon2id.derive(salt.span, salt: salt.span, parameters: .floor, for: First.self)
    let expected = array(known.bytes)
    let left = try residue(of: expected) { _ in
      _ = try Argon2id.derive(salt.span, salt: salt.span, parameters: .floor, for: First.self)
    }
    #expect(left == 0)
  }

  @Test("sealing and opening leave nothing of the plaintext", arguments: [24, 100, 1000])
  func sealing(count: Int) throws {
    let key = try key(1, for: First.self)
    let none: [UInt8] = []
    var plaintext = try SecretBytes(capacity: count)
    let left = try residue(of: canary(count)) {
      let sealed = XChaCha20Poly1305.seal($0, using: key, authenticating: none.span)
      try XChaCha20Poly1305.open(sealed.span, using: key, authenticating: none.span, into: &plaintext)
      plaintext.removeAll()
    }
    #expect(left == 0)
  }

  @Test("copying, base64 and comparison leave nothing", arguments: [24, 1000])
  func handling(count: Int) throws {
    let bytes = canary(count)
    var text = try SecretBytes(capacity: 2 * count)
    let left = try residue(of: bytes) {
      let own = try SecretBytes(copying: $0)
      let copy = try own.copy()
      _ = SecretBytes.isEqual(own, copy)
      try Base64.encode($0, into: &text)
      var back = try SecretBytes(capacity: count)
      try Base64.decode(text.bytes, into: &back)
      text.removeAll()
    }
    #expect(left == 0)
  }

  @Test("normalising a passcode leaves nothing of it")
  func normalising() throws {
    let passcode = Array("Zu\u{308}rich-\u{c548}\u{b155}-\u{1f510}-passphrase-of-some-length".utf8)
    let left = try residue(of: passcode) { _ = try PasscodeText.normalize($0) }
    #expect(left == 0)
  }
}
