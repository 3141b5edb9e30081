public import PasscodeCore
public import SecretMemory

/// Quick unlock for the flows of an app with a store of its own: a way in such as `KeyringMethod`, as a flow's third step.
///
/// The flow belongs to one thread at a time, and so does this.
public final class StoreQuickUnlock: QuickUnlockProvider {
  private let method: any UnlockMethod
  private let probe: () throws(UnlockMethodFault) -> Void
  private let store: () throws(StoreError) -> CredentialStore

  /// - Parameters:
  ///   - method: the way in.
  ///   - probe: whether the method works now, such as `KeyringMethod.probe`.
  ///   - store: asked for when it is needed: in a flow that makes a store there is none before the last step.
  public init(
    _ method: any UnlockMethod, probe: @escaping () throws(UnlockMethodFault) -> Void,
    store: @escaping () throws(StoreError) -> CredentialStore
  ) {
    self.method = method
    self.probe = probe
    self.store = store
  }

  /// Whether the method works now.
  public var availability: QuickUnlockAvailability {
    do { try probe() } catch { return .unavailable(.notWorking(error.reason)) }
    return .available
  }

  /// Whether the store has its slot.
  public var isEnabled: Bool {
    do { return try store().hasSlot(method.kind) } catch { return false }
  }

  /// Adds the slot, or renews it. The passcode is proved for it, which takes a derivation.
  public func enable(with passcode: borrowing SecretBytes) throws(FlowFailure) {
    do throws(StoreError) {
      let store = try store()
      switch try store.prove(passcode) {
      case .right(let proof): return try store.add(method, proof)
      case .wrong: break
      }
    } catch { throw Self.failure(error) }
    throw Self.failure(nil)
  }

  /// Takes the slot away, and lets the method forget.
  public func disable() throws(FlowFailure) {
    do throws(StoreError) { try store().remove(method) } catch { throw Self.failure(error) }
  }

  private static func failure(_ error: StoreError?) -> FlowFailure {
    if case .unlockMethod(let fault) = error {
      return FlowFailure(code: "quickUnlock", message: "Quick unlock: \(fault.reason).")
    }
    return FlowFailure(code: "store", message: "Quick unlock could not be changed in the store.")
  }
}
