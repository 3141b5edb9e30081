public import SecretMemory

/// What has come in on one connection, in locked memory, message by message.
///
/// Starts as one pooled slot; whoever reads grows it for a larger message, and ``dropMessage()`` makes it small again.
///
/// Secrets: a message is wiped when it is dropped.
public struct MessageBuffer: ~Copyable, Sendable {
  /// The size that it starts with, and goes back to.
  public static let smallByteCount = 4096

  private var bytes: SecretBytes
  private var scanner = FrameScanner()
  /// Where the first message begins; what was before it is wiped.
  private var start = 0
  private var messageByteCount: Int?

  /// An empty buffer.
  ///
  /// - Throws: `lockedMemoryExhausted`.
  public init() throws(SecretMemoryError) { bytes = try SecretBytes(capacity: Self.smallByteCount) }

  /// True where no byte waits.
  public var isEmpty: Bool { bytes.count == start }

  /// How many bytes wait.
  public var byteCount: Int { bytes.count - start }

  /// True where it has outgrown its slot.
  public var isLarge: Bool { bytes.capacity > Self.smallByteCount }

  /// True where nothing more can be read before ``grow()``.
  public var isFull: Bool { bytes.count - start == bytes.capacity }

  /// Lends the free memory to `body`, which fills a prefix and returns its length: for recv(2).
  ///
  /// - Precondition: not ``isFull``.
  @discardableResult
  public mutating func withFreeSpace<E: Error>(
    _ body: (UnsafeMutableRawBufferPointer) throws(E) -> Int
  ) throws(E) -> Int {
    compact()
    return unsafe try bytes.withFreeSpace(body)
  }

  /// Makes room for a message of any permitted length.
  ///
  /// - Throws: `lockedMemoryExhausted`: the message waits, or the connection is told to try later.
  public mutating func grow() throws(SecretMemoryError) { try move(toCapacity: WireLimits.maximumMessageByteCount) }

  /// Looks for the first message; after it, ``message`` and ``mutableMessage`` are it.
  ///
  /// - Returns: whether it is there as a whole.
  /// - Throws: `tooLarge`.
  public mutating func findMessage() throws(CloseReason) -> Bool {
    var current = scanner
    messageByteCount = try current.end(in: bytes.bytes.extracting(start...))
    scanner = current
    return messageByteCount != nil
  }

  /// The first message, without its NUL.
  ///
  /// - Precondition: ``findMessage()`` found one.
  public var message: Span<UInt8> {
    @_lifetime(borrow self)
    get { bytes.bytes.extracting(start..<start + foundByteCount) }
  }

  /// Lends the first message out for change: parsing undoes escapes where they are.
  ///
  /// - Precondition: ``findMessage()`` found one.
  public mutating func withMutableMessage<R, E: Error>(_ body: (inout MutableSpan<UInt8>) throws(E) -> R) throws(E) -> R {
    let range = start..<start + foundByteCount
    var all = bytes.mutableBytes
    var message = all._mutatingExtracting(range)
    return try body(&message)
  }

  /// Wipes the first message and goes on to the next.
  ///
  /// - Precondition: ``findMessage()`` found one.
  public mutating func dropMessage() {
    let end = start + foundByteCount + 1
    wipe(start..<end)
    start = end
    scanner.reset()
    messageByteCount = nil
    if isEmpty { compact() }
    // Without a slot to go back to, the large buffer stays.
    if isLarge, bytes.count - start <= Self.smallByteCount { try? move(toCapacity: Self.smallByteCount) }
  }

  private var foundByteCount: Int {
    guard let messageByteCount else { preconditionFailure("no message was found") }
    return messageByteCount
  }

  private mutating func wipe(_ range: Range<Int>) {
    var all = bytes.mutableBytes
    for index in range { all[index] = 0 }
  }

  private mutating func compact() {
    if start == 0 { return }
    if start == bytes.count { bytes.removeAll() } else { bytes.removeFirst(start) }
    start = 0
  }

  private mutating func move(toCapacity capacity: Int) throws(SecretMemoryError) {
    var moved = try SecretBytes(capacity: capacity)
    try moved.append(contentsOf: bytes.bytes.extracting(start...))
    bytes = moved
    start = 0
  }
}
