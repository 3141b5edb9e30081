import Glibc
import Synchronization
import Testing

@testable import SecretMemory

/// What concerns the budget of the whole process runs in processes of its own, so that no other test is starved.
@Suite("Locked memory")
struct LockedMemoryTests {
  @Test("used up, it says so; given back, it serves again")
  func exhaustion() async {
    await #expect(processExitsWith: .success) {
      let slots = LockedMemory.budget / LockedMemory.slotByteCount
      var taken: [UInt] = []
      while taken.count <= slots, let slot = try? LockedMemory.takeSlot() { taken.append(slot) }
      #expect(taken.count == slots && Set(taken).count == slots)
      #expect(LockedMemory.mappedByteCount == LockedMemory.budget)
      for capacity in [1, 4096, 4097] {
        let error = failure { () throws(SecretMemoryError) in _ = try SecretBytes(capacity: capacity) }
        #expect(error == .lockedMemoryExhausted)
      }
      LockedMemory.giveSlot(taken.removeLast())
      #expect(failure { () throws(SecretMemoryError) in _ = try SecretBytes(capacity: 1) } == nil)
    }
  }

  @Test("a burst of small secrets leaves room for large ones afterwards")
  func burst() async {
    await #expect(processExitsWith: .success) {
      var taken: [UInt] = []
      while let slot = try? LockedMemory.takeSlot() { taken.append(slot) }
      let kept = taken.removeFirst()
      for slot in taken.shuffled() { LockedMemory.giveSlot(slot) }
      let large = try SecretBytes(capacity: SecretBytes.maximumCapacity)
      let (capacity, mapped) = (large.capacity, LockedMemory.mappedByteCount)
      #expect(capacity == SecretBytes.maximumCapacity)
      // The one chunk with a taken slot stayed.
      #expect(mapped == SecretBytes.maximumCapacity + LockedMemory.chunkByteCount)
      let more = try (0..<50).map { _ in try LockedMemory.takeSlot() }
      #expect(!more.contains(kept) && Set(more).count == 50)
      #expect(memory(at: more[0], count: 4096).allSatisfy { $0 == 0 })
    }
  }

  @Test("a large secret is unmapped when it has gone")
  func largeIsUnmapped() async {
    await #expect(processExitsWith: .success) {
      let before = LockedMemory.mappedByteCount
      do {
        let large = try SecretBytes(capacity: 2 << 20)
        let (start, mapped) = (address(large), LockedMemory.mappedByteCount)
        #expect(start != 0 && mapped == before + 2 << 20)
      }
      #expect(LockedMemory.mappedByteCount == before)
    }
  }

  @Test("the kernel counts as locked what is mapped", .disabled(if: isSanitized))
  func accounting() async {
    await #expect(processExitsWith: .success) {
      #expect(LockedMemory.isLocked)
      let before = lockedKiB()
      #expect(before >= LockedMemory.chunkByteCount / 1024)
      // The first chunk is there since the probe.
      for _ in 0..<LockedMemory.slotsPerChunk * 3 { _ = try LockedMemory.takeSlot() }
      #expect(lockedKiB() == before + LockedMemory.chunkByteCount / 1024 * 2)
      let large = try SecretBytes(capacity: 1 << 20)
      let withLarge = (lockedKiB(), large.capacity)
      #expect(withLarge.0 == before + LockedMemory.chunkByteCount / 1024 * 2 + 1024)
      let one: SymmetricKey<First> = try .random()
      let withKey = (lockedKiB(), one.bytes.count)
      #expect(withKey.0 > withLarge.0)
    }
  }

  @Test("what the kernel refuses to lock is told: secrets", .enabled(if: limitsWork))
  func refusedSecret() async {
    await #expect(processExitsWith: .success) {
      limitLockedMemory(to: 0)
      #expect(LockedMemory.limitByteCount == 0 && !LockedMemory.isLocked)
      #expect(failure { () throws(SecretMemoryError) in _ = try SecretBytes(capacity: 1) } == nil)
    }
  }

  @Test("what the kernel refuses to lock is told: keys, which libsodium would not tell", .enabled(if: limitsWork))
  func refusedKey() async {
    await #expect(processExitsWith: .success) {
      limitLockedMemory(to: LockedMemory.chunkByteCount)
      #expect(LockedMemory.isLocked)
      let key: SymmetricKey<First> = try .random()
      let count = key.bytes.count
      #expect(count == 32 && !LockedMemory.isLocked)
    }
  }

  @Test("a forked child finds zeros in place of secrets")
  func fork() async {
    await #expect(processExitsWith: .success) {
      let secret = try secret(Array("not for children".utf8))
      let start = address(secret)
      let child = Glibc.fork()
      if child == 0 { _exit(memory(at: start, count: 16).allSatisfy { $0 == 0 } ? 0 : 1) }
      var status: Int32 = -1
      unsafe waitpid(child, &status, 0)
      let (bytes, kept) = (array(secret.bytes), status)
      #expect(kept == 0 && bytes == Array("not for children".utf8))
    }
  }

  @Test("many threads never get the same memory")
  func threads() {
    let faults = Mutex(0)
    onThreads(8) { thread in
      var random = Seeded("thread \(thread)", offset: UInt64(thread))
      for round in 0..<400 {
        let capacity = Int.random(in: 1...5000, using: &random)
        guard var own = try? SecretBytes(capacity: capacity) else { continue }
        var isFine = isTailZero(&own)
        let mark = [UInt8](repeating: UInt8(thread << 5 | round & 31), count: capacity)
        try? own.append(contentsOf: mark.span)
        sched_yield()
        isFine = isFine && constantTimeEqual(own.bytes, mark.span)
        if !isFine { faults.withLock { $0 += 1 } }
      }
    }
    #expect(faults.withLock { $0 } == 0)
  }

  @Test("the kernel's limit is the one of the process")
  func limit() {
    var limit = rlimit()
    #expect(unsafe getrlimit(__rlimit_resource_t(__RLIMIT_MEMLOCK.rawValue), &limit) == 0)
    #expect(LockedMemory.limitByteCount == (limit.rlim_cur == rlim_t.max ? nil : Int(limit.rlim_cur)))
  }
}

/// What the kernel says is locked, in KiB.
private func lockedKiB() -> Int {
  guard let file = unsafe fopen("/proc/self/status", "r") else { return -1 }
  defer { unsafe fclose(file) }
  var line = [CChar](repeating: 0, count: 256)
  while unsafe fgets(&line, 256, file) != nil {
    let text = String(decoding: line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    if text.hasPrefix("VmLck:") { return Int(text.split(whereSeparator: { " \t".contains($0) })[1]) ?? -1 }
  }
  return -1
}

/// The limit does not bind a process with CAP_IPC_LOCK: the superuser has to become somebody else first.
private func limitLockedMemory(to byteCount: Int) {
  var limit = rlimit(rlim_cur: rlim_t(byteCount), rlim_max: rlim_t(byteCount))
  precondition(unsafe setrlimit(__rlimit_resource_t(__RLIMIT_MEMLOCK.rawValue), &limit) == 0)
  if geteuid() == 0 { precondition(setuid(65534) == 0) }
}

/// False where this process could not put the limit on itself, or would not feel it.
private let limitsWork: Bool = {
  if isSanitized { return false }
  var limit = rlimit()
  guard unsafe getrlimit(__rlimit_resource_t(__RLIMIT_MEMLOCK.rawValue), &limit) == 0 else { return false }
  return limit.rlim_max >= rlim_t(LockedMemory.chunkByteCount)
}()
