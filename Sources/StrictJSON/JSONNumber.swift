/// Numbers of a JSON text, read exactly or not at all.
public enum JSONNumber {
  /// The value of a whole number.
  ///
  /// - Parameter bytes: a number token.
  /// - Returns: `nil` for anything else than `-`, where it is negative, and decimal digits: `8.0` and `1e2` are no whole
  ///   numbers. `nil` too for one that does not fit, so that no digit is lost.
  /// - Complexity: O(*n*).
  public static func int64(_ bytes: Span<UInt8>) -> Int64? {
    let isNegative = bytes.count > 0 && bytes[0] == UInt8(ascii: "-")
    let first = isNegative ? 1 : 0
    if bytes.count == first { return nil }
    if bytes.count > first + 1, bytes[first] == UInt8(ascii: "0") { return nil }
    // Negative all along: the most negative value has no positive counterpart.
    var negated: Int64 = 0
    for i in first..<bytes.count {
      let digit = bytes[i] &- UInt8(ascii: "0")
      if digit > 9 { return nil }
      let (product, overflows) = negated.multipliedReportingOverflow(by: 10)
      let (difference, underflows) = product.subtractingReportingOverflow(Int64(digit))
      if overflows || underflows { return nil }
      negated = difference
    }
    if isNegative { return negated }
    return negated == .min ? nil : -negated
  }

  /// The nearest `Double` of a number.
  ///
  /// - Parameter bytes: a number token.
  /// - Returns: `nil` for what is not a number of JSON, and for one that is too large. One too small is zero.
  /// - Complexity: O(*n*); allocates.
  public static func double(_ bytes: Span<UInt8>) -> Double? {
    guard let end = try? end(in: bytes, from: 0), end == bytes.count else { return nil }
    guard let text = try? UTF8Span(validating: bytes), let value = Double(String(copying: text)) else { return nil }
    return value.isFinite ? value : nil
  }

  /// Where the number ends that starts at `start`.
  ///
  /// Source: RFC 8259 §6.
  static func end(in bytes: Span<UInt8>, from start: Int) throws(JSONFault) -> Int {
    var at = start
    if at < bytes.count, bytes[at] == UInt8(ascii: "-") { at &+= 1 }
    let first = at
    at = try digits(in: bytes, from: at)
    if bytes[first] == UInt8(ascii: "0"), at > first + 1 { throw JSONFault(reason: .leadingZero, offset: start) }
    if at < bytes.count, bytes[at] == UInt8(ascii: ".") { at = try digits(in: bytes, from: at &+ 1) }
    if at < bytes.count, bytes[at] | 0x20 == UInt8(ascii: "e") {
      at &+= 1
      if at < bytes.count, bytes[at] == UInt8(ascii: "+") || bytes[at] == UInt8(ascii: "-") { at &+= 1 }
      at = try digits(in: bytes, from: at)
    }
    return at
  }

  private static func digits(in bytes: Span<UInt8>, from start: Int) throws(JSONFault) -> Int {
    var at = start
    while at < bytes.count, bytes[at] &- UInt8(ascii: "0") <= 9 { at &+= 1 }
    if at == start { throw JSONFault(reason: at < bytes.count ? .expectedDigit : .unexpectedEnd, offset: at) }
    return at
  }
}
