internal import PasscodeCore
internal import PasscodeStore
internal import PasscodeWire
internal import SecretMemory

/// The daemon's store, as the authority of a flow.
///
/// What a flow can't tell is kept as ``fault``: the error of the store that made it fail.
///
/// Secrets: holds the proof of the current passcode between the steps of a change; wiped when it is used and when the flow ends.
final class StoreAuthority: PasscodeAuthority {
  private let service: Service
  private let acceptsWipe: Bool
  /// How often the store had been locked when the flow began: what it sets counts, but it does not leave open what was locked since.
  private let lockCount: UInt64
  private var proof: PasscodeProof?
  private var fault: WireError?
  /// Whether the change took quick unlock away, because it could not be renewed.
  private(set) var hasDroppedQuickUnlock = false

  init(_ service: Service, acceptsWipe: Bool) {
    self.service = service
    self.acceptsWipe = acceptsWipe
    lockCount = service.lockCount
  }

  /// What went wrong since it was asked last; nil where nothing did.
  func takeFault() -> WireError? { fault.take() }

  // MARK: - PasscodeAuthority

  var policyEngine: PolicyEngine { service.policies.current.engine(acceptsWipe: acceptsWipe) }

  var triesRemaining: Int? {
    (try? service.holder.withStore { store throws(StoreError) in try store.attempts() })?.triesRemaining
  }

  func tryPasscode(_ passcode: borrowing SecretBytes, mode: PasscodeInputMode) -> PasscodeAnswer {
    do throws(StoreError) {
      switch mode {
      case .create:
        // Since the flow was started consent may have been taken back, or a form may have changed.
        do throws(WireError) { try service.requireConsentToCreate() } catch {
          fault = error
          return .failed(Self.failure)
        }
        try service.create(passcode, acceptsWipe: acceptsWipe, since: lockCount)
        return .accepted
      case .match, .matchForChange: return try prove(passcode)
      case .change: return change(to: passcode)
      }
    } catch {
      return answer(error, isTried: mode == .create)
    }
  }

  func checkHistory(_ candidate: borrowing SecretBytes) -> HistoryAnswer {
    do throws(StoreError) {
      let isEarlier = try service.holder.withStore { store throws(StoreError) in try isReuse(of: candidate, in: store) }
      return isEarlier ? .earlier : .fresh
    } catch {
      fault = service.translate(error)
      return .failed(Self.failure)
    }
  }

  func changePasscode(from current: borrowing SecretBytes, to new: borrowing SecretBytes) -> PasscodeAnswer { change(to: new) }

  private func change(to new: borrowing SecretBytes) -> PasscodeAnswer {
    do throws(StoreError) {
      try service.holder.withStore { store throws(StoreError) in try replace(new, in: store) }
    } catch {
      return answer(error, isTried: true)
    }
    service.log.note(.passcodeChanged)
    service.quickUnlock.notePasscode()
    service.closeIfLocked(since: lockCount)
    service.opened()
    return .accepted
  }

  // MARK: - Other ways in

  /// Proves a recovery key in the place of the current passcode.
  ///
  /// - Parameter acceptsOlder: a store that is older than the one last seen is taken as it is.
  /// - Throws: `noRecoveryKey`, `recoveryKeyMistyped`, `recoveryKeyWrong`; the store's errors.
  func prove(recoveryKey typed: Span<UInt8>, acceptsOlder: Bool) throws(WireError) {
    let hasKey: Bool
    do throws(StoreError) {
      hasKey = try service.holder.withStore { store throws(StoreError) in try store.hasSlot(.recovery) }
    } catch { throw service.translate(error) }
    guard hasKey else { throw .noRecoveryKey }
    let key: RecoveryKey
    do throws(RecoveryKeyFault) { key = try RecoveryKey.read(typed) } catch {
      switch error {
      case .mistyped: throw .recoveryKeyMistyped
      case .secretMemory(let error): throw WireError(error)
      }
    }
    let method = RecoveryMethod(key)
    do throws(StoreError) {
      try service.holder.withStore { store throws(StoreError) in
        proof = try store.prove(with: method, acceptsOlder: acceptsOlder)
      }
    } catch {
      switch error {
      case .unlockMethod(.notTurnedOn): throw .noRecoveryKey
      case .unlockMethod(.foreignKey): throw .recoveryKeyWrong
      default: throw service.translate(error)
      }
    }
  }

  /// Turns quick unlock on for the store that was just made.
  func enableQuickUnlock(_ passcode: borrowing SecretBytes) throws(FlowFailure) {
    do throws(StoreError) {
      let wrong = try service.holder.withStore { store throws(StoreError) in try service.quickUnlock.enable(passcode, store) }
      if wrong == nil { return }
    } catch {
      guard case .unlockMethod(let fault) = error else { throw Self.failure }
      throw FlowFailure(code: "quickUnlock", message: "Quick unlock is off: \(fault.reason).")
    }
    throw Self.failure
  }

  // MARK: - The store

  private func prove(_ passcode: borrowing SecretBytes) throws(StoreError) -> PasscodeAnswer {
    try service.holder.withStore { store throws(StoreError) in
      switch try store.prove(passcode) {
      case .right(let proof):
        self.proof = consume proof
        return .accepted
      case .wrong(let facts):
        let wait = facts.retryAfterSeconds > 0 ? facts.retryAfterSeconds : nil
        return .wrong(WrongTry(triesRemaining: facts.triesRemaining, retryAfterSeconds: wait))
      }
    }
  }

  private func isReuse(of candidate: borrowing SecretBytes, in store: CredentialStore) throws(StoreError) -> Bool {
    switch proof {
    case .some(let proof): try store.isReuse(of: candidate, proof)
    case .none: throw .locked
    }
  }

  private func replace(_ passcode: borrowing SecretBytes, in store: CredentialStore) throws(StoreError) {
    guard let proof = proof.take() else { throw .locked }
    let wasOn = try store.hasSlot(.keyring)
    try store.replacePasscode(with: passcode, proof, renewing: service.quickUnlock.renewed(store))
    let isOn = try store.hasSlot(.keyring)
    hasDroppedQuickUnlock = wasOn && !isOn
  }

  private static let failure = FlowFailure(code: "store", message: "The store could not do it.")

  /// - Parameter isTried: false where the passcode can be entered again: the flow stands where it stood then.
  private func answer(_ error: StoreError, isTried: Bool) -> PasscodeAnswer {
    fault = service.translate(error)
    switch error {
    case .lockedOut(let seconds): return .lockedOut(retryAfterSeconds: seconds)
    case .wiped: return .erased
    case .busy, .invalidPasscode: return isTried ? .failed(Self.failure) : .belowPolicy(message: "")
    default: return .failed(Self.failure)
    }
  }
}
