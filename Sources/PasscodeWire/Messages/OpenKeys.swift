internal import StrictJSON

/// The keys of all objects that are open at a place in a message, so that one that comes twice is noticed.
struct OpenKeys {
  private struct Key {
    var start: Int32 = 0
    /// Negative where the key is escaped.
    var end: Int32 = 0

    var isEscaped: Bool { end < 0 }
    var range: Range<Int> { Int(start)..<Int(end.magnitude) }
  }

  /// The first ones, where nothing has to be allocated for them, and those beyond.
  private var keys = InlineArray<32, Key>(repeating: Key())
  private var more: [Key] = []
  private var count = 0
  // One a level, and the first object.
  private var firsts = InlineArray<17, Int16>(repeating: 0)
  private var depth = 0

  /// An object or array opens.
  mutating func open() {
    firsts[depth] = Int16(count)
    depth += 1
  }

  /// The innermost one closes.
  mutating func close() {
    depth -= 1
    count = Int(firsts[depth])
    if !more.isEmpty { more.removeLast(more.count - max(0, count - keys.count)) }
  }

  /// A key of the innermost object.
  ///
  /// - Throws: `duplicateKey`, `tooManyKeys`.
  /// - Complexity: O(keys of this object).
  mutating func add(_ range: Range<Int>, escaped: Bool, in bytes: Span<UInt8>) throws(CloseReason) {
    for index in Int(firsts[depth - 1])..<count where isSame(key(index), range, escaped, bytes) { throw .duplicateKey }
    if count == WireLimits.maximumKeyCount { throw .tooManyKeys }
    let key = Key(start: Int32(range.lowerBound), end: Int32(escaped ? -range.upperBound : range.upperBound))
    if count < keys.count { keys[count] = key } else { more.append(key) }
    count += 1
  }

  private func key(_ index: Int) -> Key { index < keys.count ? keys[index] : more[index - keys.count] }

  private func isSame(_ key: Key, _ range: Range<Int>, _ escaped: Bool, _ bytes: Span<UInt8>) -> Bool {
    let other = key.range
    if !escaped, !key.isEscaped { return isEqual(bytes.extracting(other), bytes.extracting(range)) }
    let one = try? JSONText.string(bytes, other, escaped: key.isEscaped)
    let two = try? JSONText.string(bytes, range, escaped: escaped)
    guard let one, let two else { return false }
    // Not the strings themselves: those are the same when they are only canonically equivalent.
    return one.utf8.elementsEqual(two.utf8)
  }
}

/// Whether two texts that are no secrets are the same, byte for byte.
func isEqual(_ a: Span<UInt8>, _ b: Span<UInt8>) -> Bool {
  if a.count != b.count { return false }
  for index in a.indices where a[index] != b[index] { return false }
  return true
}
