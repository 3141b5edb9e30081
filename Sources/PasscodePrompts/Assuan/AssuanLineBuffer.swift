internal import PasscodePlatform
internal import SecretMemory

/// Splits what a pinentry writes into lines, in locked memory: any line may hold a passcode.
struct AssuanLineBuffer: ~Copyable {
  /// What lies at the front.
  enum Front: Equatable {
    /// No whole line yet.
    case partial
    /// A line of so many bytes before its line feed.
    case line(Int)
    /// More bytes without a line feed than a line may have.
    case oversized
  }

  private var secret: SecretBytes

  /// An empty buffer.
  ///
  /// - Throws: `lockedMemoryExhausted`, `allocationFailed`.
  init() throws(SecretMemoryError) { secret = try SecretBytes(capacity: 4 * 1024) }

  /// What lies at the front: O(length of the line).
  var front: Front {
    let bytes = secret.bytes
    for index in 0..<min(bytes.count, AssuanCommand.maximumLineByteCount) where bytes[index] == UInt8(ascii: "\n") {
      return .line(index)
    }
    return bytes.count < AssuanCommand.maximumLineByteCount ? .partial : .oversized
  }

  /// Reads once, when ``front`` is partial; so there is room.
  ///
  /// - Returns: false at the end.
  /// - Throws: `system` with read(2)'s errno.
  mutating func fill(from descriptor: borrowing FileDescriptor) throws(PlatformError) -> Bool {
    try descriptor.read(into: &secret) > 0
  }

  /// What the first `count` bytes say.
  func reply(_ count: Int) -> AssuanReply { AssuanReply(secret.bytes.extracting(0..<count)) }

  /// Decodes a part in place; see ``AssuanText/unescape(_:in:)``.
  mutating func unescape(_ part: Range<Int>) -> Range<Int>? {
    var bytes = secret.mutableBytes
    return AssuanText.unescape(&bytes, in: part)
  }

  /// Lends a part.
  func withPart<R>(_ part: Range<Int>, _ body: (Span<UInt8>) -> R) -> R { body(secret.bytes.extracting(part)) }

  /// Adds a part to another secret.
  ///
  /// - Throws: `tooLong` where it does not fit.
  func append(_ part: Range<Int>, to other: inout SecretBytes) throws(SecretMemoryError) {
    try other.append(contentsOf: secret.bytes.extracting(part))
  }

  /// Wipes the first line of `count` bytes with its line feed.
  mutating func dropLine(_ count: Int) { secret.removeFirst(count + 1) }
}
