/// What the rules need to know about a candidate, measured once. Holds no text.
struct CandidateFacts: Sendable, Equatable {
  /// Grapheme clusters.
  var length = 0
  /// Distinct grapheme clusters; counted up to the number that was asked for.
  var uniqueCount = 0
  var hasDigit = false
  var hasUpper = false
  var hasLower = false
  var hasSpecial = false
  /// Whether there is any scalar that is no digit.
  var hasOther = false

  /// How many of the four classes are there.
  var groupCount: Int { (hasDigit ? 1 : 0) + (hasUpper ? 1 : 0) + (hasLower ? 1 : 0) + (hasSpecial ? 1 : 0) }

  /// Measures a candidate where it lies.
  ///
  /// - Parameters:
  ///   - text: NFC, so that equal clusters are equal bytes.
  ///   - uniqueLimit: how many distinct clusters matter.
  /// - Returns: `nil` for what is no UTF-8.
  /// - Complexity: O(*n* · `uniqueLimit`) at worst, O(*n*) for ASCII.
  init?(measuring text: Span<UInt8>, uniqueLimit: Int) {
    guard let text = try? UTF8Span(validating: text) else { return nil }
    // CR LF is one cluster: the only one of ASCII that has two scalars.
    if text.isKnownASCII, !contains(text.span, UInt8(ascii: "\r")) {
      measureASCII(text.span, uniqueLimit: uniqueLimit)
    } else {
      measureClasses(text)
      measureClusters(text, uniqueLimit: uniqueLimit)
    }
  }

  private mutating func measureASCII(_ text: Span<UInt8>, uniqueLimit: Int) {
    var seen = ByteSet()
    for index in text.indices {
      let byte = text[index]
      note(.init(byte))
      if seen.insert(byte) { uniqueCount += 1 }
    }
    length = text.count
    uniqueCount = min(uniqueCount, uniqueLimit)
  }

  private mutating func measureClasses(_ text: borrowing UTF8Span) {
    var scalars = text.makeUnicodeScalarIterator()
    while let scalar = scalars.next() { note(CharacterClass(scalar)) }
  }

  private mutating func note(_ found: CharacterClass) {
    switch found {
    case .digit: hasDigit = true
    case .upper: hasUpper = true
    case .lower: hasLower = true
    case .special: hasSpecial = true
    case .none: break
    }
    if found != .digit { hasOther = true }
  }

  private mutating func measureClusters(_ text: borrowing UTF8Span, uniqueLimit: Int) {
    let bytes = text.span
    var seen = ByteSet()
    // Where the distinct clusters of more than one byte lie: offsets only, no text.
    var distinct: [Range<Int>] = []
    var clusters = text.makeCharacterIterator()
    var start = 0
    while clusters.skipForward() > 0 {
      let cluster = start..<clusters.currentCodeUnitOffset
      start = cluster.upperBound
      length += 1
      if uniqueCount == uniqueLimit { continue }
      if cluster.count == 1 {
        if seen.insert(bytes[cluster.lowerBound]) { uniqueCount += 1 }
      } else if !distinct.contains(where: { areEqual(bytes, $0, cluster) }) {
        distinct.append(cluster)
        uniqueCount += 1
      }
    }
  }
}

private func contains(_ bytes: Span<UInt8>, _ wanted: UInt8) -> Bool {
  for index in bytes.indices where bytes[index] == wanted { return true }
  return false
}

private func areEqual(_ bytes: Span<UInt8>, _ a: Range<Int>, _ b: Range<Int>) -> Bool {
  if a.count != b.count { return false }
  for index in 0..<a.count where bytes[a.lowerBound + index] != bytes[b.lowerBound + index] { return false }
  return true
}

/// A set of ASCII bytes.
private struct ByteSet {
  private var low: UInt64 = 0
  private var high: UInt64 = 0

  /// - Returns: whether it is new.
  mutating func insert(_ byte: UInt8) -> Bool {
    let bit: UInt64 = 1 << UInt64(byte & 63)
    let isNew = (byte < 64 ? low : high) & bit == 0
    if byte < 64 { low |= bit } else { high |= bit }
    return isNew
  }
}
