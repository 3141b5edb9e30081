internal import CSodium
internal import Glibc

/// Secret bytes in locked memory, with one owner.
///
/// Invariants: `count` ≤ `capacity`; the bytes beyond `count` are zero; the memory is wiped when the owner ends. It can't be
/// copied, printed, compared but in constant time, or put in a collection. Move it, or lend out ``bytes``.
///
/// Up to 4,096 bytes it takes a pooled slot and costs about as much as wiping that slot; beyond, a mapping of its own and a
/// few system calls. ``LockedMemory`` bounds the total.
///
/// Secrets: this type owns and wipes; nobody else has to.
@safe
public struct SecretBytes: ~Copyable, Sendable {
  // SAFETY: `address` is a pooled slot or a mapping of `mappedByteCount` bytes that this value alone owns.
  private let address: UInt
  /// 0 for a pooled slot.
  private let mappedByteCount: Int
  /// How many bytes it can hold.
  public let capacity: Int
  /// How many bytes it holds.
  public private(set) var count = 0

  /// The most that one value can hold, in bytes.
  public static let maximumCapacity = 4 << 20

  /// Room for `capacity` bytes, all zero, `count` 0.
  ///
  /// - Throws: `tooLong` beyond ``maximumCapacity``; `lockedMemoryExhausted` beyond the process's budget; `allocationFailed`
  ///   where the kernel gives no memory.
  /// - Precondition: `capacity` is not negative.
  public init(capacity: Int) throws(SecretMemoryError) {
    precondition(capacity >= 0)
    guard capacity <= Self.maximumCapacity else { throw .tooLong(limit: Self.maximumCapacity) }
    let isPooled = capacity <= LockedMemory.slotByteCount
    let pages = (capacity + LockedMemory.slotByteCount - 1) / LockedMemory.slotByteCount * LockedMemory.slotByteCount
    let memory = isPooled ? try LockedMemory.takeSlot() : try LockedMemory.takePages(pages)
    self.init(owning: memory, mappedByteCount: isPooled ? 0 : pages, capacity: capacity)
  }

  /// A copy of `source`. The caller wipes the source.
  ///
  /// - Throws: as ``init(capacity:)``.
  public init(copying source: Span<UInt8>) throws(SecretMemoryError) {
    try self.init(capacity: source.count)
    take(source)
  }

  private init(owning address: UInt, mappedByteCount: Int, capacity: Int) {
    self.address = address
    self.mappedByteCount = mappedByteCount
    self.capacity = capacity
  }

  deinit {
    if mappedByteCount == 0 {
      LockedMemory.giveSlot(address, capacity)
    } else {
      LockedMemory.givePages(address, mappedByteCount)
    }
  }

  /// True where it holds nothing.
  public var isEmpty: Bool { count == 0 }

  /// The bytes, lent out.
  public var bytes: Span<UInt8> {
    @_lifetime(borrow self)
    get {
      // SAFETY: the memory lives as long as `self`, which the returned span borrows.
      let span = unsafe Span<UInt8>(_unsafeStart: base, count: count)
      return unsafe _overrideLifetime(span, borrowing: self)
    }
  }

  /// The bytes, lent out for change.
  public var mutableBytes: MutableSpan<UInt8> {
    @_lifetime(&self)
    mutating get {
      // SAFETY: exclusive access to `self` is exclusive access to its memory.
      let span = unsafe MutableSpan<UInt8>(_unsafeStart: base, count: count)
      return unsafe _overrideLifetime(span, mutating: &self)
    }
  }

  private var base: UnsafeMutablePointer<UInt8> {
    // SAFETY: never null: the kernel's address.
    unsafe UnsafeMutablePointer(bitPattern: address)!
  }

  /// Adds one byte.
  ///
  /// - Throws: `tooLong` where it is full; nothing is changed then.
  public mutating func append(_ byte: UInt8) throws(SecretMemoryError) {
    guard count < capacity else { throw .tooLong(limit: capacity) }
    // SAFETY: `count` < `capacity`.
    unsafe base[count] = byte
    count += 1
  }

  /// Adds the bytes of a span. The caller wipes the source.
  ///
  /// - Throws: `tooLong` where they do not fit; nothing is changed then.
  public mutating func append(contentsOf source: Span<UInt8>) throws(SecretMemoryError) {
    guard source.count <= capacity - count else { throw .tooLong(limit: capacity) }
    take(source)
  }

  private mutating func take(_ source: Span<UInt8>) {
    unsafe source.withUnsafeBufferPointer { from in
      // SAFETY: both ranges are in bounds. They can't overlap: nobody borrows from `self` while it is changed.
      if let start = from.baseAddress { unsafe memcpy(base + count, start, from.count) }
    }
    count += source.count
  }

  /// Shortens to `newCount` bytes and wipes the rest.
  ///
  /// - Precondition: `newCount` is in `0...count`.
  public mutating func truncate(to newCount: Int) {
    precondition(newCount >= 0 && newCount <= count)
    LockedMemory.wipe(address + UInt(newCount), count - newCount)
    count = newCount
  }

  /// Wipes everything.
  public mutating func removeAll() { truncate(to: 0) }

  /// Takes away the first `n` bytes; the rest moves to the front, and what it leaves behind is wiped.
  ///
  /// - Precondition: `n` is in `0...count`.
  /// - Complexity: O(`count`).
  public mutating func removeFirst(_ n: Int) {
    precondition(n >= 0 && n <= count)
    // SAFETY: both ranges lie within the first `count` bytes.
    unsafe memmove(base, base + n, count - n)
    truncate(to: count - n)
  }

  /// Lends the unused memory to `body`, which fills a prefix and returns its length: for read(2) and for C libraries.
  ///
  /// The memory is zero when it is lent. `body` must leave it zero beyond the prefix; where `body` throws, all of it is wiped.
  ///
  /// - Returns: what `body` returned.
  /// - Throws: what `body` throws; `count` and the bytes are unchanged then.
  /// - Precondition: `body` returns a number in `0...capacity - count`.
  @discardableResult
  public mutating func withFreeSpace<E: Error>(
    _ body: (UnsafeMutableRawBufferPointer) throws(E) -> Int
  ) throws(E) -> Int {
    // SAFETY: the range is the owned memory beyond `count`.
    let space = unsafe UnsafeMutableRawBufferPointer(start: base + count, count: capacity - count)
    let filled: Int
    do {
      filled = unsafe try body(space)
    } catch {
      LockedMemory.wipe(address + UInt(count), capacity - count)
      throw error
    }
    precondition(filled >= 0 && filled <= capacity - count)
    count += filled
    return filled
  }

  /// A second owner of the same bytes, where one is really needed. Its capacity is `count`.
  ///
  /// - Throws: as ``init(capacity:)``.
  public borrowing func copy() throws(SecretMemoryError) -> SecretBytes { try SecretBytes(copying: bytes) }

  /// Whether two secrets are the same: constant time for equal lengths. The lengths are not hidden.
  public static func isEqual(_ a: borrowing SecretBytes, _ b: borrowing SecretBytes) -> Bool {
    constantTimeEqual(a.bytes, b.bytes)
  }
}

/// Whether two byte strings are the same: constant time for equal lengths. The lengths are not hidden.
public func constantTimeEqual(_ a: Span<UInt8>, _ b: Span<UInt8>) -> Bool {
  guard a.count == b.count else { return false }
  return unsafe a.withUnsafeBufferPointer { a in
    unsafe b.withUnsafeBufferPointer { b in
      // SAFETY: both have the same count; an empty one is equal without being read.
      unsafe a.isEmpty || sodium_memcmp(a.baseAddress!, b.baseAddress!, a.count) == 0
    }
  }
}
