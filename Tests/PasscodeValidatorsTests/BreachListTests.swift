import Glibc
import PasscodeCore
import PasscodePlatform
import TestSupport
import Testing

@testable import PasscodeValidators

@Suite("breachList") struct BreachListTests {
  private let directory: TemporaryDirectory
  private var index: String { directory.file("index") }

  init() throws { directory = try TemporaryDirectory() }

  /// An index of these entries, which ascend.
  private func write(_ entries: [UInt64]) throws {
    var writer = try BreachListWriter(replacing: index)
    for entry in entries { try writer.add(entry) }
    _ = try writer.finish()
  }

  private func flip(_ offset: Int) throws {
    let file = try Files.open(index, .readWrite)
    var byte: [UInt8] = [0]
    try #require(unsafe pread(file.raw, &byte, 1, off_t(offset)) == 1)
    byte[0] ^= 0x10
    try #require(unsafe pwrite(file.raw, byte, 1, off_t(offset)) == 1)
  }

  @Test("what is in the list is refused, as it is written; what is not is accepted") func validate() throws {
    let path = try importedList(of: ["hunter2hunter2", "correct horse", "Café noir"], in: directory)
    let validator = try BreachListValidator([path])
    #expect(validator.entryCount == 3)
    for listed in ["hunter2hunter2", "correct horse", "Café noir", "Cafe\u{301} noir"] {
      #expect(try rejection(of: listed, by: validator) != nil, "\(listed)")
    }
    for other in ["Hunter2hunter2", "hunter2hunter", "café noir", ""] {
      #expect(try rejection(of: other, by: validator) == nil, "\(other)")
    }
  }

  @Test("several lists are one requirement; each counts") func several() throws {
    let other = try TemporaryDirectory()
    let paths = [try importedList(of: ["first one"], in: directory), try importedList(of: ["second one"], in: other)]
    var policy = PasscodePolicy()
    policy.validators = [.breachList(path: paths[0]), .notPersonal, .breachList(path: paths[1])]
    let validators = try BuiltInValidators.make(for: policy, facts: PersonalFacts())
    #expect(validators.map(\.id) == ["breachList", "notPersonal"])
    #expect(validators[0].requirement == "not known from a breach")
    for listed in ["first one", "second one"] {
      #expect(throws: PasscodeRejection.self) { try validators[0].validate(listed.utf8Span.span) }
    }
  }

  @Test("every entry is found and no neighbour, over any number of blocks", arguments: [1, 2, 126, 127, 128, 254, 255, 5000])
  func lookUp(count: Int) throws {
    var random = SplitMix64(seed: UInt64(count))
    var all: Set<UInt64> = []
    while all.count < count { all.insert(random.next()) }
    let entries = all.sorted()
    try write(entries)
    let list = try freshIndex(index)
    #expect(list.count == count)
    var wrong = 0
    for entry in entries {
      if try !list.contains(entry) { wrong += 1 }
      for neighbour in [entry &- 1, entry &+ 1] where try list.contains(neighbour) != all.contains(neighbour) { wrong += 1 }
    }
    for edge in [0, .max, 0xFFFF, 1 << 48] as [UInt64] where try list.contains(edge) != all.contains(edge) { wrong += 1 }
    #expect(wrong == 0)
  }

  @Test("entries that all begin alike, and equal ones") func crowded() throws {
    let entries = (0..<2000).map { 0xABCD_0000_0000_0000 | UInt64($0) * 3 }
    try write(entries + [entries[1999]])
    let list = try freshIndex(index)
    #expect(list.count == 2000)
    #expect(try entries.allSatisfy { try list.contains($0) } && entries.allSatisfy { try !list.contains($0 + 1) })
    #expect(try !list.contains(0xABCC_FFFF_FFFF_FFFF) && !list.contains(0xABCE_0000_0000_0000))
  }

  @Test("a flipped bit anywhere in the head keeps the index from being opened") func damagedHead() throws {
    try write((0..<600).map { UInt64($0) << 50 })
    let head = BreachListLayout.headByteCount
    let offsets = Array(0..<BreachListLayout.fixedByteCount) + Array(stride(from: 64, to: head, by: 9973)) + [head - 1]
    for offset in offsets {
      try flip(offset)
      #expect(throws: BreachListFault.self, "\(offset)") { try freshIndex(index) }
      try flip(offset)
    }
    #expect(try freshIndex(index).count == 600)
  }

  @Test("a flipped bit in a block is a fault for whoever looks there, and nowhere a wrong answer") func damagedBlock() throws {
    let entries = (0..<380).map { UInt64($0) << 51 }
    try write(entries)
    var random = SplitMix64(seed: 77)
    for _ in 0..<40 {
      let offset = BreachListLayout.headByteCount + Int(random.next() % UInt64(3 * BreachListLayout.blockByteCount))
      try flip(offset)
      let list = try freshIndex(index)
      let block = (offset - BreachListLayout.headByteCount) / BreachListLayout.blockByteCount
      for (place, entry) in entries.enumerated() where place % 7 == 0 {
        if place / BreachListLayout.entriesPerBlock == block {
          #expect(throws: BreachListFault.damaged, "\(offset), \(place)") { try list.contains(entry) }
        } else if let answer = try? list.contains(entry) {
          #expect(answer, "\(offset), \(place)")
        }
      }
      try flip(offset)
    }
  }

  @Test("blocks that were swapped are a fault") func swapped() throws {
    let entries = (0..<254).map { UInt64($0) << 51 }
    try write(entries)
    let file = try Files.open(index, .readWrite)
    let size = BreachListLayout.blockByteCount
    var blocks = [UInt8](repeating: 0, count: 2 * size)
    try #require(unsafe pread(file.raw, &blocks, 2 * size, off_t(BreachListLayout.headByteCount)) == 2 * size)
    blocks = Array(blocks[size...] + blocks[..<size])
    try #require(unsafe pwrite(file.raw, blocks, 2 * size, off_t(BreachListLayout.headByteCount)) == 2 * size)
    let list = try freshIndex(index)
    for entry in entries { #expect(throws: BreachListFault.damaged) { try list.contains(entry) } }
  }

  @Test("an index that is cut or grown is refused; one that is cut while it is in use is a fault, never a crash") func size()
    throws
  {
    try write((0..<600).map { UInt64($0) << 50 })
    let whole = BreachListLayout.fileByteCount(600)
    let validator = try BreachListValidator([index])
    for size in [0, 7, 63, 64, 4096, whole - 4096, whole - 1, whole + 1] {
      #expect(unsafe truncate(index, off_t(size)) == 0)
      #expect(throws: ValidatorFault.self, "\(size)") { try BreachListValidator([index]) }
      let refusal = try rejection(of: "any candidate", by: validator)
      #expect(refusal?.message.contains("could not be looked up") == true, "\(size)")
    }
  }

  @Test("what is no index is named, with the way out") func foreign() throws {
    let text = try directory.write("list.txt", (hashText(1) + ":1\n" + hashText(2) + ":1\n").utf8)
    #expect(throws: ValidatorFault.breachList(path: text, .notAnIndex)) { try BreachListValidator([text]) }
    #expect(ValidatorFault.breachList(path: text, .notAnIndex).description.contains("passcode breach-list import"))
    #expect(throws: ValidatorFault.notRegular(path: directory.path)) { try BreachListValidator([directory.path]) }
    let missing = directory.file("missing")
    #expect(throws: ValidatorFault.unreadable(path: missing, errno: ENOENT)) { try BreachListValidator([missing]) }
  }

  @Test("an index that was replaced is opened anew") func replaced() throws {
    var path = try importedList(of: ["first one"], in: directory)
    #expect(try rejection(of: "second one", by: BreachListValidator([path])) == nil)
    path = try importedList(of: ["second one"], in: directory)
    #expect(try rejection(of: "second one", by: BreachListValidator([path])) != nil)
  }
}
