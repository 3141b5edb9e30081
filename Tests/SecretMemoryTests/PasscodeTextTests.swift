import SecretMemory
import Testing

/// The normal form, or why there is none.
func normalized(_ raw: [UInt8]) -> Result<[UInt8], SecretMemoryError> {
  do throws(SecretMemoryError) {
    let text = try PasscodeText.normalize(raw.span)
    return .success(array(text.bytes))
  } catch {
    return .failure(error)
  }
}

@Suite("Passcode text")
struct PasscodeTextTests {
  /// Pairs of the same text, composed and decomposed.
  static let pairs: [(composed: String, decomposed: String)] = [
    ("caf\u{e9}", "cafe\u{301}"),
    ("\u{c5}ngstr\u{f6}m", "A\u{30a}ngstro\u{308}m"),
    (
      "\u{c548}\u{b155}\u{d558}\u{c138}\u{c694}",
      "\u{110b}\u{1161}\u{11ab}\u{1102}\u{1167}\u{11bc}\u{1112}\u{1161}\u{1109}\u{1166}\u{110b}\u{116d}"
    ),
    ("\u{622}\u{644}\u{623}\u{648}\u{644}", "\u{627}\u{653}\u{644}\u{627}\u{654}\u{648}\u{644}"),
    ("\u{1ea4}n \u{1ec7}", "A\u{302}\u{301}n e\u{323}\u{302}"),
    ("\u{304c}\u{30d7}", "\u{304b}\u{3099}\u{30d5}\u{309a}"),
    ("\u{390}", "\u{3b9}\u{308}\u{301}"),
    ("\u{1F469}\u{200D}\u{1F469}\u{200D}\u{1F467} \u{e9}", "\u{1F469}\u{200D}\u{1F469}\u{200D}\u{1F467} e\u{301}"),
  ]

  @Test("SC-17: a passcode set in NFC is the same in NFD, and the reverse", arguments: pairs)
  func formsAreOne(pair: (composed: String, decomposed: String)) {
    #expect(Array(pair.composed.utf8) != Array(pair.decomposed.utf8))
    #expect(normalized(Array(pair.composed.utf8)) == .success(Array(pair.composed.utf8)))
    #expect(normalized(Array(pair.decomposed.utf8)) == .success(Array(pair.composed.utf8)))
  }

  @Test("SC-17: emoji passcodes keep joiners, variation selectors, skin tones and flags")
  func emoji() {
    for text in ["👩‍👩‍👧‍👦", "❤️‍🔥", "👍🏽", "🇨🇭", "1️⃣", "🏴󠁧󠁢󠁳󠁣󠁴󠁿"] { #expect(normalized(Array(text.utf8)) == .success(Array(text.utf8))) }
  }

  @Test("SC-17: ASCII is untouched, control characters and all")
  func ascii() {
    let all = [UInt8](1...127)
    #expect(normalized(all) == .success(all))
    for byte in all { #expect(normalized([byte]) == .success([byte])) }
    #expect(normalized([]) == .success([]))
  }

  @Test("compatibility characters, case and spaces are not folded")
  func notFolded() {
    for text in ["ﬁ", "Ａ１", "²", "ß ẞ", "I ı İ", "a\u{a0}b", " lead and trail ", "a\u{200b}b", "\u{feff}a"] {
      #expect(normalized(Array(text.utf8)) == .success(Array(text.utf8)))
    }
  }

  @Test("SC-23: 1,024 bytes are taken, 1,025 are refused and not cut", arguments: ["a", "é", "e\u{301}x", "한", "👍"])
  func limit(unit: String) {
    let bytes = Array(String(repeating: unit, count: 1025).utf8)
    let whole = 1024 / unit.utf8.count * unit.utf8.count
    let longest = Array(bytes[..<whole]) + [UInt8](repeating: UInt8(ascii: "-"), count: 1024 - whole)
    #expect((try? normalized(longest).get()) != nil)
    #expect(normalized(longest + [UInt8(ascii: "-")]) == .failure(.tooLong(limit: 1024)))
    #expect(normalized(bytes + bytes) == .failure(.tooLong(limit: 1024)))
    #expect(PasscodeText.maximumByteCount == 1024)
  }

  @Test("SC-23: the limit is on the bytes as given: what is refused is not read")
  func limitComesFirst() {
    #expect(normalized([UInt8](repeating: 0, count: 1025)) == .failure(.tooLong(limit: 1024)))
    #expect(normalized([UInt8](repeating: 0xff, count: 1025)) == .failure(.tooLong(limit: 1024)))
  }

  @Test("NUL is refused wherever it stands", arguments: [[0], [0, 65], [65, 0], [65, 0, 65], [0xc3, 0xa9, 0]] as [[UInt8]])
  func nul(bytes: [UInt8]) {
    #expect(normalized(bytes) == .failure(.invalidText(.containsNUL)))
  }

  @Test(
    "what is no UTF-8 is refused",
    arguments: [
      [0x80], [0xff], [0xfe], [0xc3], [0xc3, 0x28], [0xc0, 0x80], [0xc1, 0xbf], [0xe0, 0x80, 0x80], [0xe2, 0x82],
      [0xed, 0xa0, 0x80], [0xed, 0xbf, 0xbf], [0xf0, 0x80, 0x80, 0x80], [0xf0, 0x9f, 0x91], [0xf4, 0x90, 0x80, 0x80],
      [0xf5, 0x80, 0x80, 0x80], [0x61, 0xe9], [0xe9, 0x61], [0xc3, 0xa9, 0xbf],
    ] as [[UInt8]])
  func notUTF8(bytes: [UInt8]) {
    #expect(normalized(bytes) == .failure(.invalidText(.notUTF8)))
    #expect(normalized(Array("pass ".utf8) + bytes) == .failure(.invalidText(.notUTF8)))
  }

  @Test(
    "unassigned code points and noncharacters are refused",
    arguments: [0x378, 0xfdd0, 0xffff, 0x1fffe, 0x10ffff, 0xe0080] as [UInt32])
  func unassigned(value: UInt32) throws {
    let bytes = Array(String(try #require(Unicode.Scalar(value))).utf8)
    for text in [bytes, Array("e\u{301}".utf8) + bytes, bytes + [65]] {
      #expect(normalized(text) == .failure(.invalidText(.unassignedCodePoint)))
    }
  }

  @Test("private use, and what Unicode 15 added, are assigned", arguments: ["\u{e000}", "\u{f8ff}", "\u{10fffd}", "\u{1fae8}"])
  func assigned(text: String) {
    #expect(normalized(Array(text.utf8)) == .success(Array(text.utf8)))
  }
}
