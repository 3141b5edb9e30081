public import PasscodeCore
internal import SecretMemory

/// The log of consent. It can be read and added to while the store is locked; it is signed when the key is there.
extension CredentialStore {
  /// The log as it lies in the file; nil where there is none. Nothing of it is checked here.
  ///
  /// - Throws: `corrupt(.consent)` where it is larger than any log can be; `storage`, `replaced`.
  /// - Complexity: O(*n*) in its size.
  public func consentRows() throws(StoreError) -> ConsentRows? { try storage.consentRows() }

  /// Where the log ends, as it lies in the file; nil where there is none.
  ///
  /// - Throws: `storage`, `replaced`.
  /// - Complexity: O(log *n*).
  public func consentEnd() throws(StoreError) -> ConsentLogEnd? { try storage.consentEnd() }

  /// What the signed entries add up to, as the store's own sealed state has it; nil where the store is locked and can't tell.
  public var consentSum: Accumulator? {
    (try? vault.withAnySession { (session) throws(StoreError) in session?.committer.current.consentSum }) ?? nil
  }

  /// Adds to the log, and signs all of it where the key is there. On disk when it returns.
  ///
  /// One caller at a time: what is added follows what the caller has read. What was signed before is not read again: the sum of
  /// it stands in the store's state, and only what is new is added to that.
  ///
  /// - Parameter body: makes what is added; it is told whether the key is there, so that an entry can say so.
  /// - Returns: whether it is signed.
  /// - Throws: `corrupt(.consent)` where the sealed signing key is not this store's; `busy` where the log ends elsewhere than the
  ///   caller has read; `storage`, `replaced`; what `body` throws.
  /// - Complexity: O(log *n*) and what is added or was not signed yet.
  public func recordConsent(
    _ body: (_ hasKey: Bool) throws(StoreError) -> ConsentAddition
  ) throws(StoreError) -> Bool {
    try vault.withAnySession { (session) throws(StoreError) in
      let addition = try body(session != nil)
      let end = try storage.consentEnd()
      guard addition.firstSequence == (end?.count ?? 0) + 1, end.map({ $0.log == addition.log }) ?? true else { throw .busy }
      guard let session else {
        var change = AccessChange()
        change.consent = (addition, nil)
        try storage.apply(change)
        return false
      }
      let signature = try Self.signature(over: addition, after: end, session.keys)
      let signedCount = end?.signature?.count ?? 0
      let unsigned = try storage.consentEntries(after: signedCount) + addition.entries
      try session.committer.apply { (state, change) throws(StoreError) in
        state.consentSum = session.keys.sum(ofConsent: unsigned, after: signedCount, addedTo: state.consentSum)
        change.consent = (addition, signature)
      }
      return true
    }
  }

  /// Whether the signed part of the log is what was signed last: nothing older was put back, and the key is this store's. Nil
  /// where the store is locked and can't tell.
  ///
  /// - Throws: `storage`, `replaced`; `secretMemory`.
  public func isConsentIntact(_ rows: ConsentRows?) throws(StoreError) -> Bool? {
    try vault.withAnySession { (session) throws(StoreError) -> Bool? in
      guard let session else { return nil }
      return try Self.isIntact(rows, session)
    }
  }

  static func isIntact(_ rows: ConsentRows?, _ session: Session) throws(StoreError) -> Bool {
    let expected = session.committer.current.consentSum
    guard let rows, let signature = rows.signature else { return expected == Accumulator() }
    do throws(StoreError) { _ = try session.keys.openConsentKey(signature) } catch {
      if error == .corrupt(.consent) { return false }
      throw error
    }
    return session.keys.sum(ofConsent: rows.entries.prefix(max(0, signature.count))) == expected
  }

  /// Notes how many entries have been handed on.
  ///
  /// - Throws: `storage`, `replaced`.
  public func noteConsentDeposited(_ count: Int) throws(StoreError) {
    var change = AccessChange()
    change.depositedCount = count
    try storage.apply(change)
  }

  private static func signature(
    over addition: ConsentAddition, after end: ConsentLogEnd?, _ keys: StoreKeys
  ) throws(StoreError) -> ConsentSignatureRow {
    let count = (end?.count ?? 0) + addition.entries.count
    if var row = end?.signature {
      let key = try keys.openConsentKey(row)
      (row.count, row.digest) = (count, addition.digest)
      row.signature = key.sign(addition.message.span)
      return row
    }
    return try freshSignature(over: addition, count: count, keys)
  }

  static func freshSignature(
    over addition: ConsentAddition, count: Int, _ keys: StoreKeys
  ) throws(StoreError) -> ConsentSignatureRow {
    let key: Ed25519.SecretKey
    do throws(SecretMemoryError) { key = try .random() } catch { throw .secretMemory(error) }
    return ConsentSignatureRow(
      count: count, digest: addition.digest, signature: key.sign(addition.message.span), publicKey: key.publicKey.bytes,
      sealedSeed: keys.sealConsentKey(key))
  }
}
