internal import ConsentCore
internal import PasscodeCore
internal import PasscodePlatform
internal import PasscodeStore
internal import SecretMemory

/// What makes entries: it is given the log to add to, the same log as it was verified, and how the entries are recorded.
typealias ConsentAdding = (inout ConsentLog, VerifiedConsentLog, ConsentRecording) throws(ConsentRefused) -> Void

/// Adding to the record.
extension ConsentRecords {
  /// Adds entries, all or none; on disk when it returns.
  ///
  /// - Parameter body: adds them to the log; it is told how they are recorded.
  /// - Throws: `fault` where nothing in the record counts: nothing is added to it then; `store`, `journal`; what `body` throws.
  /// - Complexity: O(log *n*) and what is added, where the record was checked before and is not larger than is kept.
  func add(_ body: ConsentAdding) throws(ConsentRefused) {
    try turn.withLock { (_: inout Void) throws(ConsentRefused) in
      var refusal: ConsentRefused?
      do throws(StoreError) {
        try holder.withStore { store throws(StoreError) in
          do throws(ConsentRefused) { try add(to: store, body) } catch { refusal = error }
        }
      } catch {
        guard error == .noStore else { throw .store(error) }
        try addToJournal(body)
      }
      if let refusal { throw refusal }
    }
  }

  private func addToJournal(_ body: ConsentAdding) throws(ConsentRefused) {
    let reading = waiting()
    let verified: VerifiedConsentLog
    do throws(ConsentFault) { verified = try reading.verified() } catch { throw .fault(error) }
    var log = reading.log
    try body(&log, verified, .beforeStore)
    try Self.requireRoom(
      log, textsBefore: reading.log.attachments.count, texts: ConsentJournal.maximumTextByteCount,
      entries: ConsentJournal.maximumEntryByteCount)
    do throws(PlatformError) { try journal.write(log) } catch { throw .journal(error) }
  }

  private func add(to store: CredentialStore, _ body: ConsentAdding) throws(ConsentRefused) {
    for _ in 0..<8 where try tryToAdd(to: store, body) { return }
    throw .store(.busy)
  }

  /// - Returns: false where the store was unlocked between a look at the record and the addition: what would be signed has to
  ///   be compared with the store's own sum first.
  private func tryToAdd(to store: CredentialStore, _ body: ConsentAdding) throws(ConsentRefused) -> Bool {
    var basis = try basis(store)
    let strays = basis.isStored ? try strays(besides: basis.log) : nil
    var refusal: ConsentRefused?
    var isOutOfDate = false
    do throws(StoreError) {
      let isSigned = try store.recordConsent { hasKey throws(StoreError) in
        isOutOfDate = hasKey && !basis.isComplete
        if isOutOfDate { throw .busy }
        do throws(ConsentRefused) { return try basis.added(strays, hasKey ? .signed : .whileLocked, body) } catch {
          refusal = error
          throw .busy
        }
      }
      if let end = try store.consentEnd() { keep(basis.known(end, isSigned: isSigned, sum: store.consentSum)) }
    } catch {
      if isOutOfDate { return false }
      throw refusal ?? .store(error)
    }
    if !basis.isStored || strays != nil { try? journal.remove() }
    return true
  }

  /// The record to add to. What was checked before is taken from where it is kept: the one who has it adds in place, and without
  /// copying what is there.
  private func basis(_ store: CredentialStore) throws(ConsentRefused) -> Basis {
    let reading: Reading
    do throws(StoreError) {
      if let known = try known(store, takes: true) { return Basis(known) }
      reading = try self.reading(of: store, try store.consentRows())
    } catch { throw error == .corrupt(.consent) ? .fault(.unreadable) : .store(error) }
    do throws(ConsentFault) {
      let verified = try reading.verified()
      return Basis(log: reading.log, verified: verified, isComplete: reading.isComplete, isStored: reading.end != nil)
    } catch { throw .fault(error) }
  }

  /// What was answered while the store was set aside, or nil. A journal that the store has taken in already, and that a killed
  /// process left behind, is removed.
  private func strays(besides log: ConsentLog) throws(ConsentRefused) -> ConsentLog? {
    let found: ConsentLog?
    do throws(ConsentFault) { found = try journal.read() } catch { throw .fault(error) }
    guard let found else { return nil }
    if found.id == log.id {
      try? journal.remove()
      return nil
    }
    do throws(ConsentLogFault) { _ = try found.verify(.journal) } catch { throw .fault(journal.fault(error)) }
    return found
  }

  /// Signs over what was recorded while the key was not there, after every entry was read and checked. Nothing is changed where
  /// nothing in the record counts.
  ///
  /// - Throws: `fault` where nothing in it counts; as ``add(_:)``.
  func settle() throws(ConsentRefused) {
    let reading = read(fully: true)
    let log: VerifiedConsentLog
    do throws(ConsentFault) { log = try reading.verified() } catch { throw .fault(error) }
    let hasStrays = reading.end == nil ? false : try strays(besides: reading.log) != nil
    if hasStrays || log.signedCount < log.entries.count { try add { (_, _, _) throws(ConsentRefused) in } }
  }

  /// Refuses what would make a log longer than is read back. What adds no text, such as a withdrawal, always has room for texts.
  static func requireRoom(
    _ log: ConsentLog, textsBefore: Int, texts: Int, entries: Int
  ) throws(ConsentRefused) {
    if log.attachments.count > textsBefore, log.attachments.reduce(0, { $0 + $1.value.count }) > texts { throw .log(.full) }
    if entries < .max, log.entries.reduce(0, { $0 + $1.count }) > entries { throw .log(.full) }
  }

  /// What makes up the first rows of a log, or those that follow what is there.
  static func addition(_ log: ConsentLog, after count: Int, texts: [Digest: [UInt8]]) -> ConsentAddition {
    ConsentAddition(
      log: log.id, firstSequence: count + 1, entries: Array(log.entries[count...]), texts: texts, digest: log.tip.digest,
      message: log.tip.message)
  }
}

/// The record that is added to.
private struct Basis {
  var log: ConsentLog
  var verified: VerifiedConsentLog
  var isComplete: Bool
  var isStored: Bool
  var byteCount = 0

  init(log: ConsentLog, verified: VerifiedConsentLog, isComplete: Bool, isStored: Bool) {
    (self.log, self.verified, self.isComplete, self.isStored) = (log, verified, isComplete, isStored)
    byteCount = log.entries.reduce(0) { $0 + 2 * $1.count } + log.attachments.reduce(0) { $0 + $1.value.count }
  }

  init(_ known: ConsentRecords.Known) {
    (log, verified, isComplete, isStored) = (known.log, known.verified, known.isComplete, true)
    byteCount = known.byteCount
  }

  /// Adds what `body` makes, and what another log says once more.
  ///
  /// - Returns: the rows that are new.
  mutating func added(
    _ strays: ConsentLog?, _ recording: ConsentRecording, _ body: ConsentAdding
  ) throws(ConsentRefused) -> ConsentAddition {
    let (count, textCount) = (log.entries.count, log.attachments.count)
    try takeIn(strays, recording)
    try body(&log, verified, recording)
    try ConsentRecords.requireRoom(
      log, textsBefore: textCount, texts: ConsentRows.maximumTextByteCount, entries: .max)
    // The first rows of a log bring all texts of the journal along.
    guard isStored else { return ConsentRecords.addition(log, after: 0, texts: log.attachments) }
    var texts: [Digest: [UInt8]] = [:]
    if log.attachments.count > textCount {
      for bytes in log.entries[count...] {
        for digest in ConsentEntry(bytes)?.fact.attachments ?? [] { texts[digest] = log.attachments[digest] }
      }
    }
    byteCount += log.entries[count...].reduce(0) { $0 + 2 * $1.count }
    byteCount += texts.values.reduce(0) { $0 + $1.count }
    return ConsentRecords.addition(log, after: count, texts: texts)
  }

  /// Records what another log says once more.
  private mutating func takeIn(_ strays: ConsentLog?, _ recording: ConsentRecording) throws(ConsentRefused) {
    guard let strays else { return }
    do throws(ConsentLogError) {
      for bytes in strays.entries {
        guard let entry = ConsentEntry(bytes) else { continue }
        _ = try log.append(entry.fact, attachments: Array(strays.attachments.values), recording: recording)
      }
    } catch { throw .log(error) }
  }

  /// What is known now that it is on disk; nil where what was added does not hold, or something else lies there.
  consuming func known(_ end: ConsentLogEnd, isSigned: Bool, sum: Accumulator?) -> ConsentRecords.Known? {
    let signedCount = isSigned ? log.entries.count : verified.signedCount
    do throws(ConsentLogFault) { try verified.extend(to: log, signedCount: signedCount) } catch { return nil }
    guard end.log == log.id, end.count == log.entries.count, end.last == log.entries.last else { return nil }
    return ConsentRecords.Known(log, verified, end, sum: sum, isComplete: isComplete, byteCount: byteCount)
  }
}

extension ConsentRecords.Known {
  fileprivate init(
    _ log: ConsentLog, _ verified: VerifiedConsentLog, _ end: ConsentLogEnd, sum: Accumulator?, isComplete: Bool, byteCount: Int
  ) {
    (self.log, self.verified, self.end, self.sum) = (log, verified, end, sum)
    (self.isComplete, self.byteCount) = (isComplete, byteCount)
  }
}
