internal import CSodium

/// SHA-256 of public bytes, where a digest has to be one that everybody can make: `sha256sum` gives the same.
///
/// Source: FIPS 180-4; libsodium's crypto_hash_sha256.
public enum SHA256 {
  /// The digest of `input`. Not for secrets: the stack is not cleared.
  ///
  /// - Complexity: O(n); nothing is allocated.
  public static func digest(_ input: Span<UInt8>) -> Digest {
    precondition(Sodium.ready)
    return unsafe withUnsafeTemporaryAllocation(byteCount: Digest.byteCount, alignment: 8) { buffer in
      let out = unsafe buffer.baseAddress!.assumingMemoryBound(to: UInt8.self)
      unsafe input.withUnsafeBufferPointer { input in
        _ = unsafe crypto_hash_sha256(out, input.baseAddress, UInt64(input.count))
      }
      return unsafe Digest(Span<UInt8>(_unsafeStart: out, count: Digest.byteCount))!
    }
  }
}

/// SHA-256 of what comes piece by piece.
@safe
public struct RunningSHA256: ~Copyable, Sendable {
  private var state = crypto_hash_sha256_state()

  /// Of nothing yet.
  public init() {
    precondition(Sodium.ready)
    _ = unsafe crypto_hash_sha256_init(&state)
  }

  /// Takes a piece in. Not for secrets: the stack is not cleared.
  ///
  /// - Complexity: O(n); nothing is allocated.
  public mutating func add(_ bytes: Span<UInt8>) {
    unsafe bytes.withUnsafeBufferPointer { bytes in
      _ = unsafe crypto_hash_sha256_update(&state, bytes.baseAddress, UInt64(bytes.count))
    }
  }

  /// The digest of all pieces so far.
  public var digest: Digest {
    var state = state
    return unsafe withUnsafeTemporaryAllocation(byteCount: Digest.byteCount, alignment: 8) { buffer in
      let out = unsafe buffer.baseAddress!.assumingMemoryBound(to: UInt8.self)
      _ = unsafe crypto_hash_sha256_final(&state, out)
      return unsafe Digest(Span<UInt8>(_unsafeStart: out, count: Digest.byteCount))!
    }
  }
}

extension Digest {
  /// The 64 lower-case hexadecimal digits.
  public var hex: String {
    let digits = Array("0123456789abcdef".utf8)
    return String(decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
  }

  /// From 64 lower-case hexadecimal digits; nil for anything else.
  public init?(hex: String) {
    var bytes: [UInt8] = []
    var high: UInt8?
    for digit in hex.utf8 {
      let value: UInt8
      switch digit {
      case UInt8(ascii: "0")...UInt8(ascii: "9"): value = digit - UInt8(ascii: "0")
      case UInt8(ascii: "a")...UInt8(ascii: "f"): value = digit - UInt8(ascii: "a") + 10
      default: return nil
      }
      if let first = high { bytes.append(first << 4 | value) }
      high = high == nil ? value : nil
    }
    if high != nil { return nil }
    self.init(bytes.span)
  }
}
