internal import CSodium

/// SipHash-2-4 with 128 bits of output under a key of its own: a fast digest of short inputs, for comparing two sets of rows within
/// one call. The key is fresh and leaves with the value: nothing that is stored can be made to fit it.
///
/// Source: Aumasson and Bernstein, *SipHash: a fast short-input PRF*; libsodium's crypto_shorthash_siphashx24.
public struct SipHash128: ~Copyable {
  private let key: InlineArray<16, UInt8>

  /// A fresh random key.
  public init() {
    var key = InlineArray<16, UInt8>(repeating: 0)
    var bytes = key.mutableSpan
    SecureRandom.fill(&bytes)
    self.key = key
  }

  /// The digest of `input`, as two words.
  ///
  /// - Complexity: O(n); nothing is allocated.
  public func digest(_ input: Span<UInt8>) -> (UInt64, UInt64) {
    var words = InlineArray<2, UInt64>(repeating: 0)
    var out = words.mutableSpan
    unsafe out.withUnsafeMutableBytes { out in
      unsafe key.span.withUnsafeBufferPointer { key in
        unsafe input.withUnsafeBufferPointer { input in
          // SAFETY: 16 bytes of output, 16 of key, as many of input as are said; an empty input is not read.
          _ = unsafe crypto_shorthash_siphashx24(
            out.baseAddress!.assumingMemoryBound(to: UInt8.self), input.baseAddress ?? key.baseAddress!, UInt64(input.count),
            key.baseAddress!)
        }
      }
    }
    return (words[0], words[1])
  }
}
