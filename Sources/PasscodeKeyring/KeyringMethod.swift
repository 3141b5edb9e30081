public import PasscodeCore
public import SecretMemory

/// Quick unlock as a way into a store: the key of its slot is made of an item in the OS keyring and, where the passcode is to be
/// asked for after each start of the machine, of a share in the kernel's keyring.
///
/// Each call takes at most as long as the helper may, and shows no dialog.
public struct KeyringMethod: UnlockMethod {
  /// A slot of the OS keyring.
  public let kind = SlotKind.keyring
  private let helper: KeyringHelper
  private let usesShare: Bool

  /// Quick unlock through a helper.
  ///
  /// - Parameter passcodeAfterReboot: whether the second half lies in the kernel's keyring, which a restart clears. A slot opens
  ///   only as it was made.
  public init(helper: KeyringHelper = KeyringHelper(), passcodeAfterReboot: Bool) {
    self.helper = helper
    usesShare = passcodeAfterReboot
  }

  /// Whether it really works now: an item and, where one is used, a share are stored, read and removed.
  ///
  /// - Throws: why it does not.
  public func probe() throws(UnlockMethodFault) {
    try Self.reporting { () throws(KeyringObstacle) in
      if usesShare {
        let share = KernelKeyringShare(store: .random())
        _ = try share.renew()
        try share.remove()
      }
      try helper.probe()
    }
  }

  /// Stores a fresh item and a fresh share. The item goes first: where the keyring is out of reach, what was kept before still
  /// counts.
  public func enroll(for store: StoreID, generation: UInt64) throws(UnlockMethodFault) -> SlotKey {
    try Self.reporting { () throws(KeyringObstacle) in
      let item = try helper.enable(store: store, generation: generation)
      guard usesShare else { return try Self.key(item, nil) }
      do throws(KeyringObstacle) {
        return try Self.key(item, try KernelKeyringShare(store: store).renew())
      } catch {
        try? helper.remove(store: store)
        throw error
      }
    }
  }

  /// The slot's key, of the item and the share.
  public func recall(for store: StoreID, generation: UInt64) throws(UnlockMethodFault) -> SlotKey {
    try Self.reporting { () throws(KeyringObstacle) in
      guard usesShare else { return try Self.key(try helper.recall(store: store, generation: generation), nil) }
      let share = try KernelKeyringShare(store: store).read()
      return try Self.key(try helper.recall(store: store, generation: generation), share)
    }
  }

  /// Removes the item and the share. Either of them alone opens nothing.
  public func withdraw(from store: StoreID) throws(UnlockMethodFault) {
    // A share that can't be removed is of no use without the item.
    try? KernelKeyringShare(store: store).remove()
    try Self.reporting { () throws(KeyringObstacle) in try helper.remove(store: store) }
  }

  private static func key(
    _ item: consuming SecretBytes, _ share: consuming SecretBytes?
  ) throws(KeyringObstacle) -> SlotKey {
    let share = consume share
    do throws(SecretMemoryError) {
      switch share {
      case .some(let share): return try SlotKey(secret: item.bytes, share: share.bytes)
      case .none: return try SlotKey(secret: item.bytes)
      }
    } catch { throw .secretMemory(error) }
  }

  private static func reporting<R: ~Copyable>(
    _ body: () throws(KeyringObstacle) -> R
  ) throws(UnlockMethodFault) -> R {
    do { return try body() } catch { throw UnlockMethodFault(error.reason) }
  }
}
