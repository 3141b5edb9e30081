internal import SecretMemory

/// A sorted list of attribute pairs in locked memory: `(key length 2 ‖ key ‖ value length 2 ‖ value)…` in byte order of the keys.
///
/// Invariant: keys are distinct and non-empty; counts and lengths are within ``CredentialMetadata``'s limits.
struct SecretAttributes: ~Copyable, Sendable {
  private var encoded: SecretBytes
  private(set) var count = 0

  init() throws(SecretMemoryError) { encoded = try SecretBytes(capacity: 0) }

  var byteCount: Int { encoded.count }

  /// What is wrong with an attribute's or a type's text; nil for a good one.
  static func textFault(_ text: Span<UInt8>) -> MetadataFault? {
    guard (try? UTF8Span(validating: text)) != nil else { return .notUTF8 }
    for index in text.indices where text[index] < 0x20 || text[index] == 0x7F { return .controlCharacter }
    return nil
  }

  mutating func set(_ key: Span<UInt8>, to value: Span<UInt8>) throws(StoreError) {
    if key.isEmpty { throw .invalidMetadata(.emptyKey) }
    if key.count > CredentialMetadata.maximumKeyByteCount { throw .invalidMetadata(.keyTooLong) }
    if value.count > CredentialMetadata.maximumValueByteCount { throw .invalidMetadata(.valueTooLong) }
    if let fault = Self.textFault(key) ?? Self.textFault(value) { throw .invalidMetadata(fault) }
    try rebuild(without: key, adding: true, value)
    if count > CredentialMetadata.maximumAttributes { throw .invalidMetadata(.tooManyAttributes) }
  }

  mutating func remove(_ key: Span<UInt8>) throws(StoreError) {
    try rebuild(without: key, adding: false, key)
  }

  func append(to plain: inout SecretBytes) throws(SecretMemoryError) {
    try plain.append(UInt8(truncatingIfNeeded: count))
    try plain.append(UInt8(truncatingIfNeeded: count >> 8))
    try plain.append(contentsOf: encoded.bytes)
  }

  /// Writes the list anew, without `key`, and with `key` and `value` in their place where `adding`.
  private mutating func rebuild(without key: Span<UInt8>, adding: Bool, _ value: Span<UInt8>) throws(StoreError) {
    do {
      var list = try SecretBytes(capacity: byteCount + 4 + key.count + value.count)
      var newCount = 0
      var isPlaced = !adding
      func add(_ key: Span<UInt8>, _ value: Span<UInt8>, to list: inout SecretBytes) throws(SecretMemoryError) {
        try list.appendCounted(key)
        try list.appendCounted(value)
        newCount += 1
      }
      var reader = ByteReader(encoded.bytes)
      while let oldKey = reader.counted(), let oldValue = reader.counted() {
        let current = encoded.bytes.extracting(oldKey)
        let isSame = spansAreEqual(key, current)
        if !isPlaced, isSame || precedes(key, current) {
          try add(key, value, to: &list)
          isPlaced = true
        }
        if !isSame { try add(current, encoded.bytes.extracting(oldValue), to: &list) }
      }
      if !isPlaced { try add(key, value, to: &list) }
      encoded = list
      count = newCount
    } catch { throw .secretMemory(error) }
  }
}

/// Byte order of two strings.
func precedes(_ a: Span<UInt8>, _ b: Span<UInt8>) -> Bool {
  for index in 0..<min(a.count, b.count) where a[index] != b[index] { return a[index] < b[index] }
  return a.count < b.count
}
