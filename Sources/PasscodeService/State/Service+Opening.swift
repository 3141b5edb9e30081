internal import PasscodeCore
internal import PasscodeStore
internal import PasscodeWire
internal import SecretMemory

/// The two ways in, from whomever the key comes: a call, or a prompt.
extension Service {
  /// Unlocks with a passcode, and renews quick unlock where it is on.
  ///
  /// - Parameter acceptsOlder: a store that is older than the one last seen is taken as it is.
  func open(with passcode: borrowing SecretBytes, acceptsOlder: Bool = false) throws(StoreError) -> PasscodeOutcome {
    let outcome = try withStoreAndMemory { store throws(StoreError) in
      try store.unlock(passcode, renewing: quickUnlock.renewed(store), acceptsOlder: acceptsOlder)
    }
    if case .wrong = outcome { return outcome }
    quickUnlock.notePasscode()
    opened()
    return outcome
  }

  /// Unlocks by quick unlock.
  ///
  /// - Parameter isConfirmed: a person has just agreed.
  func openQuickly(isConfirmed: Bool) throws(StoreError) -> Opening {
    let outcome = try withStoreAndMemory { store throws(StoreError) in
      try quickUnlock.unlock(store, isConfirmed: isConfirmed)
    }
    opened()
    return switch outcome {
    case .right(let isBelow): Opening(state: .unlocked, isBelowPolicy: isBelow)
    case .mustChange: Opening(state: .mustChange)
    case .wrong: preconditionFailure("no passcode was tried")
    }
  }
}
