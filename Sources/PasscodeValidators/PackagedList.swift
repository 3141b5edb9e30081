internal import CCommonPasswords

/// One of the lists that come with the program: entries in byte order, lower case.
// SAFETY: the memory is a constant of the binary.
@safe
struct PackagedList: Sendable {
  private nonisolated(unsafe) let bytes: UnsafePointer<UInt8>
  private nonisolated(unsafe) let starts: UnsafePointer<UInt32>
  /// How many entries there are.
  let count: Int

  /// The 30,000 most common passwords.
  static let common = unsafe PackagedList(
    bytes: ccp_password_bytes(), starts: ccp_password_starts(), count: Int(ccp_password_count))
  /// Common PINs of four to eight digits.
  static let pins = unsafe PackagedList(bytes: ccp_pin_bytes(), starts: ccp_pin_starts(), count: Int(ccp_pin_count))

  private init(bytes: UnsafePointer<UInt8>, starts: UnsafePointer<UInt32>, count: Int) {
    unsafe self.bytes = unsafe bytes
    unsafe self.starts = unsafe starts
    self.count = count
  }

  /// One entry.
  ///
  /// - Precondition: `index` is in `0 ..< count`.
  subscript(index: Int) -> Span<UInt8> {
    @_lifetime(immortal)
    get {
      precondition(index >= 0 && index < count)
      // SAFETY: there are `count` + 1 starts, in order, all within the bytes.
      let start = unsafe Int(starts[index])
      let end = unsafe Int(starts[index + 1])
      return unsafe _overrideLifetime(Span(_unsafeStart: bytes + start, count: end - start), copying: ())
    }
  }

  /// Whether a folded text is an entry, as a whole. O(log `count`).
  func contains(_ text: Span<UInt8>) -> Bool {
    var low = 0
    var high = count
    while low < high {
      let middle = (low + high) / 2
      if precedes(self[middle], text) { low = middle + 1 } else { high = middle }
    }
    return low < count && !precedes(text, self[low])
  }
}

/// Byte order.
private func precedes(_ a: Span<UInt8>, _ b: Span<UInt8>) -> Bool {
  for index in 0..<min(a.count, b.count) where a[index] != b[index] { return a[index] < b[index] }
  return a.count < b.count
}
