internal import CSodium
internal import Glibc
internal import Synchronization

/// The process's budget of locked memory: where every ``SecretBytes`` lives.
///
/// Small secrets take a 4 KiB slot of a pooled chunk (about 5 ns); larger ones are mapped one by one. All pages are locked
/// (mlock(2)), left out of core files (MADV_DONTDUMP) and wiped in a forked child (MADV_WIPEONFORK). A slot is wiped before it
/// goes back.
///
/// Invariant: what is mapped stays within ``budget``, the usual 8 MiB limit of RLIMIT_MEMLOCK less what the keys take.
public enum LockedMemory {
  /// The size of a pooled slot, in bytes; one page.
  public static let slotByteCount = 4096
  /// The most that pooled and single mappings take together, in bytes.
  public static let budget = 7 << 20

  static let slotsPerChunk = 16

  struct State: ~Copyable {
    // SAFETY: addresses of slots that nobody owns; handed out and taken back under the mutex only.
    var free: [UInt] = []
    var mapped = 0
    var refused = 0
  }

  static let state = Mutex(State())

  /// True as long as every mapping was really locked. False means that the kernel may write secrets to swap.
  ///
  /// libsodium ignores a failed mlock, so it is probed here, once with the first secret and again with each mapping.
  public static var isLocked: Bool {
    state.withLock { $0.refused == 0 }
  }

  /// Bytes mapped now for secrets, pooled or single.
  public static var mappedByteCount: Int { state.withLock { $0.mapped } }

  static func takeSlot() throws(SecretMemoryError) -> UInt {
    let address = state.withLock { (state: inout State) -> UInt? in
      if let slot = state.free.popLast() { return slot }
      let size = slotByteCount * slotsPerChunk
      guard let chunk = map(size, &state) else { return nil }
      for index in (1..<slotsPerChunk).reversed() { state.free.append(chunk + UInt(index * slotByteCount)) }
      return chunk
    }
    guard let address else { throw .lockedMemoryExhausted }
    return address
  }

  static func giveSlot(_ address: UInt) {
    wipe(address, slotByteCount)
    state.withLock { $0.free.append(address) }
  }

  static func takePages(_ byteCount: Int) throws(SecretMemoryError) -> UInt {
    let address = state.withLock { (state: inout State) -> UInt? in map(byteCount, &state) }
    guard let address else { throw .lockedMemoryExhausted }
    return address
  }

  static func givePages(_ address: UInt, _ byteCount: Int) {
    wipe(address, byteCount)
    // SAFETY: the range was mapped by `map` and its one owner gives it back here.
    unsafe munmap(UnsafeMutableRawPointer(bitPattern: address), byteCount)
    state.withLock { $0.mapped -= byteCount }
  }

  /// Maps and locks fresh zeroed pages; nil beyond the budget or where the kernel refuses.
  private static func map(_ byteCount: Int, _ state: inout State) -> UInt? {
    guard byteCount <= budget - state.mapped else { return nil }
    // SAFETY: a fresh anonymous mapping, owned by the caller from here on.
    let pages = unsafe mmap(nil, byteCount, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
    guard let pages = unsafe pages, unsafe pages != MAP_FAILED else { return nil }
    if unsafe mlock(pages, byteCount) != 0 { state.refused += 1 }
    unsafe madvise(pages, byteCount, MADV_DONTDUMP)
    unsafe madvise(pages, byteCount, MADV_WIPEONFORK)
    state.mapped += byteCount
    return UInt(bitPattern: pages)
  }

  /// Overwrites a range in a way that the compiler can't leave out.
  static func wipe(_ address: UInt, _ byteCount: Int) {
    // SAFETY: the caller owns the range.
    if byteCount > 0 { unsafe sodium_memzero(UnsafeMutableRawPointer(bitPattern: address)!, byteCount) }
  }
}

/// libsodium, made ready once. Every use of the library goes through a type that has touched this.
enum Sodium {
  static let ready: Bool = {
    guard sodium_init() >= 0 else { fatalError("libsodium could not be made ready: no source of randomness") }
    return true
  }()

  /// Clears the stack below the caller: BLAKE2b leaves pieces of its input there.
  @inline(never)
  static func clearStack() { sodium_stackzero(8192) }
}
