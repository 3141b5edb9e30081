/// A SHA-1 as three numbers that compare as its bytes do.
struct BreachHash: Equatable, Comparable {
  var high: UInt64 = 0
  var middle: UInt64 = 0
  var low: UInt32 = 0

  /// Reads a line without its end: the digits that `prefix` does not give, a colon, a count.
  ///
  /// - Parameters:
  ///   - line: such as `000000005AD76BD555C1D6D771DE417A4B87E4B4:10`.
  ///   - prefix: the first five digits, where a range file's name gives them.
  /// - Returns: the hash, and whether the count is 0, as in rows that only pad; nil for any other line.
  static func read(_ line: Span<UInt8>, prefix: UInt32?) -> (hash: BreachHash, isPadding: Bool)? {
    var hash = BreachHash()
    var digits = 0
    if let prefix {
      hash.high = UInt64(prefix)
      digits = 5
    }
    var at = 0
    while digits < 40 {
      guard at < line.count, let digit = value(line[at]) else { return nil }
      hash.append(digit, after: digits)
      digits += 1
      at += 1
    }
    guard at < line.count, line[at] == UInt8(ascii: ":"), let isZero = isZero(line.extracting(droppingFirst: at + 1)) else {
      return nil
    }
    return (hash, isZero)
  }

  private mutating func append(_ digit: UInt8, after count: Int) {
    if count < 16 {
      high = high << 4 | UInt64(digit)
    } else if count < 32 {
      middle = middle << 4 | UInt64(digit)
    } else {
      low = low << 4 | UInt32(digit)
    }
  }

  private static func value(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
    case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
    case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
    default: nil
    }
  }

  /// Whether a count is 0; nil where it is none.
  private static func isZero(_ count: Span<UInt8>) -> Bool? {
    guard 1...19 ~= count.count else { return nil }
    var isZero = true
    for index in count.indices {
      guard UInt8(ascii: "0")...UInt8(ascii: "9") ~= count[index] else { return nil }
      if count[index] != UInt8(ascii: "0") { isZero = false }
    }
    return isZero
  }

  static func < (a: BreachHash, b: BreachHash) -> Bool {
    if a.high != b.high { return a.high < b.high }
    return a.middle != b.middle ? a.middle < b.middle : a.low < b.low
  }
}
