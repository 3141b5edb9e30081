import PasscodeCore
import PasscodeStore
import SecretMemory
import TestSupport
import Testing

@testable import ConsentCore
@testable import PasscodeService

/// The record as the daemon keeps it between answers.
@Suite(.serialized) struct ConsentRecordsTests {
  private static let text = Array("the exact text".utf8)

  private static func fact(_ event: ConsentEvent, at seconds: Int64) -> ConsentFact {
    let digest = SHA256.digest(text.span)
    let subject = ConsentSubject(
      form: ConsentFormID("terms")!, version: ConsentVersion("1.0")!, locale: LanguageTag("en")!, kind: .terms, text: digest,
      details: digest)
    return ConsentFact(
      event, of: subject, person: ConsentPerson(uid: 1, account: "ada")!, at: ZonedInstant(seconds: seconds)!, means: .app)
  }

  private static func add(_ count: Int, to records: ConsentRecords) throws {
    try records.add { (log, _, recording) throws(ConsentRefused) in
      do throws(ConsentLogError) {
        for index in 0..<count {
          let event = index % 2 == 0 ? ConsentEvent.given : .withdrawn
          _ = try log.append(fact(event, at: Int64(index)), attachments: [text], recording: recording)
        }
      } catch { throw .log(error) }
    }
  }

  private func withRecords(_ body: (ConsentRecords, StoreHolder) throws -> Void) throws {
    let test = try TestDaemon()
    try test.createStore()
    test.stop()
    var options = StoreOptions()
    options.derivation = .floor
    let engine = try PolicyEngine(policy: PasscodePolicy())
    let path = test.directory.file("store.db")
    let holder = StoreHolder(path: path, options: options) { _ in engine }
    try Self.unlock(holder)
    try body(ConsentRecords(holder, journal: ConsentJournal(besideStore: path)), holder)
    holder.close()
  }

  private static func unlock(_ holder: StoreHolder) throws {
    let passcode = try SecretBytes(copying: Array(TestDaemon.passcode.utf8).span)
    _ = try holder.withStore { store throws(StoreError) in try store.unlock(passcode) }
  }

  private func isKnown(_ records: ConsentRecords, _ holder: StoreHolder) throws -> Bool {
    try holder.withStore { store throws(StoreError) in try records.known(store, takes: false) != nil }
  }

  @Test("an answer after 3,000 others reads none of them again, and all of them verify")
  func long() throws {
    try withRecords { records, holder in
      try Self.add(3000, to: records)
      let clock = ContinuousClock()
      let whole = try clock.measure { _ = try records.read(fully: true).verified() }
      var took: [Duration] = []
      for _ in 0..<40 {
        took.append(try clock.measure { try Self.add(1, to: records) })
        #expect(try isKnown(records, holder))
      }
      took.sort()
      print("consent: 3,000 entries: all of them read \(whole), one answer \(took[20]) (median), \(took[39]) at most")
      let reading = records.read(fully: true)
      let verified = try reading.verified()
      #expect(verified.entries.count == 3040 && verified.signedCount == 3040 && reading.isComplete)
      let known = try #require(try holder.withStore { store throws(StoreError) in try records.known(store, takes: false) })
      #expect(known.verified.entries == verified.entries && known.log == reading.log)
    }
  }

  @Test("what was checked counts only as long as the record ends where it ended, and its sum is the store's")
  func outdated() throws {
    try withRecords { records, holder in
      try Self.add(3, to: records)
      #expect(try isKnown(records, holder))
      // Another one adds: what was known is out of date, and the next answer stands behind it.
      let other = ConsentRecords(holder, journal: ConsentJournal(besideStore: "/nonexistent/store"))
      try Self.add(1, to: other)
      #expect(try !isKnown(records, holder))
      try Self.add(1, to: records)
      #expect(try records.read().verified().entries.map(\.sequence) == Array(1...5))
      #expect(try records.read(fully: true).verified().signedCount == 5)
      // Recorded while locked, then unlocked: checked anew with the key.
      try holder.withStore { store throws(StoreError) in store.lock() }
      try Self.add(1, to: records)
      #expect(try records.read().verified().signedCount == 5 && !records.read().isComplete)
      try Self.unlock(holder)
      #expect(try records.read().verified().signedCount == 5)
      try records.settle()
      #expect(try records.read().verified().signedCount == 6 && records.read().isComplete)
    }
  }

  @Test("an answer that is refused leaves the record as it was, also the one that was known")
  func refused() throws {
    try withRecords { records, _ in
      try Self.add(2, to: records)
      #expect(throws: ConsentRefused.sound) {
        try records.add { (log, _, recording) throws(ConsentRefused) in
          _ = try? log.append(Self.fact(.given, at: 9), attachments: [Self.text], recording: recording)
          throw .sound
        }
      }
      #expect(try records.read().verified().entries.count == 2)
      try Self.add(1, to: records)
      #expect(try records.read(fully: true).verified().entries.count == 3)
    }
  }
}
