import StrictJSON
import Testing

@Suite("Mutations")
struct MutationTests {
  static let samples: [[UInt8]] = [
    #"{"method":"org.passcoded.Credentials.Put","parameters":{"name":"web/example.org","secret":"aGVsbG8=","attributes":{"user":"café"}}}"#,
    #"{"minLength":8,"hasDigit":true,"lockOut":{"afterTries":5,"firstSeconds":30,"factor":2.5},"customRules":[{"pattern":"^\\d+$"}]}"#,
    #" [ -0, 1.5e+10, 9223372036854775807, -9223372036854775808, 1E-2, "\u00e9\ud83d\ude00\"\\\/\b\f\n\r\t", null, false, [[[[]]]], {} ] "#,
    "[\"\u{7F}\u{80}\u{2028}\u{10FFFF}e\u{301}\",{\"\":{\"\":[\"\"]}}]",
  ].map { Array($0.utf8) }

  /// Bytes that mean something to a parser of JSON or of UTF-8.
  static let telling: [UInt8] =
    Array(#"{}[]:,"\/ubntrfe+-.019dDC8aA# "#.utf8) + [
      0x00, 0x09, 0x0A, 0x1F, 0x7F, 0x80, 0xBF, 0xC0, 0xC2, 0xE0, 0xED, 0xEF, 0xF0, 0xF4, 0xFF,
    ]

  @Test("20,000 mutated texts are refused, or are written and read back the same")
  func mutations() throws {
    var random = SeededGenerator("mutations")
    var accepted = 0
    for round in 0..<20_000 {
      var text = Self.samples[round % Self.samples.count]
      for _ in 0..<Int.random(in: 1...3, using: &random) { mutate(&text, &random) }
      if try survives(text) { accepted += 1 }
    }
    #expect((1_000...19_000).contains(accepted), "both outcomes must be frequent, or this test shows nothing")
  }

  /// Whether the text is accepted; checks what must hold in either case.
  private func survives(_ text: [UInt8]) throws -> Bool {
    let tokens = tokens(text)
    switch document(text) {
    case .failure(let found):
      #expect((0...text.count).contains(found.offset))
      if found.reason != .duplicateKey, found.reason != .numberTooLarge { #expect(fault(tokens) == found, "\(text)") }
      let (line, column) = found.position(in: text.span)
      #expect(line >= 1 && column >= 1)
      return false
    case .success(let node):
      #expect(fault(tokens) == nil, "\(text)")
      let accepted = JSONValue(node)
      for pretty in [false, true] {
        let written = accepted.serialized(pretty: pretty)
        #expect(try value(of: written) == accepted, "\(text)")
      }
      return true
    }
  }

  private func mutate(_ text: inout [UInt8], _ random: inout SeededGenerator) {
    guard let at = text.indices.randomElement(using: &random) else { return text.append(UInt8(ascii: "1")) }
    let to = Int.random(in: at...min(text.count, at + 16), using: &random)
    switch Int.random(in: 0..<8, using: &random) {
    case 0: text[at] ^= 1 << UInt8.random(in: 0..<8, using: &random)
    case 1: text[at] = UInt8.random(in: 0...255, using: &random)
    case 2: text[at] = Self.telling.randomElement(using: &random) ?? 0
    case 3: text.insert(Self.telling.randomElement(using: &random) ?? 0, at: at)
    case 4: text.remove(at: at)
    case 5: text.removeSubrange(at..<to)
    case 6: text.insert(contentsOf: text[at..<to], at: Int.random(in: 0...text.count, using: &random))
    default:
      // The digit of a number or the letter of a name: the texts stay well formed more often.
      if let kept = text.indices.filter({ 0x30...0x39 ~= text[$0] || 0x61...0x7A ~= text[$0] }).randomElement(using: &random) {
        text[kept] =
          text[kept] < 0x40 ? UInt8.random(in: 0x30...0x39, using: &random) : UInt8.random(in: 0x61...0x7A, using: &random)
      }
    }
  }
}
