/// What one line of a pinentry says, without its bytes: payloads are ranges of the line.
///
/// Total: whatever the line is, there is a case for it.
///
/// Source: libassuan manual, "Server responses": `OK …`, `ERR code …`, `S keyword …`, `# …`, `D data`, `INQUIRE keyword …`.
enum AssuanReply: Equatable {
  /// What a pinentry asks back.
  enum Inquiry: Equatable {
    /// How good the candidate is.
    case quality
    /// Whether the candidate is accepted.
    case check
    /// Something else, which has no answer.
    case other
  }

  case ok
  /// A libgpg-error value: source in the upper bits, code in the lower 16.
  case error(UInt32)
  case status(isPINRepeated: Bool)
  case comment
  /// The range of the escaped data.
  case data(Range<Int>)
  /// The range of the escaped candidate.
  case inquiry(Inquiry, Range<Int>)
  case malformed

  /// Reads a line without its line feed.
  init(_ line: Span<UInt8>) {
    let word = Self.wordEnd(line, from: 0)
    let rest = min(word + 1, line.count)..<line.count
    if line.count > 0, line[0] == UInt8(ascii: "#") {
      self = .comment
    } else if Self.isWord("OK", line, 0..<word) {
      self = .ok
    } else if Self.isWord("D", line, 0..<word) {
      self = .data(rest)
    } else if Self.isWord("ERR", line, 0..<word) {
      self = Self.number(line, from: rest.lowerBound).map { .error($0) } ?? .malformed
    } else if Self.isWord("S", line, 0..<word) {
      let keyword = rest.lowerBound..<Self.wordEnd(line, from: rest.lowerBound)
      self = .status(isPINRepeated: Self.isWord("PIN_REPEATED", line, keyword))
    } else if Self.isWord("INQUIRE", line, 0..<word) {
      self = Self.inquiry(line, from: rest.lowerBound)
    } else {
      self = .malformed
    }
  }

  private static func inquiry(_ line: Span<UInt8>, from start: Int) -> AssuanReply {
    let keyword = start..<wordEnd(line, from: start)
    guard !keyword.isEmpty else { return .malformed }
    let candidate = min(keyword.upperBound + 1, line.count)..<line.count
    if isWord("QUALITY", line, keyword) { return .inquiry(.quality, candidate) }
    return .inquiry(isWord("CHECKPIN", line, keyword) ? .check : .other, candidate)
  }

  private static func wordEnd(_ line: Span<UInt8>, from start: Int) -> Int {
    var end = start
    while end < line.count, line[end] != UInt8(ascii: " ") { end += 1 }
    return end
  }

  private static func isWord(_ word: String, _ line: Span<UInt8>, _ range: Range<Int>) -> Bool {
    guard word.utf8.count == range.count else { return false }
    var index = range.lowerBound
    for byte in word.utf8 {
      guard line[index] == byte else { return false }
      index += 1
    }
    return true
  }

  private static func number(_ line: Span<UInt8>, from start: Int) -> UInt32? {
    let end = wordEnd(line, from: start)
    guard end > start, end - start <= 10 else { return nil }
    var value: UInt64 = 0
    for index in start..<end {
      guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(line[index]) else { return nil }
      value = value * 10 + UInt64(line[index] - UInt8(ascii: "0"))
    }
    return UInt32(exactly: value)
  }
}
