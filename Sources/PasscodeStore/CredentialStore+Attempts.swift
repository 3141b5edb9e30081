public import PasscodeCore
public import SecretMemory

extension CredentialStore {
  /// What the attempt ledger says now.
  ///
  /// - Throws: `storage`.
  public func attempts() throws(StoreError) -> AttemptFacts {
    let policy = attemptPolicy
    let now = options.clock.now()
    let ledger = AttemptLedger(try storage.ledgerRow(), of: id) ?? .damaged(under: policy, at: now)
    return facts(of: ledger, policy, now)
  }

  /// Whether a passcode is the right one. Charged like any try; leaves the store locked or unlocked as it is.
  ///
  /// - Parameter passcode: as given; normalised here.
  /// - Throws: `lockedOut`, `busy`, `invalidPasscode` (none of them charged), `corrupt`, `deviceKeyMissing`, `outOfMemory`, `wiped`,
  ///   `storage`.
  public func verify(_ passcode: borrowing SecretBytes) throws(StoreError) -> PasscodeOutcome {
    let text = try Self.normalized(passcode)
    return try gate.run { () throws(StoreError) in
      switch try attempt(text) {
      case .wrong(let facts): return .wrong(facts)
      case .right(let opened): return outcome(text, try state(opened.storeKey))
      }
    }
  }

  /// Unlocks the store. Where the passcode must be changed, the store is opened for that only.
  ///
  /// The ways in of `methods` that the store has are renewed after the try, while others may try: it returns when that is done, so
  /// that whoever locks next can use them. A renewal that is under way already is not waited for.
  ///
  /// The whole store is compared with what was sealed: what is not as it was stands in ``damage``, and nothing is written then.
  ///
  /// - Parameter acceptsOlder: an older copy of the file is opened, and goes on as a branch of its own.
  /// - Throws: as ``verify(_:)``; `corrupt(.state)`; `olderThanLastSeen`; `locked` where the store was locked since this call began: one that waited for
  ///   its turn is not looked at and costs no try then, one that was under way counts as any, and the store stays locked.
  public func unlock(
    _ passcode: borrowing SecretBytes, renewing methods: [any UnlockMethod] = [], acceptsOlder: Bool = false
  ) throws(StoreError) -> PasscodeOutcome {
    let text = try Self.normalized(passcode)
    let lockCount = vault.lockCount
    let result = try gate.run { () throws(StoreError) -> NotedAttempt in
      guard vault.lockCount == lockCount else { throw .locked }
      return try noted(text, opensSince: lockCount, acceptsOlder: acceptsOlder)
    }
    switch consume result {
    case .wrong(let facts): return .wrong(facts)
    case .right(let opened, let outcome):
      renew(methods, opened.storeKey, try keys(opened.storeKey))
      return outcome
    }
  }

  /// Proves a passcode for the act that needs it in the same call: setting a new one, or adding a way in.
  ///
  /// - Throws: as ``verify(_:)``.
  public func prove(_ passcode: borrowing SecretBytes) throws(StoreError) -> ProofOutcome {
    let text = try Self.normalized(passcode)
    switch try gate.run({ () throws(StoreError) in try noted(text, opensSince: nil) }) {
    case .wrong(let facts): return .wrong(facts)
    case .right(let opened, let outcome):
      let slot = opened.slot
      return .right(
        PasscodeProof(
          storeKey: opened.takeKey(), passcode: text, slot: slot, provedBy: slot.header, acceptsOlder: false,
          mustChange: outcome.mustChange))
    }
  }

  /// Makes a try. A right passcode is judged, it is noted that it was proved, and the store is opened with it unless it is only a
  /// proof. Runs inside the gate.
  ///
  /// - Parameter opensSince: how often the store had been locked when the try began; nil opens nothing.
  /// - Throws: `locked` where it was locked since.
  private func noted(
    _ text: borrowing SecretBytes, opensSince: UInt64?, acceptsOlder: Bool = false
  ) throws(StoreError) -> NotedAttempt {
    switch try attempt(text) {
    case .wrong(let facts): return .wrong(facts)
    case .right(let opened):
      let outcome = try note(text, opened.storeKey, opensSince: opensSince, acceptsOlder)
      return .right(opened, outcome)
    }
  }

  private func note(
    _ text: borrowing SecretBytes, _ storeKey: borrowing StoreKey, opensSince: UInt64?, _ acceptsOlder: Bool
  ) throws(StoreError) -> PasscodeOutcome {
    let keys = try keys(storeKey)
    return try vault.withAnySession { (session) throws(StoreError) in
      // Read only now: a session that was being let go has made its last commit.
      let state = try state(storeKey)
      let outcome = outcome(text, state)
      let session = if let session { session } else { try begin(keys, state, acceptsOlder: acceptsOlder) }
      try noteProof(session.committer, outcome)
      guard let opensSince else { return outcome }
      guard vault.install(session, mustChange: outcome.mustChange, since: opensSince) else { throw .locked }
      return outcome
    }
  }

  static func normalized(_ passcode: borrowing SecretBytes) throws(StoreError) -> SecretBytes {
    do { return try PasscodeText.normalize(passcode.bytes) } catch {
      switch error {
      case .tooLong(let limit): throw .invalidPasscode(.tooLong(limit: limit))
      case .invalidText(let fault): throw .invalidPasscode(.text(fault))
      default: throw .secretMemory(error)
      }
    }
  }

  /// Notes when the passcode was proved and by which policy it was judged. A disk that does not take it, or a file that is too damaged to, keeps nobody out.
  private func noteProof(_ committer: Committer, _ outcome: PasscodeOutcome) throws(StoreError) {
    do throws(StoreError) {
      let present = Set(try storage.slotRows().compactMap { Slot($0, of: id)?.header.id })
      try committer.apply { (state, _) throws(StoreError) in
        state.passcodeProvedAt = options.clock.now().wallSeconds
        state.judgedPolicy = outcome == .right(isBelowPolicy: false) ? engine.policy.digest : nil
        // A slot that was taken away while the store was locked counts no more, whoever writes its row back.
        state.slots.removeAll { !present.contains($0.id) }
      }
    } catch { if !error.isOfStorage, !error.isOfDamage { throw error } }
  }

  private func outcome(_ text: borrowing SecretBytes, _ state: StoreState) -> PasscodeOutcome {
    if let reason = expiry(of: state) { return .mustChange(reason) }
    let engine = engine
    let isBelow = !engine.judge(text.bytes, isBeingSet: false).isMet
    if isBelow, engine.policy.onTightenedPolicy == .requireChange { return .mustChange(.belowPolicy) }
    return .right(isBelowPolicy: isBelow)
  }

  /// When the passcode expires, in seconds since 1970; nil where the policy lets it live, and where the store is locked.
  public var passcodeExpiresAt: Int64? {
    let days = Int64(engine.policy.expirationDays)
    guard days > 0 else { return nil }
    let setAt = try? vault.withAnySession { (session) throws(StoreError) in session?.committer.current.passcodeSetAt }
    return setAt.flatMap { $0 }.map { $0 + days * 86_400 }
  }

  func expiry(of state: StoreState) -> MustChangeReason? {
    let days = Int64(engine.policy.expirationDays)
    return days > 0 && (options.clock.now().wallSeconds - state.passcodeSetAt) / 86_400 >= days ? .expired : nil
  }

  func keys(_ storeKey: borrowing StoreKey) throws(StoreError) -> StoreKeys {
    do { return try StoreKeys(storeKey, of: id) } catch { throw .secretMemory(error) }
  }

  func state(_ storeKey: borrowing StoreKey) throws(StoreError) -> StoreState {
    let keys = try keys(storeKey)
    let row = try storage.stateRow()
    return try StoreState(row.span, with: keys.state, of: id)
  }

  func facts(of ledger: AttemptLedger, _ policy: AttemptPolicy, _ now: ClockReading) -> AttemptFacts {
    AttemptFacts(
      triesRemaining: policy.triesRemaining(afterFailures: ledger.failures),
      retryAfterSeconds: Self.seconds(ledger.remainingWait(at: now).milliseconds))
  }

  /// Whole seconds, rounded up.
  static func seconds(_ milliseconds: UInt64) -> Int { Int(milliseconds / 1000) + (milliseconds % 1000 == 0 ? 0 : 1) }
}

/// How a try ended, and what a right passcode is worth.
private enum NotedAttempt: ~Copyable {
  case right(OpenedSlot, PasscodeOutcome)
  case wrong(AttemptFacts)
}
