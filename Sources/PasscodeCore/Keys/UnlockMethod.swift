public import SecretMemory

/// A way into a store beside the passcode: what a new kind of slot has to implement, and all that it has to.
///
/// The method keeps a secret of its own, outside the store, and makes a slot's key of it. The store never sees that secret; it wraps
/// the store key with the slot's key. A TPM or a FIDO2 token is one more type like this and touches nothing else.
///
/// Calls may take seconds and must give up by themselves.
public protocol UnlockMethod: Sendable {
  /// The kind of its slots; a store has at most one of each.
  var kind: SlotKind { get }

  /// Makes a fresh secret, keeps it where the method keeps it, and gives the key of the slot that is to be opened by it. What was
  /// kept for the same store before is replaced.
  ///
  /// - Parameter generation: told again to ``recall(for:generation:)``, so that a secret of an earlier slot is noticed.
  /// - Throws: why it can't be done. Nothing is kept then.
  func enroll(for store: StoreID, generation: UInt64) throws(UnlockMethodFault) -> SlotKey

  /// Gives the key of the slot of this generation again.
  ///
  /// - Throws: why it can't be done.
  func recall(for store: StoreID, generation: UInt64) throws(UnlockMethodFault) -> SlotKey

  /// Forgets what is kept for a store; nothing kept is no error.
  ///
  /// - Throws: why something may be left behind. It opens nothing any more.
  func withdraw(from store: StoreID) throws(UnlockMethodFault)
}

/// Why a way in can't be used. Never says anything about the passcode.
public struct UnlockMethodFault: Error, Hashable, Sendable {
  /// For the person, as the end of a sentence: "the keyring is locked".
  public let reason: String

  /// A fault with its reason.
  public init(_ reason: String) { self.reason = reason }

  /// The store has no slot of this kind.
  public static let notTurnedOn = UnlockMethodFault("it is not turned on")
  /// What the method gave is another slot's key.
  public static let foreignKey = UnlockMethodFault("its key does not open this store")
  /// The passcode was proved longer ago than the policy lets pass.
  public static let lapsed = UnlockMethodFault("the passcode was last given too long ago")
}

/// What a method kept: 32 bytes that are random already.
public enum MethodSecretPurpose: KeyPurpose {
  /// The label that separates it.
  public static let label: StaticString = "passcoded/v1/method-secret"
}

extension SymmetricKey where Purpose == SlotPurpose {
  /// The key of a slot that a random secret opens: a labelled digest of the secret and, where there is one, of a second share.
  ///
  /// - Parameters:
  ///   - secret: 32 bytes; the caller wipes them.
  ///   - share: kept apart from the secret, so that one alone opens nothing; empty for none.
  /// - Throws: `invalidLength`; `allocationFailed`.
  public init(secret: Span<UInt8>, share: Span<UInt8> = Span()) throws(SecretMemoryError) {
    self = try SymmetricKey<MethodSecretPurpose>(copying: secret).derive(SlotPurpose.self, context: share)
  }
}
