import SecretMemory
import TestSupport
import Testing

@testable import PasscodeService

@Suite struct SortedNamesTests {
  private func sorted(_ names: inout SortedNames) -> [String] {
    names.sort()
    var texts: [String] = []
    for index in 0..<names.count { texts.append(String(decoding: names[index])) }
    return texts
  }

  @Test("names come out in byte order, whatever order they came in")
  func order() throws {
    var random = SplitMix64.announced()
    let all = (0..<200).map { "n\($0 * 7919 % 1000)" }
    var names = try SortedNames()
    for name in all.shuffled(using: &random) {
      let isTaken = names.add(name.utf8Span.span)
      #expect(isTaken)
    }
    let isPartial = names.isPartial
    #expect(!isPartial)
    #expect(sorted(&names) == all.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) })
  }

  @Test("with little memory the passes together give every name once, in order")
  func passes() throws {
    var random = SplitMix64.announced()
    let all = (0..<2000).map { "folder/name-\($0)" }.shuffled(using: &random)
    var told: [String] = []
    var isLast = false
    while !isLast {
      var names = try SortedNames()
      for name in all where told.last.map({ $0.utf8.lexicographicallyPrecedes(name.utf8) }) ?? true {
        while !names.add(name.utf8Span.span) { try names.makeRoom() }
      }
      told += sorted(&names)
      isLast = !names.isPartial
    }
    #expect(told == all.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) })
  }

  @Test("names that are rolled back are forgotten")
  func rollBack() throws {
    var names = try SortedNames()
    for name in ["a", "b", "c"] { _ = names.add(name.utf8Span.span) }
    names.rollBack(to: 1)
    _ = names.add("d".utf8Span.span)
    #expect(sorted(&names) == ["a", "d"])
    names.rollBack(to: 0)
    #expect(sorted(&names) == [])
  }
}
