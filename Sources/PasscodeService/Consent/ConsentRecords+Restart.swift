internal import ConsentCore
internal import PasscodeCore
internal import PasscodePlatform
internal import PasscodeStore
internal import SecretMemory

/// A record that was set aside, and the one that was begun in its place.
struct ConsentRestart: Sendable {
  /// What begins the new one.
  var entry: ConsentEntry
  /// What was wrong with the one before, in words.
  var fault: String
  /// Where it lies, and the digest of that file.
  var path: String, sha256: Digest
}

/// How a restart ended.
enum ConsentRestartOutcome: Sendable {
  case done(ConsentRestart)
  case wrong(AttemptFacts)
}

/// The way out of a record in which nothing counts any more.
extension ConsentRecords {
  /// Sets a faulty record aside, whole, and begins a new one. Both are on disk when it returns, or nothing is changed, but for a
  /// copy of the faulty record beside the store.
  ///
  /// - Throws: `sound`; `store` with what a try throws; `journal` where the copy can't be written.
  func restart(
    _ passcode: borrowing SecretBytes, _ occasion: ConsentOccasion
  ) throws(ConsentRefused) -> ConsentRestartOutcome {
    try turn.withLock { (_: inout Void) throws(ConsentRefused) in
      var outcome: ConsentRestartOutcome?
      var refusal: ConsentRefused?
      do throws(StoreError) {
        try holder.withStore { store throws(StoreError) in
          switch try store.prove(passcode) {
          case .wrong(let facts): outcome = .wrong(facts)
          case .right(let proof):
            try store.restartConsent(proof) { finding throws(StoreError) in
              do throws(ConsentRefused) {
                let (restart, addition) = try Self.restarted(store, finding, occasion)
                outcome = .done(restart)
                return addition
              } catch {
                refusal = error
                throw .busy
              }
            }
          }
        }
      } catch { throw refusal ?? .store(error) }
      guard let outcome else { throw .store(.busy) }
      return outcome
    }
  }

  private static func restarted(
    _ store: CredentialStore, _ finding: ConsentFinding, _ occasion: ConsentOccasion
  ) throws(ConsentRefused) -> (ConsentRestart, ConsentAddition) {
    guard let fault = fault(in: finding)?.words else { throw .sound }
    let evidence = try ConsentEvidence.keep(store, fault: fault)
    var log = newLog()
    let faulty = SetAsideConsentLog(
      fault: fault, file: PathParts.split(evidence.path).name, sha256: evidence.sha256)
    let entry: ConsentEntry
    do throws(ConsentLogError) { entry = try log.begin(after: faulty, occasion) } catch { throw .log(error) }
    return (
      ConsentRestart(entry: entry, fault: fault, path: evidence.path, sha256: evidence.sha256),
      addition(log, after: 0, texts: log.attachments)
    )
  }

  /// What is wrong with what was found; nil where nothing is.
  private static func fault(in finding: ConsentFinding) -> ConsentFault? {
    guard case .success(let rows) = finding.rows else { return .unreadable }
    if let rows, case .failure(let fault) = Reading(rows).checked { return fault }
    return finding.isIntact ? nil : .putBack
  }
}
