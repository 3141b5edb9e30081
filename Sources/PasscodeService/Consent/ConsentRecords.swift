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
    /// Where it ends in the store; nil where there is none in it.
    var end: ConsentLogEnd?

    var anchor: ConsentAnchor { key.map { .head(head, key: $0) } ?? .unsigned }

    /// - Throws: why nothing in it counts.
    func verified() throws(ConsentFault) -> VerifiedConsentLog { try checked.get() }
  }

  /// A record that was checked, kept for what comes next.
  struct Known: Sendable {
    var log: ConsentLog
    var verified: VerifiedConsentLog
    var end: ConsentLogEnd
    /// What the signed part adds up to, by the store's own state; nil where the store was locked.
    var sum: Accumulator?
    var isComplete: Bool
    /// What it takes in memory, about.
    var byteCount: Int

    /// Nil where nothing in the record counts, or it lies in the journal.
    init?(_ reading: Reading, sum: Accumulator?) {
      guard case .success(let verified) = reading.checked, let end = reading.end else { return nil }
      (log, self.verified, self.end, self.sum) = (reading.log, verified, end, sum)
      isComplete = reading.isComplete
      byteCount = log.entries.reduce(0) { $0 + 2 * $1.count } + log.attachments.reduce(0) { $0 + $1.value.count }
    }
  }

  /// A longer record is read anew each time: it would take up too much memory for as long as the daemon runs.
  private static let keptByteCount = 48 << 20

  let holder: StoreHolder
  let journal: ConsentJournal
  /// Held by whoever reads to add: one after the other.
  let turn = Monitor(())
  /// What was checked last, as long as nobody adds to it.
  private let checked = Monitor<Known?>(nil)
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
  ///
  /// - Parameter fully: every entry is read and checked again; else what was checked before counts, as long as the record still
  ///   ends where it ended then and its signed part is the one that the store's own state sums up.
  func read(fully: Bool = false) -> Reading {
    do throws(StoreError) {
      return try holder.withStore { store throws(StoreError) in
        if !fully, let known = try known(store, takes: false) { return Reading(known) }
        let reading = try reading(of: store, try store.consentRows())
        keep(Known(reading, sum: store.consentSum))
        return reading
      }
    } catch {
      if error == .noStore { return waiting() }
      return Self.unreadable(error == .corrupt(.consent) ? .unreadable : .store(error))
    }
  }

  /// What was checked before, where it still holds.
  ///
  /// - Parameter takes: nobody else has it then: what is added to it is added in place.
  func known(_ store: CredentialStore, takes: Bool) throws(StoreError) -> Known? {
    let end = try store.consentEnd()
    let sum = store.consentSum
    return checked.withLock { known in
      guard let end, var found = known, found.end.isSame(as: end), sum == nil || sum == found.sum else { return nil }
      if takes { known = nil }
      found.end = end
      found.isComplete = sum != nil
      return found
    }
  }

  /// Keeps what was checked, where it is not too much to keep.
  func keep(_ known: Known?) {
    let isSmall = known.map { $0.byteCount <= Self.keptByteCount } ?? true
    checked.withLock { $0 = isSmall ? known : nil }
  }

  func reading(of store: CredentialStore, _ rows: ConsentRows?) throws(StoreError) -> Reading {
    let isIntact = try store.isConsentIntact(rows)
    if isIntact != nil { disproved.withLock { $0 = isIntact == false ? Disproved(rows: rows) : nil } }
    let isDisproved = disproved.withLock { $0 != nil && $0?.rows == rows }
    var reading = rows.map { Reading($0) } ?? waiting()
    reading.isComplete = isIntact != nil
    if isDisproved { reading.checked = .failure(.putBack) }
    return reading
  }

  /// What waits in the journal.
  func waiting() -> Reading {
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
    end = rows.end
    depositedCount = rows.depositedCount
    (head, key) = Self.signed(rows.end)
    checked = ConsentRecords.check(log, anchor).mapError { .log($0) }
  }

  /// What was checked before.
  init(_ known: ConsentRecords.Known) {
    log = known.log
    checked = .success(known.verified)
    end = known.end
    depositedCount = known.end.depositedCount
    isComplete = known.isComplete
    (head, key) = Self.signed(known.end)
  }

  private static func signed(_ end: ConsentLogEnd) -> (ConsentHead?, Ed25519.PublicKey?) {
    guard let signature = end.signature else { return (nil, nil) }
    let tip = ConsentTip(log: end.log, count: signature.count, digest: signature.digest)
    return (ConsentHead(tip: tip, signature: signature.signature), Ed25519.PublicKey(signature.publicKey.span))
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
