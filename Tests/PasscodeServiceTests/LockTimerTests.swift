import TestSupport
import Testing

@testable import PasscodeService

@Suite struct LockTimerTests {
  private static let second: UInt64 = 1_000_000_000

  private func timer(idle: Int, total: Int, openedAt: UInt64 = 5) -> LockTimer {
    LockTimer(limits: .init(idleSeconds: idle, totalSeconds: total), openedAt: openedAt)
  }

  @Test("the earlier of idle time and total time counts")
  func earlier() {
    #expect(timer(idle: 10, total: 100).deadline == 5 + 10 * Self.second)
    #expect(timer(idle: 100, total: 10).deadline == 5 + 10 * Self.second)
  }

  @Test("0 is never, for each of the two and for both")
  func never() {
    #expect(timer(idle: 0, total: 0).deadline == nil)
    #expect(timer(idle: 0, total: 7).deadline == 5 + 7 * Self.second)
    #expect(timer(idle: 7, total: 0).deadline == 5 + 7 * Self.second)
  }

  @Test("use begins the idle time anew, and leaves the total time")
  func use() {
    var timer = timer(idle: 10, total: 15)
    timer.use(at: 5 + 8 * Self.second)
    #expect(timer.deadline == 5 + 15 * Self.second)
    timer.limits.totalSeconds = 0
    #expect(timer.deadline == 5 + 18 * Self.second)
  }

  @Test("a time too long to be counted is never")
  func overflow() {
    #expect(timer(idle: .max, total: 0).deadline == nil)
    #expect(timer(idle: 10, total: 0, openedAt: .max - 1).deadline == nil)
  }

  @Test("the deadline never comes earlier by use, and never passes the total")
  func monotonic() {
    var random = SplitMix64.announced()
    for _ in 0..<200 {
      let total = Int.random(in: 1...100, using: &random)
      var timer = timer(idle: Int.random(in: 1...100, using: &random), total: total)
      var before = timer.deadline!
      for _ in 0..<20 {
        timer.use(at: UInt64.random(in: 0...200, using: &random) * Self.second)
        #expect(timer.deadline! >= before && timer.deadline! <= 5 + UInt64(total) * Self.second)
        before = timer.deadline!
      }
    }
  }
}
