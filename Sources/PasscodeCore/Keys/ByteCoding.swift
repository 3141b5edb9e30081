/// Writes fixed-width little-endian integers and counted byte strings: the notation of every layout in the store format.
public struct ByteWriter: Sendable {
  /// What was written.
  public private(set) var bytes: [UInt8] = []

  /// An empty writer.
  public init() {}

  /// Appends an integer, least significant byte first.
  public mutating func integer<T: FixedWidthInteger>(_ value: T) {
    for shift in stride(from: 0, to: T.bitWidth, by: 8) { bytes.append(UInt8(truncatingIfNeeded: value >> T(shift))) }
  }

  /// Appends bytes as they are.
  public mutating func raw(_ source: [UInt8]) { bytes.append(contentsOf: source) }

  /// Appends bytes as they are.
  public mutating func raw(_ source: Span<UInt8>) {
    for index in source.indices { bytes.append(source[index]) }
  }

  /// Begins anew, in the same memory.
  mutating func removeAll() { bytes.removeAll(keepingCapacity: true) }

  /// Appends the bytes of a text literal.
  public mutating func text(_ source: StaticString) {
    source.withUTF8Buffer { buffer in
      for index in 0..<source.utf8CodeUnitCount { unsafe bytes.append(buffer[index]) }
    }
  }
}

/// Reads what ``ByteWriter`` wrote. Every read is bounded; a read beyond the end gives nil and moves nothing.
public struct ByteReader: ~Escapable {
  private let source: Span<UInt8>
  private var at = 0

  /// A reader at the start of `source`.
  @_lifetime(copy source)
  public init(_ source: Span<UInt8>) { self.source = source }

  /// How many bytes are left.
  public var remaining: Int { source.count - at }

  /// The next integer, least significant byte first.
  public mutating func integer<T: FixedWidthInteger>(_: T.Type = T.self) -> T? {
    let width = T.bitWidth / 8
    guard remaining >= width else { return nil }
    var value: T = 0
    for index in 0..<width { value |= T(truncatingIfNeeded: source[at + index]) << T(8 * index) }
    at += width
    return value
  }

  /// The next `count` bytes, copied.
  public mutating func raw(_ count: Int) -> [UInt8]? {
    guard let range = skip(count) else { return nil }
    return copy(range)
  }

  /// The place of the next `count` bytes in the source.
  public mutating func skip(_ count: Int) -> Range<Int>? {
    guard count >= 0, remaining >= count else { return nil }
    defer { at += count }
    return at..<at + count
  }

  private func copy(_ range: Range<Int>) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(range.count)
    for index in range { bytes.append(source[index]) }
    return bytes
  }
}
