public import SecretMemory
public import StrictJSON

/// Where a `JSONWriter` puts its bytes in locked memory. Grows up to a limit, beyond which it takes nothing more and
/// remembers why.
///
/// Secrets: this type owns and wipes, what it outgrows too.
public struct SecretSink: JSONSink, ~Copyable, Sendable {
  /// What it starts with: one pooled slot.
  public static let smallByteCount = 4096

  /// Why something was left out.
  public enum Failure: Sendable {
    /// The limit.
    case full
    /// There is no locked memory.
    case exhausted
  }

  /// What has been written.
  public private(set) var bytes: SecretBytes
  /// Why something was left out; nil where nothing was.
  public private(set) var failure: Failure?
  private var limit: Int
  /// How many bytes fit in without growing; 0 once something was left out.
  private var room: Int

  /// An empty sink.
  ///
  /// - Throws: `lockedMemoryExhausted`.
  public init(limit: Int) throws(SecretMemoryError) {
    bytes = try SecretBytes(capacity: Self.smallByteCount)
    self.limit = limit
    room = min(limit, Self.smallByteCount)
  }

  /// How many bytes have been written.
  public var count: Int { bytes.count }

  /// Adds one byte.
  public mutating func append(_ byte: UInt8) {
    if reserve(1) { try? bytes.append(byte) }
  }

  /// Adds some bytes, all or none.
  public mutating func append(contentsOf source: Span<UInt8>) {
    if reserve(source.count) { try? bytes.append(contentsOf: source) }
  }

  /// Adds the base64 of some bytes.
  public mutating func append(base64Of source: Span<UInt8>) {
    // One more: the encoder writes a NUL behind it.
    if reserve(Base64.encodedCount(source.count) + 1) { try? Base64.encode(source, into: &bytes) }
  }

  /// Wipes everything from `count` on, forgets what failed, and takes `limit` as the new one.
  mutating func rewind(to count: Int, limit: Int) {
    bytes.truncate(to: count)
    failure = nil
    self.limit = limit
    room = min(limit, bytes.capacity)
  }

  /// Wipes everything and gives a large buffer back.
  mutating func removeAll() {
    bytes.removeAll()
    // Without a slot to go back to, the large buffer stays.
    if bytes.capacity > Self.smallByteCount, let small = try? SecretBytes(capacity: Self.smallByteCount) {
      bytes = small
      room = min(limit, Self.smallByteCount)
    }
  }

  private mutating func reserve(_ more: Int) -> Bool { bytes.count + more <= room || grow(by: more) }

  private mutating func grow(by more: Int) -> Bool {
    if failure != nil { return false }
    let needed = bytes.count + more
    if needed > limit { return fail(.full) }
    do throws(SecretMemoryError) {
      var larger = try SecretBytes(capacity: min(limit, max(needed, bytes.capacity * 8)))
      try larger.append(contentsOf: bytes.bytes)
      bytes = larger
      room = min(limit, bytes.capacity)
      return true
    } catch { return fail(.exhausted) }
  }

  private mutating func fail(_ reason: Failure) -> Bool {
    failure = reason
    room = 0
    return false
  }
}
