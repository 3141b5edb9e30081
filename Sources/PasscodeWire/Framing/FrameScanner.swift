internal import Glibc

/// Finds the ends of messages in what has come in so far: each ends with a NUL.
///
/// Reads every byte once, however the bytes are split over calls.
public struct FrameScanner: Sendable {
  private var scanned = 0

  /// A scanner at the start of a message.
  public init() {}

  /// Looks for the end of the first message.
  ///
  /// - Parameter bytes: everything from the start of the message on; what was there at the last call comes first again.
  /// - Returns: the length of the message without its NUL; nil where it has not come in as a whole.
  /// - Throws: `tooLarge` as soon as the message can't end in time.
  /// - Complexity: O(bytes that have not been looked at).
  public mutating func end(in bytes: Span<UInt8>) throws(CloseReason) -> Int? {
    let limit = min(bytes.count, WireLimits.maximumMessageByteCount)
    if scanned < limit, let found = Self.firstNUL(in: bytes.extracting(scanned..<limit)) {
      scanned += found
      return scanned
    }
    scanned = limit
    if limit == WireLimits.maximumMessageByteCount { throw .tooLarge }
    return nil
  }

  /// Starts over, with the next message.
  public mutating func reset() { scanned = 0 }

  private static func firstNUL(in bytes: Span<UInt8>) -> Int? {
    unsafe bytes.withUnsafeBufferPointer { buffer in
      guard let start = buffer.baseAddress, let found = unsafe memchr(start, 0, buffer.count) else { return nil }
      // SAFETY: `found` points into the buffer.
      return unsafe UnsafeRawPointer(found) - UnsafeRawPointer(start)
    }
  }
}
