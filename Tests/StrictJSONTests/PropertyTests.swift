import StrictJSON
import Testing

@Suite("Properties")
struct PropertyTests {
  @Test("what is written is read back, compact and pretty", arguments: [false, true])
  func roundTrip(pretty: Bool) throws {
    var random = SeededGenerator("round trip")
    for _ in 0..<2_000 {
      let original = random.value(depth: 4)
      let text = original.serialized(pretty: pretty)
      let read = try value(of: text)
      #expect(read == original)
      #expect(read.serialized(pretty: pretty) == text)
    }
  }

  @Test("every proper prefix of an object ends too early, or inside of a scalar")
  func prefixes() {
    var random = SeededGenerator("prefixes")
    for _ in 0..<150 {
      let text = JSONValue.object([("k", random.value(depth: 3)), (random.string() + "x", .null)]).serialized()
      for length in text.indices {
        let found = fault(tokens(Array(text[..<length])))
        let startsSequence = text[length] & 0xC0 != 0x80
        #expect(found?.reason == (startsSequence ? .unexpectedEnd : .invalidUTF8))
        if startsSequence { #expect(found?.offset == length) }
      }
    }
  }

  @Test("white space between tokens changes no token")
  func whiteSpace() throws {
    var random = SeededGenerator("white space")
    let spaces: [[UInt8]] = [[], [0x20], [0x0A], [0x0D, 0x0A], [0x09], [0x20, 0x09, 0x0D, 0x0A, 0x20]]
    for _ in 0..<500 {
      let original = random.value(depth: 3)
      var spaced: [UInt8] = []
      for piece in try pieces(of: original.serialized()) {
        spaced += spaces.randomElement(using: &random) ?? []
        spaced += piece
      }
      spaced += spaces.randomElement(using: &random) ?? []
      #expect(try value(of: spaced) == original)
    }
  }

  /// The compact text, cut wherever white space may stand.
  private func pieces(of text: [UInt8]) throws -> [[UInt8]] {
    var tokenizer = try JSONTokenizer(text.span)
    var all: [[UInt8]] = []
    var start = 0
    while try tokenizer.next() != .end {
      var piece = text[start..<tokenizer.offset]
      if piece.count > 1, let first = piece.first, first == UInt8(ascii: ",") { all.append([piece.removeFirst()]) }
      if piece.count > 1, let last = piece.last, last == UInt8(ascii: ":") {
        all.append(Array(piece.dropLast()))
        all.append([last])
      } else {
        all.append(Array(piece))
      }
      start = tokenizer.offset
    }
    return all
  }

  @Test("the bytes of a node are its text, and nodes lie inside of their parents in order")
  func ranges() throws {
    var random = SeededGenerator("ranges")
    for _ in 0..<500 {
      let text = random.value(depth: 4).serialized(pretty: random.chance(1, in: 2))
      let root = try document(text).get()
      #expect(root.range == text.indices)
      try check(root, in: text)
    }
  }

  private func check(_ node: JSONNode, in text: [UInt8]) throws {
    let own = Array(text[node.range])
    #expect(try value(of: own) == JSONValue(node))
    var end = node.range.lowerBound
    func follow(_ range: Range<Int>) {
      #expect(end < range.lowerBound && range.upperBound < node.range.upperBound)
      end = range.upperBound
    }
    switch node.value {
    case .object(let members):
      for member in members {
        follow(member.keyRange)
        let key = Array(text[member.keyRange])
        #expect(try value(of: key) == .string(member.key))
        follow(member.node.range)
        try check(member.node, in: text)
      }
    case .array(let elements):
      for element in elements {
        follow(element.range)
        try check(element, in: text)
      }
    default: break
    }
  }

  @Test("a string with any mix of escapes means the same text")
  func escapes() throws {
    var random = SeededGenerator("escapes")
    for _ in 0..<5_000 {
      let text = random.string()
      let contents = escaped(text, &random)
      var copy = contents
      var span = copy.mutableSpan
      let count = try JSONText.unescape(&span)
      #expect(count <= contents.count)
      #expect(copy[..<count].elementsEqual(text.utf8))
      #expect(copy[count...].allSatisfy { $0 == 0 })
      let quoted = [UInt8(ascii: "\"")] + contents + [UInt8(ascii: "\"")]
      #expect(try value(of: quoted) == .string(text))
    }
  }

  private func escaped(_ text: String, _ random: inout SeededGenerator) -> [UInt8] {
    let simple: [Unicode.Scalar: String] = [
      "\"": #"\""#, "\\": #"\\"#, "/": #"\/"#, "\u{8}": #"\b"#, "\u{C}": #"\f"#, "\n": #"\n"#, "\r": #"\r"#, "\t": #"\t"#,
    ]
    var contents = ""
    for scalar in text.unicodeScalars {
      let isRequired = scalar.value < 0x20 || scalar == "\"" || scalar == "\\"
      if let short = simple[scalar], random.chance(1, in: 2) {
        contents += short
      } else if isRequired || random.chance(1, in: 2) {
        for unit in String(scalar).utf16 {
          let digits = String(unit, radix: 16, uppercase: random.chance(1, in: 2))
          contents += #"\u"# + String(repeating: "0", count: 4 - digits.utf8.count) + digits
        }
      } else {
        contents.unicodeScalars.append(scalar)
      }
    }
    return Array(contents.utf8)
  }
}
