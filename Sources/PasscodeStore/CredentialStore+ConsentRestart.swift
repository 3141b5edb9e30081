public import PasscodeCore
internal import SecretMemory

/// What is found of the log of consent when it is to be begun anew.
public struct ConsentFinding: Sendable {
  /// The log as it lies in the file, nil where there is none; or why it can't be read.
  public let rows: Result<ConsentRows?, StoreError>
  /// Whether the signed part of it is what was signed last, with this store's key.
  public let isIntact: Bool
}

/// The way out of a log of consent that was tampered with.
extension CredentialStore {
  /// Lends every row of the log of consent to `body`, whatever it holds: the log's own row, the entries, the texts.
  ///
  /// - Throws: `storage`, `replaced`; what `body` throws.
  /// - Complexity: O(*n*) in its size; a row at a time is in memory.
  public func eachConsentRow(_ body: (RawConsentRow) throws(StoreError) -> Void) throws(StoreError) {
    try storage.eachConsentRow(body)
  }

  /// Puts a new log in the place of the one that is there: both or neither is on the disk, however the process ends. The new one is
  /// signed with the key of the old one where that is still this store's, else with a fresh one. Works while the store is locked,
  /// and leaves it so.
  ///
  /// - Parameters:
  ///   - proof: a restart takes the passcode in the same call.
  ///   - body: makes the new log from what is found, or throws to leave everything as it is. It keeps the old one, where it is to
  ///     be kept: this takes it out of the file.
  /// - Throws: `storage`, `replaced`, `secretMemory`; what `body` throws.
  public func restartConsent(
    _ proof: borrowing PasscodeProof, _ body: (ConsentFinding) throws(StoreError) -> ConsentAddition
  ) throws(StoreError) {
    let keys = try keys(proof.storeKey)
    try gate.run(always: true) { () throws(StoreError) in
      try vault.withAnySession { (session) throws(StoreError) in
        let session = if let session { session } else { Session(keys, state: try state(proof.storeKey), storage: storage) }
        let rows = try consentFinding()
        let isIntact = try (try? rows.get()).map { (rows) throws(StoreError) in try Self.isIntact(rows, session) } ?? false
        let addition = try body(ConsentFinding(rows: rows, isIntact: isIntact))
        let signature = try Self.signature(overNew: addition, after: (try? rows.get()) ?? nil, keys)
        try session.committer.apply { (state, change) throws(StoreError) in
          state.consentSum = keys.sum(ofConsent: addition.entries)
          change.removesConsent = true
          change.consent = (addition, signature)
        }
      }
    }
  }

  private func consentFinding() throws(StoreError) -> Result<ConsentRows?, StoreError> {
    do throws(StoreError) { return .success(try storage.consentRows()) } catch {
      guard error == .corrupt(.consent) else { throw error }
      return .failure(error)
    }
  }

  private static func signature(
    overNew addition: ConsentAddition, after rows: ConsentRows?, _ keys: StoreKeys
  ) throws(StoreError) -> ConsentSignatureRow {
    if var row = rows?.signature {
      do throws(StoreError) {
        let key = try keys.openConsentKey(row)
        (row.count, row.digest) = (addition.entries.count, addition.digest)
        row.signature = key.sign(addition.message.span)
        return row
      } catch { if error != .corrupt(.consent) { throw error } }
    }
    return try freshSignature(over: addition, count: addition.entries.count, keys)
  }
}
