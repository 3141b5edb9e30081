import Glibc
import PasscodePlatform
import TestSupport
import Testing

struct MonitorTests {
  @Test("No change of the state is lost between many threads")
  func counting() {
    let counter = Monitor(0)
    let threads = (0..<8).map { _ in
      Background { () -> Bool in
        for _ in 0..<10_000 { counter.withLock { $0 += 1 } }
        return true
      }
    }
    for thread in threads { _ = thread.value() }
    #expect(counter.withLock { $0 } == 80_000)
  }

  @Test("Each signal wakes one who waits, a broadcast wakes all")
  func waking() {
    let tokens = Monitor(0)
    let takers = (0..<4).map { _ in
      Background { () -> Bool in
        tokens.wait { count -> Bool? in
          guard count > 0 else { return nil }
          count -= 1
          return true
        }
      }
    }
    for _ in 0..<2 { tokens.signal { $0 += 1 } }
    tokens.broadcast { $0 += 2 }
    for taker in takers { #expect(taker.value()) }
    #expect(tokens.withLock { $0 } == 0)
  }

  @Test("A wait with a limit gives up, and gives the value when it comes")
  func limits() {
    let value = Monitor<Int?>(nil)
    let start = BootClock.now()
    #expect(value.wait(within: .milliseconds(30)) { $0 } == nil)
    #expect(BootClock.now() - start >= 30_000_000)
    #expect(value.wait(until: BootClock.now() + 20_000_000) { $0 } == nil)
    #expect(value.wait(until: 0) { $0 } == nil)
    let waiter = Background { value.wait(within: .seconds(60)) { $0 } }
    let other = Background { value.wait(until: BootClock.now() + 60_000_000_000) { $0 } }
    value.broadcast { $0 = 7 }
    #expect(waiter.value() == 7)
    #expect(other.value() == 7)
    #expect(value.wait(until: 0) { $0 } == 7)
  }

  @Test("An error from the body passes through and leaves the lock free")
  func errors() {
    let monitor = Monitor(0)
    #expect(throws: PlatformError.cancelled) { try monitor.withLock { _ throws(PlatformError) in throw .cancelled } }
    #expect(throws: PlatformError.cancelled) {
      try monitor.wait { (_: inout Int) throws(PlatformError) -> Int? in throw .cancelled }
    }
    #expect(monitor.withLock { $0 } == 0)
  }
}
