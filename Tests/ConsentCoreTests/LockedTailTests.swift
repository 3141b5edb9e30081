import SecretMemory
import TestSupport
import Testing

@testable import ConsentCore

@Suite("Answers given while the store was locked") final class LockedTailTests {
  private let key: Ed25519.SecretKey

  init() throws { key = try Ed25519.SecretKey.random() }

  /// A log with these marks, and the head that was signed after so many entries.
  private func log(_ marks: [ConsentRecording], signed: Int) throws -> (log: ConsentLog, head: ConsentHead) {
    var test = TestLog()
    var head = ConsentHead(test.log.tip, signedBy: key)
    for (index, mark) in marks.enumerated() {
      test.recording = mark
      try test.add(.given, pagesForm("form\(index % 2)"), at: Int64(index))
      if index + 1 == signed { head = ConsentHead(test.log.tip, signedBy: key) }
    }
    return (test.log, head)
  }

  private func fault(_ log: ConsentLog, _ head: ConsentHead) -> ConsentLogFault? {
    do throws(ConsentLogFault) {
      _ = try log.verify(.head(head, key: key.publicKey))
      return nil
    } catch {
      return error
    }
  }

  private func with(_ log: ConsentLog, _ change: (inout [[UInt8]]) -> Void) -> ConsentLog {
    var entries = log.entries
    change(&entries)
    return ConsentLog(id: log.id, entries: entries, attachments: log.attachments)
  }

  @Test("they count behind the head, are told apart from the signed ones, and the next head covers them") func tail() throws {
    let (log, head) = try log([.beforeStore, .signed, .whileLocked, .whileLocked], signed: 2)
    let verified = try log.verify(.head(head, key: key.publicKey))
    #expect(verified.entries.count == 4 && verified.signedCount == 2 && verified.tip == log.tip)
    let next = ConsentHead(verified.tip, signedBy: key)
    #expect(try log.verify(.head(next, key: key.publicKey)).signedCount == 4)
    var further = TestLog()
    further.log = log
    try further.add(.given, pagesForm("a"), at: 9)
    #expect(try further.verified().signedCount == 5)
    #expect(try ConsentLog(id: log.id).verify(.journal).signedCount == 0)
  }

  @Test("a consent given or withdrawn while locked counts at once") func counts() throws {
    var test = TestLog()
    let form = pagesForm("a")
    test.recording = .whileLocked
    let head = ConsentHead(test.log.tip, signedBy: key)
    func gate() throws -> ConsentGate {
      ConsentGate([form.facts], log: .success(try test.log.verify(.head(head, key: key.publicKey))), now: 1)
    }
    #expect(try gate() == .required([form.id]))
    try test.add(.given, form)
    #expect(try gate() == .open)
    let occasion = ConsentOccasion(person: person, at: instant(1), means: .command, recording: .whileLocked)
    let verified = try test.log.verify(.head(head, key: key.publicKey))
    #expect(try test.log.withdraw(form.id, from: verified, occasion)?.recording == .whileLocked)
    #expect(try gate() == .required([form.id]))
  }

  @Test("an entry behind the head that was not recorded while locked was added: found") func forged() throws {
    for mark in [ConsentRecording.signed, .beforeStore] {
      let (log, head) = try log([.signed, .whileLocked, mark], signed: 1)
      #expect(fault(log, head) == (mark == .signed ? .cutOff(head: 1, found: 3) : .misplacedMark(3)))
      let (first, empty) = try self.log([mark], signed: 0)
      #expect(fault(first, empty) == .cutOff(head: 0, found: 1))
    }
    let (locked, head) = try log([.signed, .whileLocked], signed: 1)
    let other = ConsentHead(locked.tip, signedBy: try Ed25519.SecretKey.random())
    #expect(fault(locked, other) == .headForged && fault(locked, head) == nil)
  }

  @Test("cut within what the head covers: found; swapped, dropped or altered behind it: found") func cut() throws {
    let (log, head) = try log([.signed, .signed, .whileLocked, .whileLocked, .whileLocked], signed: 2)
    #expect(fault(with(log) { $0.removeLast(4) }, head) == .cutOff(head: 2, found: 1))
    #expect(fault(with(log) { $0.swapAt(2, 3) }, head) == .outOfPlace(3))
    #expect(fault(with(log) { $0.remove(at: 2) }, head) == .outOfPlace(3))
    #expect(fault(with(log) { $0.remove(at: 1) }, head) == .outOfPlace(2))
    let (other, _) = try self.log([.signed, .signed, .whileLocked, .beforeStore, .signed], signed: 2)
    #expect(fault(with(log) { $0[3] = other.entries[3] }, head) == .brokenChain(5))
    // Nothing protects the end of it before the next unlock.
    #expect(fault(with(log) { $0.removeLast(2) }, head) == nil)
  }

  @Test("a mark that was changed: found under the head by the chain, behind it by the mark") func remarked() throws {
    let marks: [ConsentRecording] = [.signed, .whileLocked, .signed, .whileLocked]
    let (log, head) = try log(marks, signed: 3)
    for place in marks.indices {
      for mark in ConsentRecording.allCases where mark != marks[place] {
        var changed = marks
        changed[place] = mark
        let (other, _) = try self.log(changed, signed: 0)
        #expect(fault(with(log) { $0[place] = other.entries[place] }, head) != nil)
        #expect(fault(other, head) != nil, "written anew from \(place) on")
      }
    }
  }

  @Test("the journal takes entries from before the store alone") func journal() throws {
    for mark in [ConsentRecording.signed, .whileLocked] {
      let (log, _) = try log([.beforeStore, mark], signed: 0)
      #expect(throws: ConsentLogFault.misplacedMark(2)) { try ConsentLog.adopting(log) }
    }
  }

  /// The marks that a log may have, told as a text: any before the store, any others, the locked ones behind the bar.
  private func isPermitted(_ marks: [ConsentRecording], covered: Int?) throws -> Bool {
    let text = marks.map { $0 == .beforeStore ? "b" : $0 == .whileLocked ? "l" : "s" }.joined()
    guard let covered else { return text.allSatisfy { $0 == "b" } }
    if covered > marks.count { return false }
    let under = text.prefix(covered), behind = text.dropFirst(covered)
    return !under.contains("sb") && !under.contains("lb") && behind.allSatisfy { $0 == "l" }
  }

  @Test("100,000 random logs are taken and refused by their marks as the model says") func model() throws {
    var random = SplitMix64.announced("consent marks")
    let log = TestLog().log
    let heads = (0...6).map { ConsentHead(ConsentTip(log: log.id, count: $0, digest: log.tip.digest), signedBy: key) }
    var permitted = 0
    for number in 0..<100_000 {
      let count = Int.random(in: 0...6, using: &random)
      // Mostly in order, so that many are permitted.
      var marks = (0..<count).map { _ in ConsentRecording.allCases.randomElement(using: &random)! }
      if Bool.random(using: &random) {
        marks.sort { $0 == .beforeStore && $1 != .beforeStore || $0 == .signed && $1 == .whileLocked }
      }
      let covered = Int.random(in: 0...4, using: &random) == 0 ? nil : Int.random(in: 0...count, using: &random)
      let anchor = covered.map { ConsentAnchor.head(heads[$0], key: key.publicKey) } ?? .journal
      let isTaken = ConsentRecording.fault(in: marks, anchor) == nil
      guard try isTaken == isPermitted(marks, covered: covered) else {
        Issue.record("log \(number): \(marks) covered \(covered as Int?)")
        return
      }
      permitted += isTaken ? 1 : 0
    }
    #expect(10_000..<90_000 ~= permitted)
  }

  @Test("whole logs with random marks and heads are taken and refused as the model says") func wholeLogs() throws {
    var random = SplitMix64.announced("consent logs with marks")
    for number in 0..<300 {
      let marks = (0..<Int.random(in: 0...5, using: &random)).map { _ in
        ConsentRecording.allCases.randomElement(using: &random)!
      }
      let signed = Int.random(in: 0...marks.count, using: &random)
      let (log, head) = try log(marks, signed: signed)
      let isTaken = fault(log, head) == nil
      #expect(try isTaken == isPermitted(marks, covered: signed), "log \(number): \(marks) signed \(signed)")
      let isJournal = (try? log.verify(.journal)) != nil
      #expect(try isJournal == isPermitted(marks, covered: nil), "log \(number): \(marks)")
    }
  }
}
