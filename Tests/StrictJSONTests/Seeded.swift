import Glibc

/// SplitMix64: the same numbers for the same seed.
///
/// `PASSCODE_TEST_SEED` chooses another seed; each test prints the one it ran with.
struct SeededGenerator: RandomNumberGenerator {
  let seed: UInt64
  private var state: UInt64

  init(_ test: String) {
    // SAFETY: the tests do not change the environment.
    let chosen = unsafe getenv("PASSCODE_TEST_SEED").flatMap { unsafe UInt64(String(cString: $0)) }
    seed = chosen ?? 20_261_130
    state = seed
    print("\(test): PASSCODE_TEST_SEED=\(seed)")
  }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }

  mutating func chance(_ one: Int, in all: Int) -> Bool { Int.random(in: 0..<all, using: &self) < one }
}

extension SeededGenerator {
  /// Scalars at which a reader or writer of JSON could stumble.
  private static let scalars: [Unicode.Scalar] = [
    "a", "B", "7", " ", "/", "\"", "\\", "\u{0}", "\u{8}", "\t", "\n", "\u{C}", "\r", "\u{1F}", "\u{7F}", "\u{80}", "\u{9B}",
    "\u{9F}",
    "\u{A0}", "\u{BF}", "é", "e", "\u{301}", "ß", "\u{7FF}", "\u{800}", "\u{2028}", "\u{D7FF}", "\u{E000}", "\u{FEFF}",
    "\u{FFFD}",
    "\u{FFFF}", "\u{10000}", "😀", "\u{200D}", "\u{10FFFF}",
  ]

  mutating func string() -> String {
    var text = String.UnicodeScalarView()
    for _ in 0..<Int.random(in: 0...12, using: &self) { text.append(Self.scalars.randomElement(using: &self) ?? "a") }
    return String(text)
  }

  /// A tree of at most `depth` levels; no two keys of an object are equal.
  mutating func value(depth: Int) -> JSONValue {
    switch Int.random(in: depth > 0 ? 0..<9 : 2..<9, using: &self) {
    case 0:
      var members: [(String, JSONValue)] = []
      for _ in 0..<Int.random(in: 0...5, using: &self) {
        let key = string()
        if !members.contains(where: { $0.0 == key }) { members.append((key, value(depth: depth - 1))) }
      }
      return .object(members)
    case 1: return .array((0..<Int.random(in: 0...5, using: &self)).map { _ in value(depth: depth - 1) })
    case 2, 3: return .string(string())
    case 4: return .integer(Int64.random(in: -100...100, using: &self))
    case 5: return .integer(Int64.random(in: .min ... .max, using: &self))
    case 6: return .number(finite())
    case 7: return .bool(Bool.random(using: &self))
    default: return .null
    }
  }

  private mutating func finite() -> Double {
    while true {
      let value = Double(bitPattern: next())
      if value.isFinite { return value }
    }
  }
}
