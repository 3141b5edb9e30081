import PasscodePlatform
import Testing

@Suite struct DeadlineTests {
  @Test("a deadline without a limit is never over")
  func endless() {
    #expect(!Deadline(nil).isOver)
    #expect(Deadline(nil).remaining == nil)
  }

  @Test("one of no time is over at once", arguments: [Duration.zero, .seconds(-1)])
  func empty(limit: Duration) {
    #expect(Deadline(limit).isOver)
    #expect(Deadline(limit).remaining == .zero)
  }

  @Test("what remains is at most the limit and shrinks")
  func remaining() throws {
    let deadline = Deadline(.seconds(100))
    let first = try #require(deadline.remaining)
    let second = try #require(deadline.remaining)
    #expect(!deadline.isOver)
    #expect(first <= .seconds(100) && second <= first && second > .seconds(1))
  }

  @Test("a limit of ages is far off and does not overflow")
  func ages() throws {
    let deadline = Deadline(.seconds(Int64.max))
    #expect(!deadline.isOver)
    #expect(try #require(deadline.remaining) > .seconds(3_000_000_000))
  }
}
