import SecretMemory
import Testing

/// Secrets can't be printed: `SecretBytes` and `SymmetricKey` are not copyable, and a print of one does not compile. What can
/// be printed must say nothing of the bytes that it came from.
@Suite("What can be printed")
struct RedactionTests {
  static let canary = "Canary-4f1d-9c"

  /// All that a log could make of a value.
  private func texts(_ value: some Any) -> [String] {
    var dumped = ""
    dump(value, to: &dumped)
    return [String(describing: value), String(reflecting: value), "\(value)", dumped]
  }

  private func check(_ value: some Any) {
    let forms = [Self.canary, hexadecimal(Array(Self.canary.utf8)), "\(Array(Self.canary.utf8))"].flatMap {
      [$0.lowercased(), String($0.lowercased().prefix(8))]
    }
    for text in texts(value) {
      for form in forms { #expect(!text.lowercased().contains(form), "\(text)") }
    }
  }

  private func hexadecimal(_ bytes: [UInt8]) -> String {
    bytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
  }

  @Test("errors hold facts, never the bytes that caused them")
  func errors() throws {
    let canary = Array(Self.canary.utf8)
    var seen: [SecretMemoryError] = []
    func keep(_ body: () throws(SecretMemoryError) -> Void) { if let error = failure(body) { seen.append(error) } }
    keep { () throws(SecretMemoryError) in _ = try PasscodeText.normalize((canary + [0]).span) }
    keep { () throws(SecretMemoryError) in _ = try PasscodeText.normalize((canary + [0xff]).span) }
    keep { () throws(SecretMemoryError) in _ = try PasscodeText.normalize((canary + Array("\u{378}".utf8)).span) }
    let long = Array(String(repeating: Self.canary, count: 100).utf8)
    keep { () throws(SecretMemoryError) in _ = try PasscodeText.normalize(long.span) }
    keep { () throws(SecretMemoryError) in _ = try SymmetricKey<First>(copying: canary.span) }
    var small = try SecretBytes(capacity: 4)
    keep { () throws(SecretMemoryError) in try small.append(contentsOf: canary.span) }
    keep { () throws(SecretMemoryError) in try Base64.encode(canary.span, into: &small) }
    keep { () throws(SecretMemoryError) in try Base64.decode((canary + canary).span, into: &small) }
    let key = try key(1, for: First.self)
    keep { () throws(SecretMemoryError) in
      try XChaCha20Poly1305.open(long.span, using: key, authenticating: canary.span, into: &small)
    }
    #expect(seen.count == 9)
    for error in seen { check(error) }
  }

  @Test("digests and parameters hold nothing of a secret")
  func values() throws {
    let canary = Array(Self.canary.utf8)
    let key = try key(1, for: First.self)
    check(BLAKE2b.keyed(label: First.label, canary.span, canary.span, using: key))
    check(BLAKE2b.unkeyed(canary.span))
    check(Argon2Parameters.floor)
    // The check can see what it looks for.
    let shown = texts(canary).contains { $0.contains("\(canary)") }
    #expect(shown)
  }
}
