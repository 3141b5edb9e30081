internal import SecretMemory

/// Sixteen public bytes, shown as 32 hexadecimal digits.
public protocol Identifier16: Hashable, Sendable, CustomStringConvertible {
  /// Always 16 bytes.
  var bytes: [UInt8] { get }
  /// Takes 16 bytes.
  init(unchecked bytes: [UInt8])
}

extension Identifier16 {
  /// A fresh random identifier.
  public static func random() -> Self { Self(unchecked: SecureRandom.bytes(16)) }

  /// Nil where `bytes` is not 16 bytes long.
  public init?(_ bytes: [UInt8]?) {
    guard let bytes, bytes.count == 16 else { return nil }
    self.init(unchecked: bytes)
  }

  /// From 32 hexadecimal digits, upper or lower case; nil for anything else.
  public init?(hex: String) {
    let digits = Array(hex.utf8)
    guard digits.count == 32 else { return nil }
    var bytes: [UInt8] = []
    for pair in stride(from: 0, to: 32, by: 2) {
      guard let high = hexValue(digits[pair]), let low = hexValue(digits[pair + 1]) else { return nil }
      bytes.append(high << 4 | low)
    }
    self.init(unchecked: bytes)
  }

  /// 32 lower-case hexadecimal digits.
  public var description: String {
    let digits = Array("0123456789abcdef".utf8)
    return String(decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
  }
}

private func hexValue(_ digit: UInt8) -> UInt8? {
  switch digit {
  case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
  case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
  case UInt8(ascii: "A")...UInt8(ascii: "F"): digit - UInt8(ascii: "A") + 10
  default: nil
  }
}

/// Names one store for its whole life; a backup keeps it.
public struct StoreID: Identifier16 {
  /// Its 16 bytes.
  public let bytes: [UInt8]

  /// Takes 16 bytes.
  public init(unchecked bytes: [UInt8]) { self.bytes = bytes }
}

/// Names one credential for its whole life, across new values and new names.
public struct RecordID: Identifier16 {
  /// Its 16 bytes.
  public let bytes: [UInt8]

  /// Takes 16 bytes.
  public init(unchecked bytes: [UInt8]) { self.bytes = bytes }
}

/// Names one line of development of a store's file: a new one begins when an older copy is accepted.
public struct BranchID: Identifier16 {
  /// Its 16 bytes.
  public let bytes: [UInt8]

  /// Takes 16 bytes.
  public init(unchecked bytes: [UInt8]) { self.bytes = bytes }
}

/// Names one device key, so that a missing or foreign one is told from a wrong passcode. A digest of the key.
public struct DeviceKeyID: Identifier16 {
  /// Its 16 bytes.
  public let bytes: [UInt8]

  /// Takes 16 bytes.
  public init(unchecked bytes: [UInt8]) { self.bytes = bytes }
}

/// What a name, a folder or an attribute pair is looked up by: the first 16 bytes of a keyed digest.
///
/// Two different names could share a tag only with probability 2⁻¹²⁸; every hit is checked against what was asked all the same.
public struct LookupTag: Hashable, Sendable, Comparable {
  /// The length, in bytes.
  public static let byteCount = 16
  let high: UInt64
  let low: UInt64

  init(_ digest: Digest) {
    self = digest.withBytes { LookupTag($0.extracting(first: Self.byteCount))! }
  }

  /// From 16 stored bytes; nil for any other count.
  public init?(_ bytes: Span<UInt8>) {
    guard bytes.count == Self.byteCount else { return nil }
    var words: (UInt64, UInt64) = (0, 0)
    for index in 0..<8 {
      words.0 = words.0 << 8 | UInt64(bytes[index])
      words.1 = words.1 << 8 | UInt64(bytes[8 + index])
    }
    (high, low) = words
  }

  /// The 16 bytes.
  public var bytes: [UInt8] { withBytes { span in span.indices.map { span[$0] } } }

  /// Lends the 16 bytes to `body`, without allocating.
  public func withBytes<R, E: Error>(_ body: (Span<UInt8>) throws(E) -> R) throws(E) -> R {
    var bytes = InlineArray<16, UInt8>(repeating: 0)
    for index in 0..<8 {
      bytes[index] = UInt8(truncatingIfNeeded: high >> UInt64(56 - 8 * index))
      bytes[8 + index] = UInt8(truncatingIfNeeded: low >> UInt64(56 - 8 * index))
    }
    return try body(bytes.span)
  }

  /// Byte order.
  public static func < (a: LookupTag, b: LookupTag) -> Bool { (a.high, a.low) < (b.high, b.low) }
}
