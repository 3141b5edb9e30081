internal import SecretMemory

/// A text without the difference of upper and lower case, in locked memory.
///
/// Scalar by scalar: Unicode's lower-case mapping without context, and ASCII digits for decimal digits of other scripts. Both
/// sides of a comparison are folded the same way.
struct FoldedText: ~Copyable {
  private let folded: SecretBytes

  /// The folded text.
  var bytes: Span<UInt8> {
    @_lifetime(borrow self)
    get { folded.bytes }
  }

  /// Folds valid UTF-8 of at most 4,096 bytes.
  ///
  /// - Throws: what `SecretBytes` throws; `invalidText` for what is no UTF-8.
  init(_ text: Span<UInt8>) throws(SecretMemoryError) {
    let valid: UTF8Span
    do { valid = try UTF8Span(validating: text) } catch { throw .invalidText(.notUTF8) }
    // The longest mapping is that of U+0130: two bytes become three.
    var folded = try SecretBytes(capacity: valid.isKnownASCII ? text.count : text.count * 2)
    if valid.isKnownASCII {
      for index in text.indices { try folded.append(lowercased(text[index])) }
    } else {
      var scalars = valid.makeUnicodeScalarIterator()
      while let scalar = scalars.next() { try Self.append(scalar, to: &folded) }
    }
    self.folded = folded
  }

  private static func append(_ scalar: Unicode.Scalar, to folded: inout SecretBytes) throws(SecretMemoryError) {
    if scalar.isASCII { return try folded.append(lowercased(UInt8(truncatingIfNeeded: scalar.value))) }
    let properties = scalar.properties
    if properties.generalCategory == .decimalNumber, let value = properties.numericValue {
      return try folded.append(UInt8(ascii: "0") + UInt8(value))
    }
    // At most 15 bytes, which a String holds within itself: nothing of it reaches the heap.
    for byte in properties.lowercaseMapping.utf8 { try folded.append(byte) }
  }
}

/// ASCII in lower case; other bytes as they are.
func lowercased(_ byte: UInt8) -> UInt8 {
  byte >= UInt8(ascii: "A") && byte <= UInt8(ascii: "Z") ? byte | 0x20 : byte
}

/// Whether `part` lies somewhere in `whole`. O(`whole.count` · `part.count`).
func contains(_ whole: Span<UInt8>, _ part: Span<UInt8>) -> Bool {
  if part.count > whole.count { return false }
  for start in 0...(whole.count - part.count) {
    var length = 0
    while length < part.count, whole[start + length] == part[length] { length += 1 }
    if length == part.count { return true }
  }
  return false
}
