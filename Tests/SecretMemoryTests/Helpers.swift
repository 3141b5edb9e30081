import Glibc
import SecretMemory

enum First: KeyPurpose { static let label: StaticString = "test/v1/name" }
enum Second: KeyPurpose { static let label: StaticString = "test/v1/folder" }

/// A generator whose numbers follow from its seed (SplitMix64).
struct Seeded: RandomNumberGenerator {
  private var state: UInt64

  /// `PASSCODE_TEST_SEED` chooses another seed; each test prints the one it ran with.
  init(_ test: String, offset: UInt64 = 0) {
    // SAFETY: the tests do not change the environment.
    let chosen = unsafe getenv("PASSCODE_TEST_SEED").flatMap { unsafe UInt64(String(cString: $0)) }
    state = (chosen ?? 20_261_130) &+ offset
    print("\(test): PASSCODE_TEST_SEED=\(state)")
  }

  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var z = state
    z = (z ^ (z >> 30)) &* 0xbf58_476d_1ce4_e5b9
    z = (z ^ (z >> 27)) &* 0x94d0_49bb_1331_11eb
    return z ^ (z >> 31)
  }

  mutating func bytes(_ count: Int) -> [UInt8] { (0..<count).map { _ in UInt8.random(in: 0...255, using: &self) } }
}

/// Whether the address or the thread sanitizer is in this process. They leave mlock(2) out and take over crashes.
let isSanitized = unsafe dlsym(nil, "__asan_init") != nil || dlsym(nil, "__tsan_init") != nil

/// A copy of public test bytes.
func array(_ span: Span<UInt8>) -> [UInt8] { span.indices.map { span[$0] } }

/// A secret that holds test bytes.
func secret(_ bytes: [UInt8], capacity: Int? = nil) throws(SecretMemoryError) -> SecretBytes {
  var secret = try SecretBytes(capacity: capacity ?? bytes.count)
  try secret.append(contentsOf: bytes.span)
  return secret
}

/// A key that is the same everywhere.
func key<P>(_ byte: UInt8, for _: P.Type = P.self) throws(SecretMemoryError) -> SymmetricKey<P> {
  try SymmetricKey(copying: [UInt8](repeating: byte, count: 32).span)
}

/// The error of `body`, nil where it goes through.
func failure(_ body: () throws(SecretMemoryError) -> Void) -> SecretMemoryError? {
  do throws(SecretMemoryError) {
    try body()
    return nil
  } catch {
    return error
  }
}

/// Whether the memory beyond `count` is zero to the end of the capacity.
func isTailZero(_ secret: inout SecretBytes) -> Bool {
  var isZero = true
  unsafe secret.withFreeSpace { space in
    isZero = unsafe space.allSatisfy { $0 == 0 }
    return 0
  }
  return isZero
}

/// Whether two arrays are the same, by the comparison under test.
func isEqual(_ a: [UInt8], _ b: [UInt8]) -> Bool { constantTimeEqual(a.span, b.span) }

/// Where a secret's bytes lie, for looking at the memory after it has gone.
func address(_ secret: borrowing SecretBytes) -> UInt {
  unsafe secret.bytes.withUnsafeBufferPointer { UInt(bitPattern: $0.baseAddress!) }
}

/// The bytes at an address of a pooled slot, which stays mapped when nobody owns it.
func memory(at address: UInt, count: Int) -> [UInt8] {
  unsafe Array(UnsafeRawBufferPointer(start: UnsafeRawPointer(bitPattern: address), count: count))
}

/// How many 8-byte pieces of `canary` stand anywhere in `memory`.
func pieces(of canary: [UInt8], in memory: [UInt8]) -> Int {
  let wanted = Set(words(of: canary))
  return words(of: memory).count { wanted.contains($0) }
}

/// Each run of eight bytes, as a number.
private func words(of bytes: [UInt8]) -> [UInt64] {
  var word: UInt64 = 0
  var all: [UInt64] = []
  all.reserveCapacity(bytes.count)
  for (index, byte) in bytes.enumerated() {
    word = word << 8 | UInt64(byte)
    if index >= 7 { all.append(word) }
  }
  return all
}

/// Runs `body` on `count` threads at once and waits for all of them.
func onThreads(_ count: Int, _ body: @escaping @Sendable (Int) -> Void) {
  final class Start: Sendable {
    let run: @Sendable () -> Void
    init(_ run: @escaping @Sendable () -> Void) { self.run = run }
  }
  let threads = (0..<count).map { index in
    var thread = pthread_t()
    let start = unsafe Unmanaged.passRetained(Start { body(index) }).toOpaque()
    let result = unsafe pthread_create(
      &thread, nil,
      { argument in
        // SAFETY: the pointer is the box retained above, given to this one thread.
        unsafe Unmanaged<Start>.fromOpaque(argument!).takeRetainedValue().run()
        return nil
      }, start)
    precondition(result == 0)
    return thread
  }
  for thread in threads { pthread_join(thread, nil) }
}

/// Lets this process map only a little more than it has mapped now.
func limitAddressSpace(moreThanNow byteCount: Int) {
  var pages = [CChar](repeating: 0, count: 64)
  let file = unsafe fopen("/proc/self/statm", "r")!
  unsafe fgets(&pages, 64, file)
  unsafe fclose(file)
  let text = String(decoding: pages.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  let mapped = Int(text.split(separator: " ")[0])! * 4096
  var limit = rlimit(rlim_cur: rlim_t(mapped + byteCount), rlim_max: rlim_t(mapped + byteCount))
  precondition(unsafe setrlimit(__rlimit_resource_t(RLIMIT_AS.rawValue), &limit) == 0)
}
