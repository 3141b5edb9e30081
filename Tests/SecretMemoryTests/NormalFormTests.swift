import SecretMemory
import Testing

@Suite("Normal forms")
struct NormalFormTests {
  @Test("texts have the normal form that others give them", arguments: ["nfc-unicode15.txt", "nfc-random.txt"])
  func vectors(file: String) throws {
    let lines = try Vectors.lines(file)
    #expect(lines.count >= 300)
    for fields in lines {
      let (raw, nfc) = (hex(fields[0]), hex(fields[1]))
      #expect(normalized(raw) == .success(nfc), "\(fields[0])")
      #expect(normalized(nfc) == .success(nfc), "\(fields[0])")
    }
  }

  @Test("normalising twice is normalising once, and never changes what a text is")
  func idempotence() throws {
    var random = Seeded("normal forms of random texts")
    for _ in 0..<2000 {
      var text = String.UnicodeScalarView()
      for _ in 0..<Int.random(in: 1...30, using: &random) { text.append(Self.scalar(&random)) }
      let raw = Array(String(text).utf8)
      // A code point that the rule does not know refuses the whole text.
      guard case .success(let once) = normalized(raw) else { continue }
      #expect(normalized(once) == .success(once))
      // The standard library compares by canonical equivalence, with tables of its own.
      #expect(String(decoding: once, as: UTF8.self) == String(text))
      #expect(once.count <= PasscodeText.normalizedCapacity)
    }
  }

  /// Mostly scalars that combine, decompose or change order.
  private static func scalar(_ random: inout Seeded) -> Unicode.Scalar {
    let ranges: [ClosedRange<UInt32>] = [
      0x21...0x7e, 0xc0...0x17f, 0x300...0x36f, 0x370...0x3ff, 0x5b0...0x5ea, 0x621...0x65f, 0x915...0x94d, 0x1100...0x11ff,
      0x1e00...0x1fff, 0x304b...0x309a, 0xac00...0xd7a3, 0xf900...0xfad9, 0x1d15e...0x1d1ad, 0x1f300...0x1f64f,
    ]
    while true {
      let range = ranges.randomElement(using: &random)!
      if let scalar = Unicode.Scalar(UInt32.random(in: range, using: &random)) { return scalar }
    }
  }

  /// Every scalar but those of the large blocks that are all alike (ideographs, Hangul, private use, the empty planes), of
  /// which it takes some.
  static let scalars: [Unicode.Scalar] = (0x80...0x10_ffff).compactMap { (value: UInt32) -> Unicode.Scalar? in
    switch value {
    case 0x3400...0x4dbf, 0x4e00...0x9fff, 0xac00...0xd7a3, 0xe000...0xf8ff, 0x12000...0x1cfff, 0x20000...0x2f7ff,
      0x30000...0x10ffff:
      value % 97 == 0 ? Unicode.Scalar(value) : nil
    default: Unicode.Scalar(value)
    }
  }

  @Test("no assigned code point, repeated to the limit, outgrows the memory for it")
  func expansion() {
    var (largest, assigned) = (0, 0)
    for scalar in Self.scalars {
      let unit = String(scalar)
      let full = Array(String(repeating: unit, count: 1024 / unit.utf8.count).utf8)
      do throws(SecretMemoryError) {
        let form = try PasscodeText.normalize(full.span)
        largest = max(largest, form.count)
        assigned += 1
      } catch {
        if error != .invalidText(.unassignedCodePoint) { Issue.record("U+\(String(scalar.value, radix: 16)): \(error)") }
      }
    }
    #expect(assigned > 20_000)
    // U+1D160 takes three times its bytes: the worst case that Unicode allows.
    #expect(largest == 3072 && largest == PasscodeText.normalizedCapacity)
  }

  @Test(
    "the longest runs of marks and of U+0390 are normalised", arguments: ["\u{390}", "\u{344}", "\u{301}\u{323}", "\u{1d160}"])
  func worstCases(unit: String) {
    let count = 1024 / unit.utf8.count
    let result = normalized(Array(String(repeating: unit, count: count).utf8))
    let form = try? result.get()
    #expect(form != nil)
    #expect(form.map { String(decoding: $0, as: UTF8.self) == String(repeating: unit, count: count) } == true)
  }
}
