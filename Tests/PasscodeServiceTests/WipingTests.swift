import Glibc
import TestSupport
import Testing

@testable import PasscodeService
@testable import SecretMemory

extension LockedMemoryTests {
  @Suite struct WipingTests {
    /// Whether a text stands in the pooled memory of this process.
    private func isHeld(_ text: String) -> Bool {
      let needle = Array(text.utf8)
      let chunks = LockedMemory.state.withLock { $0.chunks }
      // SAFETY: a chunk stays mapped while no large memory is asked for, and nobody asks. What is being written meanwhile is read as
      // well: either is an answer.
      return chunks.contains { chunk in
        let memory = unsafe UnsafeRawBufferPointer(
          start: UnsafeRawPointer(bitPattern: chunk), count: LockedMemory.chunkByteCount)
        var start = memory.baseAddress!
        let end = unsafe start + memory.count - needle.count
        while let found = unsafe memchr(start, Int32(needle[0]), end - start) {
          if unsafe memcmp(found, needle, needle.count) == 0 { return true }
          unsafe start = UnsafeRawPointer(found) + 1
        }
        return false
      }
    }

    @Test("whoever has the answer to a call finds its passcode gone from the daemon's memory, however soon they look")
    func passcodes() throws {
      let test = try TestDaemon()
      let client = try test.createStore()
      let kept = try SecretBytes(copying: "what is kept is seen".utf8Span.span)
      #expect(isHeld("what is kept is seen"))
      for round in 0..<300 {
        let passcode = "candidate of round \(round)"
        try client.call("Passcode.Check", ["passcode": .string(passcode)])
        if isHeld(passcode) { Issue.record("it is there in round \(round)") }
      }
      withExtendedLifetime(test) {}
      #expect(kept.count == 20)
    }
  }
}
