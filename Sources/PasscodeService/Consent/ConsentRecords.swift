internal import ConsentCore
internal import PasscodeCore
internal import PasscodePlatform
internal import PasscodeStore
internal import SecretMemory

/// The record of consent, in the store or, before there is one, in the journal.
///
/// The answers in the journal move into the store as soon as there is one, and are signed as soon as its key is there.
final class ConsentRecords: Sendable {
  /// The record as it was read.
  struct Reading: Sendable {
    var log: ConsentLog
    /// The log, checked; or why nothing in it counts.
    var checked: Result<VerifiedConsentLog, ConsentFault>
    var head: ConsentHead?
    var key: Ed25519.PublicKey?
    /// Whether the store was open, so that its own sum was compared.
    var isComplete = false
    var depositedCount = 0
    /// As they lie in the store; nil where there are none.
    var rows: ConsentRows?

    var anchor: ConsentAnchor { key.map { .head(head, key: $0) } ?? .unsigned }

    /// - Throws: why nothing in it counts.
    func verified() throws(ConsentFault) -> VerifiedConsentLog { try checked.get() }
  }

  let holder: StoreHolder
  private let journal: ConsentJournal
  /// Held by whoever reads to add: one after the other.
  let turn = Monitor(())
  /// What the store's key has shown to be no record of this store, or that there has to be one: nothing counts while the store is
  /// locked either.
  private let disproved = Monitor<Disproved?>(nil)

  private struct Disproved { let rows: ConsentRows? }

  init(_ holder: StoreHolder, journal: ConsentJournal) {
    self.holder = holder
    self.journal = journal
  }

  // MARK: - Reading

  /// The record as it is now.
  func read() -> Reading {
    do throws(StoreError) {
      return try holder.withStore { store throws(StoreError) in try reading(of: store, try store.consentRows()) }
    } catch {
      if error == .noStore { return waiting() }
      return Self.unreadable(error == .corrupt(.consent) ? .unreadable : .store(error))
    }
  }

  private func reading(of store: CredentialStore, _ rows: ConsentRows?) throws(StoreError) -> Reading {
    let isIntact = try store.isConsentIntact(rows)
    if isIntact != nil { disproved.withLock { $0 = isIntact == false ? Disproved(rows: rows) : nil } }
    let isDisproved = disproved.withLock { $0 != nil && $0?.rows == rows }
    var reading = rows.map { Reading($0) } ?? waiting()
    reading.isComplete = isIntact != nil
    if isDisproved { reading.checked = .failure(.putBack) }
    return reading
  }

  /// What waits in the journal.
  private func waiting() -> Reading {
    do throws(ConsentFault) {
      let log = try journal.read() ?? Self.newLog()
      return Reading(log: log, checked: Self.check(log, .journal).mapError { journal.fault($0) })
    } catch { return Self.unreadable(error) }
  }

  static func check(_ log: ConsentLog, _ anchor: ConsentAnchor) -> Result<VerifiedConsentLog, ConsentLogFault> {
    do throws(ConsentLogFault) { return .success(try log.verify(anchor)) } catch { return .failure(error) }
  }

  private static func unreadable(_ fault: ConsentFault) -> Reading { Reading(log: newLog(), checked: .failure(fault)) }

  static func newLog() -> ConsentLog {
    guard let id = Digest(SecureRandom.bytes(Digest.byteCount).span) else { preconditionFailure("32 bytes are a digest") }
    return ConsentLog(id: id)
  }

  // MARK: - Adding

  /// Adds entries, all or none; on disk when it returns.
  ///
  /// - Parameter body: adds them to the log; it is told how they are recorded.
  /// - Throws: `fault` where nothing in the record counts: nothing is added to it then; `store`, `journal`; what `body` throws.
  func add(
    _ body: (inout ConsentLog, VerifiedConsentLog, ConsentRecording) throws(ConsentRefused) -> Void
  ) throws(ConsentRefused) {
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

  private func addToJournal(
    _ body: (inout ConsentLog, VerifiedConsentLog, ConsentRecording) throws(ConsentRefused) -> Void
  ) throws(ConsentRefused) {
    let reading = waiting()
    let verified: VerifiedConsentLog
    do throws(ConsentFault) { verified = try reading.verified() } catch { throw .fault(error) }
    var log = reading.log
    try body(&log, verified, .beforeStore)
    try Self.requireRoom(
      log, after: reading.log, texts: ConsentJournal.maximumTextByteCount, entries: ConsentJournal.maximumEntryByteCount)
    do throws(PlatformError) { try journal.write(log) } catch { throw .journal(error) }
  }

  private func add(
    to store: CredentialStore,
    _ body: (inout ConsentLog, VerifiedConsentLog, ConsentRecording) throws(ConsentRefused) -> Void
  ) throws(ConsentRefused) {
    for _ in 0..<8 where try tryToAdd(to: store, body) { return }
    throw .store(.busy)
  }

  /// - Returns: false where the store was unlocked between a look at the record and the addition: what would be signed has to
  ///   be compared with the store's own sum first.
  private func tryToAdd(
    to store: CredentialStore,
    _ body: (inout ConsentLog, VerifiedConsentLog, ConsentRecording) throws(ConsentRefused) -> Void
  ) throws(ConsentRefused) -> Bool {
    let (rows, reading) = try look(store)
    let verified: VerifiedConsentLog
    do throws(ConsentFault) { verified = try reading.verified() } catch { throw .fault(error) }
    let strays = rows == nil ? nil : try strays(besides: reading.log)
    var refusal: ConsentRefused?
    var isOutOfDate = false
    do throws(StoreError) {
      _ = try store.recordConsent { hasKey throws(StoreError) in
        var log = reading.log
        isOutOfDate = hasKey && !reading.isComplete
        if isOutOfDate { throw .busy }
        do throws(ConsentRefused) {
          try takeIn(strays, &log, hasKey ? .signed : .whileLocked)
          try body(&log, verified, hasKey ? .signed : .whileLocked)
          try Self.requireRoom(log, after: reading.log, texts: ConsentRows.maximumTextByteCount, entries: .max)
        } catch {
          refusal = error
          throw .busy
        }
        return Self.addition(log, after: rows)
      }
    } catch {
      if isOutOfDate { return false }
      throw refusal ?? .store(error)
    }
    if rows == nil || strays != nil { try? journal.remove() }
    return true
  }

  private func look(_ store: CredentialStore) throws(ConsentRefused) -> (ConsentRows?, Reading) {
    do throws(StoreError) {
      let rows = try store.consentRows()
      return (rows, try reading(of: store, rows))
    } catch { throw error == .corrupt(.consent) ? .fault(.unreadable) : .store(error) }
  }

  static func addition(_ log: ConsentLog, after rows: ConsentRows?) -> ConsentAddition {
    let known = rows?.entries.count ?? 0
    return ConsentAddition(
      log: log.id, firstSequence: known + 1, entries: Array(log.entries.dropFirst(known)),
      texts: log.attachments.filter { rows?.texts[$0.key] == nil }, digest: log.tip.digest, message: log.tip.message)
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

  /// Records what another log says once more.
  private func takeIn(
    _ strays: ConsentLog?, _ log: inout ConsentLog, _ recording: ConsentRecording
  ) throws(ConsentRefused) {
    guard let strays else { return }
    do throws(ConsentLogError) {
      for bytes in strays.entries {
        guard let entry = ConsentEntry(bytes) else { continue }
        _ = try log.append(entry.fact, attachments: Array(strays.attachments.values), recording: recording)
      }
    } catch { throw .log(error) }
  }

  /// Refuses what would make a log longer than is read back. What adds no text, such as a withdrawal, always has room for texts.
  static func requireRoom(
    _ log: ConsentLog, after before: ConsentLog, texts: Int, entries: Int
  ) throws(ConsentRefused) {
    let size = log.attachments.values.reduce(0) { $0 + $1.count }
    if log.attachments.count > before.attachments.count, size > texts { throw .log(.full) }
    if log.entries.reduce(0, { $0 + $1.count }) > entries { throw .log(.full) }
  }

  /// Signs over what was recorded while the key was not there. Nothing is changed where nothing in the record counts.
  ///
  /// - Throws: `fault` where nothing in it counts; as ``add(_:)``.
  func settle() throws(ConsentRefused) {
    let reading = read()
    let log: VerifiedConsentLog
    do throws(ConsentFault) { log = try reading.verified() } catch { throw .fault(error) }
    let hasStrays = reading.rows == nil ? false : try strays(besides: reading.log) != nil
    if hasStrays || log.signedCount < log.entries.count { try add { (_, _, _) throws(ConsentRefused) in } }
  }

  /// Notes how many entries have been handed on.
  func noteDeposited(_ count: Int) throws(StoreError) {
    try holder.withStore { store throws(StoreError) in try store.noteConsentDeposited(count) }
  }
}

extension ConsentRecords.Reading {
  /// What lies in the store, checked as far as that goes without the store's key.
  init(_ rows: ConsentRows) {
    log = ConsentLog(id: rows.log, entries: rows.entries, attachments: rows.texts)
    checked = .failure(.putBack)
    self.rows = rows
    depositedCount = rows.depositedCount
    if let signature = rows.signature {
      let tip = ConsentTip(log: rows.log, count: signature.count, digest: signature.digest)
      head = ConsentHead(tip: tip, signature: signature.signature)
      key = Ed25519.PublicKey(signature.publicKey.span)
    }
    checked = ConsentRecords.check(log, anchor).mapError { .log($0) }
  }
}

/// Why an entry was not recorded.
enum ConsentRefused: Error, Equatable, Sendable {
  /// Nothing in the record counts.
  case fault(ConsentFault)
  /// Nothing is wrong with the record.
  case sound
  /// There is nothing of the kind in the record.
  case nothingRecorded(String)
  /// No such form is in force.
  case unknownForm(String)
  /// The form in force is another text.
  case formChanged(form: String, version: String)
  /// The answer is not what the form asks for, and why.
  case improper(form: String, String)
  /// The log does not take it.
  case log(ConsentLogError)
  /// The store does not take it.
  case store(StoreError)
  /// The journal does not take it.
  case journal(PlatformError)
}
