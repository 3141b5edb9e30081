import Glibc
import PasscodePlatform
import TestSupport
import Testing

@testable import PasscodeValidators

@Suite("Import of a breach list") struct BreachListImporterTests {
  private let directory: TemporaryDirectory
  private var index: String { directory.file("index") }

  init() throws { directory = try TemporaryDirectory() }

  private func source(_ text: String) throws -> String { try directory.write("list.txt", text.utf8) }

  private func fault(of text: String) throws -> BreachListFault? {
    let list = try source(text)
    do throws(ValidatorFault) {
      _ = try BreachListImporter(from: list).run(to: index)
      return nil
    } catch {
      // Nothing is left behind, under whatever name.
      #expect(directoryEntries(directory.path) == ["list.txt"])
      if case .breachList(list, let fault) = error { return fault }
      throw error
    }
  }

  @Test("lines end with LF or CRLF, digits are of either case, the last line end may be missing, count 0 is padding")
  func lines() throws {
    let rows = [
      hashText(1) + ":3\r\n", hashText(5).lowercased() + ":12345678901\n", hashText(4) + ":0\r\n", hashText(7) + ":00\n",
      hashText(9, 1) + ":1\n", hashText(9, 2) + ":1\n", hashText(.max) + ":1",
    ]
    #expect(try BreachListImporter(from: source(rows.joined())).run(to: index) == 4)
    let list = try freshIndex(index)
    #expect(list.count == 4)
    for (entry, isIn) in [(1, true), (4, false), (5, true), (7, false), (9, true), (UInt64.max, true), (0, false)] {
      #expect(try list.contains(entry) == isIn, "\(entry)")
    }
  }

  @Test("a line out of order is named") func unsorted() throws {
    #expect(try fault(of: [3, 5, 4].map { hashText($0) + ":1\n" }.joined()) == .unsortedLine(3))
    #expect(try fault(of: [hashText(3, 2), hashText(3, 1)].map { $0 + ":1\r\n" }.joined()) == .unsortedLine(2))
  }

  @Test(
    "a line that is none is named",
    arguments: [
      "", "password:1", String(repeating: "A", count: 39) + ":1", String(repeating: "A", count: 41) + ":1",
      String(repeating: "A", count: 40), String(repeating: "A", count: 40) + ":", String(repeating: "A", count: 40) + ":-1",
      String(repeating: "A", count: 40) + ":1 ", String(repeating: "A", count: 40) + " 1",
      String(repeating: "G", count: 40) + ":1", String(repeating: "A", count: 40) + ":" + String(repeating: "1", count: 20),
      String(repeating: "A", count: 300_000), "\u{FEFF}" + String(repeating: "A", count: 40) + ":1",
    ])
  func malformed(line: String) throws {
    #expect(try fault(of: hashText(1) + ":1\n" + line + "\n") == .malformedLine(2))
  }

  @Test("a list without an entry is no list") func empty() throws {
    #expect(try fault(of: "") == .empty)
    #expect(try fault(of: hashText(1) + ":0\n") == .empty)
  }

  @Test("the index never replaces its source, by whatever name, and replaces an older index") func replacing() throws {
    let list = try source(hashText(1) + ":1\n")
    #expect(unsafe link(list, index) == 0)
    #expect(throws: ValidatorFault.breachList(path: index, .sameFile)) { try BreachListImporter(from: list).run(to: index) }
    #expect(unsafe unlink(index) == 0)
    #expect(try BreachListImporter(from: list).run(to: index) == 1)
    #expect(try BreachListImporter(from: source(hashText(2) + ":1\n" + hashText(3) + ":1\n")).run(to: index) == 2)
    #expect(try freshIndex(index).contains(3))
  }

  @Test("everybody may read the index") func mode() throws {
    _ = try BreachListImporter(from: source(hashText(1) + ":1\n")).run(to: index)
    #expect(try Files.status(of: index)?.mode == 0o644)
  }

  @Test("who is told of the progress can stop it") func progress() throws {
    let text = hashText(1) + ":1\n" + hashText(2) + ":1\n"
    var seen: [BreachListImporter.Progress] = []
    _ = try BreachListImporter(
      from: source(text),
      progress: {
        seen.append($0); return true
      }
    ).run(to: index)
    let size = UInt64(text.utf8.count)
    #expect(seen.last == BreachListImporter.Progress(entries: 2, completed: size, total: size))
    let before = directoryEntries(directory.path)
    #expect(throws: ValidatorFault.breachList(path: directory.file("list.txt"), .stopped)) {
      try BreachListImporter(from: source(text), progress: { _ in false }).run(to: index)
    }
    #expect(directoryEntries(directory.path) == before)
  }

  @Test("what can't be read or written is named") func system() throws {
    let missing = directory.file("missing")
    #expect(throws: ValidatorFault.unreadable(path: missing, errno: ENOENT)) {
      try BreachListImporter(from: missing).run(to: index)
    }
    let list = try source(hashText(1) + ":1\n")
    let nowhere = directory.file("no/where")
    #expect(throws: ValidatorFault.self) { try BreachListImporter(from: list).run(to: nowhere) }
    do { _ = try BreachListImporter(from: list).run(to: nowhere) } catch { #expect("\(error)".contains("no/where")) }
  }

  @Test(
    "a directory of range files is read in order, whichever way they are named",
    arguments: [(true, ""), (true, ".txt"), (false, ""), (false, ".txt")])
  func ranges(isUpper: Bool, end: String) throws {
    let ranges = try directory.makeDirectory("ranges")
    for range: UInt64 in 0..<20 {
      let digits = String(range, radix: 16, uppercase: isUpper)
      let rows = (0..<3).map { row in hashText(range << 44 | UInt64(row) << 8).dropFirst(5) + ":\(row)\r\n" }
      try directory.write("ranges/" + String(repeating: "0", count: 5 - digits.count) + digits + end, rows.joined().utf8)
    }
    #expect(try BreachListImporter(from: ranges, ranges: 0..<20).run(to: index) == 40)
    let list = try freshIndex(index)
    for range: UInt64 in 0..<20 {
      #expect(try list.contains(range << 44 | 1 << 8) && list.contains(range << 44 | 2 << 8))
      #expect(try !list.contains(range << 44))
    }
  }

  @Test("a range file that is missing, empty or faulty is named") func badRanges() throws {
    let ranges = try directory.makeDirectory("ranges")
    for name in ["00000", "00001"] { try directory.write("ranges/" + name, (hashText(0).dropFirst(5) + ":1\n").utf8) }
    let importer = BreachListImporter(from: ranges, ranges: 0..<3)
    #expect(throws: ValidatorFault.breachList(path: ranges, .missingRange("00002"))) { try importer.run(to: index) }
    try directory.write("ranges/00002", [])
    #expect(throws: ValidatorFault.breachList(path: ranges + "/00002", .empty)) { try importer.run(to: index) }
    try directory.write("ranges/00002", (hashText(0) + ":1\n").utf8)
    #expect(throws: ValidatorFault.breachList(path: ranges + "/00002", .malformedLine(1))) { try importer.run(to: index) }
  }
}
