internal import CSodium
internal import Glibc

/// The process's budget of locked memory: where every ``SecretBytes`` lives.
///
/// A small secret takes a 4 KiB slot of a pooled chunk; a larger one is mapped by itself. All pages are locked (mlock(2)),
/// left out of core files (MADV_DONTDUMP) and zero in a forked child (MADV_WIPEONFORK). Memory is wiped before it goes back,
/// so that a slot is all zero whenever it is handed out.
///
/// Invariant: what is mapped stays within ``budget``, the usual 8 MiB of RLIMIT_MEMLOCK less 1 MiB for the keys (one page
/// each).
///
/// Source: mlock(2), madvise(2).
public enum LockedMemory {
  /// The size of a pooled slot, in bytes; one page.
  public static let slotByteCount = 4096
  /// The most that pooled and single mappings take together, in bytes.
  public static let budget = 7 << 20

  static let slotsPerChunk = 16
  static let chunkByteCount = slotsPerChunk * slotByteCount

  struct State: ~Copyable {
    /// Slots that nobody owns; the last one given back is the next one taken, while it is in the cache.
    var free: [UInt] = []
    var chunks: [UInt] = []
    var mapped = 0
    var refused = 0
  }

  // SAFETY: addresses are numbers here; the one who holds a taken one owns the memory until it is given back.
  static let state = PlainMutex(State())

  /// True as long as the kernel has locked all memory that secrets and keys were put in; false means that it may write
  /// secrets to swap. Once false, it stays so.
  ///
  /// Probed, not assumed: asking maps the first chunk where none is mapped yet, and every mapping and key counts.
  public static var isLocked: Bool {
    state.withLock { (state: inout State) -> Bool in
      if state.chunks.isEmpty { try? addChunk(&state) }
      return state.refused == 0
    }
  }

  /// Bytes mapped now for secrets, pooled or single; at most ``budget``. Keys are not counted.
  public static var mappedByteCount: Int { state.withLock { $0.mapped } }

  /// How many bytes the kernel lets this process lock (RLIMIT_MEMLOCK); nil where there is no limit.
  ///
  /// Under ``budget``, a busy process will find ``isLocked`` false, unless it holds CAP_IPC_LOCK.
  public static var limitByteCount: Int? {
    var limit = rlimit()
    guard unsafe getrlimit(__rlimit_resource_t(__RLIMIT_MEMLOCK.rawValue), &limit) == 0 else { return nil }
    return Int(exactly: limit.rlim_cur)
  }

  /// A zeroed slot, owned by the caller.
  static func takeSlot() throws(SecretMemoryError) -> UInt {
    try state.withLock { (state: inout State) throws(SecretMemoryError) -> UInt in
      if state.free.isEmpty { try addChunk(&state) }
      return state.free.removeLast()
    }
  }

  /// - Parameter byteCount: how much of it its owner could write to.
  static func giveSlot(_ address: UInt, _ byteCount: Int = slotByteCount) {
    wipe(address, byteCount)
    state.withLock { $0.free.append(address) }
  }

  /// Zeroed pages, owned by the caller. `byteCount` is a multiple of the page size.
  static func takePages(_ byteCount: Int) throws(SecretMemoryError) -> UInt {
    try state.withLock { (state: inout State) throws(SecretMemoryError) -> UInt in
      if byteCount > budget - state.mapped { removeFreeChunks(&state) }
      return try map(byteCount, &state)
    }
  }

  static func givePages(_ address: UInt, _ byteCount: Int) {
    wipe(address, byteCount)
    state.withLock { unmap(address, byteCount, &$0) }
  }

  /// Locks the page of a key. libsodium locks it too, but ignores a refusal.
  static func lockKey(_ address: UInt, _ byteCount: Int) {
    // SAFETY: locking changes no contents.
    let isLocked = unsafe mlock(UnsafeRawPointer(bitPattern: address), byteCount) == 0
    if !isLocked { state.withLock { $0.refused += 1 } }
  }

  /// Overwrites a range in a way that the compiler can't leave out.
  static func wipe(_ address: UInt, _ byteCount: Int) {
    // SAFETY: the caller owns the range.
    if byteCount > 0 { unsafe sodium_memzero(UnsafeMutableRawPointer(bitPattern: address)!, byteCount) }
  }

  private static func addChunk(_ state: inout State) throws(SecretMemoryError) {
    let chunk = try map(chunkByteCount, &state)
    state.chunks.append(chunk)
    // Room for every slot at once: giving one back never allocates.
    state.free.reserveCapacity(state.chunks.count * slotsPerChunk)
    for index in (0..<slotsPerChunk).reversed() { state.free.append(chunk + UInt(index * slotByteCount)) }
  }

  /// Gives back the chunks of which no slot is taken: a burst of small secrets must not use up the budget for ever.
  /// O(n log n) in the number of free slots.
  private static func removeFreeChunks(_ state: inout State) {
    let free = state.free.sorted()
    let chunks = Set(state.chunks)
    var kept: [UInt] = []
    var index = 0
    while index < free.count {
      let (address, last) = (free[index], index + slotsPerChunk - 1)
      // The addresses are sorted and distinct: where the last slot of a chunk stands this far on, all of it is free.
      if chunks.contains(address), last < free.count, free[last] == address + UInt(chunkByteCount - slotByteCount) {
        unmap(address, chunkByteCount, &state)
        state.chunks.removeAll { $0 == address }
        index = last + 1
      } else {
        kept.append(address)
        index += 1
      }
    }
    state.free.removeAll(keepingCapacity: true)
    state.free.append(contentsOf: kept)
  }

  /// Maps and locks fresh zeroed pages.
  private static func map(_ byteCount: Int, _ state: inout State) throws(SecretMemoryError) -> UInt {
    guard byteCount <= budget - state.mapped else { throw .lockedMemoryExhausted }
    // SAFETY: a fresh anonymous mapping, owned by the caller from here on.
    let pages = unsafe mmap(nil, byteCount, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
    guard let pages = unsafe pages, unsafe pages != MAP_FAILED else { throw .allocationFailed }
    if unsafe mlock(pages, byteCount) != 0 { state.refused += 1 }
    unsafe madvise(pages, byteCount, MADV_DONTDUMP)
    unsafe madvise(pages, byteCount, MADV_WIPEONFORK)
    state.mapped += byteCount
    return UInt(bitPattern: pages)
  }

  private static func unmap(_ address: UInt, _ byteCount: Int, _ state: inout State) {
    // SAFETY: the range came from `map`, and its one owner gives it back here.
    unsafe munmap(UnsafeMutableRawPointer(bitPattern: address), byteCount)
    state.mapped -= byteCount
  }
}
