internal import SecretMemory

/// SHA-1, for one purpose: to find a candidate in a list that is indexed by it. It protects nothing here.
///
/// Secrets: the message is read where it lies; the schedule is in locked memory and wiped. What registers may leave on the
/// stack are words of the digest's state and single words of the schedule.
///
/// Source: FIPS 180-4 §5.1.1, §6.1.3.
enum SHA1 {
  private static let blockByteCount = 64

  /// The digest's first eight bytes, as a big-endian number.
  ///
  /// - Throws: what `SecretBytes` throws.
  /// - Complexity: O(*n*).
  static func prefix(of message: Span<UInt8>) throws(SecretMemoryError) -> UInt64 {
    let state = try state(after: message)
    return UInt64(state.h0) << 32 | UInt64(state.h1)
  }

  /// The five words of a digest.
  struct State: Equatable {
    var h0: UInt32 = 0x6745_2301
    var h1: UInt32 = 0xEFCD_AB89
    var h2: UInt32 = 0x98BA_DCFE
    var h3: UInt32 = 0x1032_5476
    var h4: UInt32 = 0xC3D2_E1F0
  }

  /// The state at the end of the padded message, which is the digest.
  static func state(after message: Span<UInt8>) throws(SecretMemoryError) -> State {
    var schedule = try SecretBytes(capacity: blockByteCount)
    for _ in 0..<blockByteCount { try schedule.append(0) }
    var state = State()
    let blockCount = (message.count + 9 + blockByteCount - 1) / blockByteCount
    for block in 0..<blockCount {
      var words = schedule.mutableBytes
      fill(&words, from: message, block, isLast: block == blockCount - 1)
      compress(&words, into: &state)
    }
    return state
  }

  /// One block of the message and its padding: a one bit, zeros, the length in bits.
  private static func fill(_ words: inout MutableSpan<UInt8>, from message: Span<UInt8>, _ block: Int, isLast: Bool) {
    for index in 0..<blockByteCount {
      let at = block * blockByteCount + index
      words[index] = at < message.count ? message[at] : at == message.count ? 0x80 : 0
    }
    guard isLast else { return }
    let bits = UInt64(message.count) * 8
    for index in 0..<8 { words[blockByteCount - 1 - index] = UInt8(truncatingIfNeeded: bits >> (8 * UInt64(index))) }
  }

  private static func compress(_ words: inout MutableSpan<UInt8>, into state: inout State) {
    var (a, b, c, d, e) = (state.h0, state.h1, state.h2, state.h3, state.h4)
    for round in 0..<80 {
      if round >= 16 { extend(&words, round) }
      let (mix, constant) = mixed(b, c, d, round)
      let next = rotated(a, 5) &+ mix &+ e &+ constant &+ word(words, round & 15)
      (e, d, c, b, a) = (d, c, rotated(b, 30), a, next)
    }
    state.h0 &+= a
    state.h1 &+= b
    state.h2 &+= c
    state.h3 &+= d
    state.h4 &+= e
  }

  private static func mixed(_ b: UInt32, _ c: UInt32, _ d: UInt32, _ round: Int) -> (UInt32, UInt32) {
    switch round / 20 {
    case 0: (b & c | ~b & d, 0x5A82_7999)
    case 1: (b ^ c ^ d, 0x6ED9_EBA1)
    case 2: (b & c | b & d | c & d, 0x8F1B_BCDC)
    default: (b ^ c ^ d, 0xCA62_C1D6)
    }
  }

  /// The schedule's word of a round takes the place of the one sixteen rounds before.
  private static func extend(_ words: inout MutableSpan<UInt8>, _ round: Int) {
    let mixed =
      word(words, (round - 3) & 15) ^ word(words, (round - 8) & 15) ^ word(words, (round - 14) & 15) ^ word(words, round & 15)
    let new = rotated(mixed, 1)
    let at = (round & 15) * 4
    for index in 0..<4 { words[at + index] = UInt8(truncatingIfNeeded: new >> (24 - 8 * UInt32(index))) }
  }

  private static func word(_ words: borrowing MutableSpan<UInt8>, _ index: Int) -> UInt32 {
    let at = index * 4
    return UInt32(words[at]) << 24 | UInt32(words[at + 1]) << 16 | UInt32(words[at + 2]) << 8 | UInt32(words[at + 3])
  }

  private static func rotated(_ word: UInt32, _ count: UInt32) -> UInt32 { word << count | word >> (32 - count) }
}
