public import PasscodeCore
internal import SecretMemory

/// The log of consent. It can be read and added to while the store is locked; it is signed when the key is there.
extension CredentialStore {
  /// The log as it lies in the file; nil where there is none. Nothing of it is checked here.
  ///
  /// - Throws: `corrupt(.consent)` where it is larger than any log can be; `storage`, `replaced`.
  /// - Complexity: O(*n*) in its size.
  public func consentRows() throws(StoreError) -> ConsentRows? { try storage.consentRows() }

  /// Adds to the log, and signs all of it where the key is there. On disk when it returns.
  ///
  /// One caller at a time: what is added follows what the caller has read.
  ///
  /// - Parameter body: makes what is added; it is told whether the key is there, so that an entry can say so.
  /// - Returns: whether it is signed.
  /// - Throws: `corrupt(.consent)` where the sealed signing key is not this store's; `storage`, `replaced`; what `body` throws.
  public func recordConsent(
    _ body: (_ hasKey: Bool) throws(StoreError) -> ConsentAddition
  ) throws(StoreError) -> Bool {
    try vault.withAnySession { (session) throws(StoreError) in
      let addition = try body(session != nil)
      guard let session else {
        var change = AccessChange()
        change.consent = (addition, nil)
        try storage.apply(change)
        return false
      }
      let rows = try storage.consentRows()
      let signature = try Self.signature(over: addition, after: rows, session.keys)
      let sum = session.keys.sum(ofConsent: (rows?.entries ?? []) + addition.entries)
      try session.committer.apply { (state, change) throws(StoreError) in
        state.consentSum = sum
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
    over addition: ConsentAddition, after rows: ConsentRows?, _ keys: StoreKeys
  ) throws(StoreError) -> ConsentSignatureRow {
    let count = (rows?.entries.count ?? 0) + addition.entries.count
    if var row = rows?.signature {
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
