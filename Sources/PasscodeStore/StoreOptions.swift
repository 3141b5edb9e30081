public import PasscodeCore
public import SecretMemory

/// How a store is opened.
public struct StoreOptions: Sendable {
  /// Where the device key lies, for policies that want one. Never beside the store: a copied store must not bring it along.
  public var deviceKeyPath: String?
  /// The directory that keeps what was last seen of each store; nil: an older copy of the file is not noticed. Never the store's own.
  public var anchorDirectory: String?
  /// Where the time comes from.
  public var clock: any StoreClock
  /// What a derivation costs. Nil: calibrated as the policy's `keyDerivation` says, when a passcode is set.
  public var derivation: Argon2Parameters?
  /// Another SQLite VFS by its name, to inject faults; nil for the system's.
  public var vfs: String?

  /// The system's clock and file system, calibrated cost, no device key.
  public init(
    deviceKeyPath: String? = nil, anchorDirectory: String? = nil, clock: any StoreClock = SystemClock(),
    derivation: Argon2Parameters? = nil, vfs: String? = nil
  ) {
    self.deviceKeyPath = deviceKeyPath
    self.anchorDirectory = anchorDirectory
    self.clock = clock
    self.derivation = derivation
    self.vfs = vfs
  }
}

/// Whether the store can be used.
public enum StoreCondition: Equatable, Sendable {
  /// No key is in memory.
  case locked
  /// The passcode was right; credentials are refused until it is changed.
  case mustChange(MustChangeReason)
  /// The keys are in memory.
  case unlocked
}

/// What the attempt ledger says.
public struct AttemptFacts: Equatable, Sendable {
  /// Wrong tries left before the limit; nil for no limit.
  public var triesRemaining: Int?
  /// Seconds until the next try is taken; 0 where it can be made at once.
  public var retryAfterSeconds: Int

  /// Tries left and seconds to wait.
  public init(triesRemaining: Int?, retryAfterSeconds: Int) {
    self.triesRemaining = triesRemaining
    self.retryAfterSeconds = retryAfterSeconds
  }
}

/// What became of a passcode try. A wrong passcode is a result, not an error.
public enum PasscodeOutcome: Equatable, Sendable {
  /// Right. `isBelowPolicy`: the policy in force would not take it today, and only asks to warn of that.
  case right(isBelowPolicy: Bool)
  /// Right, but it has to be changed.
  case mustChange(MustChangeReason)
  /// Wrong; one try was charged.
  case wrong(AttemptFacts)

  /// Why it has to be changed; nil where it has not.
  public var mustChange: MustChangeReason? { if case .mustChange(let reason) = self { reason } else { nil } }
}

/// The proof of a right passcode, for the one act that asked for it. It can add or replace a slot, which an unlocked store can't.
///
/// Secrets: holds the store key and the passcode; wipes both when it ends.
public struct PasscodeProof: ~Copyable, Sendable {
  let storeKey: StoreKey
  /// Nil where another way in was proved.
  let passcode: SecretBytes?
  let slot: Slot
  /// The slot that was opened: what it proves ends with that slot.
  let provedBy: SlotHeader
  /// Whether what it opens may be an older copy of the store.
  let acceptsOlder: Bool
  /// Why the passcode has to be changed; nil where it has not, and where another way in was proved.
  public let mustChange: MustChangeReason?

  borrowing func isOf(_ text: borrowing SecretBytes) -> Bool {
    switch passcode {
    case .some(let passcode): SecretBytes.isEqual(text, passcode)
    case .none: false
    }
  }
}

/// What became of a try for a proof.
public enum ProofOutcome: ~Copyable, Sendable {
  /// Right.
  case right(PasscodeProof)
  /// Wrong; one try was charged.
  case wrong(AttemptFacts)
}
